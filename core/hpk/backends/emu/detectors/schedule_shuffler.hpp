// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds results that depend on the order of lanes or groups: a seed other than 0 shuffles both, in
// another order for each launch and each group. The same seed gives the same orders on every
// machine.
#pragma once

#include <hpk/backends/emu/multiprocessors.hpp>

#include <vector>

namespace hpk::emu {

/// Returns the order in which the groups of a kernel run; empty without a seed, for ascending
/// order.
std::vector<index_t> shuffled_groups(const kernel_call& kernel);

/// Stores the order in which the lanes of a group run in `order` and returns its data; null without
/// a seed.
const int* shuffle_lanes(const kernel_call& kernel, index_t group, std::vector<int>& order);

}  // namespace hpk::emu
