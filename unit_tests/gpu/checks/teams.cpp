// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Teams with whole, partial and divergent warps, values larger than a slot of scratch, and scratch
// of up to the whole multiprocessor.
#include <checks.hpp>

namespace gpu_checks {
namespace {

struct four_doubles {
  double values[4];
  HPK_FUNCTION four_doubles() : values{} {}
  HPK_FUNCTION four_doubles& operator+=(const four_doubles& other) {
    for (int k = 0; k < 4; ++k) values[k] += other.values[k];
    return *this;
  }
};

void check_folds(int size, int vector_length, int league) {
  const hpk::View<double**, space> out("out", league, 5);
  const team_policy policy(league, size, vector_length);
  hpk::parallel_for(
      policy, HPK_LAMBDA(const team& t) {
        double by_threads = 0;
        hpk::parallel_reduce(
            hpk::TeamThreadRange(t, 1000), [&](int i, double& s) { s += i; }, by_threads);
        double by_lanes = 0;
        hpk::parallel_reduce(
            hpk::TeamVectorRange(t, 1000), [&](int i, double& s) { s += i; }, by_lanes);
        double of_thread = 0;
        hpk::parallel_reduce(
            hpk::ThreadVectorRange(t, 100), [&](int i, double& s) { s += i; }, of_thread);
        double of_all = 0;
        hpk::parallel_reduce(
            hpk::TeamThreadRange(t, t.team_size()), [&](int, double& s) { s += of_thread; },
            of_all);
        four_doubles wide;
        hpk::parallel_reduce(
            hpk::TeamThreadRange(t, 100),
            [&](int i, four_doubles& s) {
              for (int k = 0; k < 4; ++k) s.values[k] += i;
            },
            wide);
        double last = t.team_scan(1.0);
        t.team_broadcast(last, t.team_size() - 1);
        hpk::single(hpk::PerTeam(t), [&] {
          const double found[] = {by_threads, by_lanes, of_all, wide.values[3], last};
          for (int k = 0; k < 5; ++k) out(t.league_rank(), k) = found[k];
        });
      });
  const auto host = on_host(out);
  const double expected[] = {499'500, 499'500, 4950.0 * size, 4950, size - 1.0};
  for (int k = 0; k < 5; ++k) {
    int wrong = 0;
    for (int rank = 0; rank < league; ++rank) wrong += host(rank, k) != expected[k];
    if (wrong != 0)
      fail("value %d of %d teams of %d x %d is wrong, of the first %g, not %g", k, wrong, size,
           vector_length, host(0, k), expected[k]);
  }
  double sum = 0;
  hpk::parallel_reduce(policy, HPK_LAMBDA(const team& t, double& s) { s += t.league_rank(); }, sum);
  const double sum_of_ranks = 0.5 * league * (league - 1) * size;
  if (sum != sum_of_ranks)
    fail("the sum over teams of %d x %d is %g, not %g", size, vector_length, sum, sum_of_ranks);
}

void check_scratch(int bytes, std::size_t level_1_bytes) {
  team_policy policy(on_gpu(500, 5), 128);
  policy.set_scratch_size(0, hpk::PerTeam(bytes));
  policy.set_scratch_size(1, hpk::PerTeam(static_cast<int>(level_1_bytes)));
  const array wrong("wrong", 1);
  const int words = bytes / 4;
  const int level_1_words = static_cast<int>(level_1_bytes) / 4;
  hpk::parallel_for(
      policy, HPK_LAMBDA(const team& t) {
        auto* shared = static_cast<int*>(t.team_scratch(0).get_shmem(words * 4));
        auto* global = static_cast<int*>(t.team_scratch(1).get_shmem(level_1_words * 4));
        const int rank = t.league_rank();
        for (int i = t.team_rank(); i < words; i += t.team_size()) shared[i] = rank + i;
        for (int i = t.team_rank(); i < level_1_words; i += t.team_size()) global[i] = rank - i;
        t.team_barrier();
        const int opposite = t.team_size() - 1 - t.team_rank();
        for (int i = opposite; i < words; i += t.team_size())
          if (shared[i] != rank + i) hpk::atomic_inc(&wrong(0));
        for (int i = opposite; i < level_1_words; i += t.team_size())
          if (global[i] != rank - i) hpk::atomic_inc(&wrong(0));
      });
  if (const int count = on_host(wrong)(0); count != 0)
    fail("%d words are wrong with %d bytes of scratch", count, bytes);
}

}  // namespace

void team_folds() {
  struct shape {
    int size, vector_length;
  };
  for (const shape s : {shape{1, 1}, shape{1, 32}, shape{3, 1}, shape{3, 8}, shape{31, 1},
                        shape{33, 1}, shape{48, 1}, shape{48, 4}, shape{100, 2}, shape{32, 32},
                        shape{1024, 1}, shape{250, 4}, shape{7, 16}})
    check_folds(s.size, s.vector_length, on_gpu(300, 3));
}

// In each warp, one tile shuffles, another shuffles in another loop, and a third reduces at the
// same time.
void tiles() {
  const int league = on_gpu(64, 4);
  const int size = 96;
  const int width = 8;
  const hpk::View<int**, space> out("out", league, size);
  hpk::parallel_for(
      team_policy(league, size), HPK_LAMBDA(const team& t) {
        auto tile = t.warp().tile(width);
        int value = t.team_rank();
        const int kind = t.team_rank() / width % 3;
        if (kind == 0) {
          for (int k = 0; k < 5; ++k) value += tile.shfl_down(value, 1);
        } else if (kind == 1) {
          for (int k = 0; k < 3; ++k) value = tile.shfl(value, (tile.rank() + 1) % width);
        } else {
          value = 1;
          tile.reduce(hpk::Sum<int>(value));
        }
        out(t.league_rank(), t.team_rank()) = value;
      });
  const auto host = on_host(out);
  int different = 0;
  for (int rank = 1; rank < league; ++rank)
    for (int k = 0; k < size; ++k) different += host(rank, k) != host(0, k);
  expect_equal("the number of values that differ from the first team's", different, 0);
  expect_equal("the value after three shuffles", host(0, width), width + 3);
  expect_equal("the reduced value", host(0, 2 * width), width);
}

void scratch() {
  for (const int bytes : {16, 40'000, 48 * 1024, 49 * 1024, 100 * 1024, 200 * 1024})
    if (static_cast<std::size_t>(bytes) < team_policy::scratch_size_max(0))
      check_scratch(bytes, 100'000);
  // All scratch except what a team of 128 needs itself.
  check_scratch(static_cast<int>(team_policy::scratch_size_max(0)) - 128 * 16, 0);
}

}  // namespace gpu_checks
