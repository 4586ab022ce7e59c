// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects the launches that are counted. A time loop launches the same kernels again and again: the
// first launches of each kernel are counted, then one of sixteen. Launches in between are reported
// with the counts of the last one that was counted.
#pragma once

#include <hpk/seam/device_profile.hpp>

namespace hpk::emu {

struct kernel_call;

/// Returns the profile that has to count a launch which is about to run. Returns null if no profile
/// counts, or if the launch was reported with the counts of an earlier one. Launches are the same
/// if the code of their lanes, label, line and shape are. Thread-safe.
const seam::device_profile* sample_launch(const kernel_call& kernel);

/// Stores the counts of a launch for later launches that are the same. Thread-safe.
void keep_sample(const kernel_call& kernel, const seam::launch_counts& counts);

/// Forgets all launches, because a new profile begins.
void forget_samples() noexcept;

}  // namespace hpk::emu
