// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// view_wrap with an owner, for memory that an object of the program or of another library owns, and
// with a View, for other elements in the memory of its allocation.
#pragma once

#include <hpk/memory/allocation.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/view/properties.hpp>
#include <hpk/view/set_shape.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace hpk {

namespace classes {
/// @cond internal
/// The result of view_wrap() with ownership. From: the memory space of the View that shares it, or
/// new_owner.
template <class T, class From>
struct wrapped_memory<T, From> {
  T* pointer;
  std::string_view label;  // in the record
  seam::allocation_handle allocation;
};
struct new_owner {};
/// @endcond
}  // namespace classes

namespace detail {
using classes::new_owner;

/// The record of memory that an Owner owns.
template <class Owner>
struct owning_record final : seam::allocation_record {
  template <class Given>
  explicit owning_record(Given&& given) : owner(std::forward<Given>(given)) {}
  static void end(allocation_record* record) noexcept {
    delete static_cast<owning_record*>(record);
  }
  Owner owner;
};

/// Whether an object can be the owner of memory. `Given`: the type of the argument, with &.
template <class Given>
constexpr bool check_new_owner() {
  using owner = std::decay_t<Given>;
  constexpr bool is_view = shares_allocation<owner>;
  static_assert(!is_view,
                "hpk::view_wrap: the owner is a View; write view_wrap(pointer, view), which shares "
                "its memory and label");
  constexpr bool is_label = std::is_convertible_v<const owner&, std::string_view>;
  static_assert(!is_label,
                "hpk::view_wrap: the owner is a string, whose memory moves with it; write "
                "std::vector<char> or std::unique_ptr<char[]>");
  constexpr bool is_owner = is_view || is_label || !std::is_trivially_destructible_v<owner>;
  static_assert(is_owner,
                "hpk::view_wrap: the destructor of the owner does nothing, so it owns no memory; "
                "write view_wrap(pointer) for memory that the View does not own");
  constexpr bool ends = std::is_nothrow_destructible_v<owner>;
  static_assert(ends, "hpk::view_wrap: the destructor of the owner may throw; make it noexcept");
  constexpr bool moves = std::is_constructible_v<owner, Given>;
  static_assert(moves || !std::is_lvalue_reference_v<Given>,
                "hpk::view_wrap: the owner can't be copied; write std::move(owner)");
  static_assert(moves || std::is_lvalue_reference_v<Given>,
                "hpk::view_wrap: the owner can't be moved; write std::make_unique of it");
  constexpr bool copies_elements = std::is_lvalue_reference_v<Given> && requires(owner& o) {
    requires std::is_pointer_v<decltype(o.data())>;
  };
  static_assert(is_view || is_label || !copies_elements,
                "hpk::view_wrap: a copy of the owner has other elements; write std::move(owner)");
  return !is_view && !is_label && is_owner && ends && moves && !copies_elements;
}

/// Throws hpk::error for memory that is a part of the owner, which moves.
[[noreturn]] void reject_owner_of_itself(std::string_view label);
/// Throws hpk::error for memory outside of the allocation that it shares.
[[noreturn]] void reject_memory_outside(const seam::allocation_record& record, const void* data,
                                        std::size_t bytes);

/// Whether a View of Element in Mem may wrap a wrapped_memory<T, From...>.
template <class Element, class Handle, class Mem, class T, class... From>
constexpr bool check_memory() {
  constexpr bool fits = wrappable<T*, Element>;
  static_assert(
      fits,
      "hpk::View: the pointer of view_wrap does not point to the View's elements; write a "
      "View of the element type to which it points");
  constexpr bool keeps =
      !(std::is_same_v<From, new_owner> || ...) || std::is_same_v<Handle, seam::allocation_handle>;
  static_assert(keeps,
                "hpk::View: an Unmanaged View owns no memory; drop the trait, or write "
                "view_wrap(pointer)");
  constexpr bool reaches = [] {
    if constexpr ((is_memory_space_v<From> || ...)) {
      return (seam::may_become<Mem, From> && ...);
    } else {
      return true;
    }
  }();
  static_assert(
      reaches,
      "hpk::View: view_wrap(pointer, view) has a View of another memory space; write that "
      "space as the space of the new View");
  return fits && keeps && reaches;
}

/// @{
/// Gives a View the ownership of the memory that it wraps.
template <class Handle, class T>
HPK_FUNCTION void share_owner(Handle&, const wrapped_memory<T>&) noexcept {}
template <class T, class From>
HPK_FUNCTION void share_owner(seam::allocation_handle& handle,
                              const wrapped_memory<T, From>& memory) noexcept {
  handle = memory.allocation;
}
template <class T, class From>
HPK_FUNCTION void share_owner(seam::no_allocation&, const wrapped_memory<T, From>&) noexcept {}
/// @}

template <class Mem>
void wait_for_kernels(const seam::allocation_record&) {
  seam::machine<typename seam::memory<Mem>::home>::fence_all();
}

/// @{
/// Checks the extents of wrapped memory; lists the record of a new owner.
template <class Mem, class Element, class Map, class T>
HPK_FUNCTION void check_wrapped(const Map& map, const wrapped_memory<T>& memory, const void*) {
  check_not_negative<Element>(map, memory.label);
}
template <class Mem, class Element, class Map, class T, class From>
void check_wrapped(const Map& map, const wrapped_memory<T, From>& memory, const void* data) {
  const std::size_t bytes = count_bytes<Element>(map, memory.label);
  const seam::allocation_record* const record = memory.allocation.record();
  if constexpr (std::is_same_v<From, new_owner>) {
    void (*wait)(const seam::allocation_record&) = nullptr;
    if constexpr (seam::deallocation_waits<typename seam::memory<Mem>::home>)
      wait = &wait_for_kernels<Mem>;
    seam::list_owned(const_cast<seam::allocation_record*>(record), const_cast<void*>(data), bytes,
                     Mem::name(), wait);
  } else if (record != nullptr && record->destroy_owner == nullptr && bytes != 0 &&
             !seam::inside_kernel()) {
    // An owner may have more memory than the first View of it.
    const auto offset =
        reinterpret_cast<std::uintptr_t>(data) - reinterpret_cast<std::uintptr_t>(record->data);
    if (offset > record->bytes || record->bytes - offset < bytes)
      reject_memory_outside(*record, data, bytes);
  }
}
/// @}

}  // namespace detail

/// Returns memory that belongs to `owner`, for a View that then owns it: View(view_wrap(pointer,
/// "label", std::move(owner)), n0, ...). The owner is any object whose destructor releases the
/// memory: std::unique_ptr<T[]>, std::shared_ptr, std::vector<T>, a class of the program. Copies,
/// subviews and conversions of the View share it; the last one destroys it, on its thread and
/// without a lock, when no kernel uses the memory any more. If the View's constructor throws, it is
/// destroyed at once.
///
/// The label appears in messages and is label() of the View. hpk neither constructs nor destroys
/// the elements, and tools receive no event of an allocation. Not in kernels.
template <class Pointer, class Owner>
auto view_wrap(Pointer&& pointer, std::string_view label, Owner&& owner) {
  constexpr bool known = detail::names_memory<std::remove_reference_t<Pointer>>;
  static_assert(known,
                "hpk::view_wrap: takes a pointer, a label and the owner of the memory, in this "
                "order");
  if constexpr (known && detail::check_new_owner<Owner>()) {
    seam::expect_outside_kernel("hpk::view_wrap with an owner");
    using record = detail::owning_record<std::decay_t<Owner>>;
    using memory =
        detail::wrapped_memory<std::remove_pointer_t<std::decay_t<Pointer>>, detail::new_owner>;
    const auto at = reinterpret_cast<std::uintptr_t>(static_cast<const volatile void*>(pointer));
    if (at - reinterpret_cast<std::uintptr_t>(__builtin_addressof(owner)) < sizeof owner)
      detail::reject_owner_of_itself(label);
    // If the label does not fit into memory, the caller still has the owner.
    std::string text(label);
    auto* const made = new record(std::forward<Owner>(owner));
    made->label = std::move(text);
    made->destroy_owner = &record::end;
    return memory{pointer, made->label, seam::allocation_handle(made)};
  }
}

/// Returns memory of the same allocation as a View, for a View of other elements or another shape:
/// View<std::byte*, HostSpace>(view_wrap(pointer, view), n). The new View shares the ownership and
/// the label. `pointer` is an address as view.data() returns it. The memory space must be that of
/// `view`, one to which it converts, or AnonymousSpace. If `view` owns no memory, neither does the
/// new View. Memory outside of the allocation is an hpk::error.
template <class Pointer, detail::shares_allocation V>
auto view_wrap(Pointer&& pointer, const V& view) {
  constexpr bool known = detail::names_memory<std::remove_reference_t<Pointer>>;
  static_assert(known, "hpk::view_wrap: takes a pointer before the View of the same memory");
  if constexpr (known) {
    using memory = detail::wrapped_memory<std::remove_pointer_t<std::decay_t<Pointer>>,
                                          typename V::memory_space>;
    const auto* const record = view.record();
    return memory{pointer, record == nullptr ? detail::wrapped_label() : detail::label_in(record),
                  view.allocation()};
  }
}

}  // namespace hpk
