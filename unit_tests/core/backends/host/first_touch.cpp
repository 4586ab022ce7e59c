// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workers use the pages that they touched first. Where the system places a page near the worker
// that touches it first, kernels find their data in near memory. The tests count pages for STREAM,
// stencils, boxes in both layouts, copies, reductions and scans, also with more workers than CPUs.
// docs/scaling.md states the promise.
#include <support/page_watch.hpp>
#include <support/spaces.hpp>

#include <initializer_list>

namespace hpk_test::first_touch_cases {

using hpk::index_t;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::MDRangePolicy;
using hpk::RangePolicy;
using hpk::View;
using hpk::WithoutInitializing;

// One cache line, so that few iterations touch many pages.
struct cell {
  double values[8];
};

template <class T>
struct space_with_workers : std::bool_constant<is_host<T> && has_workers<T>> {};

template <class Exec>
class FirstTouch : public testing::Test {
 protected:
  void SetUp() override {
    if (page_watch::hindrance() != nullptr) GTEST_SKIP() << page_watch::hindrance();
    if (!space_with_workers<Exec>::value) GTEST_SKIP() << "no space here has workers";
  }
  // 256 pages of cells for each worker, plus an odd number.
  static int cells(int workers) { return workers * 256 * 64 + 77; }
  static auto allocation(const Exec& exec) { return hpk::view_alloc("watched", exec); }
  static auto bare_allocation(const Exec& exec) {
    return hpk::view_alloc("watched", exec, WithoutInitializing);
  }
  static void use_row(const page_watch& watch, const Exec& exec, const View<cell*, Exec>& a,
                      int begin, int end) {
    const page_watch* const w = &watch;
    hpk::parallel_for(RangePolicy<Exec>(exec, begin, end), [=](int i) {
      a(i).values[0] = i;
      w->use(&a(i));
    });
  }
};
using spaces_with_workers = spaces_that<space_with_workers, tested_spaces>::type;
TYPED_TEST_SUITE(FirstTouch, spaces_with_workers, space_names);

constexpr double nearly_all = 0.99;

HPK_TYPED_TEST(FirstTouch, is_that_of_the_worker_of_a_range) {
  for (const int workers : {2, 4, 8, 16, 64}) {
    SCOPED_TRACE(workers);
    const TypeParam exec = with_workers<TypeParam>(workers);
    const int n = this->cells(workers);
    page_watch watch(exec);
    const View<cell*, TypeParam> a(this->allocation(exec), n);
    EXPECT_EQ(watch.untouched(), 0u) << "zeros";
    this->use_row(watch, exec, a, 0, n);
    EXPECT_GE(watch.least_own(), nearly_all);
  }
}

HPK_TYPED_TEST(FirstTouch, is_that_of_kernels_copies_and_values) {
  for (const int workers : {2, 16}) {
    SCOPED_TRACE(workers);
    const TypeParam exec = with_workers<TypeParam>(workers);
    const int n = this->cells(workers);
    const View<cell*, TypeParam> source(hpk::view_alloc("source", exec), n);
    for (const int filled_by : {0, 1, 2}) {
      SCOPED_TRACE(filled_by);
      page_watch watch(exec);
      const View<cell*, TypeParam> a(this->bare_allocation(exec), n);
      EXPECT_EQ(watch.untouched(), watch.pages());
      if (filled_by == 0)
        hpk::parallel_for(RangePolicy<TypeParam>(exec, 0, n), [=](int i) { a(i) = cell(); });
      if (filled_by == 1) hpk::deep_copy(exec, a, cell{{1}});
      if (filled_by == 2) hpk::deep_copy(exec, a, source);
      EXPECT_EQ(watch.untouched(), 0u);
      this->use_row(watch, exec, a, 1, n - 1);
      EXPECT_GE(watch.least_own(), nearly_all);
    }
  }
}

HPK_TYPED_TEST(FirstTouch, follows_new_extents) {
  const TypeParam exec = with_workers<TypeParam>(8);
  const int n = this->cells(8);
  for (const bool keeps : {true, false}) {
    page_watch watch(exec);
    View<cell*, TypeParam> a(this->allocation(exec), n / 3);
    if (keeps) {
      hpk::resize(exec, a, n);
    } else {
      hpk::realloc(exec, a, n);
    }
    this->use_row(watch, exec, a, 0, n);
    EXPECT_GE(watch.least_own(), nearly_all) << keeps;
  }
}

// The 5-point stencil by rows, by teams and as a box, in both layouts. Rows have an odd number of
// lines.
HPK_TYPED_TEST(FirstTouch, is_that_of_stencils_in_two_dimensions) {
  for (const int workers : {2, 8, 16}) {
    SCOPED_TRACE(workers);
    const TypeParam exec = with_workers<TypeParam>(workers);
    constexpr int columns = 51;
    const int rows = this->cells(workers) / columns;
    {
      page_watch watch(exec);
      const View<cell**, LayoutRight, TypeParam> a(this->allocation(exec), rows, columns);
      const page_watch* const w = &watch;
      hpk::parallel_for(RangePolicy<TypeParam>(exec, 1, rows - 1), [=](int i) {
        for (int j = 1; j < columns - 1; ++j) w->use(&a(i, j));
      });
      EXPECT_GE(watch.least_own(), nearly_all) << "rows";
    }
    {
      page_watch watch(exec);
      const View<cell**, LayoutRight, TypeParam> a(this->allocation(exec), rows, columns);
      const page_watch* const w = &watch;
      using policy = hpk::TeamPolicy<TypeParam>;
      hpk::parallel_for(policy(exec, rows, 1), [=](const typename policy::member_type& team) {
        hpk::parallel_for(hpk::TeamThreadRange(team, columns),
                          [&](int j) { w->use(&a(team.league_rank(), j)); });
      });
      EXPECT_GE(watch.least_own(), nearly_all) << "teams";
    }
    const auto box = [&](auto layout, int n0, int n1) {
      page_watch watch(exec);
      const View<cell**, decltype(layout), TypeParam> a(this->allocation(exec), n0, n1);
      const page_watch* const w = &watch;
      hpk::parallel_for(MDRangePolicy<TypeParam, hpk::Rank<2>>(exec, {1, 1}, {n0 - 1, n1 - 1}),
                        [=](int i, int j) { w->use(&a(i, j)); });
      EXPECT_GE(watch.least_own(), nearly_all) << "box " << n0;
    };
    box(LayoutRight(), rows, columns);
    box(LayoutLeft(), columns, rows);
    box(LayoutRight(), rows / 10, columns * 10);
    box(LayoutLeft(), columns * 10, rows / 10);
  }
}

// The 7-point stencil: few slices per worker, and the range omits the first and last slice of the
// View.
HPK_TYPED_TEST(FirstTouch, is_that_of_stencils_in_three_dimensions) {
  for (const int workers : {4, 16, 64}) {
    SCOPED_TRACE(workers);
    const TypeParam exec = with_workers<TypeParam>(workers);
    const int n = workers <= 16 ? 64 : 104;
    const auto box = [&](auto layout, auto from_layout, bool copied) {
      using view = View<cell***, decltype(layout), TypeParam>;
      page_watch watch(exec);
      view a;
      if (copied) {
        const View<cell***, decltype(from_layout), TypeParam> from(hpk::view_alloc("from", exec), n,
                                                                   n, n);
        a = view(this->bare_allocation(exec), n, n, n);
        hpk::deep_copy(exec, a, from);
      } else {
        a = view(this->allocation(exec), n, n, n);
      }
      const page_watch* const w = &watch;
      hpk::parallel_for(
          MDRangePolicy<TypeParam, hpk::Rank<3>>(exec, {1, 1, 1}, {n - 1, n - 1, n - 1}),
          [=](int i, int j, int k) { w->use(&a(i, j, k)); });
      EXPECT_GE(watch.least_own(), nearly_all) << copied;
    };
    box(LayoutRight(), LayoutRight(), false);
    if (workers == 64) continue;
    box(LayoutLeft(), LayoutLeft(), false);
    box(LayoutRight(), LayoutRight(), true);
  }
}

// Workers share a transposition by the slowest dimension of the destination.
HPK_TYPED_TEST(FirstTouch, is_that_of_transpositions) {
  constexpr int workers = 8;
  const TypeParam exec = with_workers<TypeParam>(workers);
  constexpr int n0 = 1024;
  constexpr int n1 = 1030;
  const View<double**, LayoutLeft, TypeParam> from(hpk::view_alloc("from", exec), n0, n1);
  page_watch watch(exec);
  const View<double**, LayoutRight, TypeParam> a(this->bare_allocation(exec), n0, n1);
  hpk::deep_copy(exec, a, from);
  const page_watch* const w = &watch;
  hpk::parallel_for(RangePolicy<TypeParam>(exec, 0, n0), [=](int i) {
    for (int j = 0; j < n1; ++j) w->use(&a(i, j));
  });
  EXPECT_GE(watch.least_own(), nearly_all);
}

// Each block of a reduction or scan belongs to one worker, so that the bits do not depend on the
// workers. A worker therefore uses at most one block that it has not touched. `blocks` is a lower
// bound for the number of blocks.
template <class Exec>
void expect_all_but_a_block(const page_watch& watch, int workers, index_t blocks) {
  EXPECT_GE(watch.least_own(),
            nearly_all - static_cast<double>(workers) / static_cast<double>(blocks))
      << workers;
}

HPK_TYPED_TEST(FirstTouch, is_that_of_reductions_but_for_a_block) {
  for (const int workers : {2, 8, 16}) {
    const TypeParam exec = with_workers<TypeParam>(workers);
    for (const bool even : {true, false}) {
      const int n = even ? workers * 256 * 64 : this->cells(workers);
      page_watch watch(exec);
      const View<cell*, TypeParam> a(this->allocation(exec), n);
      const page_watch* const w = &watch;
      double sum = 0;
      hpk::parallel_reduce(
          RangePolicy<TypeParam>(exec, 0, n),
          [=](int i, double& update) {
            update += a(i).values[0];
            w->use(&a(i));
          },
          sum);
      EXPECT_EQ(sum, 0);
      const index_t blocks = n / hpk::detail::plan_blocks(n, 8).length;
      if (even) {
        EXPECT_GE(watch.least_own(), nearly_all) << workers;
      } else {
        expect_all_but_a_block<TypeParam>(watch, workers, blocks);
      }
    }
  }
}

HPK_TYPED_TEST(FirstTouch, is_that_of_scans_of_a_round_but_for_a_block) {
  for (const int workers : {2, 8, 16}) {
    const TypeParam exec = with_workers<TypeParam>(workers);
    const int n = this->cells(workers);
    page_watch watch(exec);
    const View<cell*, TypeParam> a(this->allocation(exec), n);
    const page_watch* const w = &watch;
    hpk::parallel_scan(RangePolicy<TypeParam>(exec, 0, n),
                       [=](int i, double& update, bool is_final) {
                         update += a(i).values[0];
                         // In the first pass, any free worker takes a part.
                         if (is_final) w->use(&a(i));
                       });
    expect_all_but_a_block<TypeParam>(watch, workers, hpk::detail::plan_scan_blocks(n).count());
  }
}

// Rounds keep in the cache what a worker reads twice, and give each worker many parts of the range.
// If a process has several NUMA domains, there is one round.
HPK_TYPED_TEST(FirstTouch, is_that_of_long_scans_on_several_domains) {
  constexpr int workers = 4;
  const TypeParam exec = with_workers<TypeParam>(workers);
  constexpr int n = 4 * workers * 65536 + 4321;
  page_watch watch(exec);
  const View<double*, TypeParam> a(this->allocation(exec), n);
  const page_watch* const w = &watch;
  double total = 0;
  hpk::parallel_scan(
      RangePolicy<TypeParam>(exec, 0, n),
      [=](int i, double& update, bool is_final) {
        update += 1;
        if (!is_final) return;
        a(i) = update;
        w->use(&a(i));
      },
      total);
  EXPECT_EQ(total, n);
  EXPECT_EQ(a(n - 1), n);
  if (hpk::seam::machine<TypeParam>::memory_domains() > 1) {
    expect_all_but_a_block<TypeParam>(watch, workers, hpk::detail::plan_scan_blocks(n).count());
  } else {
    EXPECT_LT(watch.least_own(), 0.5);
  }
}

}  // namespace hpk_test::first_touch_cases
