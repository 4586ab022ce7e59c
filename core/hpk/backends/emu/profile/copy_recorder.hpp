// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the bytes that copies move, for seam::device_profile.
#pragma once

#include <hpk/seam/device_profile.hpp>

#include <cstddef>

namespace hpk::emu {

/// Counts a copy that is about to run, and whether it repeats an earlier one. `to` and `from` are
/// the addresses that the program holds. Thread-safe.
void record_copy(const seam::device_profile& profile, const void* to, const void* from,
                 std::size_t bytes);

}  // namespace hpk::emu
