// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// deep_copy: fills a View with a value, or copies the elements of one View to another View or to a
// variable. This file checks the types; copy_views.hpp performs the copy.
#pragma once

#include <hpk/view/copy_views.hpp>
#include <hpk/view/element_conversion.hpp>

namespace hpk::detail {

template <class Exec, class Dst>
void fill_view(const Exec& exec, const Dst& dst, const typename Dst::non_const_value_type& value,
               const seam::launch_info& info) {
  constexpr bool writable = !std::is_const_v<typename Dst::value_type>;
  static_assert(writable,
                "hpk::deep_copy: the destination's elements are const; write a View of non-const "
                "elements");
  if constexpr (writable) {
    copy_to<staging::forbidden>(exec, dst, repeated_element<Dst>{value}, info);
  }
}

/// Sets all elements to a value of any type, also if the elements are Views, which deep_copy would
/// treat as the source of a copy.
template <class Dst>
void set_elements(const Dst& dst, const typename Dst::non_const_value_type& value,
                  const std::source_location& where = {}) {
  fence("hpk::deep_copy: scalar copy, pre copy fence");
  fill_view(typename Dst::execution_space(), dst, value,
            {.pattern = "deep_copy", .label = {}, .where = where});
  fence("hpk::deep_copy: scalar copy, post copy fence");
}
/// The same, in order with the work of an instance.
template <seam::execution_space Exec, class Dst>
void set_elements(const Exec& exec, const Dst& dst, const typename Dst::non_const_value_type& value,
                  const std::source_location& where = {}) {
  fill_view(exec, dst, value, {.pattern = "deep_copy", .label = {}, .where = where});
  keep_until_done(exec, dst.allocation());
}

template <staging Staging, class Exec, class Dst, class Src>
void copy_view(const Exec& exec, const Dst& dst, const Src& src, const seam::launch_info& info) {
  constexpr bool ranks = Dst::rank() == Src::rank();
  static_assert(ranks, "hpk::deep_copy: the Views have different ranks");
  constexpr bool writable = !std::is_const_v<typename Dst::value_type>;
  static_assert(writable,
                "hpk::deep_copy: the destination's elements are const; write a View of non-const "
                "elements, and the destination first");
  using to = typename Dst::non_const_value_type;
  using from = typename Src::non_const_value_type;
  constexpr bool converts = element_takes<to, from>;
  static_assert(converts,
                "hpk::deep_copy: the elements of the source don't convert to those of the "
                "destination, nor can they be assigned to them");
  constexpr bool reached =
      !std::is_void_v<typename decltype(space_that_assigns<to, Exec, typename Dst::memory_space,
                                                           typename Src::memory_space>())::type>;
  constexpr bool bytes = reached || std::is_trivially_copyable_v<to>;
  static_assert(bytes || Staging == staging::forbidden,
                "hpk::deep_copy: elements that are not trivially copyable can't be copied unless "
                "one execution space can access both memory spaces");
  // With these types the mappings always differ; with others they are compared at run time.
  constexpr bool direct =
      reached || Staging == staging::allowed || (bytes && std::is_same_v<to, from>);
  static_assert(direct,
                "hpk::deep_copy_direct: no execution space can access both Views, and their "
                "elements are of different types; copy to a View of the same type first, or write "
                "deep_copy, which takes a buffer");
  if constexpr (ranks && writable && converts && bytes && direct)
    copy_to<Staging>(exec, dst, src, info);
}

/// Copies the element of a View of rank 0 to a host variable, in order with an instance.
template <class Exec, class T, class Src>
void copy_element(const Exec& exec, T& dst, const Src& src, const std::source_location& where) {
  using element = typename Src::non_const_value_type;
  using memory = typename Src::memory_space;
  constexpr bool rank_0 = Src::rank() == 0;
  static_assert(rank_0, "hpk::deep_copy: a variable takes the element of a View of rank 0");
  constexpr bool writable = !std::is_const_v<T>;
  static_assert(writable, "hpk::deep_copy: the variable is const; write one that is not");
  constexpr bool bytes = std::is_trivially_copyable_v<element>;
  if constexpr (rank_0 && writable) {
    if (src.data() == nullptr) reject_unallocated(src.description());
    if (HPK_CHECKS && detail::is_poisoned(src.data()))
      reject_freed("hpk::deep_copy", src.description(), where);
    detail::copy_scope scope;
    if (detail::copy_scope::is_wanted()) [[unlikely]]
      notify_copy(scope, "Host", repeat_element(&dst, sizeof(T)), memory::name(), operand_of(src));
    const auto move = [&](void* to) {
      move_bytes<HostSpace, memory>(exec, to, src.data(), sizeof(element));
    };
    if constexpr (bytes && std::is_same_v<T, element>) {
      move(&dst);
    } else if constexpr (seam::host_may_access<memory>) {
      exec.instance().fence();
      dst = as_element<T>(src());
    } else {
      static_assert(bytes, "hpk::deep_copy: elements on a device must be trivially copyable");
      if constexpr (bytes) {
        alignas(element) unsigned char buffer[sizeof(element)];
        move(buffer);
        exec.instance().fence();
        dst = as_element<T>(*reinterpret_cast<const element*>(buffer));
      }
    }
    if (detail::launch_observer* const observer = detail::find_observer()) [[unlikely]] {
      exec.instance().fence();
      observer->wrote({.pattern = "deep_copy", .label = {}, .where = where}, false,
                      seam::facts_of_elements(seam::variable_type_of<T>, &dst));
    }
  }
}

}  // namespace hpk::detail

namespace hpk {

/// Copies all elements of src to dst. Both need equal rank and extents, and elements that convert
/// or can be assigned; layouts may differ. Fences all work before and after. If no execution space
/// can access both memories, elements that need another order are copied through labelled buffers.
/// Throws hpk::error if extents differ, or if different Views overlap. Does nothing for two Views
/// without memory and with equal extents.
template <class D, class... Ps, class S, class... Qs>
void deep_copy(const View<D, Ps...>& dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  fence("hpk::deep_copy: copy between views, pre copy fence");
  detail::copy_view<detail::staging::allowed>(
      typename View<D, Ps...>::execution_space(), dst, src,
      {.pattern = "deep_copy", .label = {}, .where = where});
  fence("hpk::deep_copy: copy between views, post copy fence");
}

/// Copies all elements in order with the work of an instance. The call does not wait, and both
/// Views may be destroyed before the copy is done. The call waits for the instance and the copy in
/// two cases: if elements in host memory have a user-defined assignment operator, which runs on the
/// calling thread; and if the instance can't access the memory, so that another space or buffers
/// are needed.
template <seam::execution_space Exec, class D, class... Ps, class S, class... Qs>
void deep_copy(const Exec& exec, const View<D, Ps...>& dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::copy_view<detail::staging::allowed>(
      exec, dst, src, {.pattern = "deep_copy", .label = {}, .where = where});
  detail::keep_until_done(exec, dst.allocation(), src.allocation());
}

/// Like deep_copy, without buffers: for elements of one type in the same order, or for two memories
/// that one execution space can access. Other copies are errors, at compile time if possible, that
/// suggest a replacement.
template <class D, class... Ps, class S, class... Qs>
void deep_copy_direct(const View<D, Ps...>& dst, const View<S, Qs...>& src,
                      const std::source_location& where = std::source_location::current()) {
  fence("hpk::deep_copy_direct: pre copy fence");
  detail::copy_view<detail::staging::forbidden>(
      typename View<D, Ps...>::execution_space(), dst, src,
      {.pattern = "deep_copy_direct", .label = {}, .where = where});
  fence("hpk::deep_copy_direct: post copy fence");
}
/// The same, in order with the work of an instance.
template <seam::execution_space Exec, class D, class... Ps, class S, class... Qs>
void deep_copy_direct(const Exec& exec, const View<D, Ps...>& dst, const View<S, Qs...>& src,
                      const std::source_location& where = std::source_location::current()) {
  detail::copy_view<detail::staging::forbidden>(
      exec, dst, src, {.pattern = "deep_copy_direct", .label = {}, .where = where});
  detail::keep_until_done(exec, dst.allocation(), src.allocation());
}

/// Sets all elements to a value that converts or can be assigned to them. Fences all work before
/// and after. The value is passed by value, so that it may be a constant without an address.
template <class D, class... Ps, class T>
  requires(!is_view_v<T> && detail::makes_element<typename View<D, Ps...>::value_type, T>)
void deep_copy(const View<D, Ps...>& dst, T value,
               const std::source_location& where = std::source_location::current()) {
  using element = typename View<D, Ps...>::non_const_value_type;
  if constexpr (std::is_convertible_v<const T&, element>)
    detail::set_elements(dst, static_cast<element>(value), where);
  else
    detail::set_elements(dst, detail::assigned_element<element>(value), where);
}

/// Sets all elements in order with the work of an instance. Waits only in the two cases that the
/// copy between Views names.
template <seam::execution_space Exec, class D, class... Ps, class T>
  requires(!is_view_v<T> && detail::makes_element<typename View<D, Ps...>::value_type, T>)
void deep_copy(const Exec& exec, const View<D, Ps...>& dst, T value,
               const std::source_location& where = std::source_location::current()) {
  using element = typename View<D, Ps...>::non_const_value_type;
  if constexpr (std::is_convertible_v<const T&, element>)
    detail::set_elements(exec, dst, static_cast<element>(value), where);
  else
    detail::set_elements(exec, dst, detail::assigned_element<element>(value), where);
}

/// Copies the element of a View of rank 0, which converts to T, to a variable. Fences all work
/// before and after.
template <class T, class S, class... Qs>
  requires(!is_view_v<T> && !is_execution_space_v<T>)
void deep_copy(T& dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  fence("hpk::deep_copy: copy into scalar, pre copy fence");
  detail::copy_element(typename View<S, Qs...>::execution_space(), dst, src, where);
  fence("hpk::deep_copy: copy into scalar, post copy fence");
}

/// Copies the element to the variable in order with the work of an instance. The call does not
/// wait: the variable has the value after a fence of the instance, and must live until then. The
/// call waits if the variable and the element have different types, if the element is not trivially
/// copyable, or if the instance can't access the memory.
template <seam::execution_space Exec, class T, class S, class... Qs>
  requires(!is_view_v<T>)
void deep_copy(const Exec& exec, T& dst, const View<S, Qs...>& src,
               const std::source_location& where = std::source_location::current()) {
  detail::copy_element(exec, dst, src, where);
  detail::keep_until_done(exec, src.allocation());
}

}  // namespace hpk
