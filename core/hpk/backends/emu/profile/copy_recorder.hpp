// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts what copies move, for seam::device_profile.
#pragma once

#include <hpk/seam/device_profile.hpp>

#include <cstddef>

namespace hpk::emu {

/// Counts a copy that is about to happen, and whether it repeats an earlier one. Addresses as the
/// program holds them. Thread-safe.
void record_copy(const seam::device_profile& profile, const void* to, const void* from,
                 std::size_t bytes);

}  // namespace hpk::emu
