// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bessel functions of the first and second kind, modified Bessel functions, and Hankel functions,
// of the orders 0 and 1, from host and device. Arguments are complex<double>, complex<float>,
// double, float, or integers, which count as double. Float arguments are computed in double and
// rounded once. docs/math.md states the accuracy. The value at the conjugate of a complex number is
// the conjugate value; on the branch cut, the negative real axis, the sign of the zero imaginary
// part selects the side.
//
// In Kokkos joint_val is where asymptotic series begin, and bw_start where a recurrence starts.
// They are accepted for source compatibility and ignored: hpk has its own bounds.
//
// CUDA declares ::cyl_bessel_i0(double) for kernels: write hpk::Experimental::cyl_bessel_i0, or
// name it in a using-declaration.
#pragma once

#include <hpk/math/bessel.hpp>

namespace hpk::detail {

template <class C>
inline constexpr bool is_special_complex = false;
template <special_part T>
inline constexpr bool is_special_complex<complex<T>> = true;
/// Argument types of Bessel functions.
template <class C>
concept special_number = special_real<C> || is_special_complex<C>;

template <special_number C>
struct special_results {
  using same = special_real_t<C>;
  using hankel = complex<special_real_t<C>>;
};
template <special_part T>
struct special_results<complex<T>> {
  using same = complex<T>;
  using hankel = complex<T>;
};
/// Result types: real for a real argument, except for Hankel functions, which are complex.
template <class C>
using special_t = typename special_results<C>::same;
template <class C>
using hankel_t = typename special_results<C>::hankel;

/// Converts a result to the type of the argument. Functions with a branch cut have no real value at
/// negative real numbers.
template <bool HasCut, class C>
HPK_FUNCTION special_t<C> special_cast(const C& z, const wide_complex& value) {
  if constexpr (special_real<C>) {
    if (HasCut && z < C(0)) return part_nan<special_t<C>>;
    return static_cast<special_t<C>>(value.real());
  } else {
    return special_t<C>(value);
  }
}

}  // namespace hpk::detail

namespace hpk::Experimental {

#define HPK_DETAIL_BESSEL(name, kind, order, has_cut)                                            \
  template <detail::special_number C, class Real = double, class Int = int>                      \
  HPK_FUNCTION detail::special_t<C> cyl_bessel_##name(                                           \
      const C& z, [[maybe_unused]] const Real& joint_val = Real(25),                             \
      [[maybe_unused]] const Int& bw_start = Int(70)) {                                          \
    return detail::special_cast<has_cut>(z,                                                      \
                                         detail::bessel_##kind<order>(detail::wide_complex(z))); \
  }
#define HPK_DETAIL_HANKEL(name, kind, order)                                           \
  template <detail::special_number C>                                                  \
  HPK_FUNCTION detail::hankel_t<C> cyl_bessel_##name(const C& z) {                     \
    return detail::hankel_t<C>(detail::bessel_##kind<order>(detail::wide_complex(z))); \
  }
/// J of the orders 0 and 1. 0 at the infinities of the real axis.
///@{
HPK_DETAIL_BESSEL(j0, j, 0, false)
HPK_DETAIL_BESSEL(j1, j, 1, false)
///@}
/// Y of the orders 0 and 1. -infinity at 0; NaN for a negative argument of real type.
///@{
HPK_DETAIL_BESSEL(y0, y, 0, true)
HPK_DETAIL_BESSEL(y1, y, 1, true)
///@}
/// I of the orders 0 and 1.
///@{
HPK_DETAIL_BESSEL(i0, i, 0, false)
HPK_DETAIL_BESSEL(i1, i, 1, false)
///@}
/// K of the orders 0 and 1. Infinite at 0; NaN for a negative argument of real type.
///@{
HPK_DETAIL_BESSEL(k0, k, 0, true)
HPK_DETAIL_BESSEL(k1, k, 1, true)
///@}
/// Hankel functions H1 = J + iY and H2 = J - iY of the orders 0 and 1: cyl_bessel_h10 is the first
/// kind of order 0. The results are complex even for real arguments.
///@{
HPK_DETAIL_HANKEL(h10, h1, 0)
HPK_DETAIL_HANKEL(h11, h1, 1)
HPK_DETAIL_HANKEL(h20, h2, 0)
HPK_DETAIL_HANKEL(h21, h2, 1)
///@}
#undef HPK_DETAIL_BESSEL
#undef HPK_DETAIL_HANKEL

}  // namespace hpk::Experimental
