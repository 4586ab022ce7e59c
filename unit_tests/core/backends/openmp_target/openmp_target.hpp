// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What typed tests need to run on OpenMPTarget, which the build need not have: the compiler
// includes it in front of each file. There is no offload device where tests run, so host memory is
// what host code and kernels reach alike.
#pragma once

#include <hpk/backends/openmp_target/openmp_target.hpp>

#include <hpk/core.hpp>

#include <support/spaces.hpp>

namespace hpk_test {

struct OpenMPTargetShared : hpk::seam::memory_space_base<OpenMPTargetShared, hpk::OpenMPTarget> {
  static constexpr const char* name() noexcept { return "OpenMPTargetShared"; }
};

template <>
struct shared_memory<hpk::OpenMPTarget> {
  using type = OpenMPTargetShared;
};

}  // namespace hpk_test

template <>
class hpk::seam::memory<hpk_test::OpenMPTargetShared> : public hpk::seam::memory<hpk::HostSpace> {
 public:
  using home = OpenMPTarget;
  static constexpr accessibility access = accessibility::both;
  using converts_to = OpenMPTargetSpace;
};
