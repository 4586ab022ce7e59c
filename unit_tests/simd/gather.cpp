// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes.hpp"

#include <support/errors.hpp>

#include <vector>

namespace {

using simd_test::expect;

struct places {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    using M = typename V::mask_type;
    using I = hpk::rebind_t<int, V>;
    constexpr int n = V::size();
    simd_test::random_bits random;
    simd_test::numbers<T, 100> a;
    for (int round = 0; round < 6; ++round) {
      a.fill(random, round);
      const std::vector<T> from(a.of, a.of + 100);
      const I at([&](auto) { return static_cast<int>(random() % 100); });
      const auto bits = random();
      const M m([&](auto i) { return (bits >> i() & 1) != 0; });
      const auto set = [&](int i) { return (bits >> i & 1) != 0; };
      const auto index = [&](int i) {
        return static_cast<std::size_t>(at[static_cast<std::size_t>(i)]);
      };
      expect("gather", hpk::unchecked_gather_from<V>(from, at),
             [&](int i) { return from[index(i)]; });
      expect("pointer", hpk::unchecked_gather_from(a.of, at),
             [&](int i) { return from[index(i)]; });
      expect("masked", hpk::unchecked_gather_from<V>(from, m, at),
             [&](int i) { return set(i) ? from[index(i)] : T(); });
      const auto wild = at * 2 - 50;  // from -50 to 148
      const auto inside = [&](int i) {
        const int k = wild[static_cast<std::size_t>(i)];
        return k >= 0 && k < 100;
      };
      expect("partial", hpk::partial_gather_from<V>(from, wild), [&](int i) {
        return inside(i) ? from[static_cast<std::size_t>(wild[static_cast<std::size_t>(i)])] : T();
      });
      // Scatter: later lanes overwrite earlier ones, as in a loop.
      const V v([&](auto i) { return static_cast<T>(i() + 1); });
      std::vector<T> to(100), wanted(100);
      hpk::unchecked_scatter_to(v, to, at);
      for (int i = 0; i < n; ++i) wanted[index(i)] = static_cast<T>(i + 1);
      EXPECT_TRUE(to == wanted);
      hpk::unchecked_scatter_to(V(T(3)), to, m, at);
      for (int i = 0; i < n; ++i)
        if (set(i)) wanted[index(i)] = T(3);
      EXPECT_TRUE(to == wanted);
      hpk::partial_scatter_to(v, to, m, wild);
      for (int i = 0; i < n; ++i)
        if (set(i) && inside(i))
          wanted[static_cast<std::size_t>(wild[static_cast<std::size_t>(i)])] =
              static_cast<T>(i + 1);
      EXPECT_TRUE(to == wanted);
    }
  }
};
TEST(simd_gather, floating) { for_each(simd_test::floating(), places()); }
TEST(simd_gather, integers) {
  for_each(simd_test::join<simd_test::usual_widths<std::uint8_t>,
                           simd_test::usual_widths<std::int64_t>>::type(),
           places());
}

TEST(simd_gather, interleaved) {
  using V = hpk::simd<float, 8>;
  float points[24];
  for (int i = 0; i < 24; ++i) points[i] = static_cast<float>(i);
  auto xyz = hpk::load_interleaved<V, 3>(points);
  for (int m = 0; m < 3; ++m)
    expect("member", xyz[static_cast<std::size_t>(m)],
           [&](int i) { return static_cast<float>(3 * i + m); });
  xyz[1] = -xyz[1];
  hpk::store_interleaved(xyz, points);
  for (int i = 0; i < 24; ++i) EXPECT_EQ(points[i], static_cast<float>(i % 3 == 1 ? -i : i));
}

#if HPK_CHECKS
TEST(simd_gather, errors) {
  const std::vector<double> from(10);
  const hpk::simd<int, 4> at([](auto i) { return i() == 2 ? 10 : 1; });
  EXPECT_EQ(hpk_test::error_of([&] { hpk::unchecked_gather_from(from, at); }),
            "hpk: an unchecked gather or scatter has the index 10 in lane 2, in a range of 10 "
            "elements; mask the "
            "lane out, or write partial_gather_from or partial_scatter_to");
  std::vector<double> to(10);
  EXPECT_THROW(hpk::unchecked_scatter_to(hpk::simd<double, 4>(1), to, at), hpk::error);
}
#endif

}  // namespace
