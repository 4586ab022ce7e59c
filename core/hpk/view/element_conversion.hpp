// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How copies and fills convert elements of one type to another: by conversion or, if no conversion
// exists, by assignment.
#pragma once

#include <hpk/base/macros.hpp>

#include <type_traits>

namespace hpk::detail {

/// Whether an element can be copied by conversion or by the assignment `to = from`.
template <class To, class From>
concept element_takes =
    std::is_convertible_v<const From&, To> || std::is_assignable_v<To&, const From&>;

/// Whether an element is assigned without a conversion, because it has the type To or does not
/// convert to To.
template <class To, class From>
inline constexpr bool is_assigned_as_is =
    std::is_same_v<To, From> ||
    (!std::is_convertible_v<const From&, To> && std::is_assignable_v<To&, const From&>);

/// Returns the value to assign to an element of type To.
HPK_CALLS_EITHER
template <class To, class From>
HPK_FORCEINLINE_FUNCTION constexpr decltype(auto) as_element(const From& element) {
  if constexpr (is_assigned_as_is<To, From>) {
    return (element);
  } else {
    return static_cast<To>(element);
  }
}

/// Whether a value can be converted or assigned to a new element of type To.
template <class To, class From>
concept makes_element =
    std::is_convertible_v<const From&, To> ||
    (std::is_default_constructible_v<To> && std::is_assignable_v<To&, const From&>);

/// Returns an element of type To to which a value was assigned that does not convert to To.
HPK_CALLS_EITHER
template <class To, class From>
HPK_FUNCTION constexpr To assigned_element(const From& value) {
  To element{};
  element = value;
  return element;
}
/// Returns the element that a fill repeats.
HPK_CALLS_EITHER
template <class To, class From>
HPK_FUNCTION constexpr To make_element(const From& value) {
  if constexpr (std::is_convertible_v<const From&, To>) {
    return static_cast<To>(value);
  } else {
    return assigned_element<To>(value);
  }
}

}  // namespace hpk::detail
