// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Support for the tests of vectors: the vector types to test, numbers for lanes (special ones and
// random bits, from a fixed seed), and comparisons with a model that computes each lane separately.
// All bits must agree, except those of NaNs.
#pragma once

#include <hpk/simd.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace simd_test {

template <class... Vs>
struct list {};
template <class... Ls>
struct join;
template <class... As>
struct join<list<As...>> {
  using type = list<As...>;
};
template <class... As, class... Bs, class... Ls>
struct join<list<As...>, list<Bs...>, Ls...> : join<list<As..., Bs...>, Ls...> {};

template <class T>
using usual_widths = list<hpk::simd<T, 1>, hpk::simd<T>, hpk::simd<T, 3>, hpk::simd<T, 8>>;
template <class T>
using odd_widths = list<hpk::basic_simd<T, hpk::simd_abi::fixed_size<1>>, hpk::simd<T, 6>,
                        hpk::simd<T, 37>, hpk::simd<T, 64>>;
using floating = join<usual_widths<double>, usual_widths<float>>::type;
using floating_odd = join<odd_widths<double>, odd_widths<float>>::type;
using signed_integers = join<usual_widths<std::int8_t>, usual_widths<std::int16_t>,
                             usual_widths<std::int32_t>, usual_widths<std::int64_t>>::type;
using unsigned_integers = join<usual_widths<std::uint8_t>, usual_widths<std::uint16_t>,
                               usual_widths<std::uint32_t>, usual_widths<std::uint64_t>>::type;
using integers_odd = join<odd_widths<std::int32_t>, odd_widths<std::uint8_t>>::type;
using integers = join<signed_integers, unsigned_integers>::type;
/// All types with common widths, and some with odd widths.
using usual = join<floating, integers>::type;
using all = join<usual, floating_odd, integers_odd>::type;

/// Calls f.operator()<V>() for each V.
template <class F, class... Vs>
void for_each(list<Vs...>, const F& f) {
  (f.template operator()<Vs>(), ...);
}

/// Reports a failure in lane `lane`. Not inlined, so that checks compile fast.
__attribute__((noinline)) inline void fail(const char* what, const char* where, int lane,
                                           long double got, long double wanted) {
  ADD_FAILURE() << what << ": lane " << lane << " is " << got << ", not " << wanted << ", in "
                << where;
}

template <class T>
bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (a != a && b != b) return true;
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Expects that lane i of v is model(i), for all lanes.
template <class V, class F>
void expect(const char* what, const V& v, const F& model) {
  using T = typename V::value_type;
  for (int i = 0; i < V::size(); ++i) {
    const T got = v[static_cast<std::size_t>(i)];
    const T wanted = static_cast<T>(model(i));
    if (!same(got, wanted))
      return fail(what, __PRETTY_FUNCTION__, i, static_cast<long double>(got),
                  static_cast<long double>(wanted));
  }
}

/// Random bits (xorshift64*, Vigna 2016).
class random_bits {
 public:
  std::uint64_t operator()() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 2685821657736338717u;
  }

 private:
  std::uint64_t state_ = 88172645463325252u;
};

/// Returns numbers that implementations often treat incorrectly.
template <class T>
T special(std::uint64_t k) {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    const T values[] = {T(0),
                        -T(0),
                        T(1),
                        T(-1),
                        T(0.5),
                        T(-0.5),
                        T(1.5),
                        T(2.5),
                        T(-2.5),
                        limits::max(),
                        limits::lowest(),
                        limits::min(),
                        limits::denorm_min(),
                        -limits::denorm_min(),
                        limits::infinity(),
                        -limits::infinity(),
                        limits::quiet_NaN(),
                        limits::epsilon(),
                        T(3) / T(7),
                        T(1e6) + T(0.5),
                        T(0.49999999999999994),
                        T(8388607.5),
                        T(4503599627370495.5),
                        T(-0.75)};
    return values[k % (sizeof values / sizeof *values)];
  } else {
    const T values[] = {T(0),
                        T(1),
                        T(2),
                        T(3),
                        T(7),
                        static_cast<T>(-1),
                        limits::max(),
                        limits::lowest(),
                        static_cast<T>(limits::max() - 1),
                        static_cast<T>(limits::lowest() + 1),
                        static_cast<T>(limits::max() / 2),
                        static_cast<T>(0x55)};
    return values[k % (sizeof values / sizeof *values)];
  }
}

/// N numbers: special ones in even rounds, random bits in odd ones.
template <class T, int N>
struct numbers {
  alignas(64) T of[N];
  void fill(random_bits& random, int round) {
    for (T& x : of) {
      const auto bits = random();
      if (round % 2 == 0) {
        x = special<T>(bits >> 20);
      } else {
        std::memcpy(&x, &bits, sizeof x);
      }
    }
  }
};

/// Returns the result of arithmetic on one number; integers wrap around.
template <class T, class F>
T model(T a, T b, const F& f) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(f(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  } else {
    return f(a, b);
  }
}

}  // namespace simd_test
