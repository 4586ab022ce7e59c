// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pool of threads: every participant runs once per job, for any number of participants and
// workers. Idle workers sleep, and pools can be created and destroyed repeatedly.
#include <hpk/core.hpp>

#include <support/sleepers.hpp>

#include <gtest/gtest.h>

#include <hpk/backends/threads/pool.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>

namespace hpk_test::pool_cases {

using hpk::threads::pool;

struct counts {
  explicit counts(int workers) : runs(static_cast<std::size_t>(workers)) {}
  std::vector<std::atomic<int>> runs;
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> wrong_thread = 0;
};

constexpr std::chrono::microseconds a_while{2000};

// A job that calls work(rank) for each participant.
template <class Work>
void run(pool& p, int participants, const Work& work) {
  const hpk::seam::launch_info info{.pattern = "test", .label = "pool", .where = {}};
  const hpk::seam::shape shape{.groups = participants};
  hpk::host::launch_frame frame{info, shape, {}};
  const auto body = [&work](hpk::host::lane& lane) { work(static_cast<int>(lane.group())); };
  hpk::host::erased_launch launched(body);
  launched.place(frame);
  p.run(launched);
  frame.failures.rethrow_lowest();
}

void count(pool& p, int participants, counts& all) {
  run(p, participants, [&all](int rank) {
    ++all.runs[static_cast<std::size_t>(rank)];
    if ((std::this_thread::get_id() == all.caller) != (rank == 0)) ++all.wrong_thread;
  });
}

TEST(Pool, runs_each_participant_once_per_job) {
  for (const int workers : {1, 2, 3, 5, 16, 33}) {
    pool p(workers, false, a_while);
    for (const int participants : {1, 2, 3, 4, 7, 16, 33}) {
      if (participants > workers) continue;
      counts all(workers);
      for (int job = 1; job <= 50; ++job) {
        count(p, participants, all);
        for (int rank = 0; rank < workers; ++rank) {
          ASSERT_EQ(all.runs[static_cast<std::size_t>(rank)], rank < participants ? job : 0)
              << workers << " workers, " << participants << " participants, rank " << rank;
        }
      }
      EXPECT_EQ(all.wrong_thread, 0);
    }
  }
}

TEST(Pool, sleeps_when_idle) {
  for (const int workers : {2, 16}) {
    pool p(workers, false, a_while);
    counts all(workers);
    count(p, workers, all);
    EXPECT_TRUE(wait_until_others_sleep());
    count(p, workers, all);
    EXPECT_EQ(all.runs[static_cast<std::size_t>(workers - 1)], 2);
  }
}

// Spin times shorter than a wake-up, of moderate length, and longer than the test.
TEST(Pool, runs_jobs_whatever_its_threads_spin) {
  for (const long spin : {0L, 1L, 60'000'000L}) {
    pool p(3, false, std::chrono::microseconds(spin));
    counts all(3);
    for (int job = 0; job < 50; ++job) {
      if (job % 10 == 9) let_others_run(1);
      count(p, 3, all);
    }
    EXPECT_EQ(all.runs[2], 50) << spin;
  }
}

TEST(Pool, starts_and_stops_many_times) {
  for (int round = 0; round < 200; ++round) {
    pool p(3, round % 2 == 1, a_while);
    if (round % 3 == 0) continue;
    counts all(3);
    count(p, 3, all);
    ASSERT_EQ(all.runs[2], 1);
  }
}

// The caller and the next job see what a job wrote.
TEST(Pool, orders_jobs) {
  pool p(5, false, a_while);
  struct cells {
    long values[5] = {};
    long sums[5] = {};
  } shared;
  for (int job = 0; job < 500; ++job) {
    run(p, 5, [&](int rank) { ++shared.values[rank]; });
    run(p, 5, [&](int rank) { shared.sums[rank] += shared.values[(rank + 1) % 5]; });
  }
  for (const long sum : shared.sums) EXPECT_EQ(sum, 500 * 501 / 2);
}

TEST(Pool, pins_on_request_only) {
  EXPECT_FALSE(pool(2, false, a_while).pinned());
  EXPECT_FALSE(pool(1, true, a_while).pinned());
}

// The CPUs that the calling thread may use.
std::vector<int> my_cpus() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &mask)) cpus.push_back(cpu);
  return cpus;
}

// The hardware threads of the core of a CPU, in the notation of the system.
std::string core_of(int cpu) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                     "/topology/thread_siblings_list");
  std::string cpus = "cpu " + std::to_string(cpu);
  std::getline(file, cpus);
  return cpus;
}

TEST(Pool, keeps_bound_workers_on_one_core) {
  const std::vector<int> all = my_cpus();
  const int workers = static_cast<int>(std::min<std::size_t>(all.size(), 4));
  std::vector<std::vector<int>> cpus(static_cast<std::size_t>(workers));
  const auto note = [&cpus](int rank) { cpus[static_cast<std::size_t>(rank)] = my_cpus(); };
  {
    pool p(workers, true, a_while);
    run(p, workers, note);
    for (std::size_t rank = 1; p.pinned() && rank < cpus.size(); ++rank) {
      const std::vector<int>& own = cpus[rank];
      ASSERT_FALSE(own.empty());
      EXPECT_TRUE(std::includes(all.begin(), all.end(), own.begin(), own.end()));
      for (const int cpu : own) EXPECT_EQ(core_of(cpu), core_of(own[0])) << "rank " << rank;
    }
    EXPECT_EQ(cpus[0], all) << "the calling thread is the program's";
  }
  pool p(workers, false, a_while);
  run(p, workers, note);
  for (const std::vector<int>& own : cpus) EXPECT_EQ(own, all);
}

}  // namespace hpk_test::pool_cases
