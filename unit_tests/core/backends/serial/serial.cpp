// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Serial: one worker, the calling thread, in index order. Other threads have independent instances.
#include <support/spaces.hpp>

#include <thread>
#include <vector>

namespace hpk_test::serial_cases {

TEST(Serial, has_the_name_that_programs_know) { EXPECT_STREQ(hpk::Serial::name(), "Serial"); }

TEST(Serial, runs_in_index_order_on_the_calling_thread) {
  for (const bool own : {false, true}) {
    const hpk::Serial exec = own ? hpk::Serial(hpk::NewInstance{}) : hpk::Serial();
    EXPECT_EQ(exec.concurrency(), 1);
    std::vector<int> order;
    const std::thread::id here = std::this_thread::get_id();
    hpk::parallel_for(hpk::RangePolicy<hpk::Serial, hpk::Schedule<hpk::Dynamic>>(exec, 0, 500),
                      [&](int i) { order.push_back(std::this_thread::get_id() == here ? i : -1); });
    ASSERT_EQ(order.size(), 500u);
    for (int i = 0; i < 500; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  }
}

TEST(Serial, runs_several_groups_of_a_launch) {
  std::vector<hpk::index_t> groups;
  hpk::Serial().instance().launch({.groups = 4},
                                  [&](auto& lane) { groups.push_back(lane.group()); },
                                  {.pattern = "test", .label = {}, .where = {}});
  EXPECT_EQ(groups, (std::vector<hpk::index_t>{0, 1, 2, 3}));
}

TEST(Serial, leaves_the_kernel_when_it_throws) {
  EXPECT_THROW(hpk::parallel_for(hpk::RangePolicy<hpk::Serial>(0, 5), [](int i) { throw i; }), int);
  EXPECT_FALSE(hpk::seam::inside_kernel());
  EXPECT_NO_THROW(hpk::Serial().fence());
}

}  // namespace hpk_test::serial_cases
