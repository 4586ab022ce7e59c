// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a worker of Threads takes notice that it shares its waker's CPU: after a while, not across
// pauses, and ever later where going elsewhere does not help.
#include <hpk/core.hpp>

#include <gtest/gtest.h>

#if HPK_ENABLE_THREADS
#include <hpk/backends/threads/shared_cpu.hpp>

namespace hpk_test::shared_cpu_cases {

using hpk::threads::shared_cpu;
using std::chrono::microseconds;

// Feeds jobs that take so long and follow each other after `step`, and counts those until sharing
// is noticed; 0 when `most` were not enough.
int jobs_until_noticed(shared_cpu& cpu, shared_cpu::clock::time_point& now, microseconds step,
                       int most, microseconds length = microseconds(0)) {
  for (int job = 1; job <= most; ++job) {
    if (cpu.notice(now)) return job;
    now += length;
    cpu.rest(now);
    now += step;
  }
  return 0;
}

class SharedCpu : public testing::Test {
 protected:
  shared_cpu cpu;
  shared_cpu::clock::time_point now = shared_cpu::clock::time_point() + std::chrono::hours(1);
};

TEST_F(SharedCpu, IsNoticedAfterAWhile) {
  EXPECT_EQ(jobs_until_noticed(cpu, now, microseconds(100), 1000), 41);
}

TEST_F(SharedCpu, IsNoticedAtTheSecondOfLongJobs) {
  EXPECT_EQ(jobs_until_noticed(cpu, now, microseconds(1), 10, microseconds(10000)), 2);
}

// Where the worker went another process runs, or the system would not have put it back.
TEST_F(SharedCpu, IsBorneForLongerWhenTheWorkerIsSoonBack) {
  for (const int jobs : {41, 81, 161, 321, 641, 1281, 2561, 5121, 10241, 10241}) {
    EXPECT_EQ(jobs_until_noticed(cpu, now, microseconds(100), 20000), jobs);
    now += shared_cpu::return_time;
  }
}

TEST_F(SharedCpu, IsBorneAsLongAsEverWhenTheWorkerWasAwayForLong) {
  for (const int jobs : {41, 81, 161}) {
    EXPECT_EQ(jobs_until_noticed(cpu, now, microseconds(100), 1000), jobs);
    now += shared_cpu::return_time;
  }
  for (int time = 0; time < 3; ++time) {
    now += shared_cpu::return_time + microseconds(1);
    EXPECT_EQ(jobs_until_noticed(cpu, now, microseconds(100), 1000), 41);
  }
}

TEST_F(SharedCpu, IsForgottenInAPause) {
  for (int burst = 0; burst < 10; ++burst) {
    EXPECT_EQ(jobs_until_noticed(cpu, now, microseconds(100), 40), 0);
    now += shared_cpu::pause + microseconds(1);
  }
  EXPECT_EQ(jobs_until_noticed(cpu, now, shared_cpu::pause + microseconds(1), 1000), 0);
}

TEST_F(SharedCpu, IsForgottenByOneJobElsewhere) {
  EXPECT_EQ(jobs_until_noticed(cpu, now, microseconds(100), 40), 0);
  cpu.forget();
  EXPECT_EQ(jobs_until_noticed(cpu, now, microseconds(100), 1000), 41);
}

}  // namespace hpk_test::shared_cpu_cases
#endif
