// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread knows whether it runs a kernel, and which one, until the kernel returns or throws.
#include <hpk/seam/launch.hpp>

#include <support/spaces.hpp>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace seam_launch_test {
namespace {

using hpk::seam::inside_kernel;

TEST(KernelScope, nests_and_ends) {
  const hpk::seam::launch_info outer{.pattern = "outer", .label = "o", .where = {}};
  const hpk::seam::launch_info inner{.pattern = "inner", .label = "i", .where = {}};
  ASSERT_FALSE(inside_kernel());
  {
    const hpk::seam::kernel_scope first(outer);
    EXPECT_EQ(hpk::seam::current_launch, &outer);
    {
      const hpk::seam::kernel_scope second(inner);
      EXPECT_EQ(hpk::seam::current_launch, &inner);
    }
    EXPECT_EQ(hpk::seam::current_launch, &outer);
    bool in_other_thread = true;
    std::thread([&] { in_other_thread = inside_kernel(); }).join();
    EXPECT_FALSE(in_other_thread);
  }
  EXPECT_FALSE(inside_kernel());
}

// Includes devices that are emulated on host threads, whose messages use this to name the kernel.
template <class Exec>
class Launch : public testing::Test {};
TYPED_TEST_SUITE(Launch, hpk_test::cpu_spaces, hpk_test::space_names);

HPK_TYPED_TEST(Launch, every_worker_is_inside_the_kernel) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const hpk::View<int*, hpk_test::shared_device<TypeParam>> inside("inside", 100);
    hpk::parallel_for("named kernel", hpk::RangePolicy<TypeParam>(exec, 0, 100), [=](int i) {
      inside(i) = inside_kernel() && hpk::seam::current_launch->pattern == "parallel_for" &&
                  hpk::seam::current_launch->label == "named kernel";
    });
    exec.fence();
    for (int i = 0; i < 100; ++i) EXPECT_EQ(inside(i), 1);
    EXPECT_FALSE(inside_kernel());
  }
}

// Kernels that launch, throw or count on the host.
template <class Exec>
class HostLaunch : public testing::Test {};
TYPED_TEST_SUITE(HostLaunch, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(HostLaunch, a_nested_launch_is_the_current_one_until_it_ends) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    std::atomic<int> right{0};
    hpk::parallel_for("outer", hpk::RangePolicy<TypeParam>(exec, 0, 8), [&](int) {
      bool inner_seen = false;
      hpk::parallel_for("inner", hpk::RangePolicy<TypeParam>(exec, 0, 1),
                        [&](int) { inner_seen = hpk::seam::current_launch->label == "inner"; });
      if (inner_seen && hpk::seam::current_launch->label == "outer") ++right;
    });
    EXPECT_EQ(right, 8);
  }
}

HPK_TYPED_TEST(HostLaunch, ends_when_the_kernel_throws) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    EXPECT_THROW(hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 100),
                                   [](int i) {
                                     if (i == 50) throw std::length_error("50");
                                   }),
                 std::length_error);
    EXPECT_FALSE(inside_kernel());
    std::atomic<int> ran{0};
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 100), [&](int) { ++ran; });
    EXPECT_EQ(ran, 100);
  }
}

HPK_TYPED_TEST(HostLaunch, calls_for_the_outside_name_the_kernel_they_are_in) {
  const auto here = std::source_location::current();
  const std::string text = hpk_test::error_of([&] {
    hpk::parallel_for(
        "busy", hpk::RangePolicy<TypeParam>(0, 1),
        [](int) { hpk::seam::expect_outside_kernel("hpk::some_call"); }, here);
  });
  EXPECT_TRUE(hpk_test::contains(text, "hpk::some_call"));
  EXPECT_TRUE(hpk_test::contains(text, "parallel_for \"busy\""));
  EXPECT_TRUE(hpk_test::contains(text, "launch.cpp:" + std::to_string(here.line())));
  EXPECT_NO_THROW(hpk::seam::expect_outside_kernel("hpk::some_call"));
}

}  // namespace
}  // namespace seam_launch_test
