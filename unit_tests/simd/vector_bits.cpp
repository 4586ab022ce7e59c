// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector_checks.hpp"

namespace {

using simd_test::expect;
using simd_test::model;
using simd_test::rounds;

struct integer_division {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    rounds<V>([](const T* a, const T* b, V va, V vb) {
      // No zeros, and no -1, since the smallest number divided by -1 overflows.
      V divisor(
          [&](auto i) { return b[i()] == T(0) || b[i()] == static_cast<T>(-1) ? T(3) : b[i()]; });
      expect("/", va / divisor, [&](int i) { return a[i] / divisor[static_cast<std::size_t>(i)]; });
      expect("%", va % divisor, [&](int i) { return a[i] % divisor[static_cast<std::size_t>(i)]; });
      V quotient = va;
      quotient /= divisor;
      expect("/=", quotient, [&](int i) { return a[i] / divisor[static_cast<std::size_t>(i)]; });
      static_cast<void>(vb);
    });
  }
};

struct bits {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    using U = std::make_unsigned_t<T>;
    rounds<V>([](const T* a, const T* b, V va, V vb) {
      BINARY(&)
      BINARY(|)
      BINARY(^)
      expect("~", ~va, [&](int i) { return ~a[i]; });
      const V counts(
          [&](auto i) { return static_cast<T>(static_cast<U>(b[i()]) % (8 * sizeof(T))); });
      const auto count = [&](int i) {
        return static_cast<int>(static_cast<U>(b[i]) % (8 * sizeof(T)));
      };
      expect("<<", va << counts,
             [&](int i) { return static_cast<std::uint64_t>(a[i]) << count(i); });
      expect(">>", va >> counts, [&](int i) { return a[i] >> count(i); });
      V shifted = va;
      shifted <<= 3;
      expect("<<=", shifted, [&](int i) { return static_cast<std::uint64_t>(a[i]) << 3; });
      shifted = va;
      shifted >>= 5;
      expect(">>=", shifted, [&](int i) { return a[i] >> 5; });
    });
  }
};

TEST(simd_vector_bits, division) { for_each(simd_test::integers(), integer_division()); }
TEST(simd_vector_bits, bits_and_shifts) {
  for_each(simd_test::integers(), bits());
  for_each(simd_test::integers_odd(), bits());
}

}  // namespace
