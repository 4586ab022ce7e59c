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

// An erased key that comes back takes its old slot, so a full map takes it too.
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

}  // namespace
