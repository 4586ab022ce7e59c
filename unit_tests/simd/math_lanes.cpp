// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math_checks.hpp"

namespace {

using simd_test::expect;

struct functions {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    simd_test::random_bits random;
    simd_test::numbers<T, V::size()> a, b;
    for (int round = 0; round < 16; ++round) {
      a.fill(random, round);
      b.fill(random, round);
      const V v(a.of), w(b.of);
      const auto is = [&](const char* what, const auto& mask, const auto& model) {
        expect(what, hpk::simd<int, V::size()>(mask), [&](int i) { return model(i) ? 1 : 0; });
      };
      is("isnan", hpk::isnan(v), [&](int i) { return std::isnan(a.of[i]); });
      is("isinf", hpk::isinf(v), [&](int i) { return std::isinf(a.of[i]); });
      is("isfinite", hpk::isfinite(v), [&](int i) { return std::isfinite(a.of[i]); });
      is("isnormal", hpk::isnormal(v), [&](int i) { return std::isnormal(a.of[i]); });
      is("signbit", hpk::signbit(v), [&](int i) { return std::signbit(a.of[i]); });
      is("isgreater", hpk::isgreater(v, w),
         [&](int i) { return std::isgreater(a.of[i], b.of[i]); });
      is("isgreaterequal", hpk::isgreaterequal(v, w),
         [&](int i) { return std::isgreaterequal(a.of[i], b.of[i]); });
      is("isless", hpk::isless(v, w), [&](int i) { return std::isless(a.of[i], b.of[i]); });
      is("islessequal", hpk::islessequal(v, w),
         [&](int i) { return std::islessequal(a.of[i], b.of[i]); });
      is("islessgreater", hpk::islessgreater(v, w),
         [&](int i) { return std::islessgreater(a.of[i], b.of[i]); });
      is("isunordered", hpk::isunordered(v, w),
         [&](int i) { return std::isunordered(a.of[i], b.of[i]); });
      expect("fmod", hpk::fmod(v, w), [&](int i) { return std::fmod(a.of[i], b.of[i]); });
      expect("remainder", hpk::remainder(v, w),
             [&](int i) { return std::remainder(a.of[i], b.of[i]); });
      expect("nextafter", hpk::nextafter(v, w),
             [&](int i) { return std::nextafter(a.of[i], b.of[i]); });
      expect("logb", hpk::logb(v), [&](int i) { return std::logb(a.of[i]); });
      expect("ilogb", hpk::ilogb(v), [&](int i) { return std::ilogb(a.of[i]); });
      expect("fpclassify", hpk::fpclassify(v), [&](int i) { return std::fpclassify(a.of[i]); });
      const V small([&](auto i) {
        return static_cast<T>(static_cast<int>(random() % 2000) - 1000) / 8 + T(0 * i());
      });
      expect("lround", hpk::lround(small),
             [&](int i) { return std::lround(small[static_cast<std::size_t>(i)]); });
      expect("llrint", hpk::llrint(small),
             [&](int i) { return std::llrint(small[static_cast<std::size_t>(i)]); });
      expect("lrint", hpk::lrint(small),
             [&](int i) { return std::lrint(small[static_cast<std::size_t>(i)]); });
      expect("llround", hpk::llround(small),
             [&](int i) { return std::llround(small[static_cast<std::size_t>(i)]); });
      expect("ldexp", hpk::ldexp(v, 3), [&](int i) { return std::ldexp(a.of[i], 3); });
      const hpk::rebind_t<int, V> by([](auto i) { return static_cast<int>(i()) - 2; });
      expect("scalbn", hpk::scalbn(v, by), [&](int i) { return std::scalbn(a.of[i], i - 2); });
      expect("scalbln", hpk::scalbln(v, -1), [&](int i) { return std::scalbln(a.of[i], -1); });
      hpk::rebind_t<int, V> stored;
      const auto stored_is = [&](const char* what, const auto& model) {
        expect(what, stored, [&](int i) {
          return std::isfinite(a.of[i]) && std::isfinite(b.of[i]) && b.of[i] != 0
                     ? model(i)
                     : stored[static_cast<std::size_t>(i)];
        });
      };
      expect("frexp", hpk::frexp(v, &stored), [&](int i) {
        int e;
        return std::frexp(a.of[i], &e);
      });
      stored_is("frexp's exponent", [&](int i) {
        int e = 0;
        std::frexp(a.of[i], &e);
        return e;
      });
      expect("remquo", hpk::remquo(v, w, &stored), [&](int i) {
        int q;
        return std::remquo(a.of[i], b.of[i], &q);
      });
      stored_is("remquo's quotient", [&](int i) {
        int q = 0;
        std::remquo(a.of[i], b.of[i], &q);
        return q;
      });
      V whole;
      expect("modf", hpk::modf(v, &whole), [&](int i) {
        T x;
        return std::modf(a.of[i], &x);
      });
      expect("modf's integer", whole, [&](int i) {
        T x;
        std::modf(a.of[i], &x);
        return x;
      });
    }
  }
};
TEST(simd_math_lanes, floating) { for_each(simd_test::floating(), functions()); }

TEST(simd_math_lanes, integers) {
  const hpk::simd<int, 4> v([](auto i) { return static_cast<int>(i()) - 1; });
  EXPECT_EQ(hpk::signbit(v).to_ullong(), 1u);
  EXPECT_EQ(hpk::isnan(v).to_ullong(), 0u);
  EXPECT_EQ(hpk::isnormal(v).to_ullong(), 13u);
  static_assert(std::is_same_v<decltype(hpk::ilogb(v)), hpk::simd<int, 4>>);
}

}  // namespace
