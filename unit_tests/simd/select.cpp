// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes.hpp"

namespace {

using simd_test::expect;

struct choices {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    using M = typename V::mask_type;
    simd_test::random_bits random;
    simd_test::numbers<T, V::size()> a, b;
    for (int round = 0; round < 8; ++round) {
      a.fill(random, round);
      b.fill(random, round);
      const V va(a.of), vb(b.of);
      const auto bits = random();
      const M m([&](auto i) { return (bits >> i() & 1) != 0; });
      const auto set = [&](int i) { return (bits >> i & 1) != 0; };
      expect("select", hpk::select(m, va, vb), [&](int i) { return set(i) ? a.of[i] : b.of[i]; });
      expect("condition", hpk::condition(m, va, vb),
             [&](int i) { return set(i) ? a.of[i] : b.of[i]; });
      expect("of numbers", hpk::select(m, 1, vb), [&](int i) { return set(i) ? T(1) : b.of[i]; });
      expect("by another mask", hpk::select(hpk::rebind_t<double, M>(m), va, vb),
             [&](int i) { return set(i) ? a.of[i] : b.of[i]; });
      expect("min", hpk::min(va, vb), [&](int i) { return b.of[i] < a.of[i] ? b.of[i] : a.of[i]; });
      expect("max", hpk::max(va, vb), [&](int i) { return a.of[i] < b.of[i] ? b.of[i] : a.of[i]; });
      const auto both = hpk::minmax(va, vb);
      expect("minmax", both.first, [&](int i) { return b.of[i] < a.of[i] ? b.of[i] : a.of[i]; });
      expect("minmax", both.second, [&](int i) { return a.of[i] < b.of[i] ? b.of[i] : a.of[i]; });
      expect("max of a number", hpk::max(va, 3),
             [&](int i) { return a.of[i] < T(3) ? T(3) : a.of[i]; });
      expect("min of a number", hpk::min(3, va),
             [&](int i) { return a.of[i] < T(3) ? a.of[i] : T(3); });
      expect("clamp", hpk::clamp(va, T(2), T(5)), [&](int i) {
        const T low = a.of[i] < T(2) ? T(2) : a.of[i];
        return T(5) < low ? T(5) : low;
      });

      V w = va;
      hpk::where(m, w) = vb;
      expect("where =", w, [&](int i) { return set(i) ? b.of[i] : a.of[i]; });
      w = va;
      hpk::where(m, w) += 1;
      expect("where +=", w, [&](int i) {
        return set(i) ? simd_test::model(a.of[i], T(1), [](auto x, auto y) { return x + y; })
                      : a.of[i];
      });
      w = va;
      hpk::where(m, w) *= vb;
      expect("where *=", w, [&](int i) {
        return set(i) ? simd_test::model(a.of[i], b.of[i], [](auto x, auto y) { return x * y; })
                      : a.of[i];
      });
      w = va;
      hpk::where(m, w) -= vb;
      expect("where -=", w, [&](int i) {
        return set(i) ? simd_test::model(a.of[i], b.of[i], [](auto x, auto y) { return x - y; })
                      : a.of[i];
      });
      w = va;
      hpk::where(m, w) /= V(M(m));  // the divisor is 0 in lanes that are not set
      expect("where /=", w, [&](int i) { return a.of[i]; });
      if constexpr (std::is_integral_v<T>) {
        w = va;
        hpk::where(m, w) |= vb;
        expect("where |=", w, [&](int i) { return set(i) ? a.of[i] | b.of[i] : a.of[i]; });
        w = va;
        hpk::where(m, w) <<= 1;
        expect("where <<=", w, [&](int i) {
          return set(i) ? static_cast<T>(static_cast<std::uint64_t>(a.of[i]) << 1) : a.of[i];
        });
      }
      T to[V::size()];
      for (T& x : to) x = T(7);
      hpk::where(m, std::as_const(va)).copy_to(to);
      expect("copy_to", V(to), [&](int i) { return set(i) ? a.of[i] : T(7); });
      w = va;
      hpk::where(m, w).copy_from(b.of);
      expect("copy_from", w, [&](int i) { return set(i) ? b.of[i] : a.of[i]; });
    }
  }
};
TEST(simd_select, floating) { for_each(simd_test::floating(), choices()); }
TEST(simd_select, signed_integers) { for_each(simd_test::signed_integers(), choices()); }
TEST(simd_select, unsigned_integers) {
  for_each(simd_test::join<simd_test::usual_widths<std::uint8_t>,
                           simd_test::usual_widths<std::uint64_t>>::type(),
           choices());
}
TEST(simd_select, odd) {
  for_each(simd_test::list<hpk::simd<double, 37>, hpk::simd<float, 6>, hpk::simd<int, 64>>(),
           choices());
}

TEST(simd_select, numbers_and_masks) {
  EXPECT_EQ(hpk::select(true, 1.5, 2.5), 1.5);
  EXPECT_EQ(hpk::condition(false, 1, 2), 2);
  double x = 4;
  hpk::where(x > 3, x) *= 2;
  hpk::where(x > 30, x) = 0;
  EXPECT_EQ(x, 8);
  using M = hpk::simd_mask<float, 4>;
  EXPECT_EQ(hpk::select(M::from_ullong(3), M::from_ullong(5), M::from_ullong(12)).to_ullong(), 13u);
  M m(false);
  hpk::where(M::from_ullong(6), m) = M(true);
  EXPECT_EQ(m.to_ullong(), 6u);
}

TEST(simd_select, gather_and_scatter_where) {
  using V = hpk::simd<float, 4>;
  using I = hpk::simd<int, 4>;
  float a[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const I at([](auto i) { return 6 - 2 * static_cast<int>(i()); });
  V v(-1);
  hpk::where(V::mask_type::from_ullong(5), v).gather_from(a, at);
  expect("gather_from", v, [](int i) { return static_cast<float>(i % 2 ? -1 : 6 - 2 * i); });
  hpk::where(V::mask_type::from_ullong(2), std::as_const(v)).scatter_to(a, at);
  EXPECT_EQ(a[4], -1);
  EXPECT_EQ(a[6], 6);
}

}  // namespace
