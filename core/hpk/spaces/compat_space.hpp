// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of execution spaces that programs written for older Kokkos versions use.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/seam/machine.hpp>
#include <hpk/tools/callbacks.hpp>

#include <cstdint>
#include <string_view>

namespace hpk::classes {
/// Base class of an execution space: concurrency(), of an instance or, if `Static`, without one. A
/// C++ class cannot have both.
template <class Exec, bool Static>
struct concurrency_member {
  /// The number of lanes that can run at the same time; on host spaces the number of workers.
  int concurrency() const {
    return seam::lanes_at_once(static_cast<const Exec*>(this)->instance().properties());
  }
};
/// Base class that makes `Exec::concurrency()` compile, which Kokkos 4 has for all spaces.
template <class Exec>
struct concurrency_member<Exec, true> {
  /// The maximum number of lanes that can run at the same time on the default instance or on any
  /// other instance that the program has made. Storage for this number of lanes suffices for each
  /// of these instances.
  static int concurrency() {
    const int lanes = seam::lanes_at_once(seam::machine<Exec>::default_instance().properties());
    if constexpr (requires { seam::machine<Exec>::most_workers(); }) {
      const int most = seam::machine<Exec>::most_workers();
      return most > lanes ? most : lanes;
    } else {
      return lanes;
    }
  }
};

/// Base class of an execution space.
template <class Exec>
struct compat_space : concurrency_member<Exec, HPK_PERMISSIVE != 0> {
  /// Whether the calling thread is in a kernel.
  ///@{
  static bool in_parallel() noexcept { return seam::inside_kernel(); }
  static bool in_parallel(const Exec&) noexcept { return seam::inside_kernel(); }
  ///@}
  /// Whether launches may return before they are done.
  ///@{
  static constexpr bool is_asynchronous() noexcept { return !seam::machine<Exec>::synchronous; }
  static constexpr bool is_asynchronous(const Exec&) noexcept { return is_asynchronous(); }
  ///@}
  /// Waits for all work of all instances of the space; on a host space, of all host spaces. `name`
  /// appears in tools.
  static void impl_static_fence(std::string_view name) {
    seam::expect_outside_kernel(name);
    const detail::fence_scope scope(name, seam::machine<Exec>::tool_id());
    seam::machine<Exec>::fence_all();
  }
  /// The number of this instance in the callbacks of tools.
  std::uint32_t impl_instance_id() const {
    return detail::device_id_of(static_cast<const Exec*>(this)->instance()) & 0xffffffU;
  }
};

/// Base class of an execution space whose machine has worker_rank().
template <class Exec>
struct compat_host_space {
  /// The number of the calling worker in its launch; 0 outside of kernels.
  ///@{
  static int impl_hardware_thread_id() noexcept { return seam::machine<Exec>::worker_rank(); }
  static int impl_thread_pool_rank() noexcept { return seam::machine<Exec>::worker_rank(); }
  ///@}
  /// The number of workers of the default instance.
  ///@{
  static int impl_thread_pool_size() {
    return seam::lanes_at_once(seam::machine<Exec>::default_instance().properties());
  }
  static int impl_max_hardware_threads() { return impl_thread_pool_size(); }
  ///@}
};
}  // namespace hpk::classes
