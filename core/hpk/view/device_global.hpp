// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global variables and constants that kernels use without capturing them. They are declared at
// namespace scope, have one copy in each memory, and are set and read by deep_copy.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/device_storage.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/seam/turn.hpp>
#include <hpk/tools/callbacks.hpp>
#include <hpk/view/view.hpp>

#include <source_location>
#include <type_traits>

namespace hpk {

/// A device variable declared by HPK_DEVICE_GLOBAL or HPK_DEVICE_CONSTANT. Zero-initialised.
template <class Tag>
class DeviceGlobal {
 public:
  using value_type = typename Tag::type;  ///< the type in the declaration
  static_assert(
      std::is_trivially_copyable_v<std::remove_all_extents_t<value_type>>,
      "hpk::DeviceGlobal: copies set and read it; write a type that is trivially copyable");
  /// Whether kernels may only read it.
  static constexpr bool is_constant = Tag::is_constant;
  /// The result of get().
  using reference = std::conditional_t<is_constant, const value_type&, value_type&>;

  /// In a kernel of Exec: the variable on the device that runs the kernel. All host spaces share
  /// one variable, which host code may also use outside of kernels; Emu has a separate one.
  template <class Exec = DefaultExecutionSpace>
  HPK_FUNCTION static reference get() {  // static: device code can't refer to host objects
    HPK_IF_ON_HOST((return storage<typename Exec::memory_space>;))
    HPK_IF_ON_DEVICE((return *Tag::on_device();))
  }

  /// For copies: the address of the variable on the device of an instance.
  template <class Exec>
  static void* address_on([[maybe_unused]] const Exec& exec) {
    if constexpr (seam::has_device_symbols<seam::machine<Exec>>) {
      constexpr bool there = seam::launches_here<Exec>;
      static_assert(there,
                    "hpk::DeviceGlobal: the variable of a GPU is known to files that its compiler "
                    "compiles; in CMake write hpk_language(<target>)");
      if constexpr (there) return exec.instance().address_of_symbol(Tag::symbol());
      return nullptr;
    } else {
      return &storage<typename Exec::memory_space>;
    }
  }

 private:
  template <class Mem>
  static inline HPK_EXPORT_TEMPLATE value_type storage{};
};

/// @{
/// True for a DeviceGlobal.
template <class T>
inline constexpr bool is_device_global_v = false;
template <class Tag>
inline constexpr bool is_device_global_v<DeviceGlobal<Tag>> = true;
/// @}

}  // namespace hpk

namespace hpk::detail {

/// Copies bytes in the order of an instance, and waits.
template <class Exec>
void copy_global(const Exec& exec, void* to, const void* from, std::size_t bytes) {
  seam::expect_outside_kernel("hpk::deep_copy");
  auto& machine = exec.instance();
  const seam::turn held_turn(machine);
  machine.copy(to, from, bytes);
  detail::fence_machine(machine, "hpk::deep_copy: of a device global");
}
[[noreturn]] void reject_global_view(std::string_view label, std::size_t elements,
                                     std::size_t expected, const std::source_location& where);
template <class T, class V>
void expect_same_elements(const V& view, const std::source_location& where) {
  constexpr bool same =
      std::is_same_v<std::remove_all_extents_t<T>, typename V::non_const_value_type>;
  static_assert(
      same,
      "hpk::deep_copy: the elements of View and device global differ; write a View of the "
      "same element type");
  constexpr std::size_t expected = sizeof(T) / sizeof(std::remove_all_extents_t<T>);
  if (view.size() != expected || !view.span_is_contiguous())
    reject_global_view(view.label(), view.size(), expected, where);
}

}  // namespace hpk::detail

namespace hpk {

/// Sets a device global on the device of `exec`, in order with its work; waits for the copy. Throws
/// hpk::error inside a kernel.
template <seam::execution_space Exec, class Tag>
void deep_copy(const Exec& exec, const DeviceGlobal<Tag>& to,
               const typename DeviceGlobal<Tag>::value_type& from) {
  detail::copy_global(exec, to.address_on(exec), &from, sizeof from);
}
/// Reads a device global.
template <seam::execution_space Exec, class Tag>
void deep_copy(const Exec& exec, typename DeviceGlobal<Tag>::value_type& to,
               const DeviceGlobal<Tag>& from) {
  detail::copy_global(exec, &to, from.address_on(exec), sizeof to);
}
/// Sets a device global from the elements of a View. The View must have as many elements, without
/// gaps, in memory that copies of `exec` can access; otherwise throws hpk::error with label and
/// sizes.
template <seam::execution_space Exec, class Tag, class E, class... Qs>
void deep_copy(const Exec& exec, const DeviceGlobal<Tag>& to, const View<E, Qs...>& from,
               const std::source_location& where = std::source_location::current()) {
  using type = typename DeviceGlobal<Tag>::value_type;
  detail::expect_same_elements<type>(from, where);
  detail::copy_global(exec, to.address_on(exec), from.data(), sizeof(type));
}
/// Reads a device global into a View.
template <seam::execution_space Exec, class E, class... Qs, class Tag>
void deep_copy(const Exec& exec, const View<E, Qs...>& to, const DeviceGlobal<Tag>& from,
               const std::source_location& where = std::source_location::current()) {
  using type = typename DeviceGlobal<Tag>::value_type;
  detail::expect_same_elements<type>(to, where);
  detail::copy_global(exec, to.data(), from.address_on(exec), sizeof(type));
}

}  // namespace hpk

#define HPK_DETAIL_DECLARE_GLOBAL(mark, constant, T, name)                    \
  HPK_DETAIL_DEVICE_STORAGE(mark, T, name)                                    \
  HPK_DETAIL_STORAGE_SCOPE {                                                  \
    struct hpk_tag_of_##name {                                                \
      using type = ::hpk::detail::type_identity<T>::type;                     \
      static constexpr bool is_constant = constant;                           \
      HPK_INLINE_FUNCTION static type* on_device() {                          \
        HPK_IF_ON_HOST((return nullptr;))                                     \
        HPK_IF_ON_DEVICE((return &hpk_storage_of_##name;))                    \
      }                                                                       \
      static const void* symbol() { return HPK_DETAIL_DEVICE_ADDRESS(name); } \
    };                                                                        \
    inline constexpr ::hpk::DeviceGlobal<hpk_tag_of_##name> name{};           \
  }

/// Declares a global device variable at namespace scope: HPK_DEVICE_GLOBAL(double[16], table).
/// Kernels use table.get<Exec>() without capturing it; deep_copy(exec, table, value) and
/// deep_copy(exec, value, table) set and read it. T may be an array. Hosts and Emu have one
/// variable for the whole program. GPUs have one for each file and device, or one for the program
/// and device if device code is linked across files (relocatable). (reason: GPU compilers require a
/// marked variable at namespace scope.)
#define HPK_DEVICE_GLOBAL(T, name) HPK_DETAIL_DECLARE_GLOBAL(HPK_DETAIL_GLOBAL_MARK, false, T, name)
/// Declares a global device constant that kernels only read. On GPUs it uses constant memory, which
/// has 64 KiB.
#define HPK_DEVICE_CONSTANT(T, name) \
  HPK_DETAIL_DECLARE_GLOBAL(HPK_DETAIL_CONSTANT_MARK, true, T, name)
