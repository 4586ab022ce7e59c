// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices as values: device_properties, devices, num_devices<Space>, reset<Space>; and
// pointer_info, which tells which memory an address is in. Not included by core.hpp.
#pragma once

#include <hpk/parallel.hpp>

#include <hpk/spaces/device.hpp>
