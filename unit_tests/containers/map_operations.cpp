// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/unordered_map.hpp>

#include <support/spaces.hpp>

#include <set>

namespace {

template <class Exec>
class MapOperations : public testing::Test {};
TYPED_TEST_SUITE(MapOperations, hpk_test::spaces, hpk_test::space_names);

// Bulk calls on a map that is far too small, so it has to grow. Each update counts once.
template <class Key, class Exec>
void all_at_once() {
  const int n = 3000;
  const hpk::View<Key*, Exec> keys("keys", n);
  const hpk::View<int*, Exec> values("values", n);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(int i) {
        keys(i) = static_cast<Key>(i % 1000);
        values(i) = i;
      });
  using add = typename hpk::UnorderedMapInsertOpTypes<hpk::View<int*, Exec>>::AtomicAdd;
  hpk::UnorderedMap<Key, int, Exec> map(hpk::view_alloc("bulk"), 3);
  EXPECT_EQ(map.insert_all(keys, values, add()), 1000u);
  EXPECT_EQ(map.insert_all(Exec(), keys, values, add()), 0u);
  EXPECT_EQ(map.size(), 1000u);
  EXPECT_FALSE(map.failed_insert());
  const hpk::View<std::size_t*, Exec> slots("slots", n);
  EXPECT_EQ(map.find_all(keys, slots), std::size_t{n});
  const auto own_keys = hpk_test::on_host(map.keys());
  const auto own_values = hpk_test::on_host(map.values());
  EXPECT_EQ(own_keys.extent(0), 1000u);
  std::set<Key> seen;
  for (std::size_t i = 0; i != 1000; ++i) {
    seen.insert(own_keys(i));
    const int k = static_cast<int>(own_keys(i));
    EXPECT_EQ(own_values(i), 2 * (3 * k + 3000));
  }
  EXPECT_EQ(seen.size(), 1000u);
  const auto some = hpk::subview(keys, hpk::pair<int, int>(0, 100));
  EXPECT_EQ(map.erase_all(some), 100u);
  EXPECT_EQ(map.erase_all(some), 0u);
  EXPECT_EQ(map.find_all(keys, slots), std::size_t{n - 300});
  map.reserve(5000);
  EXPECT_GE(map.capacity(), 5000u);
  EXPECT_EQ(map.find_all(keys, slots), std::size_t{n - 300});
  const auto capacity = map.capacity();
  map.reserve(10);
  EXPECT_EQ(map.capacity(), capacity);
  const hpk::View<int*, Exec> fewer("fewer", 5);
  hpk_test::expect_error([&] { map.insert_all(keys, fewer); },
                         {"\"bulk\"", "3000 keys", "5 values"});
  const hpk::View<std::size_t*, Exec> few("few", 4);
  hpk_test::expect_error([&] { (void)map.find_all(keys, few); }, {"3000 keys", "4 slots"});
  hpk::UnorderedMap<Key, void, Exec> set(2);
  EXPECT_EQ(set.insert_all(keys), 1000u);
  EXPECT_EQ(set.insert_all(Exec(), keys), 0u);
  EXPECT_EQ(set.keys().extent(0), 1000u);
}

TYPED_TEST(MapOperations, bulk_calls_grow) {
  all_at_once<int, TypeParam>();
  all_at_once<short, TypeParam>();
}

// All lanes of a sub-group search together, in a map that is almost full.
template <class Key, class Exec>
void search_together() {
  const hpk::UnorderedMap<Key, int, Exec> map(200);
  const int n = static_cast<int>(map.capacity()) - 5;
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(int i) { map.insert(static_cast<Key>(i), i); });
  const hpk::View<int, Exec> wrong("wrong");
  using policy = hpk::TeamPolicy<Exec>;
  hpk::parallel_for(
      policy(2 * n, 1), HPK_LAMBDA(const typename policy::member_type& team) {
        const auto key = static_cast<Key>(team.league_rank());
        if (map.find(team.warp(), key) != map.find(key)) hpk::atomic_inc(&wrong());
      });
  EXPECT_EQ(hpk_test::on_host(wrong)(), 0);
  EXPECT_EQ(map.size(), static_cast<std::size_t>(n));
}
TYPED_TEST(MapOperations, subgroups_search_together) {
  search_together<int, TypeParam>();
  search_together<short, TypeParam>();
}

// Tiles of a sub-group search for different keys, some of which are in the map.
template <class Exec>
void search_by_tiles() {
  hpk::UnorderedMap<int, int, Exec> map(2000);
  hpk::parallel_for(hpk::RangePolicy<Exec>(0, 1000), HPK_LAMBDA(int i) { map.insert(i, i); });
  const hpk::View<int, Exec> wrong("wrong");
  hpk::parallel_for(
      hpk::TeamPolicy<Exec>(4, 16),
      HPK_LAMBDA(const typename hpk::TeamPolicy<Exec>::member_type& team) {
        const auto warp = team.warp();
        const auto tile = warp.tile(warp.size() < 4 ? 1 : 4);
        const int number = team.team_rank() / tile.size();
        const int key = number % 2 == 1 ? 100 * team.league_rank() + number : 5000 + number;
        if (map.find(tile, key) != map.find(key)) hpk::atomic_inc(&wrong());
      });
  EXPECT_EQ(hpk_test::on_host(wrong)(), 0);
}

TYPED_TEST(MapOperations, tiles_search_apart) { search_by_tiles<TypeParam>(); }

}  // namespace
