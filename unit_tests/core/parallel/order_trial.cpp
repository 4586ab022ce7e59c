// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes whose order nobody chose: the faster one is found, a wrong answer does not stay, and heavy
// kernels do not wait for the calling thread. What is slow here says so by the order in which its
// points come, so that no memory is needed to show it.
#include <hpk/parallel/order_trial.hpp>

#include <support/spaces.hpp>

#include <atomic>
#include <vector>

namespace parallel_order_trial_test {
namespace {

using hpk::Iterate;

void spin(double seconds) {
  for (const hpk::Timer timer; timer.seconds() < seconds;) {
  }
}

// Counts its points, and those that come in the slow order, every fourth of which takes long. The
// number tells kernels apart, each of which has a memory of its own.
template <int Number>
struct in_slow_order {
  Iterate* slow;
  std::atomic<int>* all;
  std::atomic<int>* waited;
  void operator()(int i, int j) const {
    static thread_local int last[2] = {-1, -1};
    all->fetch_add(1, std::memory_order_relaxed);
    if (*slow == Iterate::Right ? i == last[0] : j == last[1]) {
      // Not at every point, or the kernel would count as a heavy one where clocks take long.
      if (waited->fetch_add(1, std::memory_order_relaxed) % 4 == 0) spin(400e-9);
    }
    last[0] = i;
    last[1] = j;
  }
};

template <class Exec, int Number>
struct box_of_points {
  static constexpr int n = 256;
  Iterate slow = Iterate::Right;
  std::atomic<int> all{0};
  std::atomic<int> waited{0};
  in_slow_order<Number> kernel{&slow, &all, &waited};
  hpk::MDRangePolicy<Exec, hpk::Rank<2>> policy{{0, 0}, {n, n}};

  void launch() {
    all = waited = 0;
    hpk::parallel_for(policy, kernel);
    ASSERT_EQ(all.load(), n * n);
  }
  Iterate order() const { return policy.resolved(kernel).order; }
  // Launches until the order is the one that is not slow, which one interruption of this thread may
  // delay. Returns whether it came to that.
  bool finds_the_fast_one(int launches) {
    while (order() == slow && launches-- > 0) launch();
    return order() != slow;
  }
};

// Three launches over a box of these extents, which time parts of it if it is large enough; a
// kernel of its own for each box, which has its own memory then.
template <class Exec, int... Extents>
void expect_each_point_three_times() {
  constexpr int rank = sizeof...(Extents);
  std::vector<std::atomic<int>> seen(static_cast<std::size_t>((Extents * ... * 1)));
  const hpk::Array<long, rank> lower = [] {
    hpk::Array<long, rank> from;
    for (int r = 0; r < rank; ++r) from[r] = 5 - r;
    return from;
  }();
  hpk::Array<long, rank> upper = lower;
  const long extents[] = {Extents...};
  for (int r = 0; r < rank; ++r) upper[r] += extents[r];
  for (int launch = 0; launch < 3; ++launch) {
    hpk::parallel_for(hpk::MDRangePolicy<Exec, hpk::Rank<rank>>(lower, upper), [&](auto... at) {
      const long index[] = {at...};
      long k = 0;
      for (int r = 0; r < rank; ++r) k = k * extents[r] + index[r] - lower[r];
      ++seen[static_cast<std::size_t>(k)];
    });
  }
  std::size_t wrong = 0;
  for (const auto& s : seen) wrong += s != 3;
  EXPECT_EQ(wrong, 0u) << testing::PrintToString(extents);
}

template <class Exec>
class OrderTrial : public testing::Test {};
TYPED_TEST_SUITE(OrderTrial, hpk_test::host_spaces, hpk_test::space_names);

// Whether the first launch of a kernel leaves the slow order.
template <class Exec, int Number>
bool leaves_at_once() {
  box_of_points<Exec, Number> box;
  box.launch();
  return box.waited.load() < box.n * box.n / 4;
}
// One interruption of this thread may spoil an answer.
TYPED_TEST(OrderTrial, leaves_a_slow_order_in_the_first_launch) {
  EXPECT_TRUE((leaves_at_once<TypeParam, 10>()) || (leaves_at_once<TypeParam, 11>()) ||
              (leaves_at_once<TypeParam, 12>()));
}

TYPED_TEST(OrderTrial, takes_back_a_wrong_answer) {
  box_of_points<TypeParam, 1> box;
  EXPECT_TRUE(box.finds_the_fast_one(20));
  box.slow = Iterate::Left;
  EXPECT_TRUE(box.finds_the_fast_one(20));
  box.slow = Iterate::Right;
  EXPECT_TRUE(box.finds_the_fast_one(20));
}

TYPED_TEST(OrderTrial, asks_again_when_it_has_been_sure) {
  box_of_points<TypeParam, 2> box;
  for (int launch = 0; launch < 15; ++launch) box.launch();
  EXPECT_TRUE(box.finds_the_fast_one(20));
  box.slow = Iterate::Left;
  EXPECT_TRUE(box.finds_the_fast_one(700));
}

TYPED_TEST(OrderTrial, is_not_undone_by_one_launch) {
  box_of_points<TypeParam, 3> box;
  // The twelfth launch is the first that asks after the third.
  for (int launch = 0; launch < 11; ++launch) box.launch();
  EXPECT_TRUE(box.finds_the_fast_one(20));
  box.slow = Iterate::Left;
  box.launch();
  EXPECT_EQ(box.order(), Iterate::Left);
}

// Just large enough for two probes and six parts, or just not, cut in the first dimension or in the
// second; parts of all indices of a dimension, and of few.
TYPED_TEST(OrderTrial, runs_every_point_once) {
  expect_each_point_three_times<TypeParam, 49, 40>();
  expect_each_point_three_times<TypeParam, 50, 16>();
  expect_each_point_three_times<TypeParam, 50, 32>();
  expect_each_point_three_times<TypeParam, 50, 33>();
  expect_each_point_three_times<TypeParam, 400, 15>();
  expect_each_point_three_times<TypeParam, 769, 16>();
  expect_each_point_three_times<TypeParam, 770, 16>();
  expect_each_point_three_times<TypeParam, 17, 6, 32>();
  expect_each_point_three_times<TypeParam, 18, 6, 32>();
  expect_each_point_three_times<TypeParam, 18, 12, 16>();
  expect_each_point_three_times<TypeParam, 19, 13, 33>();
  expect_each_point_three_times<TypeParam, 66, 7, 100>();
  expect_each_point_three_times<TypeParam, 66, 5, 100>();
  expect_each_point_three_times<TypeParam, 100, 20, 100>();
  expect_each_point_three_times<TypeParam, 20, 14, 3, 17>();
  expect_each_point_three_times<TypeParam, 20, 15, 70, 33>();
  expect_each_point_three_times<TypeParam, 50, 2, 3, 2, 35>();
  expect_each_point_three_times<TypeParam, 18, 7, 1, 2, 1, 2, 1, 33>();
}

// A trial of this kernel would run 320 points in the order that is not the space's.
TYPED_TEST(OrderTrial, leaves_heavy_kernels_to_all_workers) {
  constexpr int n = 64;
  std::atomic<int> all{0};
  std::atomic<int> in_other_order{0};
  hpk::parallel_for(hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>({0, 0}, {n, n}), [&](int, int j) {
    static thread_local int last = -1;
    if (j == last) in_other_order.fetch_add(1, std::memory_order_relaxed);
    last = j;
    all.fetch_add(1, std::memory_order_relaxed);
    spin(20e-6);
  });
  EXPECT_EQ(all.load(), n * n);
  EXPECT_LT(in_other_order.load(), 100);
}

}  // namespace
}  // namespace parallel_order_trial_test
