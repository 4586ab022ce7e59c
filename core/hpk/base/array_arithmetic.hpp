// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element-by-element arithmetic of Arrays, so that points and extents can be used as vectors. Only
// available in programs that include this header.
#pragma once

#include <hpk/base/array.hpp>

#include <cstddef>
#include <type_traits>

namespace hpk {

/// a + b, element by element; the operands may be an Array and a number.
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator+(const Array<T, N>& a, const Array<T, N>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a[k] + b[k]);
  return c;
}
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator+(const Array<T, N>& a,
                                             const std::type_identity_t<T>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a[k] + b);
  return c;
}
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator+(const std::type_identity_t<T>& a,
                                             const Array<T, N>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a + b[k]);
  return c;
}
/// a = a + b.
HPK_CALLS_EITHER
template <class T, std::size_t N, class B>
HPK_FUNCTION constexpr Array<T, N>& operator+=(Array<T, N>& a, const B& b) {
  return a = a + b;
}

/// a - b, element by element; the operands may be an Array and a number.
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator-(const Array<T, N>& a, const Array<T, N>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a[k] - b[k]);
  return c;
}
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator-(const Array<T, N>& a,
                                             const std::type_identity_t<T>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a[k] - b);
  return c;
}
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator-(const std::type_identity_t<T>& a,
                                             const Array<T, N>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a - b[k]);
  return c;
}
/// a = a - b.
HPK_CALLS_EITHER
template <class T, std::size_t N, class B>
HPK_FUNCTION constexpr Array<T, N>& operator-=(Array<T, N>& a, const B& b) {
  return a = a - b;
}

/// a * b, element by element; the operands may be an Array and a number.
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator*(const Array<T, N>& a, const Array<T, N>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a[k] * b[k]);
  return c;
}
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator*(const Array<T, N>& a,
                                             const std::type_identity_t<T>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a[k] * b);
  return c;
}
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator*(const std::type_identity_t<T>& a,
                                             const Array<T, N>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a * b[k]);
  return c;
}
/// a = a * b.
HPK_CALLS_EITHER
template <class T, std::size_t N, class B>
HPK_FUNCTION constexpr Array<T, N>& operator*=(Array<T, N>& a, const B& b) {
  return a = a * b;
}

/// a / b, element by element; the operands may be an Array and a number.
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator/(const Array<T, N>& a, const Array<T, N>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a[k] / b[k]);
  return c;
}
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator/(const Array<T, N>& a,
                                             const std::type_identity_t<T>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a[k] / b);
  return c;
}
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator/(const std::type_identity_t<T>& a,
                                             const Array<T, N>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a / b[k]);
  return c;
}
/// a = a / b.
HPK_CALLS_EITHER
template <class T, std::size_t N, class B>
HPK_FUNCTION constexpr Array<T, N>& operator/=(Array<T, N>& a, const B& b) {
  return a = a / b;
}

/// a % b, element by element; the operands may be an Array and a number.
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator%(const Array<T, N>& a, const Array<T, N>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a[k] % b[k]);
  return c;
}
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator%(const Array<T, N>& a,
                                             const std::type_identity_t<T>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a[k] % b);
  return c;
}
HPK_CALLS_EITHER
template <class T, std::size_t N>
HPK_FUNCTION constexpr Array<T, N> operator%(const std::type_identity_t<T>& a,
                                             const Array<T, N>& b) {
  Array<T, N> c{};
  for (std::size_t k = 0; k != N; ++k) c[k] = static_cast<T>(a % b[k]);
  return c;
}
/// a = a % b.
HPK_CALLS_EITHER
template <class T, std::size_t N, class B>
HPK_FUNCTION constexpr Array<T, N>& operator%=(Array<T, N>& a, const B& b) {
  return a = a % b;
}

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
