// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/unordered_map.hpp>

#include <support/spaces.hpp>

namespace {

template <class Exec>
class MapKeyTable : public testing::Test {};
TYPED_TEST_SUITE(MapKeyTable, hpk_test::spaces, hpk_test::space_names);

// Keys that equal the words that mark states of slots are ordinary keys.
template <class Key, class Exec>
void take_all_keys() {
  using map_type = hpk::UnorderedMap<Key, int, Exec>;
  using table = hpk::detail::map_key_table<std::remove_const_t<Key>, int, Exec, hpk::pod_hash<Key>,
                                           hpk::pod_equal_to<Key>>;
  const Key odd = static_cast<Key>(table::scramble);
  map_type map(100);
  using add = typename hpk::UnorderedMapInsertOpTypes<hpk::View<int*, Exec>>::AtomicAdd;
  const hpk::View<int*, Exec> counts("counts", 4);
  for (int round = 0; round != 3; ++round) {
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(0, 160), HPK_LAMBDA(int i) {
          const Key key = odd ^ static_cast<Key>(i % 16);
          if (map.insert(key, 1, add()).success()) hpk::atomic_inc(&counts(0));
        });
    EXPECT_EQ(map.size(), 16u);
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(0, static_cast<int>(map.capacity())), HPK_LAMBDA(int i) {
          const auto slot = static_cast<std::size_t>(i);
          if (!map.valid_at(slot)) return;
          if (map.find(map.key_at(slot)) == slot) hpk::atomic_inc(&counts(1));
          hpk::atomic_add(&counts(2), map.value_at(slot));
        });
    if (round == 1) map.rehash(1000);
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(0, 32), HPK_LAMBDA(int i) {
          if (map.erase(odd ^ static_cast<Key>(i % 16))) hpk::atomic_inc(&counts(3));
        });
    EXPECT_EQ(map.size(), 0u);
    if (round == 0) map.reclaim_erased();
  }
  const auto got = hpk_test::on_host(counts);
  EXPECT_EQ(got(0), 48);
  EXPECT_EQ(got(1), 48);
  EXPECT_EQ(got(2), 480);
  EXPECT_EQ(got(3), 48);
}

TYPED_TEST(MapKeyTable, takes_keys_that_look_like_states) {
  take_all_keys<unsigned, TypeParam>();
  take_all_keys<std::uint64_t, TypeParam>();
}

// Keys that look like states take slots as other keys do: each slot takes any key until the map is
// full, also after the keys have been erased.
template <class Key, class Exec>
void fill_with_all_keys(std::size_t hint) {
  using map_type = hpk::UnorderedMap<Key, int, Exec>;
  using table =
      hpk::detail::map_key_table<Key, int, Exec, hpk::pod_hash<Key>, hpk::pod_equal_to<Key>>;
  map_type map(hint);
  const int slots = static_cast<int>(map.capacity());
  for (int round = 0; round != 4; ++round) {
    const hpk::View<int*, Exec> counts("counts", 5);
    // Twice as many keys as slots, or each key twice.
    const int n = round % 2 == 0 ? slots : 2 * slots;
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(0, 2 * n), HPK_LAMBDA(int i) {
          const int k = (i % n + 5 * round) % n;
          const auto result =
              map.insert(static_cast<Key>(table::scramble) ^ static_cast<Key>(k), k);
          hpk::atomic_inc(&counts(result.success() ? 0 : result.existing() ? 1 : 2));
        });
    EXPECT_EQ(map.size(), map.capacity());
    EXPECT_EQ(map.failed_insert(), n != slots);
    hpk::parallel_for(
        hpk::RangePolicy<Exec>(0, slots), HPK_LAMBDA(int i) {
          const auto slot = static_cast<std::size_t>(i);
          if (!map.valid_at(slot)) return;
          const Key key = map.key_at(slot);
          if (map.find(key) == slot &&
              key == (static_cast<Key>(table::scramble) ^ static_cast<Key>(map.value_at(slot))))
            hpk::atomic_inc(&counts(3));
        });
    const auto got = hpk_test::on_host(counts);
    EXPECT_EQ(got(0), slots);
    EXPECT_EQ(got(1), slots);
    EXPECT_EQ(got(2), 2 * (n - slots));
    EXPECT_EQ(got(3), slots);
    if (round == 1) {
      map.clear();
    } else {
      const auto keys = map.keys();
      EXPECT_EQ(map.erase_all(keys), map.capacity());
      map.reclaim_erased();
      map.reset_failed_insert_flag();
    }
    EXPECT_EQ(map.size(), 0u);
  }
}

TYPED_TEST(MapKeyTable, gives_every_slot_to_any_key) {
  for (const std::size_t hint : {1u, 20u, 500u}) {
    fill_with_all_keys<unsigned, TypeParam>(hint);
    fill_with_all_keys<std::uint64_t, TypeParam>(hint);
  }
}

// After a reclaim, such keys take slots of erased keys again, while others of the four keys remain.
HPK_TYPED_TEST(MapKeyTable, reclaims_slots_around_keys_that_look_like_states) {
  using map_type = hpk::UnorderedMap<unsigned, int, TypeParam>;
  using table = hpk::detail::map_key_table<unsigned, int, TypeParam, hpk::pod_hash<unsigned>,
                                           hpk::pod_equal_to<unsigned>>;
  map_type map(10);
  const int slots = static_cast<int>(map.capacity());
  const hpk::View<int, TypeParam> wrong("wrong");
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, slots), HPK_LAMBDA(int i) {
        if (!map.insert(table::scramble ^ static_cast<unsigned>(i), i).success())
          hpk::atomic_inc(&wrong());
      });
  for (int round = 0; round != 6; ++round) {
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(0, slots), HPK_LAMBDA(int i) {
          if (i % 3 == round % 3 && !map.erase(table::scramble ^ static_cast<unsigned>(i)))
            hpk::atomic_inc(&wrong());
        });
    map.reclaim_erased();
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(0, slots), HPK_LAMBDA(int i) {
          const auto slot = map.find(table::scramble ^ static_cast<unsigned>(i));
          const bool there = slot != hpk::UnorderedMapInvalidIndex && map.value_at(slot) == i;
          if (there != (i % 3 != round % 3)) hpk::atomic_inc(&wrong());
          if (i % 3 == round % 3 &&
              !map.insert(table::scramble ^ static_cast<unsigned>(i), i).success())
            hpk::atomic_inc(&wrong());
        });
    EXPECT_EQ(map.size(), map.capacity());
  }
  EXPECT_EQ(hpk_test::on_host(wrong)(), 0);
}

}  // namespace
