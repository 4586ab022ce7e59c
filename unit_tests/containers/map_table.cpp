// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/unordered_map.hpp>

#include <support/spaces.hpp>

namespace {

struct pair_of_words {
  std::uint64_t a, b;
};

template <class Exec>
class MapTable : public testing::Test {};
TYPED_TEST_SUITE(MapTable, hpk_test::spaces, hpk_test::space_names);

// An erased key that is inserted again takes its old slot, so this works in a full map, too.
HPK_TYPED_TEST(MapTable, erased_keys_come_back_to_their_slots) {
  const hpk::UnorderedMap<pair_of_words, int, TypeParam> map(30);
  const int n = static_cast<int>(map.capacity());
  const hpk::View<int*, TypeParam> counts("counts", 3);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        const pair_of_words key{1, static_cast<std::uint64_t>(i)};
        const auto first = map.insert(key, i);
        if (!first.success()) hpk::atomic_inc(&counts(0));
        if (!map.erase(key) || map.erase(key) || map.exists(key)) hpk::atomic_inc(&counts(1));
        const auto again = map.insert(key, i + 1);
        if (!again.success() || again.index() != first.index()) hpk::atomic_inc(&counts(2));
      });
  const auto got = hpk_test::on_host(counts);
  EXPECT_EQ(got(0), 0);
  EXPECT_EQ(got(1), 0);
  EXPECT_EQ(got(2), 0);
  EXPECT_EQ(map.size(), static_cast<std::size_t>(n));
  EXPECT_FALSE(map.failed_insert());
}

// Keys are read by words if their alignment allows it. Cleared maps are empty.
template <class Part, int Parts>
struct key_of_parts {
  Part parts[Parts];
};
template <class Value>
struct value_of_two {
  Value a, b;
};
template <class Key, class Value, class Exec>
void clear_and_fill() {
  constexpr int n = 300;
  hpk::UnorderedMap<Key, Value, Exec> map(n);
  const hpk::View<int*, Exec> counts("counts", 3);
  for (int round = 0; round != 2; ++round) {
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(int i) {
          Key key{};
          for (auto& part : key.parts) part = static_cast<std::decay_t<decltype(part)>>(7);
          // Keys differ in one part, in its first or last bits.
          constexpr int parts = static_cast<int>(sizeof(key.parts) / sizeof(key.parts[0]));
          auto& part = key.parts[i % parts];
          using type = std::decay_t<decltype(part)>;
          part = static_cast<type>(part + static_cast<type>(i / parts + 1));
          if (map.exists(key)) hpk::atomic_inc(&counts(0));
          if (!map.insert(key, Value{}).success()) hpk::atomic_inc(&counts(1));
          if (!map.exists(key)) hpk::atomic_inc(&counts(2));
        });
    EXPECT_EQ(map.size(), static_cast<std::size_t>(n));
    map.clear();
    EXPECT_TRUE(map.empty());
  }
  const auto got = hpk_test::on_host(counts);
  EXPECT_EQ(got(0), 0);
  EXPECT_EQ(got(1), 0);
  EXPECT_EQ(got(2), 0);
}
TYPED_TEST(MapTable, clears_and_takes_keys_of_every_alignment) {
  clear_and_fill<key_of_parts<unsigned char, 13>, int, TypeParam>();
  clear_and_fill<key_of_parts<short, 3>, double, TypeParam>();
  clear_and_fill<key_of_parts<short, 4>, double, TypeParam>();
  clear_and_fill<key_of_parts<unsigned char, 4>, value_of_two<double>, TypeParam>();
  clear_and_fill<key_of_parts<int, 2>, value_of_two<float>, TypeParam>();
  clear_and_fill<key_of_parts<int, 3>, double, TypeParam>();
  clear_and_fill<key_of_parts<double, 3>, int, TypeParam>();
}

}  // namespace
