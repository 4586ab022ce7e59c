// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words that several threads change concurrently.
#include <hpk/base/atomic_word.hpp>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace base_atomic_word_test {
namespace {

using namespace hpk::detail;

struct pair {
  short a;
  short b;
  bool operator==(const pair&) const = default;
};
enum class color : unsigned char { red, green, blue };

template <class T>
void check(T first, T second, T third) {
  alignas(8) T object = first;
  const word_ref<T> word(object);
  EXPECT_TRUE(word.load(memory_order::acquire) == first);
  word.store(second, memory_order::release);
  EXPECT_TRUE(object == second);
  EXPECT_TRUE(word.exchange(third, memory_order::acq_rel) == second);
  T expected = first;
  EXPECT_FALSE(word.compare_exchange(expected, second, memory_order::acq_rel));
  EXPECT_TRUE(expected == third);
  EXPECT_TRUE(word.compare_exchange(expected, second, memory_order::release));
  EXPECT_TRUE(object == second);
}

TEST(AtomicWord, holds_any_type_of_its_size) {
  int x = 0;
  int y = 0;
  int z = 0;
  check<int*>(&x, &y, &z);
  check<char>('a', 'b', 'c');
  check<float>(1, 2, 3);
  check<double>(1, 2, 3);
  check<long>(-1, 2, 1L << 40);
  check<pair>({1, 2}, {3, 4}, {5, 6});
  check<color>(color::red, color::green, color::blue);
}

TEST(AtomicWord, is_a_flag) {
  atomic_word<bool> flag;
  EXPECT_FALSE(flag.exchange(true, memory_order::acquire));
  EXPECT_TRUE(flag.exchange(true, memory_order::acquire));
  flag.store(false, memory_order::release);
  EXPECT_FALSE(flag.load(memory_order::relaxed));
}

TEST(AtomicWord, calculates_with_the_value_before_as_result) {
  atomic_word<int> word(5);
  EXPECT_EQ(word.fetch_add(3, memory_order::relaxed), 5);
  EXPECT_EQ(word.fetch_sub(10, memory_order::relaxed), 8);
  EXPECT_EQ(word.load(memory_order::relaxed), -2);
  unsigned bits = 0b1100;
  const word_ref<unsigned> ref(bits);
  EXPECT_EQ(ref.fetch_or(0b0011, memory_order::acquire), 0b1100u);
  EXPECT_EQ(ref.fetch_and(0b0110, memory_order::release), 0b1111u);
  EXPECT_EQ(bits, 0b0110u);
}

TEST(AtomicWord, loses_no_change_of_any_thread) {
  constexpr int threads = 4;
  constexpr int each = 20'000;
  atomic_word<long> sum(0);
  atomic_word<bool> taken(false);
  long guarded = 0;
  std::vector<std::thread> crew;
  for (int t = 0; t < threads; ++t) {
    crew.emplace_back([&] {
      for (int i = 0; i < each; ++i) {
        sum.fetch_add(1, memory_order::relaxed);
        while (taken.exchange(true, memory_order::acquire)) std::this_thread::yield();
        ++guarded;
        taken.store(false, memory_order::release);
      }
    });
  }
  for (auto& member : crew) member.join();
  EXPECT_EQ(sum.load(memory_order::relaxed), long{threads} * each);
  EXPECT_EQ(guarded, long{threads} * each);
}

}  // namespace
}  // namespace base_atomic_word_test
