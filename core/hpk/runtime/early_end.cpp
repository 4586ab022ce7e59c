// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/runtime/early_end.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <thread>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace hpk::detail {

namespace {

constexpr int signals[] = {SIGINT, SIGTERM};

using finisher = void (*)(const char*);
// Atomic, because another thread may end the program while a finisher is added or removed.
std::atomic<finisher> finishers[4] = {};
void finish_all(const char* reason) {
  for (const auto& one : finishers) {
    if (const finisher finish = one.load()) finish(reason);
  }
}
bool is_watching() {
  return std::any_of(std::begin(finishers), std::end(finishers),
                     [](const auto& one) { return one.load() != nullptr; });
}

std::terminate_handler terminate_before = nullptr;
int read_end = -1;
int write_end = -1;
pid_t owner = 0;
std::thread* waiting = nullptr;

void end_by(int signal) {
  ::signal(signal, SIG_DFL);
  ::kill(::getpid(), signal);
}

// Makes only calls that are safe in a signal handler. A child of fork() has no waiting thread and
// shares the pipe with its parent.
void forward(int signal) {
  const auto byte = static_cast<unsigned char>(signal);
  if (::getpid() != owner || ::write(write_end, &byte, 1) != 1) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
  }
}

[[noreturn]] void finish_and_terminate() {
  finish_all("an uncaught error");
  if (terminate_before != nullptr) terminate_before();
  std::abort();
}

void wait_for_signals() {
  unsigned char signal = 0;
  if (::read(read_end, &signal, 1) != 1 || signal == 0) return;
  finish_all(signal == SIGINT ? "SIGINT" : "SIGTERM");
  end_by(signal);
}

void start_waiting() {
  int ends[2];
  if (::pipe(ends) != 0) return;
  read_end = ends[0];
  write_end = ends[1];
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  owner = ::getpid();
  // Blocks all signals, because the new thread inherits the mask.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  waiting = new std::thread(&wait_for_signals);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  for (const int signal : signals) {
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction action = {};
    action.sa_handler = &forward;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

void watch_for_early_end(void (*finish)(const char* reason)) {
  const bool watches = is_watching();
  for (auto& one : finishers) {
    if (one.load() == finish) return;
    if (one.load() != nullptr) continue;
    one = finish;
    break;
  }
  if (watches) return;
  terminate_before = std::set_terminate(&finish_and_terminate);
  start_waiting();
}

void stop_watching_for_early_end(void (*finish)(const char* reason)) {
  if (!is_watching()) return;
  for (auto& one : finishers) {
    if (one.load() == finish) one = nullptr;
  }
  if (is_watching()) return;
  if (std::get_terminate() == &finish_and_terminate) std::set_terminate(terminate_before);
  if (waiting == nullptr) return;
  for (const int signal : signals) {
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == &forward)
      ::signal(signal, SIG_DFL);
  }
  const unsigned char none = 0;
  // After fork() the child has the thread object, but not the thread.
  if (::getpid() == owner && ::write(write_end, &none, 1) == 1) {
    waiting->join();
    delete waiting;
  }
  waiting = nullptr;
  ::close(read_end);
  ::close(write_end);
}

}  // namespace hpk::detail
