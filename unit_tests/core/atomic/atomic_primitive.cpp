// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations that processors provide. The tests of atomic/atomic.hpp cover what is built from
// them.
#include <hpk/atomic/atomic_primitive.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace base_atomic_primitive_test {
namespace {

using namespace hpk::detail;

static_assert(adds_natively<int> && adds_natively<unsigned long> && adds_natively<double>);
static_assert(!adds_natively<short> && !adds_natively<bool> && !adds_natively<long double>);
static_assert(compares_natively<int> && compares_natively<unsigned long> &&
              !compares_natively<char>);
static_assert(compares_natively<long> == (HPK_HAS_HIP_COMPILER == 0));

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

// Types with a smaller alignment than a word.
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
  EXPECT_EQ(primitive_fetch<add_operation>(&object, T(2)), T(9));
  EXPECT_EQ(object, T(11));
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
void check_calculations() {
  for (const memory_order order :
       {memory_order::relaxed, memory_order::acquire, memory_order::release, memory_order::acq_rel,
        memory_order::seq_cst}) {
    const atomic_mode mode{order};
    T object = 5;
    EXPECT_EQ(primitive_fetch<add_operation>(&object, T(3), mode), T(5));
    EXPECT_EQ(primitive_fetch<sub_operation>(&object, T(1), mode), T(8));
    EXPECT_EQ(primitive_fetch<or_operation>(&object, T(10), mode), T(7));
    EXPECT_EQ(primitive_fetch<and_operation>(&object, T(12), mode), T(15));
    EXPECT_EQ(primitive_fetch<xor_operation>(&object, T(5), mode), T(12));
    EXPECT_EQ(primitive_fetch<max_operation>(&object, T(20), mode), T(9));
    EXPECT_EQ(primitive_fetch<min_operation>(&object, T(30), mode), T(20));
    EXPECT_EQ(
        primitive_update(&object, [](const T& x) { return static_cast<T>(x / 2); }, mode), T(20));
    T expected = 7;
    EXPECT_FALSE(primitive_compare_exchange(&object, expected, T(8), mode));
    EXPECT_EQ(expected, T(10));
    EXPECT_TRUE(primitive_compare_exchange(&object, expected, static_cast<T>(~T(0)), mode));
    EXPECT_EQ(object, static_cast<T>(~T(0)));
  }
}

TEST(AtomicPrimitive, calculations_return_the_value_before) {
  check_calculations<signed char>();
  check_calculations<unsigned short>();
  check_calculations<unsigned>();
  check_calculations<long>();
  check_calculations<unsigned long long>();
}

// A thread that acquires the word sees what was written before the release. -fsanitize=thread would
// report a race.
TEST(AtomicPrimitive, ordered_ones_hand_memory_over) {
  constexpr int turns = 2000;
  unsigned turn = 0;
  int plain = 0;
  const auto play = [&](unsigned parity) {
    for (int k = 0; k < turns; ++k) {
      while (primitive_fetch<add_operation>(&turn, 0u, {memory_order::acquire}) % 2 != parity)
        std::this_thread::yield();
      ++plain;
      primitive_fetch<add_operation>(&turn, 1u, {memory_order::release});
    }
  };
  std::thread other([&] { play(1); });
  play(0);
  other.join();
  EXPECT_EQ(plain, 2 * turns);
}

}  // namespace
}  // namespace base_atomic_primitive_test
