// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/work_queue.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <deque>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace {

struct item {
  int low;
  double value;
  short tail;
};

template <class Exec>
class Queue : public testing::Test {
 public:
  using type = hpk::WorkQueue<int, Exec>;
};
TYPED_TEST_SUITE(Queue, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Queue, is_filled_and_drained_in_order) {
  const typename TestFixture::type queue("queue", 100);
  EXPECT_EQ(queue.capacity(), 128);
  EXPECT_EQ(queue.label(), "queue");
  EXPECT_TRUE(queue.empty());
  int next = 0;
  int first = 0;
  // Goes around the ring several times.
  for (int round = 0; round < 20; ++round) {
    std::vector<int> items(static_cast<std::size_t>(round * 6 % 128));
    std::iota(items.begin(), items.end(), next);
    next += static_cast<int>(items.size());
    queue.fill(items);
    EXPECT_EQ(queue.size(), next - first);
    EXPECT_EQ(queue.drain(), items);
    first = next;
  }
  EXPECT_EQ(queue.size(), 0);
}

// Each item splits into two smaller ones until all are ones; the number of ones is known.
HPK_TYPED_TEST(Queue, serves_lanes_that_push_and_pop) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const typename TestFixture::type queue("queue", 4096);
    const hpk::View<int[3], TypeParam> counts("ones, lost, done");
    queue.fill({500, 300, 200});
    int rounds = 0;
    for (; !queue.empty() && rounds < 1000; ++rounds) {
      hpk::parallel_for(
          "split", hpk::RangePolicy<TypeParam>(exec, 0, 64), HPK_LAMBDA(int) {
            int work = 0;
            for (int k = 0; k < 50 && queue.try_pop(work); ++k) {
              hpk::atomic_inc(&counts(2));
              if (work == 1) {
                hpk::atomic_inc(&counts(0));
              } else if (!queue.try_push(work / 2) || !queue.try_push(work - work / 2)) {
                hpk::atomic_inc(&counts(1));
              }
            }
          });
      exec.fence();
    }
    const auto seen = hpk_test::on_host(counts);
    EXPECT_EQ(seen(0), 1000);
    EXPECT_EQ(seen(1), 0);
    EXPECT_EQ(seen(2), 1999 - 2);
    EXPECT_EQ(queue.refusals(), 0);
  }
}

HPK_TYPED_TEST(Queue, refuses_when_it_is_full) {
  const typename TestFixture::type queue("queue", 64);
  const hpk::View<int[3], TypeParam> counts("pushed, refused, estimate");
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 100),
      HPK_LAMBDA(int i) { hpk::atomic_inc(&counts(queue.try_push(i) ? 0 : 1)); });
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 1),
      HPK_LAMBDA(int) { counts(2) = static_cast<int>(queue.size_estimate()); });
  const auto seen = hpk_test::on_host(counts);
  EXPECT_EQ(seen(0), 64);
  EXPECT_EQ(seen(1), 36);
  EXPECT_EQ(seen(2), 64);
  EXPECT_EQ(queue.refusals(), 36);
  auto items = queue.drain();
  std::sort(items.begin(), items.end());
  EXPECT_EQ(std::unique(items.begin(), items.end()), items.end());
  EXPECT_EQ(items.size(), 64u);
  queue.fill({1, 2});
  queue.clear();
  EXPECT_EQ(queue.size(), 0);
  EXPECT_EQ(queue.refusals(), 0);
  hpk_test::expect_error(
      [&] { queue.fill(std::vector<int>(65)); },
      {"hpk::WorkQueue \"queue\": fill() with 65 items", "at most 64", "work_queue.cpp"});
  hpk_test::expect_error([] { typename TestFixture::type none("none", 0); },
                         {"\"none\": a capacity of 0", "work_queue.cpp"});
  const typename TestFixture::type none;
  EXPECT_EQ(none.capacity(), 0);
  EXPECT_EQ(none.size(), 0);
  EXPECT_TRUE(none.drain().empty());
}

HPK_TYPED_TEST(Queue, holds_classes) {
  const hpk::WorkQueue<item, TypeParam> queue("queue", 10);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 1), HPK_LAMBDA(int) {
        queue.try_push({1, 2.5, 3});
        queue.try_push({4, 5.5, 6});
        item first{};
        queue.try_pop(first);
        queue.try_push({first.low + 10, first.value + 10, first.tail});
      });
  const auto items = queue.drain();
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].low, 4);
  EXPECT_EQ(items[1].low, 11);
  EXPECT_EQ(items[1].value, 12.5);
  EXPECT_EQ(items[1].tail, 3);
}

template <class Exec>
class QueueOnHost : public testing::Test {};
TYPED_TEST_SUITE(QueueOnHost, hpk_test::host_spaces, hpk_test::space_names);

// Writes of a thread before a push are visible to the thread that pops the item.
HPK_TYPED_TEST(QueueOnHost, hands_items_from_thread_to_thread) {
  constexpr int each = 2000;
  const hpk::WorkQueue<int, TypeParam> queue("queue", 64);
  std::vector<int> values(8 * each);
  std::vector<long> sums(8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int k = t * each; k < (t + 1) * each; ++k) {
        values[static_cast<std::size_t>(k)] = k;
        while (!queue.try_push(k)) std::this_thread::yield();
      }
    });
    threads.emplace_back([&, t] {
      for (int k = 0; k < each; ++k) {
        int got = 0;
        while (!queue.try_pop(got)) std::this_thread::yield();
        sums[static_cast<std::size_t>(t)] += values[static_cast<std::size_t>(got)];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  constexpr long n = 8L * each;
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0L), n * (n - 1) / 2);
  EXPECT_TRUE(queue.empty());
}

// Random calls, compared with a deque.
TEST(QueueModel, is_a_bounded_deque) {
  std::mt19937 random(9);
  using queue_type = hpk::WorkQueue<int, hpk::Serial>;
  queue_type queue("queue", 4);
  std::deque<int> model;
  for (int step = 0; step < 10 * hpk_test::random_sequences; ++step) {
    if (step % 10 == 0) {  // a new sequence
      queue = queue_type("queue", 4);
      model.clear();
    }
    int got = -1;
    if (random() % 2 == 0) {
      ASSERT_EQ(queue.try_push(step), model.size() < 4);
      if (model.size() < 4) model.push_back(step);
    } else {
      ASSERT_EQ(queue.try_pop(got), !model.empty());
      if (!model.empty()) {
        ASSERT_EQ(got, model.front());
        model.pop_front();
      }
    }
    ASSERT_EQ(queue.size_estimate(), static_cast<long>(model.size()));
  }
}

}  // namespace
