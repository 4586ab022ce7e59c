// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes with the scratch of teams: read too early, overwritten too early, shared by threads that
// need separate memory, used after the end of the team, or never set. A team of one thread hides
// most.
#include <emu_bugs/bugs.hpp>

#include <cstdint>
#include <string>

namespace emu_bugs {

using hpk::View;

// Returns a league of teams with scratch for `numbers` doubles each.
template <class S>
hpk::TeamPolicy<S> teams_with_scratch(int league, int threads, int numbers) {
  return hpk::TeamPolicy<S>(league, threads_of<S>(threads))
      .set_scratch_size(0, hpk::PerTeam(scratch_of<S>::shmem_size(numbers)));
}

#if HPK_HAS_SINGLE_STEP && !HPK_HAS_THREAD_SANITIZER

// Returns the message about a race on scratch in kernel `label` of this file.
inline std::string scratch_race(const char* label) {
  return std::string(
             "race on byte [0-9]+ of the scratch of the group: lane [0-9]+ (wrote|read) it, lane "
             "[0-9]+ (writes|reads) it, with no barrier between(.|\n)*kernel: parallel_for \"") +
         label + "\" \\(at .*scratch.cpp:[0-9]+\\), group [0-9]+ of [0-9]+, lane";
}

template <class S>
void read_what_one_thread_wrote(bool with_barrier) {
  const races_watched on;
  const View<double**, S> out("out", 2, 8);
  hpk::parallel_for(
      "origin", teams_with_scratch<S>(2, 8, 1), HPK_LAMBDA(const member_of<S>& team) {
        const int l = team.league_rank();
        const scratch_of<S> origin(team.team_scratch(0), 1);
        hpk::single(hpk::PerTeam(team), [&] { origin(0) = 10.0 * (l + 1); });
        if (with_barrier) team.team_barrier();
        hpk::parallel_for(hpk::TeamThreadRange(team, 8), [&](int i) { out(l, i) = origin(0); });
      });
  EXPECT_EQ(hpk_test::on_host(out)(1, 3), 20);
}
HPK_BUG(ScratchBug, read_before_the_thread_that_writes, scratch_race("origin")) {
  read_what_one_thread_wrote<S>(false);
}
HPK_CLEAN(Scratch, read_behind_the_thread_that_writes) { read_what_one_thread_wrote<S>(true); }

template <class S>
void fill_twice(bool with_barrier) {
  const races_watched on;
  const View<double*, S> sums("sums", 8);
  hpk::parallel_for(
      "two rounds", teams_with_scratch<S>(1, 8, 8), HPK_LAMBDA(const member_of<S>& team) {
        const scratch_of<S> row(team.team_scratch(0), 8);
        for (int round = 0; round < 2; ++round) {
          hpk::parallel_for(hpk::TeamThreadRange(team, 8), [&](int i) { row(i) = i + round; });
          team.team_barrier();
          hpk::parallel_for(hpk::TeamThreadRange(team, 8), [&](int i) { sums(i) += row(7 - i); });
          if (with_barrier) team.team_barrier();
        }
      });
  EXPECT_EQ(hpk_test::on_host(sums)(0), 15);
}
HPK_BUG(ScratchBug, written_again_while_others_read, scratch_race("two rounds")) {
  fill_twice<S>(false);
}
HPK_CLEAN(Scratch, written_again_behind_a_barrier) { fill_twice<S>(true); }

template <class S>
void fill_first_of_two_rows(int numbers) {
  const races_watched on;
  hpk::parallel_for(
      "neighbour", teams_with_scratch<S>(2, 16, 32), HPK_LAMBDA(const member_of<S>& team) {
        const scratch_of<S> first(team.team_scratch(0), 16);
        const scratch_of<S> second(team.team_scratch(0), 16);
        double* const data = first.data();
        hpk::parallel_for(hpk::TeamThreadRange(team, 16), [&](int i) { second(15 - i) = i; });
        hpk::parallel_for(hpk::TeamThreadRange(team, numbers), [&](int i) { data[i] = i; });
      });
  S().fence();
}
HPK_BUG(ScratchBug, past_its_view_into_the_next_one, scratch_race("neighbour")) {
  fill_first_of_two_rows<S>(18);
}
HPK_CLEAN(Scratch, up_to_the_next_view) { fill_first_of_two_rows<S>(16); }

template <class S>
void use_scratch_of_a_thread(bool of_the_first) {
  const races_watched on;
  auto policy = hpk::TeamPolicy<S>(2, threads_of<S>(8));
  policy.set_scratch_size(0, hpk::PerThread(scratch_of<S>::shmem_size(4)));
  hpk::parallel_for(
      "own rows", policy, HPK_LAMBDA(const member_of<S>& team) {
        double* row = scratch_of<S>(team.thread_scratch(0), 4).data();
        if (of_the_first) team.team_broadcast(row, 0);
        hpk::parallel_for(hpk::ThreadVectorRange(team, 4),
                          [&](int i) { row[i] = i + team.team_rank(); });
      });
  S().fence();
}
HPK_BUG(ScratchBug, of_one_thread_used_by_all, scratch_race("own rows")) {
  use_scratch_of_a_thread<S>(true);
}
HPK_CLEAN(Scratch, of_each_thread_used_by_itself) { use_scratch_of_a_thread<S>(false); }

template <class S>
void write_one_place(bool once) {
  const races_watched on;
  const View<double*, S> out("out", 2);
  hpk::parallel_for(
      "leader", teams_with_scratch<S>(2, 8, 1), HPK_LAMBDA(const member_of<S>& team) {
        const scratch_of<S> leader(team.team_scratch(0), 1);
        if (once) {
          hpk::single(hpk::PerTeam(team), [&] { leader(0) = 1 + team.team_rank(); });
        } else {
          leader(0) = 1 + team.team_rank();
        }
        team.team_barrier();
        hpk::single(hpk::PerTeam(team), [&] { out(team.league_rank()) = leader(0); });
      });
  EXPECT_EQ(hpk_test::on_host(out)(1), 1);
}
HPK_BUG(ScratchBug, written_by_all_threads, scratch_race("leader")) { write_one_place<S>(false); }
HPK_CLEAN(Scratch, written_by_a_single_thread) { write_one_place<S>(true); }

template <class S>
void add_to_outer_variable(bool by_reduction) {
  const races_watched on;
  const View<double*, S> out("out", 2);
  hpk::parallel_for(
      "outer sum", teams_with_scratch<S>(2, 8, 1), HPK_LAMBDA(const member_of<S>& team) {
        double& sum = *scratch_of<S>(team.team_scratch(0), 1).data();
        hpk::single(hpk::PerTeam(team), [&] { sum = 0; });
        team.team_barrier();
        if (by_reduction) {
          double mine = 0;
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, 20), [&](int i, double& u) { u += i; }, mine);
          hpk::single(hpk::PerTeam(team), [&] { sum += mine; });
        } else {
          hpk::parallel_for(hpk::TeamThreadRange(team, 20), [&](int i) { sum += i; });
        }
        team.team_barrier();
        hpk::single(hpk::PerTeam(team), [&] { out(team.league_rank()) = sum; });
      });
  EXPECT_EQ(hpk_test::on_host(out)(1), 190);
}
HPK_BUG(ScratchBug, variable_that_all_threads_add_to, scratch_race("outer sum")) {
  add_to_outer_variable<S>(false);
}
HPK_CLEAN(Scratch, variable_that_a_reduction_adds_to) { add_to_outer_variable<S>(true); }

template <class S>
void transpose_tile(bool with_barrier) {
  using tile_view =
      View<double[4][4], typename member_of<S>::scratch_memory_space, hpk::MemoryUnmanaged>;
  const races_watched on;
  const View<double***, S> tiles("tiles", 3, 4, 4);
  auto policy = hpk::TeamPolicy<S>(3, threads_of<S>(5));
  policy.set_scratch_size(0, hpk::PerTeam(tile_view::shmem_size()));
  hpk::parallel_for(
      "tile", policy, HPK_LAMBDA(const member_of<S>& team) {
        const int l = team.league_rank();
        const tile_view tile(team.team_scratch(0));
        hpk::parallel_for(hpk::TeamThreadMDRange(team, 4, 4),
                          [&](int i, int j) { tile(i, j) = tiles(l, i, j) + i; });
        if (with_barrier) team.team_barrier();
        hpk::parallel_for(hpk::TeamThreadMDRange(team, 4, 4),
                          [&](int i, int j) { tiles(l, i, j) = tile(j, i); });
      });
  EXPECT_EQ(hpk_test::on_host(tiles)(2, 1, 3), 3);
}
HPK_BUG(ScratchBug, no_barrier_between_two_boxes, scratch_race("tile")) {
  transpose_tile<S>(false);
}
HPK_CLEAN(Scratch, barrier_between_two_boxes) { transpose_tile<S>(true); }

#endif

template <class S>
void index_row(int shift) {
  hpk::parallel_for(
      "shifted", teams_with_scratch<S>(2, 8, 8), HPK_LAMBDA(const member_of<S>& team) {
        const scratch_of<S> row(team.team_scratch(0), 8);
        hpk::parallel_for(hpk::TeamThreadRange(team, 8), [&](int i) { row(i + shift) = i; });
      });
  S().fence();
}
HPK_BUG(ScratchBug, index_outside_of_its_view,
        "index \\(8\\) is outside of the extents \\[8\\](.|\n)*kernel: parallel_for \"shifted\"") {
  expect_error_on_host<S>([] { index_row<S>(1); });
}
HPK_CLEAN(Scratch, index_inside_of_its_view) { index_row<S>(0); }

template <class S>
void take_more_than_asked(int asked) {
  hpk::parallel_for(
      "greedy", teams_with_scratch<S>(2, 4, asked), HPK_LAMBDA(const member_of<S>& team) {
        const scratch_of<S> first(team.team_scratch(0), 64);
        const scratch_of<S> second(team.team_scratch(0), 64);
        hpk::single(hpk::PerTeam(team), [&] { second(0) = first.extent_int(0); });
      });
  S().fence();
}
HPK_BUG(ScratchBug, more_taken_than_asked_for,
        "512 bytes(.|\n)*kernel: parallel_for \"greedy\" \\(at .*scratch.cpp:[0-9]+\\)") {
  expect_error_on_host<S>([] { take_more_than_asked<S>(64); });
}
HPK_CLEAN(Scratch, as_much_taken_as_asked_for) { take_more_than_asked<S>(128); }

#if HPK_HAS_TRAPPING_MATH

// Returns the message about an operation on an unset value in kernel `label` of this file.
inline std::string unset_in(const char* label) {
  return std::string(
             "a kernel computes with an uninitialised value(.|\n)*kernel: parallel_for \"") +
         label + "\" \\(at .*scratch.cpp:[0-9]+\\)";
}

// Tiles of 8 elements with a halo of one element on both sides.
template <class S>
void smooth_tiles(bool with_halo) {
  const View<double*, S> in("in", 32);
  const View<double*, S> out("out", 32);
  hpk::parallel_for(
      "halo", teams_with_scratch<S>(4, 8, 10), HPK_LAMBDA(const member_of<S>& team) {
        const int first = team.league_rank() * 8;
        const scratch_of<S> tile(team.team_scratch(0), 10);
        hpk::parallel_for(hpk::TeamThreadRange(team, with_halo ? 10 : 9), [&](int i) {
          const int from = first + i - 1;
          tile(i) = from < 0 || from > 31 ? 0 : in(from);
        });
        team.team_barrier();
        hpk::parallel_for(hpk::TeamThreadRange(team, 8),
                          [&](int i) { out(first + i) = 0.5 * (tile(i) + tile(i + 2)); });
      });
  S().fence();
}
HPK_BUG(ScratchBug, halo_that_was_forgotten, unset_in("halo")) { smooth_tiles<S>(false); }
HPK_CLEAN(Scratch, halo_that_was_set) { smooth_tiles<S>(true); }

// A sum that starts from the contents of scratch.
template <class S>
void add_to_scratch(bool from_zero) {
  const View<double*, S> out("out", 2);
  hpk::parallel_for(
      "from zero", teams_with_scratch<S>(2, 4, 1), HPK_LAMBDA(const member_of<S>& team) {
        const scratch_of<S> sum(team.team_scratch(0), 1);
        hpk::single(hpk::PerTeam(team), [&] {
          if (from_zero) sum(0) = 0;
          for (int i = 0; i < 5; ++i) sum(0) += i;
          out(team.league_rank()) = sum(0);
        });
      });
  S().fence();
}
HPK_BUG(ScratchBug, sum_that_starts_from_nothing, unset_in("from zero")) {
  add_to_scratch<S>(false);
}
HPK_CLEAN(Scratch, sum_that_starts_from_zero) { add_to_scratch<S>(true); }

// One team leaves a table and its address for the teams of the next launch.
template <class S>
void keep_table(bool in_memory) {
  // Too large for a host space to take it from the stack of a launch.
  constexpr int large = 2048;
  const View<double*, S> memory("memory", 4);
  const View<double*, S> out("out", 4);
  const View<std::uintptr_t, S> address("address");
  hpk::parallel_for(
      "make", teams_with_scratch<S>(1, 4, large), HPK_LAMBDA(const member_of<S>& team) {
        const scratch_of<S> table(team.team_scratch(0), 4);
        hpk::parallel_for(hpk::TeamThreadRange(team, 4), [&](int i) {
          table(i) = i;
          memory(i) = i;
        });
        hpk::single(hpk::PerTeam(team),
                    [&] { address() = reinterpret_cast<std::uintptr_t>(table.data()); });
      });
  hpk::parallel_for(
      "use", teams_with_scratch<S>(1, 4, large), HPK_LAMBDA(const member_of<S>& team) {
        hpk::parallel_for(hpk::TeamThreadRange(team, 4), [&](int i) {
          out(i) = 2 * (in_memory ? memory(i) : reinterpret_cast<const double*>(address())[i]);
        });
      });
  EXPECT_EQ(hpk_test::on_host(out)(3), 6);
}
HPK_BUG(ScratchBug, kept_for_the_next_team, unset_in("use")) { keep_table<S>(false); }
HPK_CLEAN(Scratch, left_in_memory_for_the_next_team) { keep_table<S>(true); }

#endif

}  // namespace emu_bugs
