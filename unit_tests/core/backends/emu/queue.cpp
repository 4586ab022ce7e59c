// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A queue runs its work in order on a separate thread. A drain waits for all of it.
#include <support/spaces.hpp>

#include <hpk/backends/emu/queue.hpp>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace hpk_test::emu_queue_cases {

using hpk::emu::queue;
using hpk::emu::task;

template <class F>
class calling : public task {
 public:
  explicit calling(F f) : f_(std::move(f)) {}
  void run(std::uint64_t number) override { f_(number); }

 private:
  F f_;
};
template <class F>
std::unique_ptr<task> call(F f) {
  return std::make_unique<calling<F>>(std::move(f));
}

TEST(EmuQueue, keeps_the_order) {
  queue q;
  std::vector<std::uint64_t> seen;
  for (int k = 0; k < 1000; ++k) q.submit(call([&](std::uint64_t n) { seen.push_back(n); }));
  q.drain();
  ASSERT_EQ(seen.size(), 1000u);
  for (std::size_t k = 0; k < seen.size(); ++k) EXPECT_EQ(seen[k], k);
}

TEST(EmuQueue, lets_the_program_go_on) {
  queue q;
  std::atomic<bool> open{false};
  std::atomic<bool> done{false};
  q.submit(call([&](auto) {
    while (!open) std::this_thread::yield();
    done = true;
  }));
  EXPECT_FALSE(done);
  open = true;
  q.drain();
  EXPECT_TRUE(done);
}

TEST(EmuQueue, wakes_up_after_a_pause) {
  queue q;
  int done = 0;
  for (int k = 0; k < 3; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    q.submit(call([&](auto) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++done;
    }));
    q.drain();
    EXPECT_EQ(done, k + 1);
  }
}

TEST(EmuQueue, does_at_once_what_its_own_tasks_give) {
  queue q;
  std::vector<int> order;
  q.submit(call([&](auto) {
    order.push_back(1);
    q.submit(call([&](auto) { order.push_back(2); }));
    q.drain();
    order.push_back(3);
  }));
  q.drain();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(EmuQueue, ends_tasks_before_they_count_as_done) {
  queue q;
  auto held = std::make_shared<int>(1);
  q.submit(call([held](auto) {}));
  q.drain();
  EXPECT_EQ(held.use_count(), 1);
}

TEST(EmuQueue, finishes_before_it_goes_away) {
  std::atomic<int> done{0};
  {
    queue q;
    for (int k = 0; k < 10; ++k) {
      q.submit(call([&](auto) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        ++done;
      }));
    }
  }
  EXPECT_EQ(done, 10);
}

TEST(EmuQueue, takes_tasks_from_many_threads) {
  queue q;
  long sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 200; ++k) q.submit(call([&](auto) { ++sum; }));
      q.drain();
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(sum, 1600);
}

// The captures of a kernel are destroyed on the thread of its queue, possibly with the last copy of
// an instance.
std::atomic<int> calls{0};
std::atomic<bool> goes_on{false};
struct owner {
  hpk::Emu exec;
  HPK_FUNCTION void operator()(int) const {
    while (!goes_on) std::this_thread::yield();
    ++calls;
  }
};
struct counter {
  HPK_FUNCTION void operator()(int) const { ++calls; }
};

TEST(EmuQueue, is_ended_by_its_last_kernel) {
  for (int round = 0; round < 5; ++round) {
    calls = 0;
    goes_on = false;
    long sum = 0;
    const hpk::View<long, hpk::Emu> result("result");
    {
      const hpk::Emu exec(hpk::NewInstance{});
      hpk::parallel_for(hpk::RangePolicy<hpk::Emu>(exec, 0, 100), owner{exec});
      // These launches come after the one whose captures hold the last copy of the instance.
      hpk::parallel_for(hpk::RangePolicy<hpk::Emu>(exec, 0, 50), counter());
      hpk::parallel_reduce(
          hpk::RangePolicy<hpk::Emu>(exec, 0, 10000), HPK_LAMBDA(int i, long& u) { u += i; },
          result);
    }
    goes_on = true;
    while (calls < 150) std::this_thread::yield();
    if (round % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    hpk::fence();
    hpk::deep_copy(sum, result);
    EXPECT_EQ(sum, 49995000);
  }
}

// A launch destroys elements with a destructor. The thread of the queue must not wait for another
// queue then, because that queue may wait for this one.
struct element {
  int value = 0;
  HPK_FUNCTION element() {}
  HPK_FUNCTION ~element() { ++calls; }
};

TEST(EmuQueue, ends_the_elements_of_its_views_itself) {
  calls = 0;
  goes_on = false;
  {
    const hpk::Emu exec(hpk::NewInstance{});
    hpk::View<element*, hpk::Emu> elements("elements", 100);
    hpk::fence();
    calls = 0;
    hpk::parallel_for(
        hpk::RangePolicy<hpk::Emu>(exec, 0, 1), HPK_LAMBDA(int) {
          while (!goes_on) std::this_thread::yield();
          elements(3).value = 1;
        });
    hpk::Emu().wait(exec.record());
    elements = {};
    EXPECT_EQ(calls, 0);
    goes_on = true;
  }
  hpk::fence();
  EXPECT_EQ(calls, 100);
}

}  // namespace hpk_test::emu_queue_cases
