// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions with the bits of hpk:: in every lane. native_math.cpp tests the others.
#include "math_checks.hpp"

#include <cfenv>

namespace {

using simd_test::expect;

struct exact {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    simd_test::random_bits random;
    simd_test::numbers<T, V::size()> a, b, c;
    for (int round = 0; round < 40; ++round) {
      a.fill(random, round);
      b.fill(random, round);
      c.fill(random, round);
      // Numbers with fractions, some near halves.
      if (round % 4 == 3)
        for (T& x : a.of) x = static_cast<T>(static_cast<int>(random() % 4001) - 2000) / 8;
      const V va(a.of), vb(b.of), vc(c.of);
#define CHECK(name) expect(#name, hpk::name(va), [&](int i) { return std::name(a.of[i]); });
      CHECK(abs)
      CHECK(fabs)
      CHECK(sqrt)
      CHECK(floor)
      CHECK(ceil)
      CHECK(trunc)
      CHECK(rint)
      CHECK(nearbyint)
      CHECK(round)
#undef CHECK
      expect("rcp", hpk::rcp(va), [&](int i) { return T(1) / a.of[i]; });
      expect("rsqrt", hpk::rsqrt(va), [&](int i) { return T(1) / std::sqrt(a.of[i]); });
      expect("copysign", hpk::copysign(va, vb),
             [&](int i) { return std::copysign(a.of[i], b.of[i]); });
      expect("fma", hpk::fma(va, vb, vc),
             [&](int i) { return std::fma(a.of[i], b.of[i], c.of[i]); });
      expect("fma of numbers", hpk::fma(va, 2, vc),
             [&](int i) { return std::fma(a.of[i], T(2), c.of[i]); });
      // For zeros of different sign, either result is correct. Signalling NaNs count as NaNs.
      const auto zeros = [&](int i) { return a.of[i] == 0 && b.of[i] == 0; };
      expect("fmin", hpk::fmin(va, vb), [&](int i) {
        return zeros(i)              ? hpk::fmin(va, vb)[static_cast<std::size_t>(i)]
               : std::isnan(a.of[i]) ? b.of[i]
               : std::isnan(b.of[i]) ? a.of[i]
                                     : std::fmin(a.of[i], b.of[i]);
      });
      expect("fmax", hpk::fmax(va, vb), [&](int i) {
        return zeros(i)              ? hpk::fmax(va, vb)[static_cast<std::size_t>(i)]
               : std::isnan(a.of[i]) ? b.of[i]
               : std::isnan(b.of[i]) ? a.of[i]
                                     : std::fmax(a.of[i], b.of[i]);
      });
      expect("fdim", hpk::fdim(va, vb), [&](int i) { return std::fdim(a.of[i], b.of[i]); });
      expect("hypot", hpk::hypot(va, vb, vc),
             [&](int i) { return hpk::hypot(a.of[i], b.of[i], c.of[i]); });
      // Rounding by additions, used on processors without an instruction for it, gives the same
      // bits.
      if constexpr (hpk::detail::vectors::simd_parts<T, V::size()>::width > 1) {
        expect("down", hpk::detail::vectors::portable_round_down(va),
               [&](int i) { return std::floor(a.of[i]); });
        expect("up", hpk::detail::vectors::portable_round_up(va),
               [&](int i) { return std::ceil(a.of[i]); });
        expect("to zero", hpk::detail::vectors::portable_round_to_zero(va),
               [&](int i) { return std::trunc(a.of[i]); });
        expect("by mode", hpk::detail::vectors::portable_round_by_mode(va),
               [&](int i) { return std::rint(a.of[i]); });
      }
    }
  }
};
TEST(simd_math, exact) { for_each(simd_test::floating(), exact()); }
TEST(simd_math, exact_odd) {
  for_each(simd_test::list<hpk::simd<float, 2>, hpk::simd<double, 16>, hpk::simd<float, 6>>(),
           exact());
}

struct integers {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    const V v([](auto i) { return static_cast<T>(static_cast<int>(i()) - 3); });
    if constexpr (std::is_signed_v<T>)
      expect("abs", hpk::abs(v), [&](int i) { return i < 3 ? 3 - i : i - 3; });
    else
      expect("abs", hpk::abs(v), [&](int i) { return v[static_cast<std::size_t>(i)]; });
    using D = hpk::rebind_t<double, V>;
    const D root = hpk::sqrt(hpk::abs(v));
    expect("sqrt", root, [&](int i) {
      return std::sqrt(static_cast<double>(hpk::abs(v)[static_cast<std::size_t>(i)]));
    });
    static_assert(std::is_same_v<decltype(hpk::floor(v)), D> &&
                  std::is_same_v<decltype(exp(v)), D>);
  }
};
TEST(simd_math, integers_count_as_double) { for_each(simd_test::integers(), integers()); }

// Without vectors hpk::rint is std::rint, which g++ compiles for SSE2 to code that assumes rounding
// to nearest.
template <class V>
V rint_by_mode(const V& v) {
  if constexpr (hpk::detail::vectors::simd_has_vectors) {
    return hpk::rint(v);
  } else {
    return hpk::detail::vectors::portable_round_by_mode(v);
  }
}

TEST(simd_math, other_rounding_modes) {
  const double values[] = {-2.5, -1.5, -0.5, -0.0, 0.0, 0.5, 1.5, 2.5, 1e15 + 0.25, -1e-300};
  for (const int mode : {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
    for (double value : values) {
      std::fesetround(mode);
      // Compilers ignore the effect of fesetround: the asm statements prevent them from moving
      // code.
      asm volatile("" : "+m"(value) : : "memory");
      const hpk::simd<double, 4> v(value);
      const double got[] = {rint_by_mode(v)[0], hpk::detail::vectors::portable_round_by_mode(v)[1],
                            hpk::detail::vectors::portable_round_down(v)[0],
                            hpk::detail::vectors::portable_round_up(v)[0]};
      asm volatile("" : : "m"(got) : "memory");
      std::fesetround(FE_TONEAREST);
      const double by_mode = mode == FE_DOWNWARD ? std::floor(value)
                             : mode == FE_UPWARD ? std::ceil(value)
                                                 : std::trunc(value);
      const double wanted[] = {by_mode, by_mode, std::floor(value), std::ceil(value)};
      for (int k = 0; k < 4; ++k) {
        EXPECT_TRUE(simd_test::same(got[k], wanted[k])) << value << ' ' << mode << ' ' << k;
      }
    }
  }
}

TEST(simd_math, numbers_beside_vectors) {
  const hpk::simd<float, 8> v(2.0f);
  expect("pow", hpk::pow(v, 3), [](int) { return 8.0f; });
  expect("pow of a number", pow(3, v), [](int) { return 9.0f; });
  expect("atan2", hpk::atan2(0, v), [](int) { return 0.0f; });
  expect("copysign", hpk::copysign(v, -1), [](int) { return -2.0f; });
}

}  // namespace
