// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes.hpp"

#include <bit>

namespace {

using simd_test::expect;

struct bit_functions {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    simd_test::random_bits random;
    simd_test::numbers<T, V::size()> a, b;
    for (int round = 0; round < 24; ++round) {
      a.fill(random, round);
      b.fill(random, round);
      // Numbers with any number of significant bits.
      for (int i = 0; i < V::size(); ++i)
        a.of[i] = static_cast<T>(a.of[i] >> (random() % (8 * sizeof(T))));
      const V v(a.of);
#define CHECK(name) expect(#name, hpk::name(v), [&](int i) { return std::name(a.of[i]); });
      CHECK(popcount)
      CHECK(countl_zero)
      CHECK(countl_one)
      CHECK(countr_zero)
      CHECK(countr_one)
      CHECK(has_single_bit)
      CHECK(bit_width)
      CHECK(bit_floor)
#undef CHECK
      expect("bit_ceil", hpk::bit_ceil(v >> V(1)),
             [&](int i) { return std::bit_ceil(static_cast<T>(a.of[i] >> 1)); });
      expect("byteswap", hpk::byteswap(v), [&](int i) { return hpk::byteswap(a.of[i]); });
      const int places = static_cast<int>(random() % 200) - 100;
      expect("rotl", hpk::rotl(v, places), [&](int i) { return std::rotl(a.of[i], places); });
      expect("rotr", hpk::rotr(v, places), [&](int i) { return std::rotr(a.of[i], places); });
      expect("rotl by lanes", hpk::rotl(v, V(b.of)), [&](int i) {
        return std::rotl(a.of[i], static_cast<int>(b.of[i] % (8 * sizeof(T))));
      });
      expect("rotr by lanes", hpk::rotr(v, V(b.of)), [&](int i) {
        return std::rotr(a.of[i], static_cast<int>(b.of[i] % (8 * sizeof(T))));
      });
    }
  }
};
TEST(simd_bit_ops, bits) { for_each(simd_test::unsigned_integers(), bit_functions()); }

struct saturation {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    using limits = std::numeric_limits<T>;
    using wide = __int128;
    simd_test::random_bits random;
    simd_test::numbers<T, V::size()> a, b;
    const auto cut = [](wide x) {
      return x < limits::lowest() ? limits::lowest()
             : x > limits::max()  ? limits::max()
                                  : static_cast<T>(x);
    };
    for (int round = 0; round < 24; ++round) {
      a.fill(random, round);
      b.fill(random, round);
      expect("saturating_add", hpk::saturating_add(V(a.of), V(b.of)),
             [&](int i) { return cut(wide(a.of[i]) + b.of[i]); });
      expect("saturating_sub", hpk::saturating_sub(V(a.of), V(b.of)),
             [&](int i) { return cut(wide(a.of[i]) - b.of[i]); });
      const auto cast = [&]<class U>(U) {
        using to = std::numeric_limits<U>;
        expect("saturating_cast", hpk::saturating_cast<U>(V(a.of)), [&](int i) {
          const wide x = a.of[i];
          return x < to::lowest() ? to::lowest() : x > to::max() ? to::max() : static_cast<U>(x);
        });
      };
      cast(std::int8_t());
      cast(std::uint16_t());
      cast(std::int64_t());
      cast(std::uint64_t());
      expect("byteswap", hpk::byteswap(V(a.of)), [&](int i) { return hpk::byteswap(a.of[i]); });
    }
  }
};
TEST(simd_bit_ops, saturation) { for_each(simd_test::integers(), saturation()); }

}  // namespace
