// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of devices that the C interface of tools tells apart, those too that hpk has not.
#pragma once

#include <cstdint>

namespace hpk::Tools::Experimental {

/// The top 8 bits of a device id.
enum struct DeviceType : std::uint32_t {
  Serial,
  OpenMP,
  Cuda,
  HIP,
  OpenMPTarget,
  HPX,
  Threads,
  SYCL,
  OpenACC,
  Unknown
};

}  // namespace hpk::Tools::Experimental
