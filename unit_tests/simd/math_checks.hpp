// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Support for the tests of mathematical functions of vectors: arguments, and errors compared with
// long double, in units of the last place (ulp).
#pragma once

#include "lanes.hpp"

#include <hpk/math.hpp>

#include <cmath>
#include <vector>

namespace simd_test {

/// Returns the difference between a result and the exact one, in ulp of the exact one.
template <class T>
double ulp(T got, long double exact) {
  using limits = std::numeric_limits<T>;
  const T rounded = static_cast<T>(exact);
  if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got) ? 0 : 1e9;
  if (std::isinf(rounded) || std::isinf(got)) {
    // Rounding may turn the largest number into infinity, and back.
    if (got == rounded) return 0;
    return std::fabs(exact) > static_cast<long double>(limits::max()) * 0.9999999L &&
                   std::fabs(static_cast<long double>(got)) >=
                       static_cast<long double>(limits::max()) * 0.9999999L
               ? 0.5
               : 1e9;
  }
  int exponent = 0;
  std::frexp(exact, &exponent);
  if (exponent < limits::min_exponent) exponent = limits::min_exponent;
  const long double place = std::ldexp(1.0L, exponent - limits::digits);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) / place);
}

/// Returns arguments from low to high, spaced evenly and by exponent, and random bits.
template <class T>
std::vector<T> arguments(T low, T high, int count = 4000) {
  std::vector<T> xs;
  random_bits random;
  for (int i = 0; i < count; ++i) {
    const T share = static_cast<T>(random() >> 11) * T(0x1p-53);
    xs.push_back(low + share * (high - low));
    const T small = std::ldexp(T(1) + share, -static_cast<int>(random() % 40));
    const T scaled = (random() & 1 ? low : high) * small / 2;
    if (scaled >= low && scaled <= high) xs.push_back(scaled);
  }
  while (xs.size() % 64 != 0) xs.push_back(low);
  return xs;
}

/// Returns arguments of all exponents and both signs, and near 1, where logarithms vanish.
template <class T>
std::vector<T> all_arguments(std::size_t count = 3072) {
  std::vector<T> xs(count);
  random_bits random;
  for (T& x : xs) {
    const std::uint64_t bits = random();
    if (bits & 1)
      std::memcpy(&x, reinterpret_cast<const char*>(&bits) + sizeof(bits) - sizeof(T), sizeof(T));
    else
      x = 1 + std::ldexp(static_cast<T>(static_cast<std::int64_t>(random())),
                         -63 - static_cast<int>(bits % 64 / 2));
  }
  return xs;
}

/// Returns the largest error of f over the arguments, compared with exact(x).
template <class V, class T, class F, class G>
double largest_error(const std::vector<T>& xs, const F& f, const G& exact, T* worst = nullptr) {
  double most = 0;
  constexpr auto n = static_cast<std::size_t>(V::size());
  for (std::size_t k = 0; k + n <= xs.size(); k += n) {
    const V v = f(V(xs.data() + k));
    for (std::size_t i = 0; i < n; ++i) {
      const double e = ulp(v[i], exact(static_cast<long double>(xs[k + i])));
      if (e > most) {
        most = e;
        if (worst != nullptr) *worst = xs[k + i];
      }
    }
  }
  return most;
}

}  // namespace simd_test
