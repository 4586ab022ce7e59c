// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emu: a GPU on CPU fibres that finds the mistakes which a real GPU hides. Its memory can't be
// accessed by host code, launches return early, and the lanes of a group wait at real barriers.
#pragma once

#include <hpk/backends/emu/address_translation.hpp>
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/block_facts.hpp>
#include <hpk/backends/emu/detectors/host_access_detector.hpp>
#include <hpk/backends/emu/detectors/uninitialized_detector.hpp>
#include <hpk/backends/emu/options.hpp>
#include <hpk/backends/emu/runtime.hpp>
#include <hpk/backends/gpu/machine.hpp>
#include <hpk/backends/host/memory.hpp>
#include <hpk/spaces/instance.hpp>

namespace hpk {

class Emu;

/// Memory of the emulated device. Kernels of Emu and copies can access it, host code must not.
struct EmuSpace : seam::memory_space_base<EmuSpace, Emu> {
  /// "Emu"
  static constexpr const char* name() noexcept { return "Emu"; }
};

/// Memory that kernels of Emu and host code can access; fence in between. Its Views convert to
/// Views of EmuSpace.
struct EmuManagedSpace : seam::memory_space_base<EmuManagedSpace, Emu> {
  /// "EmuManaged"
  static constexpr const char* name() noexcept { return "EmuManaged"; }
};

/// Host memory that kernels of Emu can access too; fence in between. Its Views convert to Views of
/// HostSpace.
struct EmuHostPinnedSpace : seam::memory_space_base<EmuHostPinnedSpace, DefaultHostExecutionSpace> {
  /// "EmuHostPinned"
  static constexpr const char* name() noexcept { return "EmuHostPinned"; }
};

/// Runs kernels on an emulated GPU. Launches return early; the launches of one instance run in
/// order.
class Emu : public seam::space_base<Emu, EmuSpace, LayoutLeft> {
 public:
  using shared_memory_space = EmuManagedSpace;     ///< memory that host code and kernels can access
  using pinned_memory_space = EmuHostPinnedSpace;  ///< host memory that kernels can access
  /// The default instance.
  Emu() = default;
  /// Makes an instance with a separate queue, as `what` asks for.
  explicit Emu(NewInstance what);
  /// "Emu"
  static constexpr const char* name() noexcept { return "Emu"; }
};

namespace seam {

/// The machine of Emu.
template <>
class machine<Emu> : public gpu::machine<emu::runtime> {
 public:
  using gpu::machine<emu::runtime>::machine;
  static constexpr auto& options = emu::option_rows;

  static machine& default_instance();
  static void start(const settings& s);
  static void stop() noexcept;
  static int device_count() noexcept;
  int device() const noexcept { return emu::runtime::device_of(stream()); }
  void describe(fact_sink& sink) const;
  void describe_device(DeviceProperties& found) const;
  static constexpr std::uint32_t tool_id() noexcept { return 7u << 24; }
  HPK_FORCEINLINE static access_watcher scratch_watcher() noexcept {
    return emu::thread_translation.scratch_watch;
  }
};

/// Device memory of Emu.
template <>
class memory<EmuSpace> {
 public:
  using home = Emu;
  static constexpr accessibility access = accessibility::device;
  static constexpr bool reports_places = true;
  static void* allocate(std::size_t bytes, std::size_t align) {
    emu::expect_no_kernel_allocates();
    return emu::arena::allocate(bytes, align, emu::arena::access::device,
                                emu::current_options().device);
  }
  /// Allocates memory on the device of an instance.
  static void* allocate_on(const machine<Emu>& on, std::size_t bytes, std::size_t align) {
    return emu::arena::allocate(bytes, align, emu::arena::access::device, on.device());
  }
  /// Allocates host memory for a mirror of the block at `source`. watch_mirror() starts to watch
  /// it.
  static void* allocate_mirror(const void* source, std::size_t bytes, std::size_t align) {
    return emu::host_access_detector::allocate_mirror(source, bytes, align);
  }
  static void watch_mirror(const void* data) noexcept {
    emu::host_access_detector::watch_mirror(data);
  }
  static bool checks_all() { return emu::current_options().mirrors; }
  static void deallocate(void* data, std::size_t, std::size_t) noexcept {
    emu::arena::deallocate(data);
  }
  /// Returns 0 for memory that the devices share.
  static int device_of(const void* data) { return emu::find_block(data).device; }
  static void name(void* data, std::string_view label) { emu::arena::name(data, label); }
  /// Fills floats; elements of other types hold the values that allocate() stored.
  template <std::same_as<float> T>
  static void poison(T* data, index_t count) noexcept {
    emu::poison_elements(data, count);
  }
  template <class T>
  HPK_FORCEINLINE static T* device_address(T* data) noexcept {
    return emu::device_address(data);
  }
  template <class T>
  static T* host_address(T* data) noexcept {
    return emu::host_address(data);
  }
  HPK_FORCEINLINE static auto watcher() noexcept { return emu::thread_translation.watch; }
  template <class T>
  HPK_FORCEINLINE static T* unwatched_address(T* data) noexcept {
    const emu::encoded_shift* distance = emu::thread_translation.unwatched;
    return distance == nullptr ? nullptr : emu::shifted(data, distance);
  }
  /// True for shared memory too. Outside kernels no address is translated.
  static bool translates(const void* data) noexcept {
    return emu::thread_translation.shift != 0 && emu::arena::contains(data);
  }
};

/// Memory that host code and kernels can access. While a kernel that captured it may run, host code
/// must not access it.
template <>
class memory<EmuManagedSpace> : public memory<EmuSpace> {
 public:
  static constexpr accessibility access = accessibility::both;
  using converts_to = EmuSpace;
  static void* allocate(std::size_t bytes, std::size_t align) {
    emu::expect_no_kernel_allocates();
    return emu::arena::allocate(bytes, align, emu::arena::access::shared);
  }
  static void* allocate_on(const machine<Emu>&, std::size_t bytes, std::size_t align) {
    return allocate(bytes, align);
  }
  // Accesses of host code need no watcher: the pages are closed while host code must not access
  // them.
  HPK_FORCEINLINE static auto watcher() noexcept {
    return emu::thread_translation.shift == 0 ? nullptr : emu::thread_translation.watch;
  }
  template <class T>
  HPK_FORCEINLINE static T* unwatched_address(T* data) noexcept {
    const emu::encoded_shift* distance = emu::thread_translation.unwatched_shared;
    return distance == emu::encode(emu::no_shift) ? nullptr : emu::shifted(data, distance);
  }
};
/// The same memory; its Views convert to HostSpace.
template <>
class memory<EmuHostPinnedSpace> : public memory<EmuManagedSpace> {
 public:
  using converts_to = HostSpace;
};

}  // namespace seam
}  // namespace hpk
