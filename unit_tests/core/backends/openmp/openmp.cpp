// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenMP: the worker count obeys OMP_NUM_THREADS under R14, instances have workers of their own,
// and the calling thread is one of them.
#include "support/spaces.hpp"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>

#if HPK_ENABLE_OPENMP
namespace hpk_test::openmp_cases {

TEST(OpenMP, UsesTheWorkersOfTheInstance) {
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

TEST(OpenMP, TakesLaunchesOfThreadsThatItDoesNotKnow) {
  std::atomic<long> sum = 0;
  std::thread([&] {
    hpk::parallel_for(hpk::RangePolicy<hpk::OpenMP>(hpk::OpenMP(3), 0, 101),
                      [&](int i) { sum += i; });
  }).join();
  EXPECT_EQ(sum, 5050);
}

// The settings of a program and of hpk's environment win over OMP_NUM_THREADS.
TEST(OpenMPDeathTest, ObeysOmpNumThreads) {
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
#endif
