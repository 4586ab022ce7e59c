// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenMPTarget: runs on the devices of OpenMP target regions, or on the host if there is no device
// or the compiler generates no device code. Files that launch kernels on it must be compiled with
// OpenMP.
#pragma once

#include <hpk/backends/gpu/machine.hpp>
#include <hpk/backends/openmp_target/runtime.hpp>
#include <hpk/spaces/instance.hpp>

namespace hpk {

class OpenMPTarget;

/// Memory of an OpenMP device, accessible to kernels of OpenMPTarget and to copies; not to host
/// code, even if the device is the host.
struct OpenMPTargetSpace : seam::memory_space_base<OpenMPTargetSpace, OpenMPTarget> {
  /// "OpenMPTarget"
  static constexpr const char* name() noexcept { return "OpenMPTarget"; }
};

/// Runs kernels in OpenMP target regions. Launches, copies and fills are synchronous.
class OpenMPTarget : public seam::space_base<OpenMPTarget, OpenMPTargetSpace, LayoutLeft> {
 public:
  /// The default instance, on the device that the settings choose, else on OMP_DEFAULT_DEVICE.
  OpenMPTarget() = default;
  /// A new instance with the given options. Throws hpk::error if there is no such device.
  explicit OpenMPTarget(NewInstance what);
  /// "OpenMPTarget"
  static constexpr const char* name() noexcept { return "OpenMPTarget"; }
  /// OpenMP's number of the device of this instance.
  int omp_device() const;
};

namespace seam {

/// The machine of OpenMPTarget.
template <>
class machine<OpenMPTarget> : public gpu::machine<openmp_target::runtime> {
 public:
  using gpu::machine<openmp_target::runtime>::machine;
  using lane = openmp_target::lane;
  static constexpr bool launches_here = openmp_target::runtime::compiled_here;
  /// Whether the compiler of this file generates code for the host only.
  static constexpr bool always_on_host = !openmp_target::runtime::has_devices;

  static machine& default_instance();
  static void start(const settings& s);
  static void stop() noexcept;
  static int device_count() noexcept { return openmp_target::runtime::device_count(); }
  int device() const noexcept;
  void describe(fact_sink& sink) const;
  void describe_device(DeviceProperties& found) const;
  static constexpr std::uint32_t tool_id() noexcept { return 4u << 24; }
};

/// Device memory of OpenMP.
template <>
class memory<OpenMPTargetSpace> {
 public:
  using home = OpenMPTarget;
  static constexpr accessibility access = accessibility::device;
  static void* allocate(std::size_t bytes, std::size_t align) {
    return openmp_target::runtime::allocate(nullptr, bytes, align);
  }
  static void* allocate_on(const machine<OpenMPTarget>& on, std::size_t bytes, std::size_t align) {
    return openmp_target::runtime::allocate(on.stream(), bytes, align);
  }
  static void deallocate(void* data, std::size_t, std::size_t) noexcept {
    openmp_target::runtime::deallocate(data);
  }
  /// Reports every access of host code outside of kernels.
  static access_watcher watcher() noexcept {
    return inside_kernel() ? nullptr : &gpu::reject_host_access;
  }
};

}  // namespace seam
}  // namespace hpk
