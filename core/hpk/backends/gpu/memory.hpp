// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory spaces of the vendors' GPUs: the common part of their memory<Space>.
#pragma once

#include <hpk/backends/default_spaces.hpp>
#include <hpk/backends/gpu/machine.hpp>
#include <hpk/backends/gpu/native_graph.hpp>
#include <hpk/backends/gpu/vendor.hpp>
#include <hpk/spaces/instance.hpp>

namespace hpk::gpu {

/// Base of seam::memory for a space of vendor R. Kernels use managed memory like device memory, and
/// host code uses pinned memory like other host memory.
template <class R, class Exec, memory_kind Kind>
class vendor_memory {
 public:
  using home = Exec;
  static constexpr gpu_vendor manufacturer = R::manufacturer;
  static constexpr seam::accessibility access =
      Kind == memory_kind::device ? seam::accessibility::device : seam::accessibility::both;
  using converts_to =
      std::conditional_t<Kind == memory_kind::pinned, HostSpace, typename Exec::memory_space>;
  static void* allocate(std::size_t bytes, std::size_t align) {
    return R::allocate(Kind, nullptr, bytes, align);
  }
  /// Allocates in the order of an instance and on its device.
  static void* allocate_on(const seam::machine<Exec>& machine, std::size_t bytes,
                           std::size_t align) {
    return R::allocate(Kind, machine.stream(), bytes, align);
  }
  static void deallocate(void* data, std::size_t, std::size_t align) noexcept {
    R::deallocate(Kind, data, align);
  }
  static int device_of(const void* data)
    requires(Kind == memory_kind::device)
  {
    return R::device_of(data);
  }
  /// Reports every access of host code to device memory; kernels are not watched.
  static auto watcher() noexcept
    requires(Kind == memory_kind::device)
  {
    return &reject_host_access;
  }
};

/// Base of seam::machine for the execution space Exec of a vendor R. Instantiated in the vendor's
/// .cpp.
template <class R, class Exec>
class vendor_machine : public machine<R> {
 public:
  using machine<R>::machine;
  using self = seam::machine<Exec>;
  static constexpr bool launches_here = R::compiled_here;
  using native_graph = gpu::native_graph<R>;
  using host_workspace = typename machine<R>::pinned_workspace;

  static self& default_instance();
  static void start(const seam::settings&);
  static void stop() noexcept;
  static int device_count() noexcept { return R::device_count(); }
  int device() const noexcept { return this->stream()->device; }
  bool is_only_device() const noexcept { return R::devices_in_use() <= 1; }
  void describe(seam::fact_sink& sink) const { R::describe(sink); }
  /// The device address of a global variable of device code, given its host address.
  void* address_of_symbol(const void* symbol) const {
    return R::address_of_symbol(this->stream(), symbol);
  }
  void describe_device(DeviceProperties& found) const { R::describe_device(this->stream(), found); }
};

}  // namespace hpk::gpu
