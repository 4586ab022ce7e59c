// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that do not arrive at a barrier, code for an assumed warp width, scratch, and calls that
// GPUs do not support. On Serial a group has one lane, so none of the mistakes has an effect.
#include <emu_bugs/bugs.hpp>

#include <stdexcept>

namespace emu_bugs {

using hpk::View;

HPK_BUG(LaneBug, barrier_in_a_branch,
        "lane 0 of group 0 waits at a barrier that not all lanes reach: 8 of 16 lanes wait, 8 left "
        "the kernel(.|\n)*kernel: launch \"lanes\"(.|\n)*replay: HPK_EMU_") {
  launch<S>({.groups = 1, .lanes = 16}, [](lane_of<S>& lane) {
    if (lane.lane_index() % 2 == 0) lane.barrier();
  });
}

HPK_CLEAN(Lane, barrier_that_all_reach) {
  launch<S>({.groups = 3, .lanes = 16}, [](lane_of<S>& lane) {
    if (lane.lane_index() % 2 == 0) {
      lane.barrier();
    } else {
      lane.barrier();
    }
  });
}

HPK_BUG(LaneBug, barrier_behind_an_early_return,
        "waits at a barrier that not all lanes reach: 10 of 16") {
  launch<S>({.groups = 1, .lanes = 16}, [](lane_of<S>& lane) {
    if (lane.lanes() > 1 && lane.lane_index() >= 10) return;
    lane.barrier();
  });
}

HPK_BUG(LaneBug, different_number_of_barriers,
        "waits at a barrier that not all lanes reach: 1 of 16") {
  launch<S>({.groups = 1, .lanes = 16}, [](lane_of<S>& lane) {
    for (int k = 0; k < (lane.lane_index() == 5 ? 4 : 3); ++k) lane.barrier();
  });
}

HPK_BUG(LaneBug, shuffle_in_a_branch,
        "waits at a shuffle, vote or reduction that not all lanes reach") {
  launch<S>({.groups = 1, .lanes = 32}, [](lane_of<S>& lane) {
    if (lane.lane_index() < 10) lane.shuffle(1.0, 0);
  });
}

HPK_CLEAN(Lane, shuffle_that_all_reach) {
  launch<S>({.groups = 2, .lanes = 32}, [](lane_of<S>& lane) {
    const double seen = lane.shuffle(1.0, 0);
    if (lane.lane_index() < 10 && seen != 1) lane.at(0);
  });
}

template <class S>
void sum_by_warps(bool hard_coded) {
  const hpk::ScopeGuard guard(hpk::InitializationSettings().set_option("emu-subgroup", 4));
  launch<S>({.groups = 1, .lanes = 32}, [=](lane_of<S>& lane) {
    const int width = hard_coded && lane.lanes() > 1 ? 32 : lane.subgroup();
    double sum = 1;
    for (int half = width / 2; half > 0; half /= 2) {
      const int self = lane.lane_index() % width;
      sum += lane.shuffle(sum, self + half < width ? self + half : self);
    }
  });
}
HPK_BUG(LaneBug, hard_coded_warp,
        "a shuffle asks for lane [0-9]+ of a sub-group of 4 lanes; ask "
        "team.warp..[.]size") {
  sum_by_warps<S>(true);
}
HPK_CLEAN(Lane, width_that_is_asked_for) { sum_by_warps<S>(false); }

HPK_BUG(LaneBug, scratch_past_the_end,
        "a kernel accesses scratch past the end: the launch asked for 64 bytes of level 0") {
  launch<S>({.groups = 1, .lanes = 4, .scratch = {64, 0}}, [](lane_of<S>& lane) {
    if (lane.lanes() > 1) lane.scratch(0)[64 + lane.lane_index()] = std::byte{1};
  });
}

HPK_CLEAN(Lane, scratch_to_the_end) {
  launch<S>({.groups = 4, .lanes = 4, .scratch = {64, 32}}, [](lane_of<S>& lane) {
    lane.scratch(0)[60 + lane.lane_index()] = std::byte{1};
    lane.scratch(1)[28 + lane.lane_index()] = std::byte{1};
  });
}

// An error that the program can catch: there was no launch.
TEST(LaneBug, scratch_that_no_gpu_has) {
  const std::string text = hpk_test::error_of(
      [] { launch<hpk::Emu>({.groups = 1, .lanes = 4, .scratch = {1u << 20, 0}}, [](auto&) {}); });
  EXPECT_TRUE(hpk_test::contains(text, "asks for 1048576 bytes of scratch of level 0"));
  EXPECT_NO_THROW(
      launch<hpk::Serial>({.groups = 1, .lanes = 4, .scratch = {1u << 20, 0}}, [](auto&) {}));
}
TEST(LaneBug, more_lanes_than_a_group_has) {
  const std::string text =
      hpk_test::error_of([] { launch<hpk::Emu>({.groups = 1, .lanes = 2048}, [](auto&) {}); });
  EXPECT_TRUE(hpk_test::contains(text, "asks for 2048 lanes, but may have at most 1024"));
}

HPK_BUG(CallBug, exception,
        "an exception left the kernel, which a GPU can't do, in lane 7: too large") {
  const auto call = [] {
    hpk::parallel_for(
        hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) {
          if (i == 7) throw std::range_error("too large");
        });
    S().fence();
  };
  if constexpr (hpk_test::is_host<S>) {
    EXPECT_THROW(call(), std::range_error);
  } else {
    const hpk::ScopeGuard plain_order(hpk::InitializationSettings().set_option("emu-seed", 0));
    call();
  }
}

HPK_CLEAN(Call, exception_that_is_caught_in_the_kernel) {
  const View<int*, S> caught("caught", 10);
  hpk::parallel_for(
      hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) {
        try {
          if (i == 7) throw 3;
        } catch (const int& three) {
          caught(i) = three;
        }
      });
  EXPECT_EQ(hpk_test::on_host(caught)(7), 3);
}

HPK_BUG(CallBug, launch_in_a_kernel, "called inside the kernel parallel_for \"outer\"") {
  hpk::parallel_for(
      "outer", hpk::RangePolicy<S>(0, 2),
      HPK_LAMBDA(int) { hpk::parallel_for("inner", hpk::RangePolicy<S>(0, 2), [](int) {}); });
  S().fence();
}

HPK_CLEAN(Call, launches_one_after_another) {
  for (int k = 0; k < 3; ++k) hpk::parallel_for(hpk::RangePolicy<S>(0, 2), HPK_LAMBDA(int){});
  S().fence();
}

HPK_BUG(CallBug, allocation_in_a_kernel,
        "a kernel allocates device memory(.|\n)*kernel: parallel_for \"outer\"") {
  hpk::parallel_for(
      "outer", hpk::RangePolicy<S>(0, 1),
      HPK_LAMBDA(int) { const View<double*, S> own("own", 10); });
  S().fence();
}

HPK_BUG(CallBug, allocation_without_initialising_in_a_kernel, "a kernel allocates device memory") {
  hpk::parallel_for(
      hpk::RangePolicy<S>(0, 1), HPK_LAMBDA(int) {
        const View<double*, S> own(hpk::view_alloc("own", hpk::WithoutInitializing), 10);
      });
  S().fence();
}

HPK_CLEAN(Call, copy_of_a_view_in_a_kernel) {
  const View<double*, S> field("field", 10);
  hpk::parallel_for(
      "outer", hpk::RangePolicy<S>(0, 10), HPK_LAMBDA(int i) {
        const View<double*, S> same = field;
        same(i) = i;
      });
  EXPECT_EQ(hpk_test::on_host(field)(9), 9);
}

}  // namespace emu_bugs
