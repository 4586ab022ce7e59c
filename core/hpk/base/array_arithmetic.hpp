// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element-by-element arithmetic of Arrays, so that points and extents can be used as vectors. Only
// available in programs that include this header.
#pragma once

#include <hpk/base/array.hpp>

#include <cstddef>
#include <type_traits>

namespace hpk {

// The operators of one symbol: Array op Array, Array op number, number op Array, and the
// assignment.
#define HPK_DETAIL_ARRAY_OPERATOR(op)                                                          \
  HPK_CALLS_EITHER                                                                             \
  template <class T, std::size_t N>                                                            \
  HPK_FUNCTION constexpr Array<T, N> operator op(const Array<T, N>& a, const Array<T, N>& b) { \
    Array<T, N> c{};                                                                           \
    for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a[k] op b[k]);                  \
    return c;                                                                                  \
  }                                                                                            \
  HPK_CALLS_EITHER                                                                             \
  template <class T, std::size_t N>                                                            \
  HPK_FUNCTION constexpr Array<T, N> operator op(const Array<T, N>& a,                         \
                                                 const std::type_identity_t<T>& b) {           \
    Array<T, N> c{};                                                                           \
    for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a[k] op b);                     \
    return c;                                                                                  \
  }                                                                                            \
  HPK_CALLS_EITHER                                                                             \
  template <class T, std::size_t N>                                                            \
  HPK_FUNCTION constexpr Array<T, N> operator op(const std::type_identity_t<T>& a,             \
                                                 const Array<T, N>& b) {                       \
    Array<T, N> c{};                                                                           \
    for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a op b[k]);                     \
    return c;                                                                                  \
  }                                                                                            \
  HPK_CALLS_EITHER                                                                             \
  template <class T, std::size_t N, class B>                                                   \
  HPK_FUNCTION constexpr Array<T, N>& operator op##=(Array<T, N>& a, const B & b) {            \
    return a = a op b;                                                                         \
  }

/// a + b, element by element; the operands may be an Array and a number. Also a += b, and the same
/// for the other symbols.
///@{
HPK_DETAIL_ARRAY_OPERATOR(+)
HPK_DETAIL_ARRAY_OPERATOR(-)
HPK_DETAIL_ARRAY_OPERATOR(*)
HPK_DETAIL_ARRAY_OPERATOR(/)
HPK_DETAIL_ARRAY_OPERATOR(%)
///@}
#undef HPK_DETAIL_ARRAY_OPERATOR

/// -a, element by element.
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator-(const Array<T, N>& a) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(-a[k]);
  return c;
}

/// The sum of all elements; 0 if there are none.
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr T sum(const Array<T, N>& a) {
  T total = T();
  for (std::size_t k = 0; k != N; ++k) total = static_cast<T>(total + a[k]);
  return total;
}
/// The product of all elements; 1 if there are none. For extents: the number of points.
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr T product(const Array<T, N>& a) {
  T total = T(1);
  for (std::size_t k = 0; k != N; ++k) total = static_cast<T>(total * a[k]);
  return total;
}

}  // namespace hpk
