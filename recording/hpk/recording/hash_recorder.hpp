// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HPK_HASH: writes a hash of every View that a launch, copy or fill may have written, behind it.
// docs/debugging.md describes the file, and hpk-diff compares two. Internal to recording/ and
// runtime/.
#pragma once

#include <hpk/recording/hash_request.hpp>
#include <hpk/tools/launch_observer.hpp>

#include <string>
#include <utility>
#include <vector>

namespace hpk::detail {

/// Names and values of the run, for the head of the file.

/// Begins to record, and returns the observer. Throws hpk::error naming a file that can't be
/// written.
seam::launch_observer& begin_hashes(const hash_request& request, const run_facts& facts);
/// Completes the files.
void end_hashes();
/// Writes what is not in the files yet, because the program is about to end. Does not wait for
/// other threads.
void flush_hashes() noexcept;

}  // namespace hpk::detail
