// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which device of several a process uses.
#pragma once

#include <hpk/seam/settings.hpp>

#include <string_view>

namespace hpk::gpu {

/// The number of this process among those of its machine, as the launcher of MPI or the batch
/// system says in the environment; -1 when nothing does.
int local_rank() noexcept;

/// The device for instances that name none: what the settings say (--hpk-device-id), else the local
/// rank modulo the devices, else the first. Throws hpk::error naming the space when there is no
/// such device.
int choose_device(const seam::settings& from, int devices, std::string_view space);

/// Throws hpk::error when a device is asked for that does not exist.
void check_device(int device, int devices, std::string_view space);

}  // namespace hpk::gpu
