// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// initialize and finalize: optional, once each, and repeated; hooks; ScopeGuard; command-line
// flags; Views that outlive finalize. Child processes test what affects the whole process.
#include <support/counting_space.hpp>
#include <support/environment.hpp>
#include <support/spaces.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

namespace hpk_test::initialize_cases {

static_assert(!std::is_copy_constructible_v<hpk::ScopeGuard> &&
              !std::is_move_constructible_v<hpk::ScopeGuard>);
static_assert(!std::is_copy_assignable_v<hpk::ScopeGuard> &&
              !std::is_move_assignable_v<hpk::ScopeGuard>);

template <class Exec>
class Initialize : public testing::Test {};
TYPED_TEST_SUITE(Initialize, hpk_test::spaces, hpk_test::space_names);

// Tests whose kernels throw.
template <class Exec>
class InitializeOnHost : public testing::Test {};
TYPED_TEST_SUITE(InitializeOnHost, hpk_test::host_spaces, hpk_test::space_names);

template <class Exec>
long sum_on_default() {
  long sum = -1;
  hpk::parallel_reduce(
      hpk::RangePolicy<Exec>(0, 10001), HPK_LAMBDA(int i, long& s) { s += i; }, sum);
  return sum;
}

HPK_TYPED_TEST(Initialize, is_optional_and_may_be_repeated) {
  const clean_environment none;
  EXPECT_EQ(sum_on_default<TypeParam>(), 50005000);
  const hpk::View<int*, hpk::HostSpace> outlives("outlives", 10);
  for (int round = 0; round < 5; ++round) {
    hpk::initialize(hpk::InitializationSettings().set_num_threads(1));
    EXPECT_TRUE(hpk::is_initialized());
    EXPECT_FALSE(hpk::is_finalized());
    // The workers of a GPU do not depend on the settings.
    if constexpr (is_on_cpu<TypeParam>) {
      EXPECT_EQ(TypeParam().instance().properties().workers, 1);
    }
    EXPECT_EQ(sum_on_default<TypeParam>(), 50005000);
    hpk::finalize();
    EXPECT_FALSE(hpk::is_initialized());
    EXPECT_TRUE(hpk::is_finalized());
    EXPECT_EQ(sum_on_default<TypeParam>(), 50005000);
    outlives(round) = round;
  }
  EXPECT_EQ(outlives(4), 4);
  EXPECT_EQ(outlives.use_count(), 1);
}

// finalize does not affect instances that the program created.
HPK_TYPED_TEST(Initialize, leaves_own_instances_alone) {
  if constexpr (has_workers<TypeParam>) {
    const TypeParam own(3);
    hpk::initialize();
    hpk::finalize();
    long sum = -1;
    hpk::parallel_reduce(
        hpk::RangePolicy(own, 0, 1001), HPK_LAMBDA(int i, long& s) { s += i; }, sum);
    EXPECT_EQ(sum, 500500);
    EXPECT_EQ(own.concurrency(), 3);
  }
}

HPK_TYPED_TEST(InitializeOnHost, refuses_finalize_in_a_kernel) {
  const hpk::ScopeGuard guard;
  const std::string text = error_of([] {
    hpk::parallel_for("busy", hpk::RangePolicy<TypeParam>(0, 10), [](int) { hpk::finalize(); });
  });
  EXPECT_TRUE(contains(text, "hpk::finalize: called inside the kernel parallel_for \"busy\""));
  EXPECT_TRUE(hpk::is_initialized());
}

TEST(InitializeOnce, leaves_the_command_line_alone_when_refused) {
  const hpk::ScopeGuard guard;
  std::vector<std::string> words = {"program", "--hpk-num-threads=1"};
  std::vector<char*> argv = {words[0].data(), words[1].data(), nullptr};
  int argc = 2;
  EXPECT_TRUE(contains(error_of([&] { hpk::initialize(argc, argv.data()); }), "called twice"));
  EXPECT_EQ(argc, 2);
}

HPK_TYPED_TEST(InitializeOnHost, refuses_initialize_in_a_kernel) {
  const std::string text = error_of([] {
    hpk::parallel_for("busy", hpk::RangePolicy<TypeParam>(0, 10), [](int) { hpk::initialize(); });
  });
  EXPECT_TRUE(contains(text, "hpk::initialize: called inside the kernel parallel_for \"busy\""));
  EXPECT_FALSE(hpk::is_initialized());
}

TEST(InitializeOnce, refuses_the_second_call_of_each) {
  hpk::initialize();
  EXPECT_TRUE(contains(error_of([] { hpk::initialize(); }), "hpk::initialize: called twice; ask"));
  EXPECT_TRUE(contains(error_of([] { hpk::ScopeGuard again; }), "hpk::initialize: called twice"));
  EXPECT_TRUE(hpk::is_initialized());
  hpk::finalize();
  EXPECT_TRUE(contains(error_of([] { hpk::finalize(); }), "hpk::finalize: hpk is not initialized"));
}

TEST(InitializeOnce, leaves_nothing_behind_when_refused) {
  const clean_environment none;
  EXPECT_TRUE(
      contains(error_of([] { hpk::initialize(hpk::InitializationSettings().set_num_threads(-4)); }),
               "num-threads has the value '-4'"));
  EXPECT_FALSE(hpk::is_initialized());
  const hpk::ScopeGuard guard;
  EXPECT_TRUE(hpk::is_initialized());
}

TEST(InitializeOnce, reads_and_strips_the_command_line) {
  const clean_environment none;
  std::vector<std::string> words = {"program", "--hpk-num-threads=1", "input.txt"};
  std::vector<char*> argv = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  int argc = 3;
  const hpk::ScopeGuard guard(argc, argv.data());
  EXPECT_EQ(argc, 2);
  EXPECT_STREQ(argv[1], "input.txt");
  EXPECT_EQ(argv[2], nullptr);
  EXPECT_EQ(hpk::seam::current_settings().num_threads, 1);
  EXPECT_EQ(hpk::num_threads(), 1);
}

// --help belongs to the program; hpk has --hpk-help.
TEST(InitializeOnce, leaves_the_help_of_the_program_alone) {
  const clean_environment none;
  std::vector<std::string> words = {"program", "--help", "-h"};
  std::vector<char*> argv = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  int argc = 3;
  testing::internal::CaptureStdout();
  const hpk::ScopeGuard guard(argc, argv.data());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(argc, 3);
  EXPECT_STREQ(argv[1], "--help");
  EXPECT_STREQ(argv[2], "-h");
}

TEST(InitializeOnce, tells_whether_warnings_are_shown) {
  const clean_environment none;
  for (const bool disabled : {true, false}) {
    const hpk::ScopeGuard guard(hpk::InitializationSettings().set_disable_warnings(disabled));
    EXPECT_EQ(hpk::show_warnings(), !disabled);
  }
  EXPECT_TRUE(hpk::show_warnings());
  {
    std::vector<std::string> words = {"program", "--hpk-disable-warnings"};
    std::vector<char*> argv = {words[0].data(), words[1].data(), nullptr};
    int argc = 2;
    const hpk::ScopeGuard guard(argc, argv.data());
    EXPECT_FALSE(hpk::show_warnings());
  }
  const variable disable("HPK_DISABLE_WARNINGS", "1");
  const hpk::ScopeGuard guard;
  EXPECT_FALSE(hpk::show_warnings());
}

void check_devices() {
  if constexpr (is_host<hpk::DefaultExecutionSpace>) {
    EXPECT_EQ(hpk::num_devices(), -1);
    EXPECT_EQ(hpk::device_id(), -1);
  } else {
    EXPECT_GE(hpk::num_devices(), 0);
    EXPECT_EQ(hpk::device_id() >= 0, hpk::num_devices() > 0);
    EXPECT_LT(hpk::device_id(), hpk::num_devices());
  }
}

TEST(InitializeOnce, finds_no_devices_without_a_gpu_space) {
  check_devices();
  const hpk::ScopeGuard guard;
  check_devices();
}

// finalize calls the global fence of every started backend before the hooks.
TEST(InitializeOnce, finalize_calls_the_global_fence) {
  const fence_counts counts;
  int before_hook = -1;
  hpk::initialize();
  hpk::push_finalize_hook([&] { before_hook = counts.global(); });
  EXPECT_TRUE(counts.only(0));
  hpk::finalize();
  EXPECT_EQ(before_hook, 1);
  EXPECT_TRUE(counts.only_global(1));
}

TEST(Hooks, run_last_in_first_out_at_the_next_finalize_only) {
  std::string order;
  hpk::push_finalize_hook([&order] { order += 'a'; });
  hpk::initialize();
  hpk::push_finalize_hook([&order, big = std::make_unique<int>(7)] {
    order += static_cast<char>('0' + *big);
    hpk::push_finalize_hook([&order] { order += 'c'; });
    order += sum_on_default<hpk::DefaultExecutionSpace>() == 50005000 ? '+' : '-';
  });
  EXPECT_EQ(order, "");
  hpk::finalize();
  EXPECT_EQ(order, "7+ca");
  hpk::initialize();
  hpk::finalize();
  EXPECT_EQ(order, "7+ca");
}

TEST(Hooks, that_throw_are_gone_and_the_rest_may_still_run) {
  bool ran = false;
  hpk::initialize();
  hpk::push_finalize_hook([&] { ran = true; });
  hpk::push_finalize_hook([] { throw 5; });
  EXPECT_THROW(hpk::finalize(), int);
  EXPECT_TRUE(hpk::is_initialized());
  EXPECT_FALSE(ran);
  hpk::finalize();
  EXPECT_TRUE(ran);
}

static_assert(!std::is_copy_constructible_v<hpk::ScopeGuard> &&
              !std::is_copy_assignable_v<hpk::ScopeGuard>);
static_assert(!std::is_move_constructible_v<hpk::ScopeGuard> &&
              !std::is_move_assignable_v<hpk::ScopeGuard>);

TEST(Scope, finalizes_unless_the_program_did) {
  {
    const hpk::ScopeGuard guard;
    EXPECT_TRUE(hpk::is_initialized());
  }
  EXPECT_TRUE(hpk::is_finalized());
  {
    const hpk::ScopeGuard guard(hpk::InitializationSettings().set_num_threads(1));
    hpk::finalize();
  }
  EXPECT_TRUE(hpk::is_finalized());
}

[[noreturn]] void run_with(std::string flag) {
  // The death test reads standard error, so standard output goes there too.
  std::fflush(stdout);
  if (dup2(2, 1) != 1) std::_Exit(99);
  std::string name = "program";
  char* argv[] = {name.data(), flag.data(), nullptr};
  int argc = 2;
  hpk::initialize(argc, argv);
  std::_Exit(3);
}

TEST(InitializeDeathTest, prints_help_and_exits_with_success) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_with("--hpk-help"), testing::ExitedWithCode(0),
              "--hpk-num-threads=N  HPK_NUM_THREADS(.|\n)*--hpk-pin-threads(.|\n)*print this text "
              "and exit");
}

TEST(InitializeDeathTest, prints_the_configuration_on_request) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_with("--hpk-print-configuration"), testing::ExitedWithCode(3),
              "print-configuration: true \\(command line\\)");
}

}  // namespace hpk_test::initialize_cases
