// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of arithmetic types, one trait each: X<T>::value and X_v<T>. If T does not have a
// property, the trait has no value, so a requires-expression can test for it. Arithmetic types are
// the types with a specialisation of std::numeric_limits.
#pragma once

#include <hpk/base/compiler.hpp>

#include <limits>
#include <type_traits>

namespace hpk::detail {

/// Types with a specialisation of std::numeric_limits: all, and non-integers.
template <class T>
inline constexpr bool is_arithmetic_kind = std::numeric_limits<T>::is_specialized;
template <class T>
inline constexpr bool is_floating_kind =
    std::numeric_limits<T>::is_specialized && !std::numeric_limits<T>::is_integer;

}  // namespace hpk::detail

namespace hpk {

#define HPK_DETAIL_TRAIT(name, kind, ...)                   \
  template <class T>                                        \
  struct name {};                                           \
  template <class T>                                        \
    requires detail::kind<std::remove_cv_t<T>>              \
  struct name<T> {                                          \
    using facts = std::numeric_limits<std::remove_cv_t<T>>; \
    static constexpr auto value = __VA_ARGS__;              \
  };                                                        \
  template <class T>                                        \
  inline constexpr auto name##_v = name<T>::value;

/// Positive infinity.
HPK_DETAIL_TRAIT(infinity, is_floating_kind, facts::infinity())
/// The most negative finite value.
HPK_DETAIL_TRAIT(finite_min, is_arithmetic_kind, facts::lowest())
/// The largest finite value.
HPK_DETAIL_TRAIT(finite_max, is_arithmetic_kind, facts::max())
/// The distance from 1 to the next value.
HPK_DETAIL_TRAIT(epsilon, is_floating_kind, facts::epsilon())
/// The largest rounding error, in units of the last place.
HPK_DETAIL_TRAIT(round_error, is_floating_kind, facts::round_error())
/// The smallest positive normal value.
HPK_DETAIL_TRAIT(norm_min, is_floating_kind, facts::min())
/// The smallest positive value.
HPK_DETAIL_TRAIT(denorm_min, is_floating_kind, facts::denorm_min())
/// A quiet NaN.
HPK_DETAIL_TRAIT(quiet_NaN, is_floating_kind, facts::quiet_NaN())
/// A signalling NaN.
HPK_DETAIL_TRAIT(signaling_NaN, is_floating_kind, facts::signaling_NaN())
/// The number of digits in base radix that always survive a conversion.
HPK_DETAIL_TRAIT(digits, is_arithmetic_kind, facts::digits)
/// The number of decimal digits that always survive a conversion.
HPK_DETAIL_TRAIT(digits10, is_arithmetic_kind, facts::digits10)
/// The number of decimal digits that distinguish all values.
HPK_DETAIL_TRAIT(max_digits10, is_floating_kind, facts::max_digits10)
/// The base of the representation.
HPK_DETAIL_TRAIT(radix, is_arithmetic_kind, facts::radix)
/// The smallest exponent of normal values in base radix, plus one.
HPK_DETAIL_TRAIT(min_exponent, is_floating_kind, facts::min_exponent)
/// The smallest n for which 10 to the n is a normal value.
HPK_DETAIL_TRAIT(min_exponent10, is_floating_kind, facts::min_exponent10)
/// The largest exponent of finite values in base radix, plus one.
HPK_DETAIL_TRAIT(max_exponent, is_floating_kind, facts::max_exponent)
/// The largest n for which 10 to the n is a finite value.
HPK_DETAIL_TRAIT(max_exponent10, is_floating_kind, facts::max_exponent10)
#undef HPK_DETAIL_TRAIT

}  // namespace hpk

// The traits in the namespace where older versions of Kokkos had them.
namespace hpk::Experimental {

using hpk::denorm_min;
using hpk::denorm_min_v;
using hpk::digits;
using hpk::digits10;
using hpk::digits10_v;
using hpk::digits_v;
using hpk::epsilon;
using hpk::epsilon_v;
using hpk::finite_max;
using hpk::finite_max_v;
using hpk::finite_min;
using hpk::finite_min_v;
using hpk::infinity;
using hpk::infinity_v;
using hpk::max_digits10;
using hpk::max_digits10_v;
using hpk::max_exponent;
using hpk::max_exponent10;
using hpk::max_exponent10_v;
using hpk::max_exponent_v;
using hpk::min_exponent;
using hpk::min_exponent10;
using hpk::min_exponent10_v;
using hpk::min_exponent_v;
using hpk::norm_min;
using hpk::norm_min_v;
using hpk::quiet_NaN;
using hpk::quiet_NaN_v;
using hpk::radix;
using hpk::radix_v;
using hpk::round_error;
using hpk::round_error_v;
using hpk::signaling_NaN;
using hpk::signaling_NaN_v;

}  // namespace hpk::Experimental
