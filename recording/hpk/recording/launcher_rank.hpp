// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rank of this process in a parallel run. Internal to recording/.
#pragma once

#include <string>
#include <utility>

namespace hpk::detail {

/// Returns the rank of this process and the number of ranks, from the environment variables of MPI
/// launchers; {-1, 0} without a launcher.
std::pair<int, int> rank_by_launcher() noexcept;
/// Returns ".rank3" under an MPI launcher, else an empty string. File names get this suffix.
std::string suffix_of_rank();

}  // namespace hpk::detail
