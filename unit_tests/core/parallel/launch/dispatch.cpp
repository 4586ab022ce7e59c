// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of all patterns: launches of host spaces inside kernels run inline on the calling
// thread, other launches and fences inside kernels are refused, and any number of host threads may
// launch on one instance concurrently (rule "one instance, one launch at a time").
#include <support/spaces.hpp>

#include <atomic>
#include <thread>
#include <vector>

namespace hpk_test::dispatch_cases {

template <class Exec>
class Dispatch : public testing::Test {};
TYPED_TEST_SUITE(Dispatch, hpk_test::spaces, hpk_test::space_names);

// Kernels of a GPU cannot launch, fence or throw.
template <class Exec>
class DispatchOnHost : public testing::Test {};
TYPED_TEST_SUITE(DispatchOnHost, hpk_test::host_spaces, hpk_test::space_names);

// The sum of all indices below n + 1, by each pattern. Kernels can access `place`.
template <class Exec>
long by_for(const Exec& exec, int n, long* place) {
  *place = 0;
  hpk::parallel_for(
      "inner for", hpk::RangePolicy(exec, 0, n + 1),
      HPK_LAMBDA(int i) { hpk::atomic_add(place, i); });
  if constexpr (!is_host<Exec>) exec.fence();
  return *place;
}
template <class Exec>
long by_reduce(const Exec& exec, int n) {
  long sum = -1;
  hpk::parallel_reduce(
      "inner reduce", hpk::RangePolicy<Exec, hpk::Schedule<hpk::Dynamic>>(exec, 0, n + 1),
      HPK_LAMBDA(int i, long& s) { s += i; }, sum);
  return sum;
}
template <class Exec>
long by_scan(const Exec& exec, int n, long* place) {
  double sum = -1;
  *place = 0;
  hpk::parallel_scan(
      "inner scan", hpk::RangePolicy(exec, 0, n + 1),
      HPK_LAMBDA(int i, double& s, bool final) {
        s += i;
        if (final && i == n) *place = static_cast<long>(s);
      },
      sum);
  return static_cast<long>(sum) == *place ? *place : -1;
}

constexpr int inner_size = 600;
constexpr long inner_sum = inner_size * (inner_size + 1) / 2;

// How many of the three patterns on Inner give the right sum when this thread launches them.
template <class Inner>
long right_patterns() {
  const std::thread::id here = std::this_thread::get_id();
  std::atomic<int> elsewhere = 0;
  hpk::parallel_for(hpk::RangePolicy<Inner>(0, inner_size), [&](int) {
    if (std::this_thread::get_id() != here) ++elsewhere;
  });
  const Inner exec;
  long place = 0;
  return (by_for(exec, inner_size, &place) == inner_sum) +
         (by_reduce(exec, inner_size) == inner_sum) +
         (by_scan(exec, inner_size, &place) == inner_sum) + (elsewhere == 0);
}

template <class Outer, class Inner>
void expect_nesting(const Outer& outer) {
  constexpr int n = 200;
  std::atomic<long> from_for = 0;
  hpk::parallel_for(hpk::RangePolicy(outer, 0, n),
                    [&](int) { from_for += right_patterns<Inner>(); });
  EXPECT_EQ(from_for, 4 * n);
  long from_reduce = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy(outer, 0, n), [](int, long& s) { s += right_patterns<Inner>(); },
      from_reduce);
  EXPECT_EQ(from_reduce, 4 * n);
  // More iterations, so that the scan has several blocks.
  constexpr int scanned = 600;
  long from_scan = 0;
  hpk::parallel_scan(
      hpk::RangePolicy(outer, 0, scanned), [](int, long& s, bool) { s += right_patterns<Inner>(); },
      from_scan);
  EXPECT_EQ(from_scan, 4 * scanned);
}

HPK_TYPED_TEST(DispatchOnHost, runs_nested_launches_of_all_patterns_and_spaces_inline) {
  hpk::detail::for_each_type(hpk::detail::enabled_spaces{}, [](auto inner) {
    using Inner = typename decltype(inner)::type;
    if constexpr (is_host<Inner>) {
      SCOPED_TRACE(Inner::name());
      expect_nesting<TypeParam, Inner>(TypeParam());
      if constexpr (has_workers<TypeParam>) expect_nesting<TypeParam, Inner>(TypeParam(3));
    }
  });
}

struct nothing {
  HPK_FUNCTION void operator()(int) const {}
};

HPK_TYPED_TEST(DispatchOnHost, refuses_launches_of_other_spaces_in_a_kernel) {
  hpk::detail::for_each_type(hpk::detail::enabled_spaces{}, [](auto inner) {
    using Inner = typename decltype(inner)::type;
    if constexpr (!is_host<Inner>) {
      const Inner device;
      const std::string text = error_of([&] {
        hpk::parallel_for("outer", hpk::RangePolicy<TypeParam>(0, 10), [&](int) {
          hpk::parallel_for("inner", hpk::RangePolicy(device, 0, 10), nothing());
        });
      });
      EXPECT_TRUE(contains(text, "called inside the kernel parallel_for \"outer\""));
    }
  });
}

// On the instance that runs the outer kernel, three levels deep.
HPK_TYPED_TEST(DispatchOnHost, runs_nested_launches_on_the_same_instance) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    std::atomic<long> count = 0;
    hpk::parallel_for(hpk::RangePolicy(exec, 0, 20), [&](int) {
      hpk::parallel_for(hpk::RangePolicy(exec, 0, 20), [&](int) {
        long sum = 0;
        hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 20), [](int, long& s) { ++s; }, sum);
        count += sum;
      });
    });
    EXPECT_EQ(count, 8000);
  }
}

HPK_TYPED_TEST(DispatchOnHost, passes_exceptions_through_nested_launches) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const int caught = thrown_by([&] {
      hpk::parallel_for(hpk::RangePolicy(exec, 0, 100), [&](int i) {
        hpk::parallel_for(hpk::RangePolicy(exec, 0, 100), [&](int j) {
          if (i >= 40 && j >= 30) throw 1000 * i + j;
        });
      });
    });
    EXPECT_EQ(caught, 40030);
    long place = 0;
    EXPECT_EQ(by_for(exec, 100, &place), 5050);
  }
}

HPK_TYPED_TEST(DispatchOnHost, refuses_a_fence_in_a_kernel) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const std::string of_instance = error_of([&] {
      hpk::parallel_for("busy", hpk::RangePolicy(exec, 0, 100),
                        [&](int) { exec.fence("my fence"); });
    });
    EXPECT_TRUE(contains(of_instance, "my fence: called inside the kernel parallel_for \"busy\""));
    EXPECT_TRUE(contains(of_instance, "dispatch.cpp:"));
    const std::string of_all = error_of([&] {
      long sum = 0;
      hpk::parallel_reduce(
          "adding", hpk::RangePolicy(exec, 0, 100), [&](int, long&) { hpk::fence(); }, sum);
    });
    EXPECT_TRUE(contains(
        of_all,
        "hpk::fence: Unnamed Global Fence: called inside the kernel parallel_reduce \"adding\""));
    EXPECT_NO_THROW(exec.fence());
    EXPECT_NO_THROW(hpk::fence("all"));
  }
}

HPK_TYPED_TEST(Dispatch, takes_launches_of_many_threads_on_one_instance) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 16; ++t) {
      threads.emplace_back([&, t] {
        const hpk::View<long, shared_device<TypeParam>> place("place");
        for (int round = 0; round < 10; ++round) {
          const int n = 500 + 97 * t + round;
          const long sum = static_cast<long>(n) * (n + 1) / 2;
          wrong += by_for(exec, n, place.data()) != sum;
          wrong += by_reduce(exec, n) != sum;
          wrong += by_scan(exec, n, place.data()) != sum;
          if constexpr (is_host<TypeParam>) {
            const int caught = thrown_by([&] {
              hpk::parallel_for(hpk::RangePolicy(exec, 0, n), [&](int i) {
                if (i >= t + 100) throw i;
              });
            });
            wrong += caught != t + 100;
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
  }
}

struct elsewhere {
  struct device_type {
    using execution_space = hpk::DefaultHostExecutionSpace;
  };
  std::atomic<int>* calls;
  void operator()(int) const { ++*calls; }
};

TEST(FunctorSpace, is_found_through_device_type) {
  static_assert(
      std::is_same_v<hpk::detail::functor_space_t<elsewhere>, hpk::DefaultHostExecutionSpace>);
  static_assert(std::is_void_v<hpk::detail::functor_space_t<void(int)>>);
  std::atomic<int> calls = 0;
  hpk::parallel_for(10, elsewhere{&calls});
  EXPECT_EQ(calls, 10);
}

// The address of a host function is useless on a GPU. An object carries its code.
template <class Exec>
constexpr bool takes_functions = hpk::detail::is_callable_on<Exec, void(int)> &&
                                 hpk::detail::is_callable_on<Exec, void (*)(int)>;
HPK_TYPED_TEST(Dispatch, takes_functions_on_host_spaces_and_objects_on_all) {
  static_assert(takes_functions<TypeParam> == is_host<TypeParam>);
  static_assert(hpk::detail::is_callable_on<TypeParam, elsewhere>);
}

// A label comes first. After the kernel it matches no overload.
void to_each(int) {}
void to_add(int, long&) {}
void to_scan(int, long&, bool) {}
template <class Iterations>
constexpr bool takes_label_first = requires(const Iterations& n, long& sum) {
  hpk::parallel_for("label", n, to_each);
  hpk::parallel_reduce("label", n, to_add, sum);
  hpk::parallel_scan("label", n, to_scan, sum);
};
template <class Iterations>
constexpr bool takes_label_last() {
  constexpr bool by_for = requires(Iterations n) { hpk::parallel_for(n, to_each, "label"); };
  constexpr bool by_reduce =
      requires(Iterations n, long& sum) { hpk::parallel_reduce(n, to_add, sum, "label"); };
  constexpr bool by_scan =
      requires(Iterations n, long& sum) { hpk::parallel_scan(n, to_scan, sum, "label"); };
  return by_for || by_reduce || by_scan;
}
static_assert(takes_label_first<int> && takes_label_first<hpk::RangePolicy<>>);
static_assert(!takes_label_last<int>() && !takes_label_last<hpk::RangePolicy<>>());

TEST(AutomaticChunks, cover_the_range_in_a_few_claims_per_worker) {
  using hpk::detail::automatic_chunk;
  static_assert(automatic_chunk(0, 4) == 1 && automatic_chunk(63, 4) == 1);
  static_assert(automatic_chunk(6400, 4) == 100);
}

// Records the calling thread and the order of calls, without a lock because the space has one
// worker.
template <class Exec>
struct noting_functor {
  using execution_space = Exec;
  std::vector<std::pair<std::thread::id, int>>* calls;
  void operator()(int i) const { calls->emplace_back(std::this_thread::get_id(), i); }
  void operator()(int i, long& sum) const {
    (*this)(i);
    sum += i;
  }
  void operator()(int i, long& sum, bool final) const {
    if (final) (*this)(i);
    sum += i;
  }
};

template <class Exec>
void run_here_and_in_order() {
  constexpr int n = 5000;
  std::vector<std::pair<std::thread::id, int>> calls;
  const noting_functor<Exec> functor{&calls};
  const auto expect_here_and_in_order = [&] {
    ASSERT_EQ(calls.size(), static_cast<std::size_t>(n));
    int wrong = 0;
    for (int i = 0; i < n; ++i)
      wrong += calls[static_cast<std::size_t>(i)] != std::pair(std::this_thread::get_id(), i);
    EXPECT_EQ(wrong, 0);
    calls.clear();
  };
  hpk::parallel_for(n, functor);
  expect_here_and_in_order();
  long sum = -1;
  hpk::parallel_reduce(n, functor, sum);
  expect_here_and_in_order();
  EXPECT_EQ(sum, n * (n - 1L) / 2);
  hpk::parallel_scan("label", n, functor, sum);
  expect_here_and_in_order();
  EXPECT_EQ(sum, n * (n - 1L) / 2);
}

TEST(FunctorSpace, is_where_a_count_runs) {
  hpk::detail::for_each_type(hpk::detail::enabled_spaces(), [](auto space) {
    using Exec = typename decltype(space)::type;
    if constexpr (is_sequential<Exec>) run_here_and_in_order<Exec>();
  });
}

}  // namespace hpk_test::dispatch_cases
