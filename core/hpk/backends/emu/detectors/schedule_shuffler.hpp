// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results that depend on the order of lanes or groups: a seed other than 0 shuffles both, anew for
// each launch and each group. The same seed gives the same orders on every machine.
#pragma once

#include <hpk/backends/emu/multiprocessors.hpp>

#include <vector>

namespace hpk::emu {

/// In which order the groups of a kernel run; empty without a seed: as they are.
std::vector<index_t> shuffled_groups(const kernel_call& kernel);

/// In which order the lanes of a group run, kept in `order`; null without a seed.
const int* shuffle_lanes(const kernel_call& kernel, index_t group, std::vector<int>& order);

}  // namespace hpk::emu
