// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// host_task: a host function in the order of an instance, the calls it may make, and where its
// exceptions arrive.
#include <hpk/tasks.hpp>

#include <support/elements.hpp>

#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tasks_host_task_test {
namespace {

using hpk_test::new_instance;

template <class Exec>
class HostTask : public testing::Test {};
TYPED_TEST_SUITE(HostTask, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
inline constexpr bool is_synchronous = hpk::seam::machine<Exec>::synchronous;

// Rethrows the exception of a host task, from the call or the fence that receives it.
template <class Exec, class F>
void run_and_fence(const Exec& exec, F&& function) {
  hpk::host_task("throws", exec, std::forward<F>(function));
  exec.fence();
}

HPK_TYPED_TEST(HostTask, runs_between_the_work_before_and_behind) {
  constexpr int n = 1000;
  const TypeParam exec = new_instance<TypeParam>();
  const hpk::View<int*, TypeParam> view("view", n);
  const auto mirror = hpk::create_mirror(hpk::HostSpace(), view);
  int seen[10] = {};
  for (int round = 0; round < 10; ++round) {
    hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, n), HPK_LAMBDA(int i) { view(i) += i; });
    hpk::deep_copy(exec, mirror, view);
    int& slot = seen[round];
    hpk::host_task("double it", exec, [mirror, &slot] {
      slot = mirror(n - 1);
      for (int i = 0; i < n; ++i) mirror(i) *= 2;
    });
    hpk::deep_copy(exec, view, mirror);
  }
  exec.fence();
  int expected = 0;
  for (int round = 0; round < 10; ++round) {
    expected += n - 1;
    EXPECT_EQ(seen[round], expected);
    expected *= 2;
  }
  EXPECT_EQ(hpk_test::on_host(view)(n - 1), expected);
}

HPK_TYPED_TEST(HostTask, takes_what_can_only_be_moved_and_ends_it) {
  const TypeParam exec;
  auto alive = std::make_shared<int>(7);
  const std::weak_ptr<int> watched = alive;
  int seen = 0;
  hpk::host_task(exec, [owned = std::make_unique<std::shared_ptr<int>>(std::move(alive)), &seen] {
    seen = **owned;
  });
  exec.fence();
  EXPECT_EQ(seen, 7);
  EXPECT_TRUE(watched.expired());
}

HPK_TYPED_TEST(HostTask, copies_of_views_in_it_own_their_share) {
  const TypeParam exec;
  hpk::View<int*, hpk::HostSpace> kept;
  {
    const hpk::View<int*, hpk::HostSpace> made("made", 5);
    hpk::host_task(exec, [made, &kept] { kept = made; });
    exec.fence();
  }
  EXPECT_EQ(kept.use_count(), 1);
  EXPECT_EQ(kept.label(), "made");
}

HPK_TYPED_TEST(HostTask, is_ordered_by_events) {
  const TypeParam first = new_instance<TypeParam>();
  const TypeParam second = new_instance<TypeParam>();
  std::vector<int> order;
  for (int round = 0; round < 20; ++round) {
    hpk::host_task(first, [&order, round] { order.push_back(2 * round); });
    second.wait(first.record());
    hpk::host_task(second, [&order, round] { order.push_back(2 * round + 1); });
    first.wait(second.record());
  }
  const hpk::Event last = first.record();
  last.wait();
  EXPECT_TRUE(last.ready());
  ASSERT_EQ(order.size(), 40u);
  for (int k = 0; k < 40; ++k) EXPECT_EQ(order[static_cast<std::size_t>(k)], k);
}

HPK_TYPED_TEST(HostTask, may_launch_on_host_spaces) {
  const TypeParam exec;
  const hpk::View<long*, hpk::HostSpace> view("view", 100);
  long sum = 0;
  hpk::host_task(exec, [&] {
    using host = hpk::DefaultHostExecutionSpace;
    hpk::parallel_for(hpk::RangePolicy<host>(0, 100), [=](int i) { view(i) = i; });
    hpk::parallel_reduce(
        hpk::RangePolicy<host>(0, 100), [=](int i, long& s) { s += view(i); }, sum);
  });
  exec.fence();
  EXPECT_EQ(sum, 4950);
}

HPK_TYPED_TEST(HostTask, its_exception_reaches_the_next_fence_once) {
  const TypeParam exec = new_instance<TypeParam>();
  EXPECT_THROW(run_and_fence(exec, [] { throw std::runtime_error("disk full"); }),
               std::runtime_error);
  EXPECT_NO_THROW(exec.fence());
  // Later work still runs, and the first of several exceptions is reported.
  int behind = 0;
  const auto two = [&] {
    try {
      hpk::host_task(exec, [] { throw std::out_of_range("first"); });
    } catch (...) {
      hpk::host_task(exec, [&] { ++behind; });
      throw;
    }
    hpk::host_task(exec, [] { throw std::runtime_error("second"); });
    hpk::host_task(exec, [&] { ++behind; });
    hpk::fence();
  };
  EXPECT_THROW(two(), std::out_of_range);
  EXPECT_EQ(behind, 1);
  EXPECT_NO_THROW(hpk::fence());
}

HPK_TYPED_TEST(HostTask, a_fence_of_another_instance_knows_nothing_of_it) {
  if constexpr (!is_synchronous<TypeParam>) {
    const TypeParam exec = new_instance<TypeParam>();
    const TypeParam other = new_instance<TypeParam>();
    hpk::host_task(exec, [] { throw std::runtime_error("mine"); });
    exec.record().wait();
    EXPECT_NO_THROW(other.fence());
    EXPECT_THROW(exec.fence(), std::runtime_error);
  }
}

HPK_TYPED_TEST(HostTask, an_instance_that_ends_writes_what_no_fence_saw) {
  if constexpr (!is_synchronous<TypeParam>) {
    testing::internal::CaptureStderr();
    {
      const TypeParam exec = new_instance<TypeParam>();
      hpk::host_task("write results", exec, [] { throw std::runtime_error("disk full"); });
    }
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(hpk_test::contains(text, "hpk::host_task \"write results\" threw"));
    EXPECT_TRUE(hpk_test::contains(text, "disk full"));
  }
}

HPK_TYPED_TEST(HostTask, refuses_what_would_wait_for_its_instance) {
  const TypeParam exec = new_instance<TypeParam>();
  const auto refused = [&](auto&& call, std::initializer_list<const char*> pieces) {
    hpk_test::expect_error([&] { run_and_fence(exec, call); }, pieces);
  };
  refused([&] { exec.fence("inner"); }, {"inner", "inside the task host_task \"throws\"",
                                         "call it after the task", "host_task.cpp:"});
  refused([&] { hpk::fence(); }, {"fence", "inside the task host_task \"throws\""});
  refused([&] { exec.wait(exec.record()); }, {"record", "host_task \"throws\""});
  refused([&] { hpk::host_task(exec, [] {}); }, {"hpk::host_task", "host_task \"throws\""});
  if constexpr (!is_synchronous<TypeParam>) {
    const hpk::View<int*, TypeParam> view("view", 10);
    refused([&] { hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, 10), HPK_LAMBDA(int){}); },
            {"parallel_for", "inside the task host_task \"throws\""});
    refused([&] { hpk::deep_copy(exec, view, 1); }, {"host_task \"throws\""});
  }
}

HPK_TYPED_TEST(HostTask, names_itself_in_errors) {
  const TypeParam exec;
  hpk_test::expect_error(
      [&] { run_and_fence(exec, [] { hpk::raise(hpk::error_message() << "no such file"); }); },
      {"no such file", "in host_task \"throws\"", "host_task.cpp:"});
}

HPK_TYPED_TEST(HostTask, of_many_threads_on_one_instance_never_overlap) {
  const TypeParam exec = new_instance<TypeParam>();
  long counted = 0;  // incremented by one thread at a time
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) hpk::host_task(exec, [&] { ++counted; });
    });
  }
  for (auto& thread : threads) thread.join();
  exec.fence();
  EXPECT_EQ(counted, 800);
}

template <class Exec>
class HostTaskOnHost : public testing::Test {};
TYPED_TEST_SUITE(HostTaskOnHost, hpk_test::host_spaces, hpk_test::space_names);

TYPED_TEST(HostTaskOnHost, is_refused_inside_of_a_kernel) {
  const TypeParam exec;
  hpk_test::expect_error(
      [&] {
        hpk::parallel_for("kernel", hpk::RangePolicy<TypeParam>(exec, 0, 1),
                          [=](int) { hpk::host_task(exec, [] {}); });
      },
      {"hpk::host_task", "inside the kernel parallel_for \"kernel\""});
}

}  // namespace
}  // namespace tasks_host_task_test
