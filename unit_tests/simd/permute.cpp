// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes.hpp"

#include <support/errors.hpp>

namespace {

using simd_test::expect;

struct moves {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    using M = typename V::mask_type;
    constexpr int n = V::size();
    simd_test::random_bits random;
    simd_test::numbers<T, n> a;
    for (int round = 0; round < 6; ++round) {
      a.fill(random, round);
      const V v(a.of);
      const T* const p = a.of;
      expect("reverse", hpk::permute(v, [](int i, int size) { return size - 1 - i; }),
             [&](int i) { return p[n - 1 - i]; });
      expect("rotate", hpk::permute(v, [](int i, int size) { return (i + 1) % size; }),
             [&](int i) { return p[(i + 1) % n]; });
      expect("zeros", hpk::permute(v, [](int i) { return i % 2 == 0 ? i : hpk::zero_element; }),
             [&](int i) { return i % 2 == 0 ? p[i] : T(); });
      const int by = static_cast<int>(random() % n);
      expect("captured", hpk::permute(v, [by](int i, int size) { return (i + by) % size; }),
             [&](int i) { return p[(i + by) % n]; });
      expect("to another size", hpk::permute<5>(v, [](int i, int size) { return i % size; }),
             [&](int i) { return p[i % n]; });
      using I = hpk::rebind_t<std::int16_t, V>;
      const I at([&](auto) { return static_cast<std::int16_t>(random() % n); });
      expect("by indices", hpk::permute(v, at),
             [&](int i) { return p[at[static_cast<std::size_t>(i)]]; });
      const auto bits = random();
      const M m([&](auto i) { return (bits >> i() & 1) != 0; });
      T packed[n], spread[n];
      int next = 0;
      for (T& x : packed) x = T(9);
      for (int i = 0; i < n; ++i) {
        spread[i] = bits >> i & 1 ? p[next] : T(4);
        if (bits >> i & 1) packed[next++] = p[i];
      }
      expect("compress", hpk::compress(v, m, T(9)), [&](int i) { return packed[i]; });
      expect("expand", hpk::expand(v, m, V(T(4))), [&](int i) { return spread[i]; });
      if constexpr (n <= 32) {
        const auto two = hpk::cat(v, hpk::permute(v, [](int i, int size) { return size - 1 - i; }));
        expect("cat", two, [&](int i) { return i < n ? p[i] : p[2 * n - 1 - i]; });
        const auto halves = hpk::chunk<n>(two);
        expect("chunk", halves[1], [&](int i) { return p[n - 1 - i]; });
      }
      if constexpr (n >= 3)
        expect("extract", hpk::extract<1, n - 2>(v), [&](int i) { return p[1 + i]; });
    }
    expect("iota", hpk::iota<V>(), [](int i) { return static_cast<T>(i); });
    expect("iota by a step", hpk::iota<V>(3, 2), [](int i) { return static_cast<T>(3 + 2 * i); });
  }
};
TEST(simd_permute, floating) { for_each(simd_test::floating(), moves()); }
TEST(simd_permute, integers) {
  for_each(simd_test::join<simd_test::usual_widths<std::uint8_t>,
                           simd_test::usual_widths<std::int64_t>>::type(),
           moves());
}
TEST(simd_permute, odd) {
  for_each(simd_test::list<hpk::simd<float, 37>, hpk::simd<double, 6>>(), moves());
}

TEST(simd_permute, pieces_and_bits) {
  const hpk::simd<float, 12> v([](auto i) { return static_cast<float>(i()); });
  const auto thirds = hpk::chunk<4>(v);
  for (int k = 0; k < 3; ++k)
    expect("chunk", thirds[static_cast<std::size_t>(k)],
           [&](int i) { return static_cast<float>(4 * k + i); });
  expect("cat of three", hpk::cat(thirds[2], thirds[0], thirds[1]),
         [](int i) { return static_cast<float>((i + 8) % 12); });
  const auto bits = hpk::simd_bit_cast<std::uint32_t>(hpk::simd<float, 4>(1.0f));
  expect("bit_cast", bits, [](int) { return 0x3f800000u; });
  expect("bit_cast to more lanes", hpk::simd_bit_cast<std::uint8_t>(bits), [](int i) {
    return i % 4 == 3 ? 0x3f : i % 4 == 2 ? 0x80 : 0;
  });
}

#if HPK_CHECKS
TEST(simd_permute, errors) {
  const hpk::simd<int, 4> from([](auto i) { return i() == 3 ? 4 : 0; });
  EXPECT_EQ(hpk_test::error_of([&] { hpk::permute(hpk::simd<int, 4>(1), from); }),
            "hpk::permute: lane 3 takes lane 4, which does not exist; write one from 0 to 3, or "
            "zero_element");
}
#endif

}  // namespace
