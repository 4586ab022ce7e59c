// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes.hpp"

#include <bit>
#include <string>

namespace {

using simd_test::fail;

// Expects that lane i of m is model(i).
template <class M, class F>
void expect_mask(const char* what, const M& m, const F& model) {
  for (int i = 0; i < M::size(); ++i) {
    if (m[static_cast<std::size_t>(i)] != static_cast<bool>(model(i)))
      return fail(what, __PRETTY_FUNCTION__, i, m[static_cast<std::size_t>(i)], model(i));
  }
}

void expect_number(unsigned long long got, unsigned long long wanted) { EXPECT_EQ(got, wanted); }

struct operators {
  template <class V>
  void operator()() const {
    using M = typename V::mask_type;
    simd_test::random_bits random;
    for (int round = 0; round < 12; ++round) {
      constexpr unsigned long long all = ~0ull >> (64 - M::size());
      const auto a = round == 0 ? 0 : round == 1 ? all : random() & random() & all;
      const auto b = round < 2 ? all * (random() & 1) : random() & all;
      const M ma([&](auto i) { return (a >> i() & 1) != 0; });
      const M mb = M::from_ullong(b);
      const auto bit = [](unsigned long long x, int i) { return (x >> i & 1) != 0; };
      expect_mask("generator", ma, [&](int i) { return bit(a, i); });
      expect_mask("from_ullong", mb, [&](int i) { return bit(b, i); });
#define CHECK(op, ...)                       \
  expect_mask(#op, ma op mb, [&](int i) {    \
    const bool x = bit(a, i), y = bit(b, i); \
    return __VA_ARGS__;                      \
  });
      CHECK(&&, x && y)
      CHECK(||, x || y)
      CHECK(&, x && y)
      CHECK(|, x || y)
      CHECK(^, x != y)
      CHECK(==, x == y)
      CHECK(!=, x != y)
      CHECK(<, !x && y)
      CHECK(<=, !x || y)
      CHECK(>, x && !y)
      CHECK(>=, x || !y)
#undef CHECK
      expect_mask("!", !ma, [&](int i) { return !bit(a, i); });
      expect_mask("~", ~ma, [&](int i) { return !bit(a, i); });
      M c = ma;
      c &= mb;
      expect_number(c.to_ullong(), a & b);
      c |= ma;
      expect_number(c.to_ullong(), a);
      c ^= mb;
      expect_number(c.to_ullong(), a ^ b);
      expect_number(ma.to_ullong(), a);
      expect_number(all_of(ma), a == all);
      expect_number(any_of(ma), a != 0);
      expect_number(none_of(ma), a == 0);
      expect_number(static_cast<unsigned>(reduce_count(ma)),
                    static_cast<unsigned>(std::popcount(a)));
      if (a != 0) {
        expect_number(static_cast<unsigned>(reduce_min_index(ma)),
                      static_cast<unsigned>(std::countr_zero(a)));
        expect_number(static_cast<unsigned>(reduce_max_index(ma)),
                      63u - static_cast<unsigned>(std::countl_zero(a)));
      }
      expect_mask("to vector", V(ma) == V(1), [&](int i) { return bit(a, i); });
      expect_number(M(hpk::rebind_t<double, M>(ma)).to_ullong(), a);
      expect_number(M(hpk::rebind_t<std::int8_t, M>(ma)).to_ullong(), a);
    }
    expect_number(any_of(M()), false);
    expect_number(all_of(M(true)), true);
  }
};
TEST(simd_mask, floating) { for_each(simd_test::floating(), operators()); }
TEST(simd_mask, floating_odd) { for_each(simd_test::floating_odd(), operators()); }
TEST(simd_mask, integers) { for_each(simd_test::signed_integers(), operators()); }
TEST(simd_mask, integers_odd) { for_each(simd_test::integers_odd(), operators()); }

TEST(simd_mask, plain_bools) {
  EXPECT_TRUE(hpk::all_of(true) && hpk::any_of(true) && !hpk::none_of(true));
  EXPECT_EQ(hpk::reduce_count(false), 0);
}

TEST(simd_mask, conversions_of_one_lane_size_need_no_cast) {
  using D = hpk::simd_mask<double, 4>;
  static_assert(std::is_convertible_v<hpk::simd_mask<long, 4>, D>);
  static_assert(!std::is_convertible_v<hpk::simd_mask<float, 4>, D>);
  static_assert(std::is_constructible_v<D, hpk::simd_mask<float, 4>>);
  static_assert(!std::is_convertible_v<bool, D> && !std::is_constructible_v<D, int>);
  const D d = hpk::simd<long, 4>([](auto i) { return static_cast<long>(i()); }) > 1;
  EXPECT_EQ(d.to_ullong(), 12u);
  EXPECT_TRUE(static_cast<bool>(hpk::simd<double, 1>(2.0) > 1.0));
}

}  // namespace
