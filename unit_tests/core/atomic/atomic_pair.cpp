// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compare-exchange of 16 bytes.
#include <hpk/atomic/atomic_pair.hpp>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace base_atomic_pair_test {
namespace {

using namespace hpk::detail;

TEST(AtomicPair, is_set_if_both_words_are_the_expected_ones) {
  if constexpr (!has_wide_exchange) GTEST_SKIP() << "this processor or sanitizer has no such";
  word_pair object{1, 2};
  for (const word_pair wrong : {word_pair{1, 3}, word_pair{3, 2}, word_pair{2, 1}}) {
    word_pair expected = wrong;
    EXPECT_FALSE(exchange_pair(&object, expected, {7, 8}, memory_scope::device));
    EXPECT_TRUE(is_same(expected, {1, 2}));
    EXPECT_TRUE(is_same(object, {1, 2}));
  }
  word_pair expected{1, 2};
  EXPECT_TRUE(exchange_pair(&object, expected, {7, 8}, memory_scope::device));
  EXPECT_TRUE(is_same(object, {7, 8}));
  EXPECT_TRUE(is_same(load_pair(&object, memory_scope::device), {7, 8}));
}

TEST(AtomicPair, is_read_as_a_whole) {
  if constexpr (!has_wide_exchange) GTEST_SKIP() << "this processor or sanitizer has no such";
  word_pair object{0, 0};
  std::thread writer([&] {
    word_pair seen{0, 0};
    for (unsigned k = 1; k <= 200'000; ++k)
      exchange_pair(&object, seen, {k, k}, memory_scope::node);
  });
  for (unsigned long long last = 0; last < 190'000;) {
    const word_pair seen = load_pair(&object, memory_scope::device);
    ASSERT_EQ(seen.low, seen.high);
    ASSERT_GE(seen.low, last);
    last = seen.low;
  }
  writer.join();
}

TEST(AtomicPair, loses_no_change_of_any_thread) {
  if constexpr (!has_wide_exchange) GTEST_SKIP() << "this processor or sanitizer has no such";
  constexpr int each = 20'000;
  word_pair object{0, 0};
  std::vector<std::thread> crew;
  for (int t = 0; t < 4; ++t) {
    crew.emplace_back([&] {
      word_pair seen{0, 0};
      for (int k = 0; k < each; ++k) {
        while (!exchange_pair(&object, seen, {seen.low + 1, seen.high + 2}, memory_scope::device)) {
          ASSERT_EQ(seen.high, 2 * seen.low);
        }
      }
    });
  }
  for (auto& member : crew) member.join();
  EXPECT_TRUE(is_same(object, {4 * each, 8 * each}));
}

}  // namespace
}  // namespace base_atomic_pair_test
