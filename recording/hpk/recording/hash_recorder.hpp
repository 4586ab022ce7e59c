// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HPK_HASH: after each launch, copy or fill, writes a hash of every View that it may have written.
// docs/debugging.md describes the file, and hpk-diff compares two of them. Internal to
// recording/.
#pragma once

#include <hpk/recording/hash_request.hpp>
#include <hpk/tools/launch_observer.hpp>

#include <string>
#include <utility>
#include <vector>

namespace hpk::detail {

/// Begins to record and returns the observer; `facts` describe the run in the head of the file.
/// Throws hpk::error with the name of the file if a file can't be written.
launch_observer& begin_hashes(const hash_request& request, const run_facts& facts);
/// Completes the files.
void end_hashes();
/// Writes what is not in the files yet when the program ends early. Does not wait for other
/// threads.
void flush_hashes() noexcept;

}  // namespace hpk::detail
