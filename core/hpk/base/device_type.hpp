// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of devices in Kokkos' C tool interface, including those that hpk does not support.
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
