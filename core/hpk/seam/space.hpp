// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public face of spaces: concepts and traits under their usual names, Device, and who may
// access what. Everything here is computed from the two templates of the seam.
#pragma once

#include <hpk/seam/machine.hpp>
#include <hpk/seam/memory.hpp>

#include <type_traits>

namespace hpk {

/// True for a type that is an execution space (a backend's space, or one of your own).
template <class T>
inline constexpr bool is_execution_space_v = seam::execution_space<std::remove_cv_t<T>>;
/// True for a type that is a memory space.
template <class T>
inline constexpr bool is_memory_space_v = seam::memory_space<std::remove_cv_t<T>>;

/// `type`-style form of is_execution_space_v.
template <class T>
struct is_execution_space : std::bool_constant<is_execution_space_v<T>> {};
/// `type`-style form of is_memory_space_v.
template <class T>
struct is_memory_space : std::bool_constant<is_memory_space_v<T>> {};

/// A pair of an execution space and a memory space that it may access. Usable wherever a View or a
/// policy takes a space.
template <class Exec, class Mem>
struct Device {
  using execution_space = Exec;
  using memory_space = Mem;
  using device_type = Device;
};

/// True for a Device.
template <class T>
inline constexpr bool is_device_v = false;
template <class Exec, class Mem>
inline constexpr bool is_device_v<Device<Exec, Mem>> = true;

/// `type`-style form of is_device_v.
template <class T>
struct is_device : std::bool_constant<is_device_v<std::remove_cv_t<T>>> {};
/// True for an execution space, a memory space or a Device.
template <class T>
inline constexpr bool is_space_v =
    is_execution_space_v<T> || is_memory_space_v<T> || is_device_v<std::remove_cv_t<T>>;
/// `type`-style form of is_space_v.
template <class T>
struct is_space : std::bool_constant<is_space_v<T>> {};

/// Whether code that runs on Exec may touch memory of Mem.
template <class Exec, class Mem>
struct SpaceAccessibility {
  static constexpr bool accessible = seam::kernel_may_access<Exec, Mem>;
};

/// The relation of two memory spaces.
///   assignable   a View of Src may become a View of Dst
///   accessible   code at home in Dst may touch memory of Src
///   deepcopy     hpk::deep_copy moves bytes between the two
template <class Dst, class Src>
struct MemorySpaceAccess {
  static constexpr bool assignable = std::is_same_v<Dst, Src>;
  static constexpr bool accessible = seam::kernel_may_access<typename Dst::execution_space, Src>;
  static constexpr bool deepcopy = true;
};

/// Waits until all work of all spaces and instances is done and visible to the host. On host spaces
/// a launch returns when its work is done, so there is nothing to wait for; a launch that another
/// thread is in the middle of is that thread's. `name` is what tools show. Thread-safe; not from
/// inside a kernel.
void fence(std::string_view name = "hpk::fence");

}  // namespace hpk
