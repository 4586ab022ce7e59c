// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenMP: OMP_NUM_THREADS sets the worker count (rule "worker count"), instances have separate
// workers, and the calling thread is one of them.
#include <support/spaces.hpp>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace hpk_test::openmp_cases {

TEST(OpenMP, has_the_name_that_programs_know) { EXPECT_STREQ(hpk::OpenMP::name(), "OpenMP"); }

TEST(OpenMP, uses_the_workers_of_the_instance) {
  for (const int workers : {1, 2, 3, 5}) {
    std::mutex guard;
    std::set<std::thread::id> threads;
    hpk::OpenMP(workers).instance().launch({.groups = 64},
                                           [&](auto&) {
                                             const std::lock_guard lock(guard);
                                             threads.insert(std::this_thread::get_id());
                                           },
                                           {.pattern = "test", .label = {}, .where = {}});
    EXPECT_EQ(threads.size(), static_cast<std::size_t>(workers));
    EXPECT_TRUE(threads.contains(std::this_thread::get_id()));
  }
}

TEST(OpenMP, takes_launches_of_threads_that_it_does_not_know) {
  std::atomic<long> sum = 0;
  std::thread([&] {
    hpk::parallel_for(hpk::RangePolicy<hpk::OpenMP>(hpk::OpenMP(3), 0, 101),
                      [&](int i) { sum += i; });
  }).join();
  EXPECT_EQ(sum, 5050);
}

// Runs body(rank) on the threads of a parallel region that hpk does not recognise. The tests are
// compiled without OpenMP, so this uses a region of hpk and hides that a kernel is running.
template <class Body>
void in_foreign_region(int threads, const Body& body) {
  hpk::OpenMP(threads).instance().launch({.groups = threads},
                                         [&](auto& lane) {
                                           const hpk::seam::launch_info* kernel =
                                               std::exchange(hpk::seam::current_launch, nullptr);
                                           body(static_cast<int>(lane.group()));
                                           hpk::seam::current_launch = kernel;
                                         },
                                         {.pattern = "test", .label = {}, .where = {}});
}

TEST(OpenMP, runs_inside_a_parallel_region_of_the_program) {
  const hpk::OpenMP shared(3);
  long sums[3][3] = {};
  in_foreign_region(3, [&](int rank) {
    const auto sum_on = [](const hpk::OpenMP& exec) {
      long sum = -1;
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 10001), [](int i, long& s) { s += i; }, sum);
      exec.fence();
      return sum;
    };
    sums[rank][0] = sum_on(hpk::OpenMP());
    sums[rank][1] = sum_on(shared);
    sums[rank][2] = sum_on(hpk::OpenMP(2));
  });
  for (const auto& of_thread : sums) {
    for (const long sum : of_thread) EXPECT_EQ(sum, 50005000);
  }
}

TEST(OpenMP, visits_every_index_once_inside_a_parallel_region_of_the_program) {
  std::vector<std::atomic<int>> visits(3000);
  in_foreign_region(3, [&](int rank) {
    hpk::parallel_for(hpk::RangePolicy(hpk::OpenMP(2), 1000 * rank, 1000 * rank + 1000),
                      [&](int i) { ++visits[static_cast<std::size_t>(i)]; });
    EXPECT_FALSE(hpk::seam::inside_kernel());
  });
  for (const std::atomic<int>& count : visits) ASSERT_EQ(count, 1);
}

// Settings of the program and hpk's environment variables override OMP_NUM_THREADS.
TEST(OpenMPDeathTest, obeys_omp_num_threads) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  setenv("OMP_NUM_THREADS", "1", 1);
  unsetenv("HPK_NUM_THREADS");
  EXPECT_EXIT(
      {
        hpk::initialize();
        std::_Exit(hpk::OpenMP().concurrency());
      },
      testing::ExitedWithCode(1), "");
  EXPECT_EXIT(
      {
        hpk::initialize(hpk::InitializationSettings().set_num_threads(1000));
        const int workers = hpk::OpenMP().concurrency();
        const bool capped = workers <= static_cast<int>(std::thread::hardware_concurrency());
        std::_Exit(workers >= 1 && capped ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  unsetenv("OMP_NUM_THREADS");
}

}  // namespace hpk_test::openmp_cases
