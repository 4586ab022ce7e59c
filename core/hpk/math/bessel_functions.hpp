// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bessel functions of the first and second kind, modified ones, and Hankel functions, of the orders
// 0 and 1, from host and device. Arguments are complex<double>, complex<float>, double, float, or
// integers, which count as double; those of float compute in double too and round once. What they
// promise is in docs/math.md. Of a complex number the value at the conjugate is the conjugate
// value; on a cut, which is the negative real axis, the sign of the zero imaginary part tells the
// side.
//
// joint_val and bw_start are where Kokkos goes over to asymptotic series, and begins a recurrence.
// They are taken so that calls compile, and change nothing: hpk has bounds of its own.
//
// CUDA has ::cyl_bessel_i0(double) for kernels: say hpk::Experimental::cyl_bessel_i0, or name it in
// a using-declaration.
#pragma once

#include <hpk/math/bessel.hpp>

namespace hpk::detail {

template <class C>
inline constexpr bool is_special_complex = false;
template <special_part T>
inline constexpr bool is_special_complex<complex<T>> = true;
/// What Bessel functions take.
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
/// Types of what functions of C give, which are real for real numbers; and of Hankel functions.
template <class C>
using special_t = typename special_results<C>::same;
template <class C>
using hankel_t = typename special_results<C>::hankel;

/// A result in the type of the argument. Functions with a cut have no real value of a negative real
/// number.
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
HPK_DETAIL_BESSEL(j0, j, 0, false)
HPK_DETAIL_BESSEL(j1, j, 1, false)
/// Y of the orders 0 and 1. Negative and infinite at 0; of a negative real number, not complex, no
/// number.
HPK_DETAIL_BESSEL(y0, y, 0, true)
HPK_DETAIL_BESSEL(y1, y, 1, true)
/// I of the orders 0 and 1.
HPK_DETAIL_BESSEL(i0, i, 0, false)
HPK_DETAIL_BESSEL(i1, i, 1, false)
/// K of the orders 0 and 1. Infinite at 0; of a negative real number, not complex, no number.
HPK_DETAIL_BESSEL(k0, k, 0, true)
HPK_DETAIL_BESSEL(k1, k, 1, true)
/// Hankel functions H1 = J + iY and H2 = J - iY of the orders 0 and 1: cyl_bessel_h10 is the first
/// kind of order 0. They are complex also of real numbers.
HPK_DETAIL_HANKEL(h10, h1, 0)
HPK_DETAIL_HANKEL(h11, h1, 1)
HPK_DETAIL_HANKEL(h20, h2, 0)
HPK_DETAIL_HANKEL(h21, h2, 1)
#undef HPK_DETAIL_BESSEL
#undef HPK_DETAIL_HANKEL

}  // namespace hpk::Experimental
