// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/host/worker_record.hpp>

#include <gtest/gtest.h>

#include <thread>

TEST(WorkerRecord, keeps_the_largest_number_of_several_threads) {
  static constinit hpk::host::worker_record record;
  EXPECT_EQ(record.most(), 0);
  const auto raise_from = [](int first) {
    for (int workers = first; workers <= 2000; workers += 2) record.raise_to(workers);
  };
  std::thread odd(raise_from, 1);
  raise_from(2);
  odd.join();
  EXPECT_EQ(record.most(), 2000);
  record.raise_to(3);
  EXPECT_EQ(record.most(), 2000);
}
