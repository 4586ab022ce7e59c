// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of devices and pointers: the facts of a device, the number of devices of a space, the
// allocation that contains an address. Also restarts a space.
#pragma once

#include <hpk/memory/allocation.hpp>
#include <hpk/seam/machine.hpp>
#include <hpk/spaces/instance.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hpk {

/// The properties of a device, as far as hpk knows them.
struct DeviceProperties {
  std::string name;              ///< "NVIDIA H100 80GB HBM3"; for a host, the name of its CPU
  std::string_view space;        ///< the name of the execution space
  int device = 0;                ///< the device number, from 0
  std::string pci_bus;           ///< "0000:3b:00.0"; empty for other devices
  std::size_t memory_bytes = 0;  ///< device memory; on hosts and Emu, memory of the machine
  std::size_t free_bytes = 0;    ///< currently free memory; shared with other programs
  index_t multiprocessors = 1;   ///< on host spaces and Emu, the number of workers
  index_t concurrency = 1;       ///< iterations that run at the same time
  int warp_size = 1;             ///< lanes of a sub-group of a team; 1 without sub-groups
  int largest_team = 1;          ///< maximum number of lanes in a team
  std::size_t scratch_bytes[2] = {0, 0};  ///< per team and level; on hosts a recommendation
  int cache_line = 64;                    ///< cache line of the host in bytes
};

/// The allocation that contains an address.
struct PointerInfo {
  bool is_known = false;   ///< the address is in memory that a View owns, or in that of hpk::malloc
  std::string label;       ///< label of the View, or the label given to hpk::malloc
  std::string_view space;  ///< the name of the memory space
  std::size_t offset = 0;  ///< bytes from the start of the allocation
  std::size_t bytes = 0;   ///< size of the allocation
};

/// Finds the allocation of an address, which may point to any memory and is not read. Searches all
/// allocations of hpk and all memory of Views with an owner (view_wrap). Thread-safe.
PointerInfo pointer_info(const void* address);

/// The number of the device whose memory contains an address of the memory space Mem, which another
/// library may have allocated. 0 for host memory, managed memory and pinned memory. Thread-safe.
template <MemorySpace Mem>
int device_of([[maybe_unused]] const void* address) {
  if constexpr (seam::finds_devices<seam::memory<Mem>>) {
    return seam::memory<Mem>::device_of(address);
  } else {
    return 0;
  }
}

}  // namespace hpk

namespace hpk::seam {

/// Fills in the properties of the computer that runs the program: CPU and memory.
void describe_host(DeviceProperties& found);

}  // namespace hpk::seam

namespace hpk {

/// The properties of the device of an instance. Any thread.
template <seam::execution_space Exec>
DeviceProperties device_properties(const Exec& exec = Exec()) {
  auto& machine = exec.instance();
  const seam::machine_properties facts = machine.properties();
  DeviceProperties found;
  found.space = facts.name;
  found.multiprocessors = facts.workers;
  found.concurrency = seam::lanes_at_once(facts);
  found.warp_size = seam::team_subgroup(machine);
  found.largest_team = seam::largest_team(machine);
  for (int level = 0; level < 2; ++level)
    found.scratch_bytes[level] = seam::largest_scratch(exec, level);
  seam::describe_host(found);
  if constexpr (seam::describes_device<seam::machine<Exec>>) machine.describe_device(found);
  return found;
}

/// The number of devices of a space: 1 for a host space, 0 for a GPU space without a GPU.
template <seam::execution_space Exec>
int num_devices() {
  if constexpr (seam::has_device_count<seam::machine<Exec>>) {
    return seam::machine<Exec>::device_count();
  } else {
    return 1;
  }
}

/// The properties of all devices of a space, in the order of their numbers:
/// Exec(hpk::NewInstance{.device = k}) makes an instance on number k. Any thread.
template <seam::execution_space Exec>
std::vector<DeviceProperties> devices() {
  std::vector<DeviceProperties> all;
  if constexpr (seam::has_device_count<seam::machine<Exec>>) {
    for (int k = 0; k < num_devices<Exec>(); ++k)
      all.push_back(device_properties(Exec(NewInstance{.device = k})));
  } else {
    all.push_back(device_properties(Exec()));
  }
  return all;
}

/// Waits for all work of a space and destroys its default instance, with its workers or queue and
/// its workspaces; the next use starts a new one. Views, other instances and the settings stay. No
/// thread may use the default instance during the call. Throws hpk::error inside a kernel, and if
/// work failed; a failure also ends the instance.
template <seam::execution_space Exec>
void reset() {
  seam::expect_outside_kernel("hpk::reset");
  const struct ending {
    ~ending() { seam::machine<Exec>::stop(); }
  } at_the_end;
  seam::machine<Exec>::fence_all();
}

}  // namespace hpk
