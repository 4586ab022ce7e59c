// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector_checks.hpp"

#include <support/errors.hpp>

namespace {

using hpk_test::error_of;
using simd_test::expect;
using simd_test::model;
using simd_test::rounds;

struct floating_division {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    rounds<V>([](const T* a, const T* b, V va, V vb) { BINARY(/) });
  }
};

TEST(simd_vector, arithmetic) { for_each(simd_test::floating(), simd_test::arithmetic()); }
TEST(simd_vector, arithmetic_odd) { for_each(simd_test::floating_odd(), simd_test::arithmetic()); }
TEST(simd_vector, division) {
  for_each(simd_test::floating(), floating_division());
  for_each(simd_test::floating_odd(), floating_division());
}

struct construction {
  template <class V>
  void operator()() const {
    using T = typename V::value_type;
    static_assert(std::is_trivially_copyable_v<V> && std::is_trivially_default_constructible_v<V>);
    static_assert(sizeof(V) == sizeof(T) * V::size() && V::size() == V::size);
    static_assert(std::is_same_v<typename V::mask_type::simd_type, V>);
    expect("zeros", V(), [](int) { return T(0); });
    expect("broadcast", V(T(5)), [](int) { return T(5); });
    const V implicit = 5;
    expect("int", implicit, [](int) { return T(5); });
    expect("generator", V([](auto i) { return static_cast<T>(3 * i() + 1); }),
           [](int i) { return static_cast<T>(3 * i + 1); });
    if constexpr (std::is_floating_point_v<T>)
      expect("signed zero", V(T(-0.0)), [](int) { return T(-0.0); });
  }
};
TEST(simd_vector, construction) { for_each(simd_test::all(), construction()); }

TEST(simd_vector, conversions_that_need_no_cast) {
  using V = hpk::simd<float, 4>;
  static_assert(std::is_convertible_v<float, V> && std::is_convertible_v<short, V> &&
                std::is_convertible_v<int, V>);
  static_assert(!std::is_convertible_v<double, V> && !std::is_convertible_v<long, V>);
  static_assert(std::is_constructible_v<V, double> &&
                std::is_constructible_v<V, hpk::simd<double, 4>>);
  static_assert(!std::is_constructible_v<V, hpk::simd<float, 8>>);
  static_assert(std::is_convertible_v<unsigned, hpk::simd<unsigned char, 4>>);
  static_assert(!std::is_convertible_v<unsigned, hpk::simd<signed char, 4>>);
}

// A template, because compilers also check the discarded branch outside templates.
template <class V>
void convert_to_a_register_and_back() {
  if constexpr (hpk::detail::vectors::simd_has_vectors) {
    typedef float four __attribute__((vector_size(16)));
    const four r = static_cast<four>(V([](auto i) { return static_cast<float>(i()); }) + 1);
    EXPECT_EQ(r[3], 4);
    EXPECT_EQ(V(r)[2], 3);
  }
}
TEST(simd_vector, registers) { convert_to_a_register_and_back<hpk::simd<float, 4>>(); }

// For compilers that compute vectors at compile time.
constexpr hpk::simd<int, 8> constant([](auto i) { return static_cast<int>(i()); });
static_assert((constant * 2 + 1)[3] == 7);
static_assert((constant > 3)[4] && !(constant > 3)[3]);
static_assert(hpk::simd<double, 1>(2.0)[0] == 2);

#if HPK_CHECKS
TEST(simd_vector, errors) {
  using V = hpk::simd<int, 4>;
  V v(1);
  std::size_t four = 4;
  EXPECT_EQ(error_of([&] { static_cast<void>(v[four]); }),
            "hpk::basic_simd: there is no lane 4; write one from 0 to 3");
  const V zero([](auto i) { return i() == 2 ? 0 : 1; });
  EXPECT_EQ(
      error_of([&] { static_cast<void>(v / zero); }),
      "hpk::basic_simd: lane 2 of integers is divided by zero; mask it: select(b == 0, 1, b)");
  EXPECT_EQ(
      error_of([&] { static_cast<void>(v % zero); }),
      "hpk::basic_simd: lane 2 of integers is divided by zero; mask it: select(b == 0, 1, b)");
  EXPECT_EQ(error_of([&] { static_cast<void>(v << 32); }),
            "hpk::basic_simd: lane 0 is shifted by 32 bits; write a count from 0 to 31");
  EXPECT_EQ(error_of([&] { static_cast<void>(v >> -1); }),
            "hpk::basic_simd: lane 0 is shifted by -1 bits; write a count from 0 to 31");
}
#endif

}  // namespace
