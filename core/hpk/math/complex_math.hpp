// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of complex numbers, callable as hpk::f(z) and f(z): principal branches, with the values
// of the C standard (Annex G) for infinities, signed zeros and NaNs. Hosts use the C library, like
// std::complex; GPUs use the formulas of complex_formulas.hpp. Half types are computed in float.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/math/complex.hpp>
#include <hpk/math/complex_formulas.hpp>
#include <hpk/math/half_math.hpp>

namespace hpk::detail {

/// The type in which functions of complex<T> are computed.
template <class T>
using complex_wide_t = std::conditional_t<std::is_floating_point_v<T>, T, float>;

/// The part type on a GPU, which does not support long double.
template <class T>
using device_part_t = std::conditional_t<std::is_same_v<T, long double>, double, T>;

/// The compiler's builtin complex type.
template <class T>
struct native_complex;
template <>
struct native_complex<float> {
  __extension__ using type = __complex__ float;
};
template <>
struct native_complex<double> {
  __extension__ using type = __complex__ double;
};
template <>
struct native_complex<long double> {
  __extension__ using type = __complex__ long double;
};
/// Stores the pair as one object: storing two floats and reloading them as a pair stalls the
/// processor.
template <class T>
typename native_complex<T>::type to_native(const complex<T>& z) {
  return __builtin_bit_cast(typename native_complex<T>::type, z);
}

// The C library function for each part type.
#define HPK_DETAIL_COMPLEX_HOST_OF(type, name, call)         \
  inline complex<type> host_##name(const complex<type>& z) { \
    const auto w = call(to_native(z));                       \
    return {__real__ w, __imag__ w};                         \
  }
#define HPK_DETAIL_COMPLEX_HOST(name)                           \
  HPK_DETAIL_COMPLEX_HOST_OF(float, name, __builtin_c##name##f) \
  HPK_DETAIL_COMPLEX_HOST_OF(double, name, __builtin_c##name)   \
  HPK_DETAIL_COMPLEX_HOST_OF(long double, name, __builtin_c##name##l)
HPK_DETAIL_COMPLEX_HOST(sqrt)
HPK_DETAIL_COMPLEX_HOST(exp)
HPK_DETAIL_COMPLEX_HOST(log)
HPK_DETAIL_COMPLEX_HOST(sin)
HPK_DETAIL_COMPLEX_HOST(cos)
HPK_DETAIL_COMPLEX_HOST(tan)
HPK_DETAIL_COMPLEX_HOST(sinh)
HPK_DETAIL_COMPLEX_HOST(cosh)
HPK_DETAIL_COMPLEX_HOST(tanh)
HPK_DETAIL_COMPLEX_HOST(asin)
HPK_DETAIL_COMPLEX_HOST(acos)
HPK_DETAIL_COMPLEX_HOST(atan)
HPK_DETAIL_COMPLEX_HOST(asinh)
HPK_DETAIL_COMPLEX_HOST(acosh)
HPK_DETAIL_COMPLEX_HOST(atanh)
#undef HPK_DETAIL_COMPLEX_HOST
#undef HPK_DETAIL_COMPLEX_HOST_OF

template <class T>
using promoted_part_t = std::conditional_t<std::is_integral_v<T>, double, T>;
/// The part type of the result of pow, promoted like for the mathematical functions.
template <class A, class B>
using power_part_t = std::common_type_t<promoted_part_t<typename part_of<A>::type>,
                                        promoted_part_t<typename part_of<B>::type>>;

}  // namespace hpk::detail

namespace hpk {

/// The angle of a complex number.
template <class T>
HPK_FORCEINLINE_FUNCTION T arg(const complex<T>& z) {
  return math::atan2(z.imag(), z.real());
}
/// Makes a complex number from a non-negative magnitude and an angle in radians.
template <class T>
HPK_FORCEINLINE_FUNCTION complex<T> polar(const T& r, const std::type_identity_t<T>& theta = T(0)) {
  HPK_EXPECTS(!(r < T(0)));
  return {r * math::cos(theta), r * math::sin(theta)};
}

}  // namespace hpk

namespace hpk::complex_functions {

/// The magnitude of a complex number.
template <class T>
HPK_FORCEINLINE_FUNCTION T abs(const complex<T>& z) {
  return math::hypot(z.real(), z.imag());
}

#define HPK_DETAIL_COMPLEX(name)                                                               \
  template <class T>                                                                           \
  HPK_FORCEINLINE_FUNCTION complex<T> name(const complex<T>& z) {                              \
    using wide = detail::complex_wide_t<T>;                                                    \
    HPK_IF_ON_HOST((return complex<T>(detail::host_##name(complex<wide>(z)));))                \
    HPK_IF_ON_DEVICE(                                                                          \
        (return complex<T>(detail::formula_##name(complex<detail::device_part_t<wide>>(z)));)) \
  }
/// Square root, exponential and natural logarithm.
///@{
HPK_DETAIL_COMPLEX(sqrt)
HPK_DETAIL_COMPLEX(exp)
HPK_DETAIL_COMPLEX(log)
///@}
/// Trigonometric and hyperbolic functions, and their inverses.
///@{
HPK_DETAIL_COMPLEX(sin)
HPK_DETAIL_COMPLEX(cos)
HPK_DETAIL_COMPLEX(tan)
HPK_DETAIL_COMPLEX(sinh)
HPK_DETAIL_COMPLEX(cosh)
HPK_DETAIL_COMPLEX(tanh)
HPK_DETAIL_COMPLEX(asin)
HPK_DETAIL_COMPLEX(acos)
HPK_DETAIL_COMPLEX(atan)
HPK_DETAIL_COMPLEX(asinh)
HPK_DETAIL_COMPLEX(acosh)
HPK_DETAIL_COMPLEX(atanh)
///@}
#undef HPK_DETAIL_COMPLEX

/// The base-10 logarithm.
template <class T>
HPK_FORCEINLINE_FUNCTION complex<T> log10(const complex<T>& z) {
  const complex<T> natural = complex_functions::log(z);
  return {natural.real() * static_cast<T>(0.43429448190325182765112891891660508L),
          natural.imag() * static_cast<T>(0.43429448190325182765112891891660508L)};
}

/// x to the power of y, at least one of them complex. 0 to the power of 0 is 1; 0 to any other
/// power is 0. Real exponents use magnitude and angle, others exp(y log x).
HPK_CALLS_EITHER
template <class A, class B>
  requires detail::complex_operands<A, B>
HPK_FUNCTION auto pow(const A& x, const B& y) {
  using T = detail::power_part_t<A, B>;
  const complex<T> base(x);
  const complex<T> exponent(y);
  if (exponent == T(0)) return complex<T>(T(1));
  if (base == T(0)) return complex<T>();
  if constexpr (!detail::any_complex<B>) {
    if (base.imag() == T(0) && base.real() > T(0))
      return complex<T>(math::pow(base.real(), exponent.real()), base.imag() * exponent.real());
    return hpk::polar(T(math::pow(complex_functions::abs(base), exponent.real())),
                      hpk::arg(base) * exponent.real());
  } else {
    return complex_functions::exp(exponent * complex_functions::log(base));
  }
}

}  // namespace hpk::complex_functions
