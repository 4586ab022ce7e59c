// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes.hpp"

#include <support/errors.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace {

using hpk_test::error_of;
using simd_test::expect;
using V = hpk::simd<float, 4>;

std::array<float, 10> counted() {
  std::array<float, 10> a{};
  for (std::size_t i = 0; i < 10; ++i) a[i] = static_cast<float>(i);
  return a;
}

TEST(simd_span, reads_and_writes) {
  auto a = counted();
  const auto s = hpk::as_simd_span(a);
  const hpk::simd_index<4> i(2);
  const V v = s[i + 1];
  expect("read", v, [](int k) { return static_cast<float>(k + 3); });
  s[i] = v * 10;
  s[i] += 1;
  s[i] -= V(s[i - 1]) * 0;
  s[i] *= 2;
  s[i] /= 2;
  EXPECT_EQ(a[1], 1);
  EXPECT_EQ(a[2], 31);
  EXPECT_EQ(a[5], 61);
  EXPECT_EQ(a[6], 6);
  s[hpk::simd_index<4>(6)] = s[i];  // assigns the lanes, not the reference
  EXPECT_EQ(a[9], 61);
  s[0] = 7;
  EXPECT_EQ(a[0], 7);
  const hpk::simd_index<4, true> rest(8, 2);
  expect("rest", V(s[rest]), [](int k) { return k == 0 ? 51.0f : k == 1 ? 61.0f : 0.0f; });
  s[rest] = V(5);
  EXPECT_EQ(a[8], 5);
  expect("functions", hpk::max(s[i], V(40)),
         [&](int k) { return std::max(a[static_cast<std::size_t>(2 + k)], 40.0f); });
  expect("gathered", s[hpk::simd<int, 4>([](auto k) { return 2 * static_cast<int>(k()); })],
         [&](int k) { return a[static_cast<std::size_t>(2 * k)]; });
  EXPECT_EQ(hpk::simd_lanes<float>(rest).to_ullong(), 3u);
  expect("iota", hpk::simd_iota<float>(i), [](int k) { return static_cast<float>(2 + k); });
  const auto c = hpk::as_simd_span(std::as_const(a));
  static_assert(std::is_same_v<decltype(c[i]), V>);
  expect("const rest", c[rest], [](int k) { return k < 2 ? (k == 0 ? 5.0f : 5.0f) : 0.0f; });
}

TEST(simd_span, blocks) {
  auto a = counted();
  const auto b = hpk::as_simd_blocks<V>(a);
  ASSERT_EQ(b.size(), 3u);
  for (std::size_t j = 0; j < b.size(); ++j) b[j] = b[j] * 2 + 1;
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(a[i], static_cast<float>(2 * i + 1));
  const auto c = hpk::as_simd_blocks<V>(std::as_const(a).data(), 10);
  expect("last", c[2], [](int k) { return k == 0 ? 17.0f : k == 1 ? 19.0f : 0.0f; });
  EXPECT_EQ(hpk::as_simd_blocks<V>(a.data(), 0).size(), 0u);
}

// The members that as_simd_span needs of a View.
struct strided {
  const float* data() const { return values; }
  std::size_t size() const { return 4; }
  std::size_t span() const { return 7; }
  bool span_is_contiguous() const { return false; }
  float values[7];
};

TEST(simd_span, errors) {
  EXPECT_EQ(error_of([] { hpk::as_simd_span(strided()); }),
            "hpk::as_simd_span: the View has 4 elements in a span of 7; write a View whose "
            "elements are contiguous");
#if HPK_CHECKS
  auto a = counted();
  const auto s = hpk::as_simd_span(a);
  EXPECT_EQ(error_of([&] { static_cast<void>(s[hpk::simd_index<4>(7)]); }),
            "hpk::simd_span: elements 7 to 10 of 10; shorten the range of simd_for");
  EXPECT_EQ(error_of([&] { static_cast<void>(s[hpk::simd_index<4>(-1)]); }),
            "hpk::simd_span: elements -1 to 2 of 10; shorten the range of simd_for");
#endif
}

}  // namespace
