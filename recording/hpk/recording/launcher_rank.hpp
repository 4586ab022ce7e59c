// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which process of a parallel run this one is. Internal to recording/ and runtime/.
#pragma once

#include <string>
#include <utility>

namespace hpk::detail {

/// The number of this process among those of its MPI launcher, and their number, by the variables
/// of the launcher; {-1, 0} if there is none.
std::pair<int, int> rank_by_launcher() noexcept;
/// ".rank3" in a process of an MPI launcher, else nothing: what is added to the names of files.
std::string suffix_of_rank();

}  // namespace hpk::detail
