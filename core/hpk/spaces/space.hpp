// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public interface of spaces: concepts and traits under their usual names, Device, and
// accessibility. Everything here is computed from machine<Exec> and memory<Space> of the seam.
#pragma once

#include <hpk/backends/default_spaces.hpp>
#include <hpk/base/classes.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/seam/machine.hpp>
#include <hpk/seam/memory.hpp>

#include <concepts>
#include <type_traits>

namespace hpk {

namespace detail {
/// A class that declares itself an execution space.
template <class T>
concept names_itself_execution_space =
    requires { requires std::same_as<typename T::execution_space, std::remove_cv_t<T>>; };
}  // namespace detail

/// True for an execution space: any class whose `execution_space` is the class itself, as in
/// backends. Launches require an execution space that also has a machine.
template <class T>
inline constexpr bool is_execution_space_v = detail::names_itself_execution_space<T>;
/// True for a type that is a memory space.
template <class T>
inline constexpr bool is_memory_space_v = seam::memory_space<std::remove_cv_t<T>>;
/// is_execution_space_v as a concept: `template <hpk::ExecutionSpace Exec> void solve(Exec exec)`.
template <class T>
concept ExecutionSpace = is_execution_space_v<T>;
/// is_memory_space_v as a concept.
template <class T>
concept MemorySpace = is_memory_space_v<T>;

/// is_execution_space_v as a type.
template <class T>
struct is_execution_space : std::bool_constant<is_execution_space_v<T>> {};
/// is_memory_space_v as a type.
template <class T>
struct is_memory_space : std::bool_constant<is_memory_space_v<T>> {};

namespace detail {
enum class device_fault { none, exec, memory, reach };
template <class Exec, class Mem>
constexpr device_fault find_device_fault() {
  if constexpr (!seam::execution_space<Exec>) {
    return device_fault::exec;
  } else if constexpr (!seam::memory_space<Mem>) {
    return device_fault::memory;
  } else {
    return seam::kernel_may_access<Exec, Mem> ? device_fault::none : device_fault::reach;
  }
}
}  // namespace detail

/// A pair of an execution space and a memory space that it may access. Usable wherever a View or a
/// policy takes a space.
template <class Exec, class Mem>
struct Device {
 private:
  static constexpr auto fault = detail::find_device_fault<Exec, Mem>();
  static constexpr bool is_sound = fault == detail::device_fault::none;
  static_assert(fault != detail::device_fault::exec,
                "hpk::Device: the first argument is not an execution space; write Device<an "
                "execution space, a memory space>");
  static_assert(fault != detail::device_fault::memory,
                "hpk::Device: the second argument is not a memory space; write Device<an execution "
                "space, a memory space>");
  static_assert(fault != detail::device_fault::reach,
                "hpk::Device: the execution space can't access the memory; write a memory space "
                "for which hpk::SpaceAccessibility<Exec, Memory>::accessible holds");

 public:
  // After an error: defaults that avoid follow-on errors.
  using execution_space = std::conditional_t<is_sound, Exec, DefaultHostExecutionSpace>;  ///< Exec
  using memory_space = std::conditional_t<is_sound, Mem, HostSpace>;                      ///< Mem
  using device_type = Device;  ///< makes the class a space
};

/// @{
/// True for a Device.
template <class T>
inline constexpr bool is_device_v = false;
template <class Exec, class Mem>
inline constexpr bool is_device_v<Device<Exec, Mem>> = true;
/// @}

/// is_device_v as a type.
template <class T>
struct is_device : std::bool_constant<is_device_v<std::remove_cv_t<T>>> {};
/// True for an execution space, a memory space or a Device.
template <class T>
inline constexpr bool is_space_v = seam::execution_space<std::remove_cv_t<T>> ||
                                   is_memory_space_v<T> || is_device_v<std::remove_cv_t<T>>;
/// is_space_v as a concept.
template <class T>
concept Space = is_space_v<T>;
/// is_space_v as a type. Its members execution_space and memory_space are the members of
/// T, or void if T is not a space.
template <class T>
struct is_space : std::bool_constant<is_space_v<T>> {
  using execution_space = void;  ///< that of T; void if T has none
  using memory_space = void;     ///< that of T; void if T has none
};
/// @cond internal
template <Space T>
struct is_space<T> : std::true_type {
  using execution_space = typename T::execution_space;
  using memory_space = typename T::memory_space;
};
/// @endcond

namespace detail {
/// Returns an execution space that can access the memory of both spaces, as a type_identity: the
/// execution space of Space, else of Other, else void.
template <class Space, class Other>
constexpr auto find_common_space() {
  using own_exec = typename Space::execution_space;
  using other_exec = typename Other::execution_space;
  using own_memory = typename Space::memory_space;
  using other_memory = typename Other::memory_space;
  if constexpr (seam::kernel_may_access<own_exec, own_memory> &&
                seam::kernel_may_access<own_exec, other_memory>) {
    return type_identity<own_exec>();
  } else if constexpr (seam::kernel_may_access<other_exec, own_memory> &&
                       seam::kernel_may_access<other_exec, other_memory>) {
    return type_identity<other_exec>();
  } else {
    return type_identity<void>();
  }
}

/// SpaceAccessibility of two types that are known to be spaces.
template <class Space, class Other>
struct space_relation {
  using own_memory = typename Space::memory_space;
  using other_memory = typename Other::memory_space;
  static constexpr bool accessible =
      seam::is_anonymous<own_memory> ||
      seam::kernel_may_access<typename Space::execution_space, other_memory>;
  static constexpr bool assignable = is_memory_space_v<Space> && is_memory_space_v<Other> &&
                                     seam::may_become<own_memory, other_memory>;
  static constexpr bool deepcopy = true;
  using space = typename decltype(find_common_space<Space, Other>())::type;
};
/// Placeholder if a type is not a space, so that only one error is printed instead of four.
struct no_relation {
  static constexpr bool accessible = false;
  static constexpr bool assignable = false;
  static constexpr bool deepcopy = false;
  using space = void;
};
template <bool Known, class Space, class Other>
constexpr auto find_relation() {
  if constexpr (Known) {
    return space_relation<Space, Other>();
  } else {
    return no_relation();
  }
}
}  // namespace detail

/// The relation between code that runs on a space (an execution space, a Device, or a memory space,
/// which means its execution_space) and the memory of another space.
template <class AccessSpace, class MemorySpace>
struct SpaceAccessibility {
 private:
  static constexpr bool known = is_space_v<AccessSpace> && is_space_v<MemorySpace>;
  static_assert(known,
                "hpk::SpaceAccessibility: an argument is not a space; write SpaceAccessibility<an "
                "execution space or a memory space, a memory space>");
  using relation = decltype(detail::find_relation<known, AccessSpace, MemorySpace>());

 public:
  /// Code of AccessSpace can access memory of MemorySpace.
  static constexpr bool accessible = relation::accessible;
  /// Both are memory spaces, and a View of MemorySpace converts to a View of AccessSpace.
  static constexpr bool assignable = relation::assignable;
  /// hpk::deep_copy copies between the two; always, if necessary through buffers.
  static constexpr bool deepcopy = relation::deepcopy;
  /// An execution space that can access the memory of both, or void.
  using space = typename relation::space;
};

/// The relation of two memory spaces.
template <class Dst, class Src>
struct MemorySpaceAccess {
 private:
  static constexpr bool known = is_memory_space_v<Dst> && is_memory_space_v<Src>;
  static_assert(known,
                "hpk::MemorySpaceAccess: an argument is not a memory space; write "
                "SpaceAccessibility<Space, MemorySpace> for an execution space");
  using relation = decltype(detail::find_relation<known, Dst, Src>());

 public:
  /// A View of Src converts to a View of Dst.
  static constexpr bool assignable = relation::assignable;
  /// Code of the execution_space of Dst can access memory of Src.
  static constexpr bool accessible = relation::accessible;
  /// hpk::deep_copy copies between the two; always, if necessary through buffers.
  static constexpr bool deepcopy = relation::deepcopy;
};

/// Vendor of a GPU.
enum class gpu_vendor { none, nvidia, amd };
namespace detail {
template <class Mem>
constexpr gpu_vendor find_gpu_vendor() {
  if constexpr (seam::has_gpu_vendor<seam::memory<Mem>>) {
    return seam::memory<Mem>::manufacturer;
  } else {
    return gpu_vendor::none;
  }
}
}  // namespace detail
/// The GPU vendor whose libraries accept addresses of a memory space. Other libraries that are
/// aware of its GPUs, such as an MPI library, accept them too. `none` for host memory and for
/// memory of emulated devices, which only hpk can access.
template <Space S>
inline constexpr gpu_vendor gpu_vendor_v = detail::find_gpu_vendor<typename S::memory_space>();

/// Waits until all work of all spaces and instances is done and visible to the host. Does not wait
/// for a launch on a host space that another thread is still running, because a host launch returns
/// only when its work is done. `name` appears in tools. Thread-safe; not callable inside a kernel.
void fence(std::string_view name = {});

namespace classes {
/// Base class of a memory space Self, an empty tag. Exec can access the memory, and constructs and
/// copies the elements of its Views.
template <class Self, class Exec>
struct memory_space_base {
  using memory_space = Self;               ///< the space itself
  using execution_space = Exec;            ///< the default of its Views
  using device_type = Device<Exec, Self>;  ///< the default of its Views
  using size_type = std::size_t;           ///< counts elements and bytes
  using index_type = index_t;              ///< the default of policies of execution_space

  /// hpk::malloc and hpk::free of the space, for programs that call members of the space. The pairs
  /// may be mixed: hpk::free frees memory from allocate(), and deallocate() frees memory from
  /// hpk::malloc. For compatibility with older programs; `instance`, `logical_bytes` and, in
  /// deallocate(), `label` and `bytes` are ignored. Defined in <hpk/view/malloc.hpp>.
  ///@{
  void* allocate(std::size_t bytes) const;
  void* allocate(const char* label, std::size_t bytes, std::size_t logical_bytes = 0) const;
  template <class Instance>
    requires is_execution_space_v<Instance>
  void* allocate(const Instance& instance, std::size_t bytes) const {
    static_cast<void>(instance);
    return allocate(bytes);
  }
  template <class Instance>
    requires is_execution_space_v<Instance>
  void* allocate(const Instance& instance, const char* label, std::size_t bytes,
                 std::size_t logical_bytes = 0) const {
    static_cast<void>(instance);
    return allocate(label, bytes, logical_bytes);
  }
  void deallocate(void* data, std::size_t bytes) const;
  void deallocate(const char* label, void* data, std::size_t bytes,
                  std::size_t logical_bytes = 0) const;
  ///@}
};
}  // namespace classes

namespace seam {
using classes::memory_space_base;
}  // namespace seam

}  // namespace hpk
