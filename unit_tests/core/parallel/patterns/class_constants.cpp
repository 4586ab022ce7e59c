// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts and sizes that are class constants without a definition. A reference to a constant would
// not link, so functions take them by value. The test is that this file links.
#include <hpk/core.hpp>
#include <hpk/graph.hpp>
#include <hpk/launch_task.hpp>

#include <support/spaces.hpp>

#include <gtest/gtest.h>

namespace {

struct sizes {
  static const int n = 10;
  static const unsigned rows = 4;
  static const long columns = 3;
  static const int zero = 0;
  static const int one = 1;
  static const int chunk = 2;
  static const std::size_t bytes = 64;
};

template <class Exec>
class ClassConstants : public testing::Test {};
TYPED_TEST_SUITE(ClassConstants, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
struct one_each {
  using execution_space = Exec;
  HPK_FUNCTION void operator()(int, int& sum) const { sum += 1; }
};
template <class Exec>
struct two_each {
  using execution_space = Exec;
  HPK_FUNCTION void operator()(int, int& sum, long& more) const {
    sum += 1;
    more += 2;
  }
};
template <class Exec>
struct prefix {
  using execution_space = Exec;
  HPK_FUNCTION void operator()(int i, int& sum, bool) const { sum += i; }
};
template <class Exec>
struct nothing {
  using execution_space = Exec;
  HPK_FUNCTION void operator()(int) const {}
};

HPK_TYPED_TEST(ClassConstants, count_iterations) {
  using exec = TypeParam;
  hpk::parallel_for(sizes::n, nothing<exec>());
  hpk::parallel_for("label", sizes::n, nothing<exec>());
  int sum = 0;
  hpk::parallel_reduce(sizes::n, one_each<exec>(), sum);
  EXPECT_EQ(sum, 10);
  hpk::parallel_reduce("label", sizes::rows, one_each<exec>(), sum);
  EXPECT_EQ(sum, 4);
  long more = 0;
  hpk::parallel_reduce(sizes::n, two_each<exec>(), sum, more);
  hpk::parallel_reduce("label", sizes::columns, two_each<exec>(), sum, more);
  EXPECT_EQ(sum + more, 9);
  hpk::parallel_scan(sizes::n, prefix<exec>());
  hpk::parallel_scan("label", sizes::n, prefix<exec>());
  hpk::parallel_scan(sizes::n, prefix<exec>(), sum);
  EXPECT_EQ(sum, 45);
  hpk::parallel_scan("label", sizes::rows, prefix<exec>(), sum);
  EXPECT_EQ(sum, 6);
}

HPK_TYPED_TEST(ClassConstants, bound_policies) {
  using exec = TypeParam;
  using teams = hpk::TeamPolicy<exec>;
  using member = typename teams::member_type;
  hpk::RangePolicy<exec> range(sizes::zero, sizes::n, hpk::ChunkSize(sizes::chunk));
  range.set_chunk_size(sizes::one);
  int sum = 0;
  hpk::parallel_reduce(range, one_each<exec>(), sum);
  EXPECT_EQ(sum, 10);
  const hpk::MDRangePolicy<exec, hpk::Rank<2>> box(
      {sizes::zero, sizes::one}, {sizes::rows, sizes::columns}, {sizes::chunk, sizes::one});
  hpk::parallel_reduce(box, HPK_LAMBDA(int, int, int& points) { points += 1; }, sum);
  EXPECT_EQ(sum, 8);
  teams league(sizes::rows, sizes::one, sizes::one);
  league.set_scratch_size(sizes::zero, hpk::PerTeam(sizes::bytes), hpk::PerThread(sizes::bytes))
      .set_chunk_size(sizes::chunk);
  hpk::parallel_reduce(
      league,
      HPK_LAMBDA(const member& team, int& all) {
        int mine = 0;
        int update = 0;
        hpk::parallel_reduce(
            hpk::TeamThreadRange(team, sizes::n), [](int, int& u) { u += 1; }, update);
        mine += update;
        hpk::parallel_reduce(
            hpk::ThreadVectorRange(team, sizes::one, sizes::n), [](int, int& u) { u += 1; },
            update);
        mine += update;
        hpk::parallel_reduce(
            hpk::TeamVectorMDRange(team, sizes::rows, sizes::columns),
            [](int, int, int& u) { u += 1; }, update);
        hpk::single(hpk::PerTeam(team), [&] { all += mine + update; });
      },
      sum);
  EXPECT_EQ(sum, 4 * (10 + 9 + 12));
}

HPK_TYPED_TEST(ClassConstants, count_in_tasks_and_graphs) {
  using exec = TypeParam;
  const hpk::View<int, exec> sum("sum");
  hpk::make_task(sizes::n, nothing<exec>()).submit();
  hpk::make_task("label", sizes::n, nothing<exec>()).submit();
  hpk::make_scan_task("label", sizes::n, prefix<exec>()).submit();
  hpk::make_reduce_task("label", sizes::n, one_each<exec>(), sum).submit();
  int read = 0;
  hpk::deep_copy(read, sum);
  EXPECT_EQ(read, 10);
  auto graph = hpk::Experimental::create_graph<exec>([&](auto root) {
    root.then_parallel_for(sizes::n, nothing<exec>())
        .then_parallel_scan("label", sizes::n, prefix<exec>())
        .then_parallel_reduce(sizes::rows, one_each<exec>(), sum);
  });
  graph.submit();
  hpk::deep_copy(read, sum);
  EXPECT_EQ(read, 4);
}

HPK_TYPED_TEST(ClassConstants, are_operands_of_atomic_operations) {
  int x = 0;
  hpk::atomic_add(&x, sizes::n);
  EXPECT_EQ(hpk::atomic_fetch_max(&x, sizes::one), 10);
  EXPECT_EQ(hpk::atomic_compare_exchange(&x, sizes::n, sizes::chunk), 10);
  hpk::atomic_store(&x, sizes::one);
  EXPECT_EQ(hpk::atomic_exchange(&x, sizes::zero), 1);
}

}  // namespace
