// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/lockstep/config.hpp>

#include <support/spaces.hpp>

#include <type_traits>

namespace {

namespace lockstep = hpk::lockstep;

static_assert(lockstep::config<256, 32, 4>::domain_size == 256);
static_assert(lockstep::config<256, 32, 4>::workers == 32);
static_assert(lockstep::config<256, 32, 4>::simd_width == 4);
static_assert(lockstep::config<256, 32, 4>::rounds == 2);
static_assert(lockstep::config<250, 32, 4>::rounds == 2);  // 63 packs
static_assert(lockstep::config<257, 32, 4>::rounds == 3);  // 65 packs
static_assert(lockstep::config<250>::rounds == 250 && lockstep::config<250>::workers == 0);
static_assert(lockstep::config<0>::domain_size == 0);

using box_of_60 = hpk::extents<std::uint32_t, 3, 4, 5>;
static_assert(lockstep::config_nd<box_of_60, 8>::domain_size == 60);
static_assert(std::is_same_v<lockstep::config_nd<box_of_60>::extents_type, box_of_60>);

struct cell_list {};
struct not_a_list {};

}  // namespace

template <>
struct hpk::lockstep::block_config<cell_list> {
  using type = config<96>;
};

namespace {

static_assert(lockstep::has_block_config<cell_list> && !lockstep::has_block_config<not_a_list>);

TEST(LockstepConfig, counts_the_indices_of_every_dimension) {
  std::uint32_t linear = 0;
  for (std::uint32_t i = 0; i < 3; ++i) {
    for (std::uint32_t j = 0; j < 4; ++j) {
      for (std::uint32_t k = 0; k < 5; ++k, ++linear) {
        const auto found = lockstep::md_index<box_of_60>(linear);
        EXPECT_EQ(found[0], i);
        EXPECT_EQ(found[1], j);
        EXPECT_EQ(found[2], k);
      }
    }
  }
  constexpr auto last = lockstep::md_index<box_of_60>(59);
  static_assert(last[0] == 2 && last[1] == 3 && last[2] == 4);
}

TEST(LockstepConfigDeathTest, refuses_an_index_behind_the_domain) {
  EXPECT_DEATH(lockstep::md_index<box_of_60>(60), "precondition violated");
}

}  // namespace
