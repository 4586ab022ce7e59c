// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/detail/map_slots.hpp>

#include <support/spaces.hpp>

#include <set>

namespace {

using namespace hpk::detail;

TEST(MapSlots, paths_visit_every_group_once) {
  for (const std::uint64_t slots : {1u, 8u, 9u, 100u, 1000u}) {
    const std::uint64_t buckets = map_buckets_for(slots, 8, "m", {});
    EXPECT_GE(buckets * 8, slots);
    for (const std::uint64_t hash :
         {std::uint64_t{0}, ~std::uint64_t{0}, map_mix(1), map_mix(77), map_mix(~0ull)}) {
      map_path path(hash, buckets);
      std::set<std::uint64_t> seen;
      do {
        EXPECT_LT(path.bucket, buckets);
        seen.insert(path.bucket);
      } while (path.next());
      EXPECT_EQ(seen.size(), buckets) << hash;
      EXPECT_EQ(path.passed, buckets);
    }
  }
}

TEST(MapSlots, states_of_groups) {
  map_word states = 0;
  EXPECT_EQ(map_empty_slots(states), map_marks);
  states = map_with(states, 0, map_full | 0x7f);
  states = map_with(states, 2, map_erased | 0x3f);
  states = map_with(states, 6, map_busy | 0x1f);
  states |= map_passed | map_reach(5) << map_reach_bit;
  EXPECT_EQ(map_full_slots(states), 0x80u);
  EXPECT_EQ(map_erased_slots(states), map_word{0x80} << 16);
  EXPECT_EQ(map_other_slots(states), map_word{0x80} << 16 | map_word{0x80} << 48);
  EXPECT_EQ(map_empty_slots(states), map_marks & ~map_word{0x80} & ~map_other_slots(states));
  EXPECT_EQ(map_first_slot(map_matches(states, map_busy | 0x1f)), 6);
  EXPECT_EQ(map_matches(states, map_full | 1), 0u);
}

TEST(MapSlots, reaches_round_distances_up) {
  map_word before = 0;
  for (std::uint64_t distance = map_near_buckets; distance < std::uint64_t{1} << 32;
       distance += 1 + distance / 50) {
    const map_word reach = map_reach(distance);
    EXPECT_LE(before, reach);
    EXPECT_LT(reach, 128u);
    EXPECT_LE(distance, map_distance(reach));
    EXPECT_LT(map_distance(reach) * 4, distance * 5);
    before = reach;
  }
  EXPECT_EQ(map_distance(0), 0u);
  map_word word = ~map_word{0xff00};
  raise_map_reach(&word, 8, 9);
  raise_map_reach(&word, 8, 7);
  EXPECT_EQ(word, ~map_word{0xf600});
}

TEST(MapSlots, bytes_of_keys) {
  struct odd {
    unsigned char bytes[13];
  };
  odd a{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}};
  for (int k = 0; k != 13; ++k) {
    odd b = a;
    EXPECT_TRUE(map_same_bytes(a, b));
    EXPECT_EQ(map_hash_bytes(a), map_hash_bytes(b));
    b.bytes[k] ^= 0x80;
    EXPECT_FALSE(map_same_bytes(a, b)) << k;
    EXPECT_NE(map_hash_bytes(a), map_hash_bytes(b)) << k;
  }
}

TEST(MapSlots, refuses_more_groups_than_paths_can_reach) {
  hpk_test::expect_error([] { (void)map_buckets_for(std::uint64_t{1} << 50, 8, "huge", {}); },
                         {"\"huge\"", "1125899906842624 slots", "34359738328"});
}

}  // namespace
