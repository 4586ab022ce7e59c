// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of arrays with run-time length, into C arrays, Views of rank 1 and pointers: over
// counts, ranges, boxes and teams, with init, join and final, with and without tags, and for
// lengths from 0 to large ones.
#include <support/bits.hpp>
#include <support/counting_space.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

namespace hpk_test::reduce_array_cases {

template <class Exec>
class ArrayReduce : public testing::Test {};
TYPED_TEST_SUITE(ArrayReduce, hpk_test::spaces, hpk_test::space_names);

// Tests with kernels that throw and values with destructors.
template <class Exec>
class ArrayReduceOnHost : public testing::Test {};
TYPED_TEST_SUITE(ArrayReduceOnHost, hpk_test::host_spaces, hpk_test::space_names);

// Adds index + 1 to the bin of the remainder.
struct histogram {
  using value_type = long[];
  unsigned value_count;
  HPK_FUNCTION void operator()(int i, long* bins) const {
    bins[static_cast<unsigned>(i) % value_count] += i + 1;
  }
};
std::vector<long> expected_bins(int n, unsigned length) {
  std::vector<long> bins(length);
  for (int i = 0; i < n; ++i) bins[static_cast<unsigned>(i) % length] += i + 1;
  return bins;
}

HPK_TYPED_TEST(ArrayReduce, writes_pointers_and_views_of_any_length) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const unsigned length : {1u, 7u, 64u, 65u, 1000u}) {
      for (const int n : {0, 1, 7, 8, 9, 1000, 30011}) {
        SCOPED_TRACE(testing::Message() << n << " into " << length);
        const std::vector<long> wanted = expected_bins(n, length);
        std::vector<long> found(length, 77);
        hpk::parallel_reduce("histogram", hpk::RangePolicy(exec, 0, n), histogram{length},
                             found.data());
        EXPECT_EQ(found, wanted);
        const hpk::View<long*, TypeParam> view("bins", length);
        hpk::parallel_reduce(hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(exec, 0, n),
                             histogram{length}, view);
        const auto bins = on_host(view);
        for (unsigned k = 0; k < length; ++k) EXPECT_EQ(bins(k), wanted[k]);
      }
    }
  }
}

HPK_TYPED_TEST(ArrayReduce, writes_arrays_and_views_with_gaps) {
  long found[5] = {7, 7, 7, 7, 7};
  const hpk::View<long**, hpk::LayoutRight, TypeParam> table("table", 5, 3);
  const hpk::View<long[5], hpk::HostSpace> fixed("fixed");
  const hpk::View<double*, hpk::HostSpace> as_double("converted", 5);
  const hpk::RangePolicy<TypeParam> range(0, 1001);
  hpk::parallel_reduce(range, histogram{5}, found);
  hpk::parallel_reduce(range, histogram{5}, hpk::subview(table, hpk::ALL, 1));
  hpk::parallel_reduce(range, histogram{5}, fixed);
  hpk::parallel_reduce(range, histogram{5}, as_double);
  const auto rows = on_host(table);
  for (unsigned k = 0; k < 5; ++k) {
    const long wanted = expected_bins(1001, 5)[k];
    EXPECT_EQ(found[k], wanted);
    EXPECT_EQ(rows(k, 1), wanted);
    EXPECT_EQ(rows(k, 0) + rows(k, 2), 0);
    EXPECT_EQ(fixed(k), wanted);
    EXPECT_EQ(as_double(k), static_cast<double>(wanted));
  }
}

// A histogram over a count, whose functor names its execution space.
template <class Exec>
struct counted_in_space {
  using execution_space = Exec;
  using value_type = int[];
  static constexpr int value_count = 2;
  hpk::View<int*, Exec> zeros;
  HPK_FUNCTION void operator()(int i, int* counts) const { counts[i % 2] += 1 + zeros(i); }
};

HPK_TYPED_TEST(ArrayReduce, takes_the_space_of_the_kernel) {
  int found[2] = {-1, -1};
  const counted_in_space<TypeParam> kernel{hpk::View<int*, TypeParam>("zeros", 10001)};
  hpk::parallel_reduce(10001, kernel, found);
  EXPECT_EQ(found[0], 5001);
  EXPECT_EQ(found[1], 5000);
  hpk::parallel_reduce("labelled", 11u, kernel, &found[0]);
  EXPECT_EQ(found[0], 6);
  EXPECT_EQ(found[1], 5);
}

struct low {};
struct high {};

// Extremes by init, join and final. final negates them, so that applying it twice would show.
struct extremes {
  using value_type = long[];
  int value_count = 2;
  HPK_FUNCTION static long weight(int i) { return (i * 7919L) % 10007 - 3000; }
  HPK_FUNCTION static void take(long* to, long least, long most) {
    if (least < to[0]) to[0] = least;
    if (most > to[1]) to[1] = most;
  }
  HPK_FUNCTION void operator()(int i, long* v) const { take(v, weight(i), weight(i)); }
  HPK_FUNCTION void init(long v[]) const {
    v[0] = 1 << 30;
    v[1] = -(1 << 30);
  }
  HPK_FUNCTION void join(long* to, const long* from) const { take(to, from[0], from[1]); }
  HPK_FUNCTION void final(long* v) const {
    v[0] = -v[0];
    v[1] = -v[1];
  }
};
// An array without elements.
struct nothing {
  using value_type = long[];
  int value_count = 0;
  HPK_FUNCTION void operator()(int, long*) const {}
  HPK_FUNCTION void init(long*) const {}
  HPK_FUNCTION void join(long*, const long*) const {}
};
struct tagged_extremes {
  using value_type = long[];
  int value_count = 2;
  HPK_FUNCTION void operator()(high, int i, long* v) const {
    extremes::take(v, extremes::weight(i), extremes::weight(i));
  }
  HPK_FUNCTION void operator()(const low&, int i, long v[]) const { v[i % 2] += i; }
  HPK_FUNCTION static void init(high, long* v) { extremes().init(v); }
  HPK_FUNCTION void join(const high&, long* to, const long* from) const {
    extremes().join(to, from);
  }
  HPK_FUNCTION void final(high, long* v) const { extremes().final(v); }
};
std::vector<long> expected_extremes(int n) {
  long v[2];
  const extremes e;
  e.init(v);
  for (int i = 0; i < n; ++i) e(i, v);
  e.final(v);
  return {v[0], v[1]};
}

HPK_TYPED_TEST(ArrayReduce, uses_the_hooks_of_the_functor_and_of_its_tag) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {0, 1, 9, 1025, 20000}) {
      SCOPED_TRACE(n);
      std::vector<long> found(2, 77);
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), extremes(), found.data());
      EXPECT_EQ(found, expected_extremes(n));
      found = {77, 77};
      hpk::parallel_reduce(hpk::RangePolicy<TypeParam, high>(exec, 0, n), tagged_extremes(),
                           found.data());
      EXPECT_EQ(found, expected_extremes(n));
      hpk::parallel_reduce(hpk::RangePolicy<TypeParam, low>(exec, 0, n), tagged_extremes(),
                           found.data());
      const long evens = (n + 1) / 2;
      EXPECT_EQ(found[0], evens * (evens - 1));
      EXPECT_EQ(found[1], (n / 2L) * (n / 2L));
    }
  }
}

// Two maps x -> a x + b, composed in index order. Composition does not commute.
struct maps {
  using value_type = std::uint64_t[];
  unsigned value_count = 4;
  HPK_FUNCTION static void compose(std::uint64_t* f, std::uint64_t a, std::uint64_t b) {
    f[1] = a * f[1] + b;
    f[0] *= a;
  }
  HPK_FUNCTION void operator()(std::int64_t i, std::uint64_t* f) const {
    const auto u = static_cast<std::uint64_t>(i);
    compose(f, 2 * u + 3, u * u + 1);
    compose(f + 2, 6 * u + 1, u);
  }
  HPK_FUNCTION void init(std::uint64_t* f) const {
    f[0] = f[2] = 1;
    f[1] = f[3] = 0;
  }
  HPK_FUNCTION void join(std::uint64_t* f, const std::uint64_t* next) const {
    compose(f, next[0], next[1]);
    compose(f + 2, next[2], next[3]);
  }
};

HPK_TYPED_TEST(ArrayReduce, joins_in_index_order) {
  for (const std::int64_t n : {0, 1, 2, 63, 64, 65, 100, 1000, 10007, 100003}) {
    SCOPED_TRACE(n);
    std::uint64_t wanted[4];
    const maps kernel;
    kernel.init(wanted);
    for (std::int64_t i = 0; i < n; ++i) kernel(i, wanted);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      std::uint64_t found[4] = {7, 7, 7, 7};
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), kernel, found);
      for (int k = 0; k < 4; ++k) EXPECT_EQ(found[k], wanted[k]);
      hpk::parallel_reduce(
          hpk::RangePolicy<TypeParam, hpk::Schedule<hpk::Dynamic>>(exec, 0, n, hpk::ChunkSize(3)),
          kernel, found);
      for (int k = 0; k < 4; ++k) EXPECT_EQ(found[k], wanted[k]);
    }
  }
}

// Sums over the columns of a box.
struct columns {
  using value_type = double[];
  int value_count;
  HPK_FUNCTION void operator()(int i, short j, double* sums) const {
    sums[j] += 1.0 / (1 + i + 3 * j);
  }
  HPK_FUNCTION void operator()(high, int i, int j, int k, double* sums) const {
    sums[k] += 10 * i + j;
  }
};

HPK_TYPED_TEST(ArrayReduce, folds_boxes) {
  std::vector<double> first;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {0, 1, 301}) {
      SCOPED_TRACE(n);
      double sums[3] = {7, 7, 7};
      hpk::parallel_reduce(
          "box", hpk::MDRangePolicy<TypeParam, hpk::Rank<3>, high>(exec, {0, 1, 0}, {n, 4, 3}),
          columns{3}, sums);
      for (const double sum : sums) EXPECT_EQ(sum, 3 * 5.0 * n * (n - 1) * 2 / 2 + 6.0 * n);
    }
    std::vector<double> found(171);
    hpk::parallel_reduce(hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>(exec, {0, 0}, {300, 171}),
                         columns{171}, found.data());
    if (first.empty()) first = found;
    for (std::size_t k = 0; k < found.size(); ++k) {
      double about = 0;
      for (int i = 0; i < 300; ++i) about += 1.0 / (1 + i + 3 * static_cast<int>(k));
      EXPECT_NEAR(found[k], about, 1e-10);
      EXPECT_TRUE(same_bits(found[k], first[k])) << k;  // for any number of workers
    }
  }
}

template <class Exec>
struct ranks_of_teams {
  using value_type = std::uint64_t[];
  using member = typename hpk::TeamPolicy<Exec>::member_type;
  int value_count = 3;
  // Composes a map for each thread in thread order, counts the threads, and adds the ranks.
  HPK_FUNCTION void operator()(const member& team, std::uint64_t* v) const {
    const auto u = static_cast<std::uint64_t>(team.league_rank() * 8 + team.team_rank());
    maps::compose(v, 2 * u + 3, u * u + 1);
    ++v[2];
  }
  HPK_FUNCTION void init(std::uint64_t* v) const {
    v[0] = 1;
    v[1] = v[2] = 0;
  }
  HPK_FUNCTION void join(std::uint64_t* to, const std::uint64_t* from) const {
    maps::compose(to, from[0], from[1]);
    to[2] += from[2];
  }
};

HPK_TYPED_TEST(ArrayReduce, folds_teams) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int threads : {1, 5}) {
      for (const int league : {0, 1, 7, 3000}) {
        SCOPED_TRACE(testing::Message() << league << " of " << threads);
        std::uint64_t wanted[3] = {1, 0, 0};
        for (int r = 0; r < league; ++r) {
          for (int t = 0; t < threads; ++t) {
            const auto u = static_cast<std::uint64_t>(r * 8 + t);
            maps::compose(wanted, 2 * u + 3, u * u + 1);
            ++wanted[2];
          }
        }
        std::uint64_t found[3] = {7, 7, 7};
        hpk::parallel_reduce(hpk::TeamPolicy<TypeParam>(exec, league, threads),
                             ranks_of_teams<TypeParam>(), found);
        for (int k = 0; k < 3; ++k) EXPECT_EQ(found[k], wanted[k]);
        // A thread counts once, however many lanes it has.
        const int vector = std::min(4, hpk::TeamPolicy<TypeParam>::vector_length_max());
        hpk::parallel_reduce(hpk::TeamPolicy<TypeParam>(exec, league, threads, vector),
                             ranks_of_teams<TypeParam>(), found);
        for (int k = 0; k < 3; ++k) EXPECT_EQ(found[k], wanted[k]);
      }
    }
  }
}

struct into_itself {
  using value_type = int[];
  unsigned value_count = 2;
  hpk::View<int[2], hpk::HostSpace> out;
  void operator()(int i, int* v) const { v[i % 2] += i; }
  void final(int* v) const {
    out(0) = v[0];
    out(1) = v[1];
  }
};

HPK_TYPED_TEST(ArrayReduceOnHost, needs_no_result_when_the_functor_has_final) {
  const into_itself kernel{.out = hpk::View<int[2], hpk::HostSpace>("out")};
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 101), kernel);
  hpk::fence();
  EXPECT_EQ(kernel.out(0), 2550);
  EXPECT_EQ(kernel.out(1), 2500);
}

struct texts {
  using value_type = std::string[];
  unsigned value_count = 2;
  int failing = -1;
  void operator()(int i, std::string* v) const {
    if (i == failing || i == 2 * failing) throw i;
    v[i % 2] += std::to_string(i) + ",";
  }
};

HPK_TYPED_TEST(ArrayReduceOnHost, takes_strings_and_keeps_the_result_when_a_kernel_throws) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    std::string wanted[2];
    for (int i = 0; i < 5001; ++i) wanted[i % 2] += std::to_string(i) + ",";
    std::string found[2] = {"old", "old"};
    const int caught = thrown_by([&] {
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 5001), texts{.failing = 2000}, found);
    });
    EXPECT_EQ(caught, 2000);
    EXPECT_EQ(found[0], "old");
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 5001), texts(), found);
    EXPECT_EQ(found[0], wanted[0]);
    EXPECT_EQ(found[1], wanted[1]);
  }
}

HPK_TYPED_TEST(ArrayReduce, refuses_other_lengths) {
  const hpk::View<long*, hpk::HostSpace> view("view", 7);
  const hpk::View<long*, hpk::HostSpace> nowhere;
  const hpk::RangePolicy<TypeParam> range(0, 5);
  long array[5] = {42};
  std::string text = error_of([&] { hpk::parallel_reduce("into", range, histogram{8}, view); });
  EXPECT_TRUE(
      contains(text,
               "hpk::parallel_reduce \"into\": the result has 7 elements, but the functor's "
               "value_count is 8; make them equal"));
  EXPECT_TRUE(contains(text, "reduce_array.cpp:"));
  text = error_of([&] { hpk::parallel_reduce(range, histogram{3}, array); });
  EXPECT_TRUE(contains(text, "the result has 5 elements, but the functor's value_count is 3"));
  EXPECT_EQ(array[0], 42);
  text = error_of([&] { hpk::parallel_reduce(range, histogram{1}, nowhere); });
  EXPECT_TRUE(contains(text, "the result has 0 elements, but the functor's value_count is 1"));
  long* const null = nullptr;
  text = error_of([&] { hpk::parallel_reduce(range, histogram{1}, null); });
  EXPECT_TRUE(contains(text, "the result is a null pointer; pass the address of a variable"));
  extremes negative;
  negative.value_count = -1;
  text = error_of([&] { hpk::parallel_reduce(range, negative, array); });
  EXPECT_TRUE(contains(text, "the functor's value_count is -1; it is the length of an array"));
  // An array without elements.
  const hpk::View<long*, hpk::HostSpace> empty("empty", 0);
  for (const int n : {0, 1000})
    hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, n), nothing(), empty);
}

TEST(ArrayReduceFences, depend_on_the_kind_of_result) {
  const Counting exec(hpk::NewInstance{});
  const hpk::View<long*, Counting> view("view", 3);
  long array[3] = {};
  {
    const fence_counts counts(exec);
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 1001), histogram{3}, view);
    EXPECT_TRUE(counts.only(0));
  }
  EXPECT_EQ(view(0), expected_bins(1001, 3)[0]);
  {
    const fence_counts counts(exec);
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 1001), histogram{3}, array);
    EXPECT_TRUE(counts.only(1));
  }
  {
    const fence_counts counts(exec);
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 1001), histogram{3}, &array[0]);
    EXPECT_TRUE(counts.only(1));
  }
  EXPECT_EQ(array[1], view(1));
}

HPK_TYPED_TEST(ArrayReduce, pointers_take_single_values_too) {
  long sum = 7;
  const auto add = HPK_LAMBDA(int i, long& s) { s += i; };
  hpk::parallel_reduce("by address", hpk::RangePolicy<TypeParam>(0, 1001), add, &sum);
  EXPECT_EQ(sum, 500500);
  long* const pointer = &sum;
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 11), add, pointer);
  EXPECT_EQ(sum, 55);
  const std::string text = error_of([&] {
    hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 11), add, static_cast<long*>(nullptr));
  });
  EXPECT_TRUE(contains(text, "the result is a null pointer; pass the address of a variable"));
}

struct counts_itself {
  using value_type = long[];
  std::int64_t value_count;
  std::atomic<int>* calls;
  void operator()(int, long*) const { ++*calls; }
  void final(long*) const {}
};

TEST(ArrayReduceOnHost, names_a_value_count_that_no_memory_holds) {
  using exec = hpk::DefaultHostExecutionSpace;
  std::atomic<int> calls = 0;
  long result = 0;
  for (const std::int64_t count : {std::int64_t{1} << 61, std::int64_t{1} << 59}) {
    const std::string text = error_of([&] {
      hpk::parallel_reduce("garbage", hpk::RangePolicy<exec>(0, 10), counts_itself{count, &calls},
                           &result);
    });
    EXPECT_TRUE(contains(text, "garbage")) << text;
    EXPECT_TRUE(contains(text, "check the functor's value_count")) << text;
  }
  EXPECT_EQ(calls, 0);
}

TEST(ArrayReduceOnHost, calls_the_kernel_for_arrays_of_nothing) {
  using exec = hpk::DefaultHostExecutionSpace;
  std::atomic<int> calls = 0;
  long result[1] = {7};
  long* const none = result;
  hpk::parallel_reduce(hpk::RangePolicy<exec>(0, 1000), counts_itself{0, &calls}, none);
  EXPECT_EQ(calls, 1000);
  hpk::parallel_reduce(hpk::RangePolicy<exec>(0, 1000), counts_itself{0, &calls});
  EXPECT_EQ(calls, 2000);
  EXPECT_EQ(result[0], 7);
}

}  // namespace hpk_test::reduce_array_cases
