// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/parallel/team/subgroup.hpp>
#include <hpk/seam/launch.hpp>

namespace hpk::detail {

void reject_shuffle_source(int lane, int source, int size) {
  text out;
  out << "hpk::Subgroup::shfl: lane " << lane << " asks for the value of lane " << source
      << " of a sub-group of " << size << "; write a lane from 0 to size() - 1";
  seam::raise_in_kernel(out.str());
}

}  // namespace hpk::detail
