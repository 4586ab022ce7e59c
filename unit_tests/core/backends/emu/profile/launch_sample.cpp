// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches of a time loop are counted, and which are estimated from earlier ones.
#include <hpk/backends/emu/profile/launch_sample.hpp>

#include <support/emu_counting.hpp>

namespace hpk_test::launch_sample_cases {

using hpk::Emu;
using hpk::View;

// Launches a kernel whose lanes access elements at a distance of `stride`.
void step(const View<float*, Emu>& x, int stride, const char* label = "step", int lanes = 32) {
  hpk::parallel_for(
      label, hpk::RangePolicy<Emu>(0, lanes), HPK_LAMBDA(int i) { x(i * stride) = 1; });
}

TEST(LaunchSample, counts_the_first_launches_and_one_of_sixteen) {
  const emu_counts::counting on;
  const View<float*, Emu> x("x", 32 * 8);
  // A stride of 1 gives 4 sectors. From the 17th launch on, a stride of 8 gives 32.
  for (int k = 0; k < 40; ++k) step(x, k < 17 ? 1 : 8);
  Emu().fence();
  ASSERT_EQ(emu_counts::launches.size(), 40u);
  for (std::size_t k = 0; k < 40; ++k) {
    const auto& launch = emu_counts::launches[k];
    EXPECT_EQ(launch.is_estimate, k > 16 && k != 32) << k;
    ASSERT_EQ(launch.accesses.size(), 1u) << k;
    EXPECT_EQ(launch.accesses[0].sectors, k < 32 ? 4u : 32u) << k;
  }
}

TEST(LaunchSample, tells_labels_and_shapes_apart) {
  const emu_counts::counting on;
  const View<float*, Emu> x("x", 1024);
  for (int k = 0; k < 16; ++k) step(x, 1);
  step(x, 1, "other");
  step(x, 1, "step", 1024);
  step(x, 1);
  step(x, 1);
  Emu().fence();
  ASSERT_EQ(emu_counts::launches.size(), 20u);
  for (std::size_t k = 0; k < 19; ++k) EXPECT_FALSE(emu_counts::launches[k].is_estimate) << k;
  EXPECT_TRUE(emu_counts::launches[19].is_estimate);
}

TEST(LaunchSample, begins_anew_with_each_profile) {
  for (int round = 0; round < 2; ++round) {
    const emu_counts::counting on;
    const View<float*, Emu> x("x", 32);
    for (int k = 0; k < 10; ++k) step(x, 1);
    Emu().fence();
    ASSERT_EQ(emu_counts::launches.size(), 10u);
    for (const auto& launch : emu_counts::launches) EXPECT_FALSE(launch.is_estimate);
  }
}

}  // namespace hpk_test::launch_sample_cases
