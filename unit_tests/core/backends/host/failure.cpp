// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// failure_log keeps the exception of the lowest position, regardless of the order and the threads
// of the reports.
#include <hpk/backends/host/failure.hpp>

#include <support/errors.hpp>

#include <algorithm>
#include <thread>
#include <vector>

namespace hpk_test::failure_cases {

using hpk::host::failure_log;

void report(failure_log& log, int position) {
  try {
    throw position;
  } catch (...) {
    log.record(position);
  }
}

int lowest(const failure_log& log) {
  return thrown_by([&] { log.rethrow_lowest(); });
}

TEST(FailureLog, throws_nothing_when_nothing_was_reported) {
  const failure_log log;
  EXPECT_NO_THROW(log.rethrow_lowest());
}

TEST(FailureLog, keeps_the_lowest_of_any_order) {
  for (const std::vector<int>& order :
       {std::vector<int>{5}, {5, 3, 9}, {3, 5, 9}, {9, 5, 3}, {0, 7}}) {
    failure_log log;
    for (const int position : order) report(log, position);
    EXPECT_EQ(lowest(log), *std::min_element(order.begin(), order.end()));
    EXPECT_EQ(lowest(log), *std::min_element(order.begin(), order.end()));
  }
}

TEST(FailureLog, takes_reports_of_many_threads) {
  failure_log log;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&log, t] {
      for (int k = 100; k > 0; --k) report(log, 8 * k + t);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(lowest(log), 8);
}

}  // namespace hpk_test::failure_cases
