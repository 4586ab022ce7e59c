// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a part of a test in the child of a fork(), such as a launch.
#pragma once

#include <hpk/core.hpp>

#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <exception>

namespace hpk_test {

/// ThreadSanitizer does not support threads in a child of a process with several threads.
constexpr bool may_fork = HPK_HAS_THREAD_SANITIZER == 0;

/// Runs work() in a child process and returns its result, a small number: 100 if it throws, minus
/// the signal that ends it. SIGALRM ends a child that hangs.
template <class Work>
int result_in_child(const Work& work) {
  constexpr unsigned patience = 30;  // seconds
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(patience);
    int result = 100;
    try {
      result = work();
    } catch (const std::exception& thrown) {
      std::fprintf(stderr, "in the child: %s\n", thrown.what());
    } catch (...) {
    }
    _exit(result);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// Runs a reduction on an instance; returns 0 if its result is right, else 1.
template <class Exec>
int count_wrong_sums(const Exec& exec) {
  long sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<Exec>(exec, 0, 1000), HPK_LAMBDA(int i, long& update) { update += i; }, sum);
  return sum == 499'500 ? 0 : 1;
}

}  // namespace hpk_test
