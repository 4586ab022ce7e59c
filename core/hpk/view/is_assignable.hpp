// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traits and functions that tell whether one View converts to another.
#pragma once

#include <hpk/view/view.hpp>

namespace hpk {

namespace detail {
template <class Dst, class Src>
struct assignability : std::false_type {};
template <class D, class... Ps, class S, class... Qs>
struct assignability<View<D, Ps...>, View<S, Qs...>>
    : std::bool_constant<always_fits<view_traits<D, Ps...>, view_traits<S, Qs...>>()> {};
}  // namespace detail

/// Whether a View of type Src can be assigned to a View of type Dst for all extents, strides and
/// memory. False if Dst is const.
template <class Dst, class Src>
struct is_always_assignable
    : std::bool_constant<
          !std::is_const_v<std::remove_reference_t<Dst>> &&
          detail::assignability<std::remove_cvref_t<Dst>, std::remove_cvref_t<Src>>::value> {};
/// is_always_assignable as a value.
template <class Dst, class Src>
inline constexpr bool is_always_assignable_v = is_always_assignable<Dst, Src>::value;

/// Whether `dst = src` would succeed, given the types and the current extents, strides and memory
/// of src.
template <class D, class... Ps, class S, class... Qs>
constexpr bool is_assignable([[maybe_unused]] const View<D, Ps...>& dst,
                             [[maybe_unused]] const View<S, Qs...>& src) {
  using to = detail::view_traits<D, Ps...>;
  using from = detail::view_traits<S, Qs...>;
  if constexpr (!detail::may_assign<to, from>) {
    return false;
  } else {
    typename to::mapping map;
    bool fits = detail::take_mapping(map, detail::view_access::mapping(src)) == nullptr;
    if constexpr (to::memory_traits::is_aligned)
      fits = fits && reinterpret_cast<std::uintptr_t>(src.data()) % 64 == 0;
    return fits;
  }
}

}  // namespace hpk
