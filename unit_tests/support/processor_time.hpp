// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processor time that the process has spent, for tests of what sleeps while it has nothing to do.
#pragma once

#include <chrono>
#include <thread>

#include <sys/resource.h>

namespace hpk_test {

/// Milliseconds that all threads of the process have spent on processors, in user and system mode.
inline double processor_milliseconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto milliseconds = [](const timeval& t) {
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_usec);
  };
  return milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
}

/// Waits until workers of earlier tests are asleep: runtimes of OpenMP let theirs look for another
/// region for 0.2 s (KMP_BLOCKTIME of libomp).
inline void wait_for_workers_of_openmp() {
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
}

}  // namespace hpk_test
