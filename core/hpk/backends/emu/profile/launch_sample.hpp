// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches are counted. The steps of a time loop launch the same kernels again and again: the
// first launches of each are counted, then one of sixteen, and the launches in between are reported
// with the counts of the one before.
#pragma once

#include <hpk/seam/device_profile.hpp>

namespace hpk::emu {

struct kernel_call;

/// The profile for which a launch that is about to run is to be counted; null if nobody asks, or if
/// it is reported like an earlier one. Launches are the same if the code of their lanes, label,
/// line and shape are. Thread-safe.
const seam::device_profile* sample_launch(const kernel_call& kernel);

/// Keeps the counts of a launch for those that are like it. Thread-safe.
void keep_sample(const kernel_call& kernel, const seam::launch_counts& counts);

/// Forgets all launches: a new profile begins.
void forget_samples() noexcept;

}  // namespace hpk::emu
