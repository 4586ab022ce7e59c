// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events complete when the work before them is done, may outlive their instance, and order
// instances of the same and of different spaces.
#include <hpk/spaces/event.hpp>

#include <support/elements.hpp>
#include <support/wait.hpp>

#include <atomic>
#include <thread>
#include <type_traits>
#include <vector>

namespace seam_event_test {
namespace {

static_assert(std::is_nothrow_default_constructible_v<hpk::Event> &&
              std::is_nothrow_copy_constructible_v<hpk::Event> &&
              std::is_nothrow_move_constructible_v<hpk::Event>);

using hpk_test::new_instance;

TEST(AnEvent, that_was_never_recorded_is_complete) {
  const hpk::Event never;
  EXPECT_TRUE(never.ready());
  EXPECT_NO_THROW(never.wait());
  EXPECT_EQ(never, hpk::Event());
}

template <class Exec>
class Event : public testing::Test {};
TYPED_TEST_SUITE(Event, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Event, is_complete_when_the_host_waited_for_it) {
  const TypeParam exec;
  const hpk::View<long*, hpk_test::shared_device<TypeParam>> view("view", 100'000);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(exec, 0, 100'000), HPK_LAMBDA(long i) { view(i) = i; });
  const hpk::Event written = exec.record();
  written.wait();
  EXPECT_TRUE(written.ready());
  long wrong = 0;
  for (long i = 0; i < 100'000; ++i) wrong += view(i) != i;
  EXPECT_EQ(wrong, 0);
}

HPK_TYPED_TEST(Event, orders_two_instances) {
  constexpr int n = 50'000;
  const TypeParam first = new_instance<TypeParam>();
  const TypeParam second = new_instance<TypeParam>();
  const hpk::View<long*, TypeParam> from("from", n);
  const hpk::View<long*, TypeParam> to("to", n);
  for (int round = 1; round <= 10; ++round) {
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(first, 0, n), HPK_LAMBDA(int i) { from(i) += i; });
    second.wait(first.record());
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(second, 0, n), HPK_LAMBDA(int i) { to(i) = from(i) * 2; });
    first.wait(second.record());
  }
  const auto seen = hpk_test::on_host(to);
  long wrong = 0;
  for (int i = 0; i < n; ++i) wrong += seen(i) != 20L * i;
  EXPECT_EQ(wrong, 0);
}

HPK_TYPED_TEST(Event, orders_spaces_of_different_kinds) {
  constexpr int n = 1000;
  const TypeParam exec = new_instance<TypeParam>();
  const hpk::DefaultHostExecutionSpace host;
  const hpk::View<int*, hpk_test::shared_device<TypeParam>> view("view", n);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, n), HPK_LAMBDA(int i) { view(i) = i; });
  host.wait(exec.record());
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += view(i);
  EXPECT_EQ(sum, 499'500);
  exec.wait(host.record());
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, n), HPK_LAMBDA(int i) { view(i) = 1; });
  exec.fence();
  EXPECT_EQ(view(n - 1), 1);
}

HPK_TYPED_TEST(Event, is_a_value) {
  const TypeParam exec;
  const hpk::Event first = exec.record();
  hpk::Event copy = first;
  EXPECT_EQ(copy, first);
  copy = exec.record();
  copy.wait();
  const hpk::Event moved = std::move(copy);
  EXPECT_TRUE(moved.ready());
  first.wait();
}

HPK_TYPED_TEST(Event, outlives_its_instance) {
  hpk::Event last;
  {
    const TypeParam exec = new_instance<TypeParam>();
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 1000), HPK_LAMBDA(int){});
    last = exec.record();
  }
  EXPECT_TRUE(last.ready());
  EXPECT_NO_THROW(last.wait());
}

HPK_TYPED_TEST(Event, may_be_waited_for_by_many_threads) {
  const TypeParam exec = new_instance<TypeParam>();
  const hpk::View<int, hpk_test::shared_device<TypeParam>> sum("sum");
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 1), HPK_LAMBDA(int) { sum() = 7; });
  const hpk::Event done = exec.record();
  std::vector<int> seen(6);
  std::vector<std::thread> threads;
  for (int& slot : seen) {
    threads.emplace_back([&slot, &sum, done] {
      done.wait();
      slot = sum();
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(seen, std::vector<int>(6, 7));
}

HPK_TYPED_TEST(Event, leaves_an_instance_idle_that_was_waited_for) {
  const TypeParam exec = new_instance<TypeParam>();
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 1000), HPK_LAMBDA(int){});
  exec.fence();
  EXPECT_TRUE(exec.idle());
}

template <class Exec>
class CpuEvent : public testing::Test {};
TYPED_TEST_SUITE(CpuEvent, hpk_test::cpu_spaces, hpk_test::space_names);

// Statics, which kernels of Emu can access too.
std::atomic<int> entered{0};
std::atomic<bool> open{false};

// Launches two iterations that run until `open`.
template <class Exec>
void launch_until_open(const Exec& exec) {
  hpk::parallel_for(hpk::RangePolicy<Exec>(exec, 0, 2), [](int) {
    ++entered;
    hpk_test::wait_until([] { return open.load(); });
  });
  exec.fence();
}

// If record() or idle() waited, it would wait until the kernel times out.
HPK_TYPED_TEST(CpuEvent, and_idle_do_not_wait_for_another_thread) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    entered = 0;
    open = false;
    const hpk::Event before = exec.record();
    std::thread other([&] { launch_until_open(exec); });
    ASSERT_TRUE(hpk_test::wait_until([] { return entered > 0; }));
    EXPECT_FALSE(exec.idle());
    const hpk::Event behind = exec.record();
    EXPECT_FALSE(behind.ready());
    before.wait();
    EXPECT_TRUE(before.ready());
    EXPECT_FALSE(exec.idle());
    open = true;
    behind.wait();
    EXPECT_TRUE(behind.ready());
    EXPECT_EQ(entered, 2);
    other.join();
    EXPECT_TRUE(exec.idle());
  }
}

// After the last event the instance is idle, and an idle instance has completed its last event.
HPK_TYPED_TEST(CpuEvent, ends_together_with_the_work_of_its_instance) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (int k = 0; k < 200; ++k) {
      const hpk::Event last = exec.record();
      if (k % 2 == 0) {
        last.wait();
        EXPECT_TRUE(exec.idle()) << k;
      } else {
        hpk_test::wait_until([&] { return exec.idle(); });
        EXPECT_TRUE(last.ready()) << k;
      }
    }
  }
}

HPK_TYPED_TEST(CpuEvent, of_one_thread_orders_the_instance_of_another) {
  entered = 0;
  open = false;
  const TypeParam first = new_instance<TypeParam>();
  const TypeParam second = new_instance<TypeParam>();
  std::thread other([&] { launch_until_open(first); });
  ASSERT_TRUE(hpk_test::wait_until([] { return entered > 0; }));
  const hpk::Event behind = first.record();
  std::thread opens([] {
    hpk_test::let_others_run();
    open = true;
  });
  static std::atomic<bool> was_open;
  was_open = false;
  second.wait(behind);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(second, 0, 1), [](int) { was_open = open.load(); });
  second.fence();
  EXPECT_TRUE(was_open);
  opens.join();
  other.join();
}

// A kernel of a device cannot throw.
template <class Exec>
class HostOnlyEvent : public testing::Test {};
TYPED_TEST_SUITE(HostOnlyEvent, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(HostOnlyEvent, is_refused_in_a_kernel) {
  const auto refused = [](auto call) {
    const std::string message = hpk_test::error_of([&] {
      hpk::parallel_for("waits", hpk::RangePolicy<TypeParam>(0, 1), [&](int) { call(); });
    });
    return hpk_test::contains(message, "called inside the kernel") &&
           hpk_test::contains(message, "\"waits\"");
  };
  EXPECT_TRUE(refused([] { hpk::Event().wait(); }));
  EXPECT_TRUE(refused([] { static_cast<void>(TypeParam().record()); }));
  EXPECT_TRUE(refused([] { TypeParam().wait(hpk::Event()); }));
}

}  // namespace
}  // namespace seam_event_test
