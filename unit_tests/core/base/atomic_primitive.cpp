// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations that processors have; what is made of them is tested with seam/atomic.hpp.
#include <hpk/base/atomic_primitive.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace base_atomic_primitive_test {
namespace {

using namespace hpk::detail;

static_assert(adds_natively<int> && adds_natively<unsigned long> && adds_natively<double>);
static_assert(!adds_natively<short> && !adds_natively<bool> && !adds_natively<long double>);
static_assert(compares_natively<int> && compares_natively<long> && !compares_natively<char>);

struct halves {
  short a;
  short b;
  bool operator==(const halves&) const = default;
};
struct floats {
  float a;
  float b;
  bool operator==(const floats&) const = default;
};
static_assert(alignof(halves) < sizeof(halves) && alignof(floats) < sizeof(floats));

// Of types whose alignment is less than a word's.
template <class T>
void check_halves() {
  alignas(8) T object = {1, 2};
  EXPECT_EQ(primitive_load(&object), (T{1, 2}));
  EXPECT_EQ(primitive_exchange(&object, T{3, 4}), (T{1, 2}));
  T expected = {5, 6};
  EXPECT_FALSE(primitive_compare_exchange(&object, expected, T{7, 8}));
  EXPECT_EQ(expected, (T{3, 4}));
  EXPECT_TRUE(primitive_compare_exchange(&object, expected, T{7, 8}));
  EXPECT_EQ(object, (T{7, 8}));
  primitive_store(&object, T{9, 10});
  EXPECT_EQ(object, (T{9, 10}));
}
TEST(AtomicPrimitive, of_halves_of_a_word) {
  check_halves<halves>();
  check_halves<floats>();
}

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

template <class T>
void check_ordered() {
  constexpr auto acquire = memory_order::acquire;
  constexpr auto release = memory_order::release;
  T object = 5;
  EXPECT_EQ(ordered_fetch_add<acquire>(&object, T(3)), T(5));
  EXPECT_EQ(ordered_fetch_add<release>(&object, static_cast<T>(-1)), T(8));
  EXPECT_EQ(ordered_fetch_or<acquire>(&object, T(10)), T(7));
  EXPECT_EQ(ordered_fetch_and<release>(&object, T(12)), T(15));
  T expected = 7;
  EXPECT_FALSE(ordered_compare_exchange<acquire>(&object, expected, T(8)));
  EXPECT_EQ(expected, T(12));
  EXPECT_TRUE(ordered_compare_exchange<acquire>(&object, expected, static_cast<T>(~T(0))));
  EXPECT_EQ(object, static_cast<T>(~T(0)));
}

TEST(AtomicPrimitive, ordered_ones_return_the_value_before) {
  check_ordered<unsigned>();
  check_ordered<unsigned long>();
  check_ordered<unsigned long long>();
}

// A thread that acquires the word reads what was written before its release; -fsanitize=thread
// looks on.
TEST(AtomicPrimitive, ordered_ones_hand_memory_over) {
  constexpr int turns = 2000;
  unsigned turn = 0;
  int plain = 0;
  const auto play = [&](unsigned mine) {
    for (int k = 0; k < turns; ++k) {
      while (ordered_fetch_add<memory_order::acquire>(&turn, 0u) % 2 != mine)
        std::this_thread::yield();
      ++plain;
      ordered_fetch_add<memory_order::release>(&turn, 1u);
    }
  };
  std::thread other([&] { play(1); });
  play(0);
  other.join();
  EXPECT_EQ(plain, 2 * turns);
}

}  // namespace
}  // namespace base_atomic_primitive_test
