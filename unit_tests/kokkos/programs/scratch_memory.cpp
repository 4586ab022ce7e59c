// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scratch memory: two-dimensional tiles of a team, private slices of the threads, both levels, and
// the older style in which the functor returns the required size from team_shmem_size.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <vector>

using space = Kokkos::DefaultExecutionSpace;
using scratch_space = space::scratch_memory_space;
using unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
using policy_type = Kokkos::TeamPolicy<space>;
using member_type = policy_type::member_type;
using scratch_tile = Kokkos::View<double**, scratch_space, unmanaged>;
using scratch_list = Kokkos::View<int*, scratch_space, unmanaged>;

bool check(bool ok, const char* what) {
  if (!ok) std::printf("FAILED: %s\n", what);
  return ok;
}

// A matrix is transposed tile by tile; a tile is read along rows and written along columns.
bool transpose() {
  const int tile = 8, tile_rows = 5, tile_columns = 7;
  const int rows = tile_rows * tile, columns = tile_columns * tile;
  Kokkos::View<double**> in("in", rows, columns), out("out", columns, rows);
  Kokkos::parallel_for(
      "number", rows * columns,
      KOKKOS_LAMBDA(const int k) { in(k / columns, k % columns) = 3 * k + 1; });

  const size_t bytes = scratch_tile::shmem_size(tile, tile + 1);
  policy_type policy(tile_rows * tile_columns, Kokkos::AUTO);
  policy.set_scratch_size(0, Kokkos::PerTeam(bytes));
  Kokkos::parallel_for(
      "transpose", policy, KOKKOS_LAMBDA(const member_type& team) {
        const int row = team.league_rank() / tile_columns * tile;
        const int column = team.league_rank() % tile_columns * tile;
        scratch_tile part(team.team_scratch(0), tile, tile + 1);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, tile), [&](const int i) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, tile),
                               [&](const int j) { part(i, j) = in(row + i, column + j); });
        });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, tile), [&](const int j) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, tile),
                               [&](const int i) { out(column + j, row + i) = part(i, j); });
        });
      });

  auto h_out = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  bool ok = true;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) ok &= h_out(j, i) == 3 * (i * columns + j) + 1;
  std::printf("transposed: out(1,2) = %.0f\n", h_out(1, 2));
  return check(ok, "transposed matrix");
}

// The median of five neighbours: the team holds a segment with its halo in level 1, each thread
// sorts its five in a private slice of level 0.
bool medians() {
  const int segment = 50, segments = 11, size = segment * segments, halo = 2, window = 5;
  Kokkos::View<int*> in("in", size), out("out", size);
  auto h_in = Kokkos::create_mirror_view(in);
  for (int i = 0; i < size; ++i) h_in(i) = (i * 613 + 17) % 331;
  Kokkos::deep_copy(in, h_in);

  const int team_bytes = static_cast<int>(scratch_list::shmem_size(segment + 2 * halo));
  const int thread_bytes = static_cast<int>(scratch_list::shmem_size(window));
  Kokkos::parallel_for(
      "medians",
      policy_type(segments, Kokkos::AUTO)
          .set_scratch_size(1, Kokkos::PerTeam(team_bytes))
          .set_scratch_size(0, Kokkos::PerTeam(0), Kokkos::PerThread(thread_bytes)),
      KOKKOS_LAMBDA(const member_type& team) {
        const int first = team.league_rank() * segment;
        scratch_list local(team.team_scratch(1), segment + 2 * halo);
        scratch_list sorted(team.thread_scratch(0), window);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, segment + 2 * halo), [&](const int k) {
          local(k) = in(Kokkos::clamp(first + k - halo, 0, size - 1));
        });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, segment), [&](const int i) {
          for (int k = 0; k < window; ++k) {
            const int value = local(i + k);
            int place = k;
            for (; place > 0 && sorted(place - 1) > value; --place)
              sorted(place) = sorted(place - 1);
            sorted(place) = value;
          }
          out(first + i) = sorted(window / 2);
        });
      });

  auto h_out = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  bool ok = true;
  long sum = 0;
  for (int i = 0; i < size; ++i) {
    std::vector<int> around;
    for (int k = -halo; k <= halo; ++k) around.push_back(h_in(std::clamp(i + k, 0, size - 1)));
    std::sort(around.begin(), around.end());
    ok &= h_out(i) == around[halo];
    sum += h_out(i);
  }
  std::printf("sum of medians: %ld\n", sum);
  return check(ok, "medians of five");
}

// Sums of blocks; the parts of the threads are in scratch memory that this functor requests.
template <class ExecutionSpace>
struct BlockSums {
  typedef ExecutionSpace execution_space;
  typedef typename Kokkos::TeamPolicy<ExecutionSpace>::member_type team_member;
  typedef Kokkos::View<long*, typename ExecutionSpace::scratch_memory_space,
                       Kokkos::MemoryUnmanaged>
      shared_parts;

  Kokkos::View<const int*, ExecutionSpace> numbers;
  Kokkos::View<long*, ExecutionSpace> sums;
  int block;

  size_t team_shmem_size(int team_size) const { return shared_parts::shmem_size(team_size); }

  KOKKOS_INLINE_FUNCTION
  void operator()(const team_member& team) const {
    shared_parts parts(team.team_shmem(), team.team_size());
    const int begin = team.league_rank() * block;
    long part = 0;
    for (int k = team.team_rank(); k < block; k += team.team_size()) part += numbers(begin + k);
    parts(team.team_rank()) = part;
    team.team_barrier();
    if (team.team_rank() != 0) return;
    for (int k = 1; k < team.team_size(); ++k) part += parts(k);
    sums(team.league_rank()) = part;
  }
};

bool block_sums() {
  const int block = 100, blocks = 13;
  Kokkos::View<int*, space> numbers("numbers", block * blocks);
  Kokkos::View<long*, space> sums("sums", blocks);
  Kokkos::parallel_for(
      "numbers", block * blocks, KOKKOS_LAMBDA(const int k) { numbers(k) = k * k % 101 - 20; });
  const BlockSums<space> functor{numbers, sums, block};
  const int largest = policy_type(blocks, 1).team_size_max(functor, Kokkos::ParallelForTag());
  bool ok = check(largest >= 1, "team size with scratch memory of the functor");
  for (int team_size = 1; team_size <= std::min(4, largest); team_size *= 2) {
    Kokkos::deep_copy(sums, -1);
    Kokkos::parallel_for("sums", policy_type(blocks, team_size), functor);
    auto h_sums = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
    for (int b = 0; b < blocks; ++b) {
      long expected = 0;
      for (int k = b * block; k < (b + 1) * block; ++k) expected += k * k % 101 - 20;
      ok &= check(h_sums(b) == expected, "sum of a block");
    }
    if (team_size == 1) std::printf("first sum %ld, last sum %ld\n", h_sums(0), h_sums(blocks - 1));
  }
  return ok;
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  const bool transposed = transpose();
  const bool filtered = medians();
  const bool summed = block_sums();
  Kokkos::finalize();
  if (!(transposed && filtered && summed)) return 1;
  std::printf("all checks passed\n");
  return 0;
}
