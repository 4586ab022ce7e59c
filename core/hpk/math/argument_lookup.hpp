// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the mathematical functions find the functions of a class: by argument-dependent lookup, in
// the namespace of the argument's type. Internal to math/; included by math.hpp.
#pragma once

#include <hpk/base/macros.hpp>

#include <type_traits>

namespace hpk::detail {

/// Argument types for which the functions of math.hpp use argument-dependent lookup.
template <class T>
concept math_class = std::is_class_v<T> || std::is_union_v<T> || std::is_enum_v<T>;
template <class... Ts>
concept some_math_class = (math_class<std::remove_cvref_t<Ts>> || ...);

}  // namespace hpk::detail

// Finds functions by argument-dependent lookup only: the declarations in this namespace hide the
// functions of enclosing namespaces.
namespace hpk::detail::found_by_arguments {

#define HPK_DETAIL_FIND(name)                                                                   \
  void name() = delete;                                                                         \
  HPK_CALLS_EITHER                                                                              \
  template <class... Ts>                                                                        \
  HPK_FORCEINLINE_FUNCTION constexpr auto call_##name(const Ts&... xs)->decltype(name(xs...)) { \
    return name(xs...);                                                                         \
  }
HPK_DETAIL_FIND(abs)
HPK_DETAIL_FIND(fabs)
HPK_DETAIL_FIND(exp)
HPK_DETAIL_FIND(exp2)
HPK_DETAIL_FIND(expm1)
HPK_DETAIL_FIND(log)
HPK_DETAIL_FIND(log10)
HPK_DETAIL_FIND(log2)
HPK_DETAIL_FIND(log1p)
HPK_DETAIL_FIND(sqrt)
HPK_DETAIL_FIND(cbrt)
HPK_DETAIL_FIND(sin)
HPK_DETAIL_FIND(cos)
HPK_DETAIL_FIND(tan)
HPK_DETAIL_FIND(asin)
HPK_DETAIL_FIND(acos)
HPK_DETAIL_FIND(atan)
HPK_DETAIL_FIND(sinh)
HPK_DETAIL_FIND(cosh)
HPK_DETAIL_FIND(tanh)
HPK_DETAIL_FIND(asinh)
HPK_DETAIL_FIND(acosh)
HPK_DETAIL_FIND(atanh)
HPK_DETAIL_FIND(erf)
HPK_DETAIL_FIND(erfc)
HPK_DETAIL_FIND(tgamma)
HPK_DETAIL_FIND(lgamma)
HPK_DETAIL_FIND(ceil)
HPK_DETAIL_FIND(floor)
HPK_DETAIL_FIND(trunc)
HPK_DETAIL_FIND(round)
HPK_DETAIL_FIND(nearbyint)
HPK_DETAIL_FIND(rint)
HPK_DETAIL_FIND(logb)
HPK_DETAIL_FIND(pow)
HPK_DETAIL_FIND(hypot)
HPK_DETAIL_FIND(atan2)
HPK_DETAIL_FIND(fmod)
HPK_DETAIL_FIND(remainder)
HPK_DETAIL_FIND(fmax)
HPK_DETAIL_FIND(fmin)
HPK_DETAIL_FIND(fdim)
HPK_DETAIL_FIND(copysign)
HPK_DETAIL_FIND(lround)
HPK_DETAIL_FIND(lrint)
HPK_DETAIL_FIND(llround)
HPK_DETAIL_FIND(llrint)
HPK_DETAIL_FIND(ilogb)
HPK_DETAIL_FIND(isfinite)
HPK_DETAIL_FIND(isinf)
HPK_DETAIL_FIND(isnan)
HPK_DETAIL_FIND(isnormal)
HPK_DETAIL_FIND(signbit)
HPK_DETAIL_FIND(fpclassify)
HPK_DETAIL_FIND(isgreater)
HPK_DETAIL_FIND(isgreaterequal)
HPK_DETAIL_FIND(isless)
HPK_DETAIL_FIND(islessequal)
HPK_DETAIL_FIND(islessgreater)
HPK_DETAIL_FIND(isunordered)
HPK_DETAIL_FIND(fma)
HPK_DETAIL_FIND(ldexp)
HPK_DETAIL_FIND(scalbn)
HPK_DETAIL_FIND(scalbln)
HPK_DETAIL_FIND(frexp)
HPK_DETAIL_FIND(modf)
HPK_DETAIL_FIND(remquo)
HPK_DETAIL_FIND(rsqrt)
HPK_DETAIL_FIND(rcp)
HPK_DETAIL_FIND(nextafter)
#undef HPK_DETAIL_FIND

}  // namespace hpk::detail::found_by_arguments
