// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values whose sums reveal the order of the additions, and their comparison bit by bit.
#pragma once

#include <hpk/base/macros.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace hpk_test {

/// Returns a value of either sign. The magnitudes span many orders, so that another order of
/// additions gives other bits.
template <class T>
HPK_FUNCTION T wild(std::int64_t i) {
  auto x = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9u;
  x ^= x >> 32;
  const T mantissa = static_cast<T>(static_cast<double>(x >> 11) * 0x1p-53) + T(0.5);
  const T scale = static_cast<T>(std::ldexp(1.0, static_cast<int>(x % 41) - 20));
  return ((x >> 7) & 1) != 0 ? mantissa * scale : -mantissa * scale;
}

/// Several floats that are added together.
template <int Count>
struct sums {
  float values[Count] = {};
  HPK_FUNCTION sums& operator+=(const sums& other) {
    for (int k = 0; k < Count; ++k) values[k] += other.values[k];
    return *this;
  }
  friend HPK_FUNCTION sums operator+(sums a, const sums& b) { return a += b; }
};
/// Returns the values of iteration i. Only the first four are wild.
template <int Count>
HPK_FUNCTION sums<Count> sums_of(std::int64_t i) {
  sums<Count> s;
  for (int k = 0; k < Count; ++k) s.values[k] = k < 4 ? wild<float>(i + k) : 1.0f;
  return s;
}

/// Whether two values have the same bytes.
template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

}  // namespace hpk_test
