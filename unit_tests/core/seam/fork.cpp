// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The child of a fork() launches on host spaces with separate workers, regardless of the launches
// of the parent before and during the fork.
#include <hpk/seam/fork.hpp>

#include <support/elements.hpp>
#include <support/fork.hpp>
#include <support/wait.hpp>

#include <hpk/device.hpp>

#include <atomic>
#include <optional>
#include <thread>

namespace seam_fork_test {
namespace {

using hpk_test::count_wrong_sums;
using hpk_test::result_in_child;

template <class Exec>
class HostFork : public testing::Test {
 protected:
  void SetUp() override {
    if (!hpk_test::may_fork) GTEST_SKIP();
  }
};
TYPED_TEST_SUITE(HostFork, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(HostFork, after_the_first_instance_launches) {
  const TypeParam exec;
  EXPECT_GE(exec.concurrency(), 1);
  EXPECT_EQ(result_in_child([&] { return count_wrong_sums(exec); }), 0);
  EXPECT_EQ(count_wrong_sums(exec), 0);
}

HPK_TYPED_TEST(HostFork, after_launches_launches_on_every_instance) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    EXPECT_EQ(count_wrong_sums(exec), 0);
    EXPECT_EQ(result_in_child([&] {
                int wrong = 0;
                for (int round = 0; round < 3; ++round) wrong += count_wrong_sums(exec);
                exec.fence();
                hpk::fence();
                return wrong + (exec.idle() ? 0 : 1) + (exec.record().ready() ? 0 : 1);
              }),
              0);
    EXPECT_EQ(count_wrong_sums(exec), 0);
  }
}

HPK_TYPED_TEST(HostFork, may_end_and_start_instances) {
  std::optional<TypeParam> own(hpk_test::with_workers<TypeParam>(3));
  EXPECT_EQ(count_wrong_sums(*own) + count_wrong_sums(TypeParam()), 0);
  EXPECT_EQ(result_in_child([&] {
              own.reset();
              hpk::reset<TypeParam>();
              return count_wrong_sums(TypeParam()) +
                     count_wrong_sums(hpk_test::with_workers<TypeParam>(3)) +
                     count_wrong_sums(hpk_test::new_instance<TypeParam>());
            }),
            0);
  EXPECT_EQ(count_wrong_sums(*own), 0);
}

HPK_TYPED_TEST(HostFork, of_a_fork_launches_too) {
  const TypeParam exec = hpk_test::with_workers<TypeParam>(3);
  EXPECT_EQ(count_wrong_sums(exec), 0);
  EXPECT_EQ(result_in_child([&] {
              return count_wrong_sums(exec) +
                     result_in_child([&] { return count_wrong_sums(exec); });
            }),
            0);
}

// The child has neither the threads that use the instance nor their turns.
HPK_TYPED_TEST(HostFork, does_not_wait_for_launches_of_the_parent) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    std::atomic<bool> entered = false;
    std::atomic<bool> open = false;
    std::thread busy([&] {
      hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 1), [&](int) {
        entered = true;
        hpk_test::wait_until([&] { return open.load(); });
      });
    });
    ASSERT_TRUE(hpk_test::wait_until([&] { return entered.load(); }));
    std::thread waits([&] { EXPECT_EQ(count_wrong_sums(exec), 0); });
    hpk_test::let_others_run();
    EXPECT_EQ(result_in_child([&] {
                exec.fence();
                return count_wrong_sums(exec) + (exec.idle() ? 0 : 1);
              }),
              0);
    open = true;
    busy.join();
    waits.join();
  }
}

// In the child, locks of threads that do not exist there are free, and the data that they protect
// is consistent.
TEST(HostForkBesideViews, makes_and_ends_views) {
  if (!hpk_test::may_fork) GTEST_SKIP() << "ThreadSanitizer supports no threads after a fork";
  std::atomic<bool> ends = false;
  std::thread other([&] {
    while (!ends) {
      const hpk::View<int*, hpk::HostSpace> view("view", 10);
      hpk::free<hpk::HostSpace>(hpk::malloc<hpk::HostSpace>(10));
    }
  });
  const hpk::View<int*, hpk::HostSpace> before("before", 10);
  int wrong = 0;
  for (int round = 0; round < 200 && wrong == 0; ++round) {
    wrong += result_in_child([&] {
               const hpk::View<int*, hpk::HostSpace> view("view", 100);
               hpk::free<hpk::HostSpace>(hpk::malloc<hpk::HostSpace>(10));
               return view(99);
             }) != 0;
  }
  ends = true;
  other.join();
  EXPECT_EQ(wrong, 0);
}

HPK_TYPED_TEST(HostFork, passes_exceptions_of_workers_on) {
  const TypeParam exec;
  EXPECT_EQ(count_wrong_sums(exec), 0);
  EXPECT_EQ(result_in_child([&] {
              return hpk_test::thrown_by([&] {
                hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 100), [](int i) {
                  if (i >= 50) throw i;
                });
              });
            }),
            50);
}

}  // namespace
}  // namespace seam_fork_test
