// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What typed tests need to run on OpenMPTarget even if the build has not enabled it: the compiler
// includes this header before each file. There is no offload device where tests run, so both host
// code and kernels access host memory.
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
