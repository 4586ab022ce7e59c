// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes with loops and collective calls of teams, and with boxes: wrong writers, calls by some
// threads only, and the wrong order of indices.
#include <emu_bugs/bugs.hpp>

#include <string>

namespace emu_bugs {

using hpk::View;

// The end of the reports about kernel `label` of this file.
inline std::string in_kernel(const std::string& what, const char* label) {
  return what + "(.|\n)*kernel: parallel_for \"" + label +
         "\" \\(at .*nested.cpp:[0-9]+\\), group [0-9]+ of [0-9]+, lane";
}
inline std::string lanes_apart(const char* label) {
  return in_kernel(
      "lane [0-9]+ of group [0-9]+ waits at a (barrier|shuffle, vote or reduction) that not all "
      "lanes reach: [0-9]+ of 8 lanes "
      "wait",
      label);
}
inline std::string view_race(const char* element, const char* label) {
  return in_kernel(std::string("race on element \\(") + element +
                       ": lane [0-9]+ of group [0-9]+ (wrote|read) it, lane [0-9]+ of group "
                       "[0-9]+ (wrote|read) it",
                   label);
}

template <class S>
void divide_rows(bool by_lanes) {
  const View<double*, S> sums("sums", 21);
  hpk::parallel_for(
      "rows", hpk::TeamPolicy<S>(3, threads_of<S>(8)), HPK_LAMBDA(const member_of<S>& team) {
        const int first = team.league_rank() * 7;
        hpk::parallel_for(hpk::TeamThreadRange(team, 7), [&](int r) {
          double sum = 0;
          const auto add = [&](int i, double& u) { u += i + r; };
          if (by_lanes) {
            hpk::parallel_reduce(hpk::ThreadVectorRange(team, 10), add, sum);
          } else {
            hpk::parallel_reduce(hpk::TeamThreadRange(team, 10), add, sum);
          }
          sums(first + r) = sum;
        });
      });
  EXPECT_EQ(hpk_test::on_host(sums)(1), 55);
}
HPK_BUG(NestedBug, reduction_over_the_team_in_a_loop_over_the_team, lanes_apart("rows")) {
  divide_rows<S>(false);
}
HPK_CLEAN(Nested, reduction_over_lanes_in_a_loop_over_the_team) { divide_rows<S>(true); }

#if HPK_HAS_TRAPPING_MATH
// Threads in different iterations of the outer loop share the inner loop.
template <class S>
void fill_matrix(bool by_lanes) {
  const View<double**, S> matrix(hpk::view_alloc("matrix", hpk::WithoutInitializing), 8, 8);
  hpk::parallel_for(
      "fill", hpk::TeamPolicy<S>(1, threads_of<S>(8)), HPK_LAMBDA(const member_of<S>& team) {
        hpk::parallel_for(hpk::TeamThreadRange(team, 8), [&](int i) {
          const auto set = [&](int j) { matrix(i, j) = i + j; };
          if (by_lanes) {
            hpk::parallel_for(hpk::ThreadVectorRange(team, 8), set);
          } else {
            hpk::parallel_for(hpk::TeamThreadRange(team, 8), set);
          }
        });
      });
  hpk::parallel_for(
      "scale", hpk::MDRangePolicy<S, hpk::Rank<2>>({0, 0}, {8, 8}),
      HPK_LAMBDA(int i, int j) { matrix(i, j) *= 2; });
  EXPECT_EQ(hpk_test::on_host(matrix)(2, 3), 10);
}
HPK_BUG(NestedBug, loop_over_the_team_in_a_loop_over_the_team,
        in_kernel("a kernel computes with an uninitialised value", "scale")) {
  fill_matrix<S>(false);
}
HPK_CLEAN(Nested, loop_over_lanes_in_a_loop_over_the_team) { fill_matrix<S>(true); }
#endif

template <class S>
void add_all(bool shared) {
  const races_watched on;
  const View<double**, S> v("v", 2, 8);
  hpk::parallel_for(
      "add", hpk::TeamPolicy<S>(2, threads_of<S>(8)), HPK_LAMBDA(const member_of<S>& team) {
        const auto add = [&](int i) { v(team.league_rank(), i) += 1; };
        if (shared) {
          hpk::parallel_for(hpk::TeamVectorRange(team, 8), add);
        } else {
          hpk::parallel_for(hpk::ThreadVectorRange(team, 8), add);
        }
      });
  EXPECT_EQ(hpk_test::on_host(v)(1, 3), 1);
}
HPK_BUG(NestedBug, loop_that_every_thread_runs_to_its_end,
        view_race("[01], [0-7]\\) of View \"v\"", "add")) {
  add_all<S>(false);
}
HPK_CLEAN(Nested, loop_that_the_threads_share) { add_all<S>(true); }

template <class S>
void count_teams(bool per_team) {
  const races_watched on;
  const View<double*, S> count("count", 3);
  hpk::parallel_for(
      "count", hpk::TeamPolicy<S>(3, threads_of<S>(8)), HPK_LAMBDA(const member_of<S>& team) {
        const auto one_more = [&] { count(team.league_rank()) += 1; };
        if (per_team) {
          hpk::single(hpk::PerTeam(team), one_more);
        } else {
          hpk::single(hpk::PerThread(team), one_more);
        }
      });
  EXPECT_EQ(hpk_test::on_host(count)(2), 1);
}
HPK_BUG(NestedBug, single_of_each_thread_for_that_of_the_team,
        view_race("[0-2]\\) of View \"count\"", "count")) {
  count_teams<S>(false);
}
HPK_CLEAN(Nested, single_of_the_team) { count_teams<S>(true); }

template <class S>
void write_result(bool once) {
  const races_watched on;
  const View<double*, S> ranks("ranks", 3);
  hpk::parallel_for(
      "result", hpk::TeamPolicy<S>(3, threads_of<S>(8)), HPK_LAMBDA(const member_of<S>& team) {
        if (once) {
          hpk::single(hpk::PerTeam(team),
                      [&] { ranks(team.league_rank()) = team.team_rank() + 1; });
        } else {
          ranks(team.league_rank()) = team.team_rank() + 1;
        }
      });
  EXPECT_EQ(hpk_test::on_host(ranks)(2), 1);
}
HPK_BUG(NestedBug, result_written_by_all_threads,
        view_race("[0-2]\\) of View \"ranks\"", "result")) {
  write_result<S>(false);
}
HPK_CLEAN(Nested, result_written_by_one_thread) { write_result<S>(true); }

template <class S>
void use_result_before(bool own) {
  const races_watched on;
  const View<double*, S> sums("sums", 4);
  hpk::parallel_for(
      "chain", hpk::TeamPolicy<S>(4, threads_of<S>(8)), HPK_LAMBDA(const member_of<S>& team) {
        const int l = team.league_rank();
        double sum = 0;
        hpk::parallel_reduce(
            hpk::TeamThreadRange(team, 10), [&](int i, double& u) { u += i; }, sum);
        hpk::single(hpk::PerTeam(team), [&] {
          sums(l) = sum;
          sums(l) += own || l == 0 ? 0 : sums(l - 1);
        });
      });
  EXPECT_EQ(hpk_test::on_host(sums)(3), own ? 45 : 180);
}
HPK_BUG(NestedBug, result_of_another_team, view_race("[0-3]\\) of View \"sums\"", "chain")) {
  use_result_before<S>(false);
}
HPK_CLEAN(Nested, result_of_the_own_team) { use_result_before<S>(true); }

// Calls that all threads must make.
enum class call { barrier_in_single, broadcast, reduce, scan, single_with_value };

template <class S>
void call_of_all(call what, bool by_all) {
  const View<double*, S> out("out", 3);
  hpk::parallel_for(
      "together", hpk::TeamPolicy<S>(3, threads_of<S>(8)), HPK_LAMBDA(const member_of<S>& team) {
        double value = 1;
        const bool takes_part = by_all || team.team_rank() < 4;
        switch (what) {
          case call::barrier_in_single:
            hpk::single(hpk::PerTeam(team), [&] {
              if (!by_all) team.team_barrier();
            });
            if (by_all) team.team_barrier();
            break;
          case call::broadcast:
            if (takes_part) team.team_broadcast(value, 0);
            break;
          case call::reduce:
            if (by_all || team.team_rank() == 0) team.team_reduce(hpk::Max<double>(value));
            break;
          case call::scan:
            if (takes_part) value += team.team_scan(value);
            break;
          case call::single_with_value:
            if (takes_part) hpk::single(hpk::PerTeam(team), [](double& v) { v = 1; }, value);
            break;
        }
        if (team.team_rank() == 0) out(team.league_rank()) = value;
      });
  EXPECT_EQ(hpk_test::on_host(out)(1), 1);
}
HPK_BUG(NestedBug, barrier_by_a_single_thread, lanes_apart("together")) {
  call_of_all<S>(call::barrier_in_single, false);
}
HPK_CLEAN(Nested, barrier_behind_a_single_thread) { call_of_all<S>(call::barrier_in_single, true); }
HPK_BUG(NestedBug, broadcast_that_some_threads_miss, lanes_apart("together")) {
  call_of_all<S>(call::broadcast, false);
}
HPK_CLEAN(Nested, broadcast_by_all_threads) { call_of_all<S>(call::broadcast, true); }
HPK_BUG(NestedBug, team_reduce_by_one_thread, lanes_apart("together")) {
  call_of_all<S>(call::reduce, false);
}
HPK_CLEAN(Nested, team_reduce_by_all_threads) { call_of_all<S>(call::reduce, true); }
HPK_BUG(NestedBug, team_scan_that_some_threads_miss, lanes_apart("together")) {
  call_of_all<S>(call::scan, false);
}
HPK_CLEAN(Nested, team_scan_by_all_threads) { call_of_all<S>(call::scan, true); }
HPK_BUG(NestedBug, value_of_a_single_thread_that_some_miss, lanes_apart("together")) {
  call_of_all<S>(call::single_with_value, false);
}
HPK_CLEAN(Nested, value_of_a_single_thread_for_all) {
  call_of_all<S>(call::single_with_value, true);
}

template <class S>
void smooth(bool in_place) {
  const races_watched on;
  constexpr int n = 12;
  const View<double**, S> heat("heat", n, n);
  const View<double**, S> other("other", n, n);
  hpk::parallel_for(
      "number", hpk::MDRangePolicy<S, hpk::Rank<2>>({0, 0}, {n, n}),
      HPK_LAMBDA(int i, int j) { heat(i, j) = i * i + j; });
  const View<double**, S> next = in_place ? heat : other;
  hpk::parallel_for(
      "smooth", hpk::MDRangePolicy<S, hpk::Rank<2>>({1, 1}, {n - 1, n - 1}, {4, 4}),
      HPK_LAMBDA(int i, int j) {
        next(i, j) = 0.25 * (heat(i - 1, j) + heat(i + 1, j) + heat(i, j - 1) + heat(i, j + 1));
      });
  S().fence();
}
HPK_BUG(BoxBug, stencil_in_place, view_race("[0-9]+, [0-9]+\\) of View \"heat\"", "smooth")) {
  smooth<S>(true);
}
HPK_CLEAN(Box, stencil_into_another_view) { smooth<S>(false); }

template <class S>
void copy_box(bool swapped) {
  const View<double**, S> v("v", 10, 20);
  hpk::parallel_for(
      "swapped", hpk::MDRangePolicy<S, hpk::Rank<2>>({0, 0}, {10, 20}), HPK_LAMBDA(int i, int j) {
        if (swapped) {
          v(j, i) = i + j;
        } else {
          v(i, j) = i + j;
        }
      });
  S().fence();
}
HPK_BUG(BoxBug, indices_in_the_wrong_order,
        in_kernel("index \\([0-9]+, [0-9]+\\) is outside of the extents \\[10, 20\\]", "swapped")) {
  expect_error_on_host<S>([] { copy_box<S>(true); });
}
HPK_CLEAN(Box, indices_in_the_right_order) { copy_box<S>(false); }

template <class S>
void scale_box(bool by_reference) {
  const View<double**, S> v("v", 10, 20);
  double factor = 3;
  if (by_reference) {
    hpk::parallel_for("scale", hpk::MDRangePolicy<S, hpk::Rank<2>>({0, 0}, {10, 20}),
                      [&factor, v](int i, int j) { v(i, j) = factor * i; });
  } else {
    hpk::parallel_for("scale", hpk::MDRangePolicy<S, hpk::Rank<2>>({0, 0}, {10, 20}),
                      [factor, v](int i, int j) { v(i, j) = factor * i; });
  }
  EXPECT_EQ(hpk_test::on_host(v)(2, 3), 6);
}
HPK_CAPTURE_BUG(BoxBug, reference_to_a_variable,
                in_kernel("points to the stack of the launching thread", "scale")) {
  scale_box<S>(true);
}
HPK_CLEAN(Box, copy_of_a_variable) { scale_box<S>(false); }

template <class S>
void scale_rows(bool by_pointer) {
  const std::vector<double> factors(10, 3);
  const double* table = factors.data();
  const View<double*, S> copied("factors", 10);
  hpk::deep_copy(copied, View<const double*, hpk::HostSpace, hpk::MemoryUnmanaged>(table, 10));
  const View<double**, S> v("v", 10, 20);
  hpk::parallel_for(
      "scale", hpk::TeamPolicy<S>(10, threads_of<S>(8)), HPK_LAMBDA(const member_of<S>& team) {
        const int i = team.league_rank();
        hpk::parallel_for(hpk::TeamThreadRange(team, 20),
                          [&](int j) { v(i, j) = (by_pointer ? table[i] : copied(i)) * j; });
      });
  EXPECT_EQ(hpk_test::on_host(v)(2, 3), 9);
}
HPK_CAPTURE_BUG(NestedBug, pointer_to_memory_of_the_host,
                in_kernel("points to the heap", "scale")) {
  scale_rows<S>(true);
}
HPK_CLEAN(Nested, view_of_the_space) { scale_rows<S>(false); }

template <class S>
void sum_columns(bool atomically) {
  const races_watched on;
  const View<double*, S> sums("sums", 6);
  hpk::parallel_for(
      "columns", hpk::MDRangePolicy<S, hpk::Rank<2>>({0, 0}, {9, 6}), HPK_LAMBDA(int i, int j) {
        if (atomically) {
          hpk::atomic_add(&sums(j), i);
        } else {
          sums(j) += i;
        }
      });
  EXPECT_EQ(hpk_test::on_host(sums)(5), 36);
}
HPK_BUG(BoxBug, sum_over_one_dimension, view_race("[0-5]\\) of View \"sums\"", "columns")) {
  sum_columns<S>(false);
}
HPK_CLEAN(Box, atomic_sum_over_one_dimension) { sum_columns<S>(true); }

// All rows of a box that a team shares add to one vector.
template <class S>
void sum_rows_of_box(bool in_a_loop) {
  const races_watched on;
  const View<double**, S> sums("sums", 2, 5);
  hpk::parallel_for(
      "box", hpk::TeamPolicy<S>(2, threads_of<S>(8)), HPK_LAMBDA(const member_of<S>& team) {
        const int l = team.league_rank();
        if (in_a_loop) {
          hpk::parallel_for(hpk::TeamThreadRange(team, 5), [&](int j) {
            double sum = 0;
            for (int i = 0; i < 6; ++i) sum += i;
            sums(l, j) = sum;
          });
        } else {
          hpk::parallel_for(hpk::TeamThreadMDRange(team, 6, 5),
                            [&](int i, int j) { sums(l, j) += i; });
        }
      });
  EXPECT_EQ(hpk_test::on_host(sums)(1, 4), 15);
}
HPK_BUG(BoxBug, sum_over_a_box_of_a_team, view_race("[01], [0-4]\\) of View \"sums\"", "box")) {
  sum_rows_of_box<S>(false);
}
HPK_CLEAN(Box, sum_in_a_loop_of_a_team) { sum_rows_of_box<S>(true); }

}  // namespace emu_bugs
