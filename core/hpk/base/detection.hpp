// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The detection idiom: tests whether an alias template is valid for given types, as in Library
// Fundamentals TS v2 (N4502). For existing code; new code should use a requires-expression.
#pragma once

#include <hpk/base/compiler.hpp>

#include <type_traits>

namespace hpk {

/// Represents a type that does not exist. It cannot be constructed.
struct nonesuch {
  nonesuch() = delete;
  ~nonesuch() = delete;
  nonesuch(const nonesuch&) = delete;
  void operator=(const nonesuch&) = delete;
};

namespace detail {
template <class Default, template <class...> class Op, class... Args>
struct detector {
  using value_t = std::false_type;
  using type = Default;
};
template <class Default, template <class...> class Op, class... Args>
  requires requires { typename Op<Args...>; }
struct detector<Default, Op, Args...> {
  using value_t = std::true_type;
  using type = Op<Args...>;
};
}  // namespace detail

/// @{
/// std::true_type if Op<Args...> is a type, else std::false_type; and as a value.
template <template <class...> class Op, class... Args>
using is_detected = typename detail::detector<nonesuch, Op, Args...>::value_t;
template <template <class...> class Op, class... Args>
inline constexpr bool is_detected_v = is_detected<Op, Args...>::value;
/// @}
/// Op<Args...> if it is a type, else nonesuch.
template <template <class...> class Op, class... Args>
using detected_t = typename detail::detector<nonesuch, Op, Args...>::type;
/// @{
/// The results of both, with Default in place of nonesuch: members value_t and type. detected_or_t
/// is the member type.
template <class Default, template <class...> class Op, class... Args>
using detected_or = detail::detector<Default, Op, Args...>;
template <class Default, template <class...> class Op, class... Args>
using detected_or_t = typename detected_or<Default, Op, Args...>::type;
/// @}
/// @{
/// Whether Op<Args...> is a type and is Expected, or converts to To.
template <class Expected, template <class...> class Op, class... Args>
using is_detected_exact = std::is_same<Expected, detected_t<Op, Args...>>;
template <class Expected, template <class...> class Op, class... Args>
inline constexpr bool is_detected_exact_v = is_detected_exact<Expected, Op, Args...>::value;
template <class To, template <class...> class Op, class... Args>
using is_detected_convertible = std::is_convertible<detected_t<Op, Args...>, To>;
template <class To, template <class...> class Op, class... Args>
inline constexpr bool is_detected_convertible_v = is_detected_convertible<To, Op, Args...>::value;
/// @}

}  // namespace hpk
