// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes.hpp"

#include <functional>

namespace {

// The documented order of reduce: lane i with lane i + h, where h is the largest power of two below
// n.
template <class T, class F>
T folded(T* v, int n, const F& op) {
  while (n > 1) {
    int half = 1;
    while (2 * half < n) half *= 2;
    for (int i = 0; i + half < n; ++i) v[i] = static_cast<T>(op(v[i], v[i + half]));
    n = half;
  }
  return v[0];
}

template <class T>
void expect_same(const char* what, T got, T wanted) {
  if (!simd_test::same(got, wanted))
    simd_test::fail(what, __PRETTY_FUNCTION__, 0, static_cast<long double>(got),
                    static_cast<long double>(wanted));
}

struct reductions {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    using M = typename V::mask_type;
    constexpr int n = V::size();
    simd_test::random_bits random;
    simd_test::numbers<T, n> a;
    for (int round = 0; round < 12; ++round) {
      a.fill(random, round);
      const V v(a.of);
      const auto bits = round == 5 ? 0 : random();
      const M m([&](auto i) { return (bits >> i() & 1) != 0; });
      // The model: all lanes, and the lanes that are set; the identity if none is set.
      const auto check = [&](const char* what, T got, T masked, T identity, const auto& op) {
        T all[n], some[n];
        for (int i = 0; i < n; ++i) {
          all[i] = a.of[i];
          some[i] = bits >> i & 1 ? a.of[i] : identity;
        }
        expect_same(what, got, folded(all, n, op));
        expect_same(what, masked, hpk::any_of(m) ? folded(some, n, op) : identity);
      };
      const auto plus = [](T x, T y) {
        return simd_test::model(x, y, [](auto p, auto q) { return p + q; });
      };
      const auto times = [](T x, T y) {
        return simd_test::model(x, y, [](auto p, auto q) { return p * q; });
      };
      check("sum", hpk::reduce(v), hpk::reduce(v, m), T(0), plus);
      check("std::plus<>", hpk::reduce(v, std::plus<>()), hpk::reduce(v, m, std::plus<>()), T(0),
            plus);
      check("product", hpk::reduce(v, std::multiplies<>()), hpk::reduce(v, m, std::multiplies<>()),
            T(1), times);
      if constexpr (std::is_integral_v<T>) {
        const auto one = static_cast<T>(-1);
        check("and", hpk::reduce(v, std::bit_and<>()), hpk::reduce(v, m, std::bit_and<>()), one,
              [](T x, T y) { return x & y; });
        check("or", hpk::reduce(v, std::bit_or<>()), hpk::reduce(v, m, std::bit_or<>()), T(0),
              [](T x, T y) { return x | y; });
        check("xor", hpk::reduce(v, std::bit_xor<>()), hpk::reduce(v, m, std::bit_xor<>()), T(0),
              [](T x, T y) { return x ^ y; });
      }
      const auto own = [](T x, T y) { return x < y ? y : x; };
      check("own operation", hpk::reduce(v, own), hpk::reduce(v, m, own, T(3)), T(3), own);
      check("older order", hpk::reduce(v, own), hpk::reduce(v, m, T(3), own), T(3), own);
      check("sum from 3", hpk::reduce(v), hpk::reduce(v, m, std::plus<>(), T(3)), T(3), plus);
      check("older order of a sum", hpk::reduce(v), hpk::reduce(v, m, T(3)), T(3), plus);
      const auto less = [](T x, T y) { return y < x ? y : x; };
      using limits = std::numeric_limits<T>;
      constexpr T most = std::is_integral_v<T> ? limits::max() : limits::infinity();
      constexpr T least = std::is_integral_v<T> ? limits::lowest() : -limits::infinity();
      check("min", hpk::reduce_min(v), hpk::reduce_min(v, m), most, less);
      check("max", hpk::reduce_max(v), hpk::reduce_max(v, m), least, own);
    }
  }
};
TEST(simd_reduce, floating) { for_each(simd_test::floating(), reductions()); }
TEST(simd_reduce, floating_odd) { for_each(simd_test::floating_odd(), reductions()); }
TEST(simd_reduce, signed_integers) {
  for_each(simd_test::join<simd_test::usual_widths<std::int8_t>,
                           simd_test::usual_widths<std::int32_t>>::type(),
           reductions());
}
TEST(simd_reduce, unsigned_integers) {
  for_each(simd_test::join<simd_test::usual_widths<std::uint16_t>,
                           simd_test::usual_widths<std::uint64_t>>::type(),
           reductions());
}

TEST(simd_reduce, identities) {
  static_assert(hpk::detail::vectors::identity_known<int, std::plus<int>>);
  static_assert(hpk::detail::vectors::identity_known<double, std::multiplies<>>);
  static_assert(hpk::detail::vectors::identity_of<short, std::bit_and<>> == -1);
  static_assert(!hpk::detail::vectors::identity_known<double, std::minus<>>);
  const auto larger = [](int a, int b) { return a < b ? b : a; };
  static_assert(!hpk::detail::vectors::identity_known<int, decltype(larger)>);
}

}  // namespace
