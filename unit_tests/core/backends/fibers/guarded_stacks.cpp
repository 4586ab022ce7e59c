// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lane that overflows its stack causes a message that names it, followed by SIGSEGV. Other faults
// go to the handler that the program installed. Built twice, like fiber.cpp.
#include <hpk/backends/fibers/guarded_stacks.hpp>

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <thread>

namespace hpk_test::overflow_cases {

using hpk::fibers::fiber_group;
using hpk::fibers::fiber_plan;
using hpk::fibers::lane_place;

template <class Kernel>
void run(int lanes, Kernel kernel) {
  fiber_plan plan;
  plan.lanes = lanes;
  plan.call = [](void* context, int lane) { (*static_cast<Kernel*>(context))(lane); };
  plan.describe = [](const void*, lane_place& place) noexcept {
    place.pattern = "parallel_for";
    place.label = "deep";
    place.file = "app.cpp";
    place.line = 12;
    place.group_kind = "team";
    place.group = 7;
    place.lane_kind = "thread";
  };
  plan.context = &kernel;
  fiber_group group;
  group.run(plan);
}

int recurse(int depth) {
  volatile char frame[512] = {1};
  return depth == 0 ? 0 : recurse(depth - 1) + frame[0];
}

// Writes to the lowest byte of a large frame first.
template <std::size_t Bytes>
[[gnu::noinline]] int take_frame() {
  volatile char frame[Bytes];
  frame[0] = 1;
  return frame[0];
}

// Sanitizers report the overflow with their own message.
constexpr bool sanitized = HPK_HAS_ADDRESS_SANITIZER != 0 || HPK_HAS_THREAD_SANITIZER != 0;

// Whether SIGSEGV ended the process. True with a sanitizer, which exits on its own.
bool by_fault(int status) { return sanitized || testing::KilledBySignal(SIGSEGV)(status); }

const char* message(const char* plain) { return sanitized ? "" : plain; }

TEST(StackOverflowDeathTest, names_the_kernel_its_launch_and_the_lane) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      run(3,
          [](int lane) {
            if (lane == 2) recurse(1 << 20);
          }),
      by_fault,
      message("hpk: stack overflow in parallel_for \"deep\" \\(at app.cpp:12\\): thread 2 of "
              "3 of team 7 needs more than its stack of 256 KiB; put large local arrays "
              "into scratch memory or a View"));
}

TEST(StackOverflowDeathTest, is_found_behind_a_barrier_on_every_stack) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run(40,
                  [](int lane) {
                    fiber_group::current()->barrier();
                    if (lane == 37) recurse(1 << 20);
                  }),
              by_fault, message("thread 37 of 40 of team 7 needs more than its stack"));
}

TEST(StackOverflowDeathTest, is_found_on_other_threads) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::thread([] { run(2, [](int) { recurse(1 << 20); }); }).join(), by_fault,
              message("thread 0 of 2 of team 7 needs more than its stack"));
}

// Frames that are larger than the guard of 64 KiB, but smaller than the guard of 16 MiB below the
// first stack.
TEST(StackOverflowDeathTest, of_frames_of_megabytes_is_found) {
  if (sanitized) GTEST_SKIP() << "a sanitizer moves large frames to the heap or reports them";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run(2, [](int) { take_frame<(std::size_t{300} << 10)>(); }), by_fault,
              message("thread 0 of 2 of team 7 needs more than its stack"));
  EXPECT_EXIT(run(2, [](int) { take_frame<(std::size_t{12} << 20)>(); }), by_fault,
              message("thread 0 of 2 of team 7 needs more than its stack"));
}

TEST(StackOverflowDeathTest, comes_with_the_origin_of_messages) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        hpk::set_message_origin("rank 3 of 4");
        run(2, [](int) { recurse(1 << 20); });
      },
      by_fault, message("hpk: rank 3 of 4: stack overflow in parallel_for"));
}

// Handlers that a program installs.

volatile sig_atomic_t handled = 0;
void* page = nullptr;

void open_page(int, siginfo_t* info, void*) {
  if (info->si_addr != page) _exit(3);
  handled = handled + 1;
  mprotect(page, 1, PROT_READ | PROT_WRITE);
}
void say_and_exit(int) {
  static_cast<void>(!write(STDERR_FILENO, "mine\n", 5));
  _exit(5);
}

// Runs in a separate process, because the first group of a process installs hpk's handler.
void fault_once_in_a_lane_and_once_outside() {
  page = mmap(nullptr, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), PROT_NONE,
              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct sigaction action = {};
  action.sa_sigaction = &open_page;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, nullptr);
  run(2, [](int) { *static_cast<volatile char*>(page) = 1; });
  mprotect(page, 1, PROT_NONE);
  *static_cast<volatile char*>(page) = 2;
  _exit(handled == 2 ? 0 : 4);
}

TEST(StackOverflowDeathTest, leaves_other_faults_to_the_handler_of_the_program) {
  if (sanitized) GTEST_SKIP() << "hpk installs no handler beside a sanitizer";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fault_once_in_a_lane_and_once_outside(), testing::ExitedWithCode(0), "");
}

TEST(StackOverflowDeathTest, calls_the_handler_of_the_program_after_its_message) {
  if (sanitized) GTEST_SKIP() << "a sanitizer reports an overflow itself";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, &say_and_exit);
        run(2, [](int) { recurse(1 << 20); });
      },
      testing::ExitedWithCode(5), "stack overflow in parallel_for \"deep\"(.|\n)*mine");
}

TEST(StackOverflowDeathTest, of_a_null_pointer_in_a_lane_is_none) {
  if (sanitized) GTEST_SKIP() << "a sanitizer reports the access itself";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // There is no message of hpk before the signal.
  EXPECT_EXIT(run(2, [](int) { *static_cast<volatile int*>(nullptr) = 1; }),
              testing::KilledBySignal(SIGSEGV), "^$");
}

// If a thread has a large alternative stack already, hpk keeps it in use.
TEST(StackOverflow, keeps_the_signal_stack_of_the_program) {
  if (sanitized) GTEST_SKIP() << "hpk gives no signal stacks beside a sanitizer";
  std::thread([] {
    static std::byte large[std::size_t{128} << 10];
    stack_t program_stack = {};
    program_stack.ss_sp = large;
    program_stack.ss_size = sizeof large;
    ASSERT_EQ(sigaltstack(&program_stack, nullptr), 0);
    run(2, [](int) {});
    stack_t now = {};
    ASSERT_EQ(sigaltstack(nullptr, &now), 0);
    EXPECT_EQ(now.ss_sp, static_cast<void*>(large));
    program_stack.ss_flags = SS_DISABLE;
    sigaltstack(&program_stack, nullptr);
  }).join();
}

}  // namespace hpk_test::overflow_cases
