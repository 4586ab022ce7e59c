// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes of teams: scratch past its end, missing barriers, barriers in branches, results that
// only some threads request. On Serial, teams of one thread give correct results.
#include <emu_bugs/bugs.hpp>

#include <cstdint>

namespace emu_bugs {

using hpk::View;
template <class S>
void write_scratch(int first) {
  const int size = threads_of<S>(32);
  hpk::TeamPolicy<S> policy(2, size);
  policy.set_scratch_size(0, hpk::PerTeam(32 * sizeof(double)));
  hpk::parallel_for(
      "fill", policy, HPK_LAMBDA(const member_of<S>& team) {
        const scratch_of<S> values(team.team_scratch(0), 32);
        double* const data = values.data();
        if (team.team_size() > 1) data[first + team.team_rank()] = 1;
      });
  S().fence();
}
HPK_BUG(TeamBug, scratch_past_the_end, "a kernel accesses scratch past the end") {
  write_scratch<S>(1);
}
HPK_CLEAN(Team, scratch_to_the_end) { write_scratch<S>(0); }

template <class S>
void reverse_rows(bool with_barrier) {
  const races_watched on;
  const int size = threads_of<S>(16);
  const View<double**, S> rows("rows", 3, 16);
  hpk::TeamPolicy<S> policy(3, size);
  policy.set_scratch_size(0, hpk::PerTeam(scratch_of<S>::shmem_size(16)));
  hpk::parallel_for(
      "reverse", policy, HPK_LAMBDA(const member_of<S>& team) {
        const int l = team.league_rank();
        const scratch_of<S> row(team.team_scratch(0), 16);
        hpk::parallel_for(hpk::TeamThreadRange(team, 16), [&](int i) { row(i) = rows(l, i) + i; });
        if (with_barrier) team.team_barrier();
        hpk::parallel_for(hpk::TeamThreadRange(team, 16), [&](int i) { rows(l, i) = row(15 - i); });
      });
  S().fence();
}
#if HPK_HAS_SINGLE_STEP && !HPK_HAS_THREAD_SANITIZER
HPK_BUG(TeamBug, no_barrier_between_two_loops, "race on byte [0-9]+ of the scratch of the group") {
  reverse_rows<S>(false);
}
#endif
HPK_CLEAN(Team, barrier_between_two_loops) { reverse_rows<S>(true); }

template <class S>
void sum_row(bool all) {
  const hpk::ScopeGuard guard(hpk::InitializationSettings().set_option("emu-subgroup", 32));
  const int size = threads_of<S>(8);
  const View<double*, S> sums("sums", 3);
  hpk::parallel_for(
      "sum", hpk::TeamPolicy<S>(3, size), HPK_LAMBDA(const member_of<S>& team) {
        double sum = 0;
        if (all || team.team_rank() == 0)
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, 100), [&](int i, double& u) { u += i; }, sum);
        hpk::single(hpk::PerTeam(team), [&] { sums(team.league_rank()) = sum; });
      });
  EXPECT_EQ(hpk_test::on_host(sums)(1), 4950);
}
HPK_BUG(TeamBug, reduction_by_one_thread,
        "lane 0 of group [0-9]+ waits at a shuffle, vote or reduction that not all lanes reach: 1 "
        "of 8 lanes wait, 7 "
        "left the kernel") {
  sum_row<S>(false);
}
HPK_CLEAN(Team, reduction_by_all_threads) { sum_row<S>(true); }

template <class S>
void meet(bool in_the_loop) {
  const int size = threads_of<S>(4);
  hpk::parallel_for(
      "meet", hpk::TeamPolicy<S>(2, size), HPK_LAMBDA(const member_of<S>& team) {
        hpk::parallel_for(hpk::TeamThreadRange(team, 6), [&](int) {
          if (in_the_loop) team.team_barrier();
        });
        if (!in_the_loop) team.team_barrier();
      });
  S().fence();
}
// 6 iterations on 4 threads: two threads have one more iteration.
HPK_BUG(TeamBug, barrier_in_a_nested_loop, "waits at a barrier that not all lanes reach") {
  meet<S>(true);
}
HPK_CLEAN(Team, barrier_behind_a_nested_loop) { meet<S>(false); }

template <class S>
void add_up(bool by_reduction) {
  const races_watched on;
  const int size = threads_of<S>(8);
  const View<double*, S> sums("sums", 2);
  hpk::parallel_for(
      "add up", hpk::TeamPolicy<S>(2, size), HPK_LAMBDA(const member_of<S>& team) {
        const int l = team.league_rank();
        if (by_reduction) {
          double sum = 0;
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, 50), [&](int, double& u) { u += 1; }, sum);
          hpk::single(hpk::PerTeam(team), [&] { sums(l) = sum; });
        } else {
          hpk::parallel_for(hpk::TeamThreadRange(team, 50), [&](int) { sums(l) += 1; });
        }
      });
  EXPECT_EQ(hpk_test::on_host(sums)(1), 50);
}
HPK_BUG(TeamBug, sum_by_a_plain_loop, "race on element \\([01]\\) of View \"sums\"") {
  add_up<S>(false);
}
HPK_CLEAN(Team, sum_by_a_reduction) { add_up<S>(true); }

template <class S>
void transpose(bool in_place) {
  const races_watched on;
  constexpr int n = 20;
  const View<double**, S> a("a", n, n);
  const View<double**, S> b("b", n, n);
  hpk::parallel_for(
      "number", hpk::MDRangePolicy<S, hpk::Rank<2>>({0, 0}, {n, n}),
      HPK_LAMBDA(int i, int j) { a(i, j) = i * n + j; });
  if (in_place) {
    hpk::parallel_for(
        "transpose", hpk::MDRangePolicy<S, hpk::Rank<2>>({0, 0}, {n, n}),
        HPK_LAMBDA(int i, int j) { a(i, j) = a(j, i) + 1; });
  } else {
    hpk::parallel_for(
        "transpose", hpk::MDRangePolicy<S, hpk::Rank<2>>({0, 0}, {n, n}),
        HPK_LAMBDA(int i, int j) { b(i, j) = a(j, i) + 1; });
  }
  S().fence();
}
HPK_BUG(BoxBug, transposition_in_place, "race on element \\([0-9]+, [0-9]+\\) of View \"a\"") {
  transpose<S>(true);
}
HPK_CLEAN(Box, transposition_into_another_view) { transpose<S>(false); }

// Keeps positive elements: the lanes of a sub-group vote to find the place of each.
template <class S>
void compact(bool all_vote) {
  const int size = threads_of<S>(40);
  const View<int*, S> kept("kept", 40);
  hpk::parallel_for(
      "compact", hpk::TeamPolicy<S>(1, size), HPK_LAMBDA(const member_of<S>& team) {
        const auto warp = team.warp();
        const int me = team.team_rank();
        const bool keeps = me % 3 == 0;
        if (all_vote || keeps) {
          std::uint64_t before = warp.ballot(keeps) & ((std::uint64_t{1} << warp.rank()) - 1);
          int place = me - warp.rank();
          for (; before != 0; before &= before - 1) ++place;
          if (keeps) kept(place) = me;
        }
      });
  EXPECT_EQ(hpk_test::on_host(kept)(0), 0);
}
HPK_BUG(TeamBug, vote_in_a_branch,
        "waits at a shuffle, vote or reduction that not all lanes reach(.|\n)*kernel: parallel_for "
        "\"compact\"") {
  compact<S>(false);
}
HPK_CLEAN(Team, vote_of_all_lanes) { compact<S>(true); }

template <class S>
void sum_rows(bool by_all_lanes) {
  const int size = threads_of<S>(3);
  const View<double*, S> sums("sums", 3);
  hpk::parallel_for(
      "rows", hpk::TeamPolicy<S>(1, size, 4), HPK_LAMBDA(const member_of<S>& team) {
        const auto sum = [&] {
          double row = 0;
          hpk::parallel_reduce(
              hpk::ThreadVectorRange(team, 20), [&](int i, double& u) { u += i; }, row);
          return row;
        };
        double row = 0;
        if (by_all_lanes) {
          row = sum();
          hpk::single(hpk::PerThread(team), [&] { sums(team.team_rank()) = row; });
        } else {
          hpk::single(hpk::PerThread(team), [&] { sums(team.team_rank()) = sum(); });
        }
      });
  EXPECT_EQ(hpk_test::on_host(sums)(0), 190);
}
HPK_BUG(TeamBug, vector_loop_of_a_single_lane,
        "lane 0 of group 0 waits at a shuffle, vote or reduction that not all lanes "
        "reach(.|\n)*\"rows\"") {
  sum_rows<S>(false);
}
HPK_CLEAN(Team, vector_loop_before_a_single_lane) { sum_rows<S>(true); }

template <class S>
void shift(bool to_the_width) {
  const hpk::ScopeGuard guard(hpk::InitializationSettings().set_option("emu-subgroup", 32));
  const int size = threads_of<S>(40);
  const View<int*, S> shifted("shifted", 40);
  hpk::parallel_for(
      "shift", hpk::TeamPolicy<S>(1, size), HPK_LAMBDA(const member_of<S>& team) {
        const auto warp = team.warp();
        const int width = to_the_width || team.team_size() == 1 ? warp.size() : 32;
        const int me = team.team_rank();
        shifted(me) = warp.shfl(me, (warp.rank() + 1) % width);
      });
  S().fence();
}
HPK_BUG(
    TeamBug, shuffle_of_a_lane_that_is_not_there,
    "in lane [0-9]+: hpk::parallel_for \"shift\": hpk::Subgroup::shfl: lane 7 asks for the value "
    "of lane 8 of a sub-group of 8") {
  shift<S>(false);
}
HPK_CLEAN(Team, shuffle_of_lanes_that_are_there) { shift<S>(true); }

template <class S>
void count_rows(bool by_one_lane) {
  const hpk::ScopeGuard on(
      hpk::InitializationSettings().set_option("emu-races", 1).set_option("emu-subgroup", 8));
  const int size = threads_of<S>(4);
  const View<int*, S> counts("counts", 10);
  hpk::parallel_for(
      "count", hpk::TeamPolicy<S>(1, size, 8), HPK_LAMBDA(const member_of<S>& team) {
        hpk::parallel_for(hpk::TeamThreadRange(team, 10), [&](int i) {
          if (by_one_lane) {
            hpk::single(hpk::PerThread(team), [&] { counts(i) += 1; });
          } else {
            counts(i) += 1;
          }
        });
        // The lanes of a thread synchronise in their loops; this is no race.
        hpk::parallel_for(hpk::TeamThreadRange(team, 10), [&](int) {
          hpk::parallel_for(hpk::ThreadVectorRange(team, 5), [&](int) {});
        });
      });
  S().fence();
}
HPK_BUG(TeamBug, count_by_every_lane_of_a_thread,
        "race on element \\([0-9]\\) of View \"counts\"") {
  count_rows<S>(false);
}
HPK_CLEAN(Team, count_by_one_lane_of_each_thread) { count_rows<S>(true); }

template <class S>
void pass_on(bool by_the_loop) {
  const hpk::ScopeGuard on(
      hpk::InitializationSettings().set_option("emu-races", 1).set_option("emu-subgroup", 32));
  const int size = threads_of<S>(5);
  const View<int**, S> first("first", 8, 16);
  const View<int**, S> second("second", 8, 16);
  hpk::parallel_for(
      "pass on", hpk::TeamPolicy<S>(1, size, 4), HPK_LAMBDA(const member_of<S>& team) {
        const int me = team.team_rank();
        // The threads of a sub-group have different numbers of loops.
        for (int round = 0; round <= me; ++round) {
          hpk::parallel_for(hpk::ThreadVectorRange(team, 16),
                            [&](int i) { first(me, i) = i + me; });
          hpk::parallel_for(hpk::ThreadVectorRange(team, 16),
                            [&](int i) { second(me, i) = first(me, 15 - i); });
        }
        if (!by_the_loop && me + 1 < team.team_size()) second(me, 0) = first(me + 1, 0);
      });
  S().fence();
}
HPK_BUG(TeamBug, reads_what_another_thread_wrote_in_its_vector_loop,
        "race on element \\([0-9]+, 0\\) of View \"first\"") {
  pass_on<S>(false);
}
HPK_CLEAN(Team, reads_what_its_own_lanes_wrote_in_a_vector_loop) { pass_on<S>(true); }

// A kernel may hold memory that its program has freed meanwhile.
HPK_BUG(TeamBug, reads_shared_memory_that_was_freed_while_a_kernel_held_it,
        "host code accesses memory that was freed") {
  if (lane_of<S>::single) return;
  View<int*, shared<S>> owner("owner", 100);
  const View<int*, shared<S>, hpk::MemoryUnmanaged> guest = owner;
  const volatile int* const data = owner.data();
  hpk::parallel_for(
      "slow", hpk::RangePolicy<S>(0, 1), HPK_LAMBDA(int i) {
        volatile unsigned work = 0;
        for (unsigned k = 0; k < 20'000'000; ++k) work = work + k;
        if (i < 0) guest(i) = 1;
      });
  owner = {};
  S().fence();
  EXPECT_EQ(data[0], 0);
}

}  // namespace emu_bugs
