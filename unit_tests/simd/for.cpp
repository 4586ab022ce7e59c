// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes.hpp"

#include <cmath>

#include <array>
#include <functional>
#include <vector>

namespace {

// Visits every index once, for numbers of elements with every remainder.
template <int N>
void visits_all() {
  for (long n = 0; n < 3 * N + 2; ++n) {
    for (const long first : {0L, 5L}) {
      std::vector<int> seen(static_cast<std::size_t>(n + first + 1)), masked = seen;
      hpk::simd_for<N>(first, first + n, [&](auto i) {
        for (int k = 0; k < i.count(); ++k) ++seen[static_cast<std::size_t>(i.first() + k)];
      });
      hpk::simd_for<N>(
          first, first + n,
          [&](auto i) {
            static_assert(i.size() == N);
            for (int k = 0; k < i.count(); ++k) ++masked[static_cast<std::size_t>(i.first() + k)];
          },
          hpk::simd_masked_rest);
      for (long i = 0; i < n + first + 1; ++i) {
        const int wanted = i >= first && i < first + n ? 1 : 0;
        ASSERT_EQ(seen[static_cast<std::size_t>(i)], wanted) << N << ' ' << n;
        ASSERT_EQ(masked[static_cast<std::size_t>(i)], wanted) << N << ' ' << n;
      }
    }
  }
}
TEST(simd_for, visits_every_index_once) {
  visits_all<1>();
  visits_all<3>();
  visits_all<4>();
  visits_all<16>();
  visits_all<32>();
}

template <class T>
void axpy_and_stencil() {
  for (const int n : {0, 1, 2, 3, 7, 8, 9, 31, 100}) {
    std::vector<T> x(static_cast<std::size_t>(n) + 2), y(x), z(x), wanted(x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<T>(3 * i + 1);
      y[i] = z[i] = wanted[i] = static_cast<T>(i);
    }
    const auto sx = hpk::as_simd_span(std::as_const(x));
    const auto sy = hpk::as_simd_span(y);
    const auto sz = hpk::as_simd_span(z);
    hpk::simd_for<T>(0, n, [=](auto i) { sy[i] = T(2) * sx[i] + sy[i]; });
    hpk::simd_for<T>(0, n, [=](auto i) { sz[i] += T(2) * sx[i]; }, hpk::simd_masked_rest);
    for (int i = 0; i < n; ++i)
      wanted[static_cast<std::size_t>(i)] = static_cast<T>(T(2) * x[static_cast<std::size_t>(i)] +
                                                           wanted[static_cast<std::size_t>(i)]);
    EXPECT_TRUE(y == wanted) << n;
    EXPECT_TRUE(z == wanted) << n;
    hpk::simd_for<hpk::simd<T, 4>>(1, n + 1, [=](auto i) { sy[i] = sx[i - 1] + sx[i + 1]; });
    for (int i = 1; i <= n; ++i)
      wanted[static_cast<std::size_t>(i)] =
          static_cast<T>(x[static_cast<std::size_t>(i - 1)] + x[static_cast<std::size_t>(i + 1)]);
    EXPECT_TRUE(y == wanted) << n;
    EXPECT_EQ(hpk::simd_reduce<T>(0, n, [=](auto i) { return sx[i] * T(2); }), [&] {
      T sum = 0;
      for (int i = 0; i < n; ++i) sum = static_cast<T>(sum + 2 * x[static_cast<std::size_t>(i)]);
      return sum;
    }());
  }
}
TEST(simd_for, kernels) {
  axpy_and_stencil<double>();
  axpy_and_stencil<float>();
  axpy_and_stencil<int>();
  axpy_and_stencil<unsigned char>();
}

TEST(simd_for, conditions_and_indices) {
  std::array<float, 21> x{}, y{};
  const auto sy = hpk::as_simd_span(y);
  const auto sx = hpk::as_simd_span(x);
  hpk::simd_for<float>(0, 21, [=](auto i) {
    const auto k = hpk::simd_iota<float>(i);
    sx[i] = hpk::select(k > 10, hpk::sqrt(k), -k);
    sy[i] = 3 * k;
  });
  for (int i = 0; i < 21; ++i) {
    EXPECT_EQ(x[static_cast<std::size_t>(i)],
              i > 10 ? std::sqrt(static_cast<float>(i)) : static_cast<float>(-i));
    EXPECT_EQ(y[static_cast<std::size_t>(i)], static_cast<float>(3 * i));
  }
  // Gathered elements, and lanes that count under a mask.
  float sum = 0;
  hpk::simd_for<float>(
      0, 21,
      [&](auto i) {
        const auto at = 20 - hpk::simd_iota<int>(i);
        sum += hpk::reduce(hpk::select(hpk::simd_lanes<float>(i), sy[hpk::max(at, 0)], 0));
      },
      hpk::simd_masked_rest);
  EXPECT_EQ(sum, 3 * 210.0f);
}

TEST(simd_for, reductions) {
  std::vector<int> x(103);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>((i * 37) % 101) - 50;
  const auto s = hpk::as_simd_span(x);
  const auto body = [=](auto i) { return s[i]; };
  for (const int n : {0, 1, 5, 8, 31, 64, 103}) {
    int sum = 0, product = 1, largest = -1000;
    for (int i = 0; i < n; ++i) {
      const int v = x[static_cast<std::size_t>(i)];
      sum += v;
      product = static_cast<int>(static_cast<unsigned>(product) * static_cast<unsigned>(v));
      largest = v > largest ? v : largest;
    }
    EXPECT_EQ(hpk::simd_reduce<int>(0, n, body), sum);
    EXPECT_EQ(hpk::simd_reduce<8>(0, n, body, [](auto a, auto b) { return a + b; }), sum);
    if (n <= 8) {
      EXPECT_EQ(hpk::simd_reduce<int>(0, n, body, std::multiplies<>()), product);
    }
    EXPECT_EQ(hpk::simd_reduce<int>(
                  0, n, body, [](int a, int b) { return a < b ? b : a; }, -1000),
              largest);
    EXPECT_EQ(hpk::simd_reduce<4>(
                  0, n, body, [](int a, int b) { return a < b ? b : a; }, -1000),
              largest);
  }
  // Converts each element to another type and sums in that type.
  EXPECT_EQ(hpk::simd_reduce<int>(
                0, 103,
                [=](auto i) { return hpk::rebind_t<double, hpk::simd<int, i.size()>>(s[i]) / 2; }),
            hpk::simd_reduce<int>(0, 103, body) / 2.0);
}

}  // namespace
