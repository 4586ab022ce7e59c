// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector_checks.hpp"

namespace {

using simd_test::expect;

template <class To, class V>
void check_conversion() {
  using T = typename V::value_type;
  using R = hpk::rebind_t<To, V>;
  // Values that both types can represent, some of them with a fraction.
  const V v([](auto i) {
    return static_cast<T>(std::is_unsigned_v<To> || std::is_unsigned_v<T> ? 1 + 3.5 * (i() % 30)
                                                                          : 50 - 3.5 * (i() % 30));
  });
  expect("conversion", R(v),
         [&](int i) { return static_cast<To>(v[static_cast<std::size_t>(i)]); });
  static_assert(std::is_convertible_v<V, R> == hpk::detail::vectors::keeps_values<T, To>);
}
struct conversions {
  template <class V>
  void operator()() const {
    check_conversion<double, V>();
    check_conversion<float, V>();
    check_conversion<std::int8_t, V>();
    check_conversion<std::uint16_t, V>();
    check_conversion<std::int32_t, V>();
    check_conversion<std::uint32_t, V>();
    check_conversion<std::int64_t, V>();
    check_conversion<std::uint64_t, V>();
  }
};
TEST(simd_vector_conversions, lanes) {
  for_each(simd_test::usual(), conversions());
  for_each(simd_test::list<hpk::simd<double, 16>, hpk::simd<float, 16>, hpk::simd<short, 32>>(),
           conversions());
}

}  // namespace
