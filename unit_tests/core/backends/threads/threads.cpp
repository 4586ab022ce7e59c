// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads: instances with separate pools, fewer groups than workers, exceptions from any worker,
// and no CPU use between kernels.
#include <support/environment.hpp>
#include <support/sleepers.hpp>
#include <support/spaces.hpp>

#include <atomic>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

namespace hpk_test::threads_cases {

const hpk::seam::launch_info info{.pattern = "test", .label = "threads", .where = {}};

TEST(Threads, uses_no_more_workers_than_groups) {
  const hpk::Threads exec(5);
  for (const hpk::index_t groups : {2, 3, 5, 50}) {
    std::mutex guard;
    std::set<std::thread::id> threads;
    exec.instance().launch(
        {.groups = groups},
        [&](auto&) {
          const std::lock_guard lock(guard);
          threads.insert(std::this_thread::get_id());
        },
        info);
    EXPECT_EQ(threads.size(), static_cast<std::size_t>(std::min<hpk::index_t>(groups, 5)));
  }
}

TEST(Threads, runs_two_instances_at_the_same_time) {
  const hpk::Threads one(2), two(2);
  std::atomic<int> arrived = 0;
  // All four workers wait for each other. If the instances took turns, they would wait in vain.
  std::atomic<int> met = 0;
  const auto work = [&](const hpk::Threads& exec) {
    hpk::parallel_for(hpk::RangePolicy(exec, 0, 2),
                      [&](int) { met += wait_for_all(arrived, 4) ? 1 : 0; });
  };
  std::thread other([&] { work(two); });
  work(one);
  other.join();
  EXPECT_EQ(met, 4);
}

TEST(Threads, survives_exceptions_of_every_worker) {
  const hpk::Threads exec(16);
  for (int round = 0; round < 100; ++round) {
    const int caught = thrown_by([&] {
      exec.instance().launch(
          {.groups = 16}, [](auto& lane) { throw static_cast<int>(lane.group()); }, info);
    });
    ASSERT_EQ(caught, 0);
  }
  std::atomic<int> runs = 0;
  exec.instance().launch({.groups = 16}, [&](auto&) { ++runs; }, info);
  EXPECT_EQ(runs, 16);
}

TEST(Threads, spends_nothing_between_kernels) {
  hpk::parallel_for(hpk::RangePolicy<hpk::Threads>(0, 1000), [](int) {});
  EXPECT_TRUE(wait_until_others_sleep());
}

TEST(Threads, has_the_name_that_programs_know) { EXPECT_STREQ(hpk::Threads::name(), "Threads"); }

TEST(Threads, reads_how_long_its_workers_spin) {
  const clean_environment none;
  const auto spin = [] {
    const hpk::ScopeGuard started;
    return hpk::seam::machine<hpk::Threads>::spin(hpk::seam::current_settings());
  };
  EXPECT_EQ(spin(), 2000);
  {
    const variable set("HPK_SPIN_MICROSECONDS", "0");
    EXPECT_EQ(spin(), 0);
  }
  const variable set("HPK_SPIN_MICROSECONDS", "-1");
  EXPECT_EQ(error_of(spin),
            "hpk::initialize: HPK_SPIN_MICROSECONDS has the value '-1'; write an integer of 0 or "
            "more");
}

TEST(Threads, describes_its_pool) {
  std::ostringstream out;
  hpk::Threads(3).print_configuration(out);
  EXPECT_TRUE(contains(out.str(), "workers: 3, the calling thread is one"));
  EXPECT_TRUE(contains(out.str(), "pinned: no"));
  EXPECT_TRUE(contains(out.str(), "topology: "));
}

}  // namespace hpk_test::threads_cases
