// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a profile counts copies between host and device.
#include <support/emu_counting.hpp>

namespace hpk_test::copy_recorder_cases {

using namespace emu_counts;
using hpk::Emu;
using hpk::View;

TEST(CopyRecorder, counts_copies_and_repeated_ones) {
  const counting on;
  const View<double*, Emu> x("x", 100);
  const auto mirror = hpk::create_mirror_view(x);
  mirror(3) = 1;
  copies.clear();
  hpk::deep_copy(x, mirror);
  hpk::deep_copy(x, mirror);
  mirror(3) = 2;
  hpk::deep_copy(x, mirror);
  hpk::deep_copy(mirror, x);
  ASSERT_EQ(copies.size(), 4u);
  EXPECT_EQ(copies[0].to, "x");
  EXPECT_EQ(copies[0].from, "x_mirror");
  EXPECT_TRUE(copies[0].to_device);
  EXPECT_FALSE(copies[0].from_device);
  EXPECT_EQ(copies[0].bytes, 800u);
  EXPECT_FALSE(copies[0].is_repeated);
  EXPECT_TRUE(copies[1].is_repeated);
  EXPECT_FALSE(copies[2].is_repeated);
  EXPECT_FALSE(copies[3].to_device);
  EXPECT_FALSE(copies[3].is_repeated);
}

}  // namespace hpk_test::copy_recorder_cases
