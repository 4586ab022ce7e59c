// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The traffic of one request of a sub-group: sectors, bytes, bank cycles, and lanes on one element.
#include <hpk/backends/emu/profile/request.hpp>

#include <gtest/gtest.h>

#include <initializer_list>

namespace hpk_test::request_cases {

hpk::emu::request made(std::size_t element_bytes, std::initializer_list<std::uint64_t> offsets) {
  hpk::emu::request r;
  r.clear(element_bytes);
  for (const std::uint64_t offset : offsets) r.add(offset);
  r.finish();
  return r;
}
std::uint64_t sectors(const hpk::emu::request& r) {
  std::uint64_t sum = 0;
  r.for_sectors(32, [&](std::uint64_t first, std::uint64_t last) { sum += last - first + 1; });
  return sum;
}

TEST(Request, counts_each_sector_once) {
  EXPECT_EQ(sectors(made(4, {})), 0u);
  EXPECT_EQ(sectors(made(4, {0, 4, 28})), 1u);
  EXPECT_EQ(sectors(made(4, {64, 0, 32})), 3u);
  EXPECT_EQ(sectors(made(4, {96, 96, 100, 0})), 2u);
  EXPECT_EQ(sectors(made(8, {28})), 2u);            // crosses a sector boundary
  EXPECT_EQ(sectors(made(100, {0})), 4u);           // longer than a sector
  EXPECT_EQ(sectors(made(100, {0, 50, 100})), 7u);  // bytes 0 to 199
}

TEST(Request, counts_each_byte_once) {
  EXPECT_EQ(made(8, {}).used().bytes, 0u);
  EXPECT_EQ(made(8, {0, 0, 0}).used().bytes, 8u);
  EXPECT_EQ(made(8, {16, 0, 4}).used().bytes, 20u);  // 0 to 11, 16 to 23
  EXPECT_EQ(made(100, {0, 50}).used().bytes, 150u);
}

TEST(Request, counts_runs_without_gaps) {
  EXPECT_EQ(made(8, {}).used().runs, 0u);
  EXPECT_EQ(made(8, {0, 0, 8, 16}).used().runs, 1u);
  EXPECT_EQ(made(8, {40}).used().runs, 1u);
  EXPECT_EQ(made(8, {16, 0, 4}).used().runs, 2u);
  EXPECT_EQ(made(4, {0, 8, 16}).used().runs, 3u);
}

TEST(Request, counts_cycles_of_the_banks) {
  // Two words in bank 0 and one in bank 1.
  EXPECT_EQ(made(4, {0, 128, 4}).bank_cycles(32, 4), 2u);
  EXPECT_EQ(made(4, {0, 128, 4}).ideal_bank_cycles(32, 4), 1u);
  // One word takes one cycle for any number of lanes and for parts of the word.
  EXPECT_EQ(made(4, {64, 64, 64}).bank_cycles(32, 4), 1u);
  EXPECT_EQ(made(1, {64, 65, 66}).bank_cycles(32, 4), 1u);
  // 33 consecutive words.
  EXPECT_EQ(made(132, {0}).bank_cycles(32, 4), 2u);
  EXPECT_EQ(made(132, {0}).ideal_bank_cycles(32, 4), 2u);
  EXPECT_EQ(made(4, {}).bank_cycles(32, 4), 0u);
}

TEST(Request, counts_lanes_on_one_element) {
  std::uint64_t elements = 0;
  EXPECT_EQ(made(4, {8, 0, 8, 8}).for_elements([&](std::uint64_t offset, std::size_t lanes) {
    EXPECT_EQ(lanes, offset == 8 ? 3u : 1u);
    ++elements;
  }),
            3u);
  EXPECT_EQ(elements, 2u);
}

TEST(Request, begins_anew) {
  hpk::emu::request r = made(4, {0, 4, 8});
  r.clear(16);
  r.add(32);
  r.finish();
  EXPECT_EQ(r.lanes(), 1u);
  EXPECT_EQ(r.used().bytes, 16u);
}

}  // namespace hpk_test::request_cases
