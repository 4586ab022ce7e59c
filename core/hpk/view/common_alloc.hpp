// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// common_view_alloc_prop: the element type for results computed from several Views.
#pragma once

#include <hpk/base/classes.hpp>
#include <hpk/view/view.hpp>

namespace hpk {

namespace classes {
/// The result of common_view_alloc_prop().
template <class T>
struct common_properties {
  using value_type = T;         ///< the element type
  using scalar_array_type = T;  ///< the same: elements are never arrays
};
}  // namespace classes

namespace detail {
using classes::common_properties;
template <class T>
struct is_common<common_properties<T>> : std::true_type {};
template <class T>
concept has_elements = requires { typename T::non_const_value_type; };
template <class... Ts>
concept have_common_type = requires { typename std::common_type_t<Ts...>; };
}  // namespace detail

/// Returns an object whose value_type is the common type (std::common_type_t) of the elements of
/// all `views`, without const, for a View of results. `views` may also be DynRankViews and other
/// containers. Pass the object to view_alloc with the other properties:
///   auto common = hpk::common_view_alloc_prop(a, b);
///   hpk::View<typename decltype(common)::value_type*> c(hpk::view_alloc("c", common), n);
template <class... Views>
constexpr auto common_view_alloc_prop([[maybe_unused]] const Views&... views) {
  constexpr bool known = sizeof...(Views) > 0 && (detail::has_elements<Views> && ...);
  static_assert(known, "hpk::common_view_alloc_prop: takes Views, one at least");
  if constexpr (known) {
    constexpr bool common = detail::have_common_type<typename Views::non_const_value_type...>;
    static_assert(common,
                  "hpk::common_view_alloc_prop: the element types have no common type; write the "
                  "element type, or specialise std::common_type for yours");
    if constexpr (common)
      return detail::common_properties<
          std::common_type_t<typename Views::non_const_value_type...>>();
  }
}

}  // namespace hpk
