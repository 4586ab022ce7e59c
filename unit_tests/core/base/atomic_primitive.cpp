// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations that processors have; what is made of them is tested with seam/atomic.hpp.
#include <hpk/base/atomic_primitive.hpp>

#include <gtest/gtest.h>

namespace base_atomic_primitive_test {
namespace {

using namespace hpk::detail;

static_assert(adds_natively<int> && adds_natively<unsigned long> && adds_natively<double>);
static_assert(!adds_natively<short> && !adds_natively<bool> && !adds_natively<long double>);
static_assert(compares_natively<int> && compares_natively<long> && !compares_natively<char>);

template <class T>
void check() {
  alignas(8) T object = 5;
  EXPECT_EQ(primitive_load(&object), T(5));
  EXPECT_EQ(primitive_exchange(&object, T(6)), T(5));
  T expected = 7;
  EXPECT_FALSE(primitive_compare_exchange(&object, expected, T(8)));
  EXPECT_EQ(expected, T(6));
  EXPECT_TRUE(primitive_compare_exchange(&object, expected, T(8)));
  primitive_store(&object, static_cast<T>(primitive_load(&object) + 1));
  EXPECT_EQ(object, T(9));
  if constexpr (adds_natively<T>) {
    EXPECT_EQ(primitive_fetch_add(&object, T(2)), T(9));
    EXPECT_EQ(object, T(11));
  }
}

TEST(AtomicPrimitive, works_on_every_size) {
  check<unsigned char>();
  check<short>();
  check<int>();
  check<unsigned>();
  check<long>();
  check<unsigned long long>();
  check<float>();
  check<double>();
}

}  // namespace
}  // namespace base_atomic_primitive_test
