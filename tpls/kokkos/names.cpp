// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/kokkos/names.hpp>
#include <hpk/kokkos/private_names.hpp>

#include <chrono>
#include <thread>

namespace hpk {

unsigned hwloc::get_available_cores_per_numa() noexcept {
  const unsigned count = std::thread::hardware_concurrency();
  return count == 0 ? 1 : count;
}

std::uint64_t Impl::clock_tic() noexcept {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // namespace hpk
