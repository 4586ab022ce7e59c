// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the device that a process uses.
#pragma once

#include <hpk/seam/settings.hpp>

#include <string_view>

namespace hpk::gpu {

/// Returns the rank of this process on its node, from environment variables of the MPI launcher or
/// the batch system; -1 if none is set.
int local_rank() noexcept;

/// Returns the default device: the device set by --hpk-device-id, else the local rank modulo the
/// number of devices, else 0. Throws hpk::error naming the space if there is no such device.
int choose_device(const seam::settings& from, int devices, std::string_view space);

}  // namespace hpk::gpu
