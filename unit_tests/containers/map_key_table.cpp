// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/unordered_map.hpp>

#include <support/spaces.hpp>

namespace {

template <class Exec>
class MapKeyTable : public testing::Test {};
TYPED_TEST_SUITE(MapKeyTable, hpk_test::spaces, hpk_test::space_names);

// The words that mark states in the table are keys like any other.
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

}  // namespace
