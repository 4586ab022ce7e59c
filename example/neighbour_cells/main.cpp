// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the pairs of particles in a box that are closer than a cutoff. Pairs are found with cells
// of the size of the cutoff; a hash map holds the cells that contain particles. Runs on every
// enabled space, and is checked against the plain loop over all pairs. Exit code 0: all counts
// agree; 1: they differ; 2: wrong call.
#include <hpk/containers/dual_view.hpp>
#include <hpk/containers/unordered_map.hpp>
#include <hpk/core.hpp>

#include "command_line.hpp"

#include <cstdint>
#include <cstdio>
#include <random>

namespace {

constexpr const char* usage = R"(usage: neighbour_cells [flags]

Counts the pairs of particles that are nearer to each other than a cutoff, by cells and by the plain
loop over all pairs, on every enabled space.

  --particles N   1 to 100000                           (default 4000)
  --cells N       cells along each side, 3 to 1000000   (default 20)
  --help          print this text and exit
  --hpk-help      print the flags of hpk and exit
)";

// The key of a cell: three coordinates of 20 bits, each with a spare bit. Cells outside of the box
// have coordinates of -1 or above the largest one, and contain no particle.
HPK_INLINE_FUNCTION std::uint64_t key_of(std::int64_t x, std::int64_t y, std::int64_t z) {
  return static_cast<std::uint64_t>(x + 1) << 42 | static_cast<std::uint64_t>(y + 1) << 21 |
         static_cast<std::uint64_t>(z + 1);
}

// Particles in the unit cube, sorted into cells: a map from the key of a cell to its first
// particle, and for each particle the next one of its cell.
template <class Space>
struct cell_list {
  using positions_type = hpk::View<const double* [3], Space>;
  using map_type = hpk::UnorderedMap<std::uint64_t, int, Space>;

  positions_type positions;
  map_type first;
  hpk::View<int*, Space> next;
  int cells_per_side;

  HPK_FUNCTION std::int64_t cell(int i, int axis) const {
    return static_cast<std::int64_t>(positions(i, axis) * cells_per_side);
  }
  HPK_FUNCTION bool are_near(int i, int j) const {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double d = positions(i, axis) - positions(j, axis);
      square += d * d;
    }
    return square * cells_per_side * cells_per_side < 1;
  }
};

// Inserts particle i at the front of the list of its cell.
template <class Space>
struct sort_into_cells {
  cell_list<Space> list;
  HPK_FUNCTION void operator()(int i) const {
    const auto key = key_of(list.cell(i, 0), list.cell(i, 1), list.cell(i, 2));
    const auto result = list.first.insert(key, -1);
    if (result.failed()) hpk::abort("neighbour_cells: the map is full");
    list.next(i) = hpk::atomic_exchange(&list.first.value_at(result.index()), i);
  }
};

// Counts the neighbours of particle i with larger numbers, in the 27 cells around it.
template <class Space>
struct count_in_cells {
  cell_list<Space> list;
  HPK_FUNCTION void operator()(int i, long& pairs) const {
    for (int around = 0; around < 27; ++around) {
      const auto slot = list.first.find(key_of(list.cell(i, 0) + around / 9 - 1,
                                               list.cell(i, 1) + around / 3 % 3 - 1,
                                               list.cell(i, 2) + around % 3 - 1));
      if (!list.first.valid_at(slot)) continue;
      for (int j = list.first.value_at(slot); j >= 0; j = list.next(j)) {
        if (j > i && list.are_near(i, j)) ++pairs;
      }
    }
  }
};

// Counts the same neighbours by looking at all particles.
template <class Space>
struct count_in_all {
  cell_list<Space> list;
  HPK_FUNCTION void operator()(int i, long& pairs) const {
    const int n = static_cast<int>(list.positions.extent(0));
    for (int j = i + 1; j < n; ++j) {
      if (list.are_near(i, j)) ++pairs;
    }
  }
};

struct counts {
  long by_cells = 0;
  long by_all = 0;
  long cells = 0;
};

template <class Space>
counts count_pairs(int particles, int cells_per_side) {
  hpk::DualView<double* [3], Space> positions("positions", particles);
  std::mt19937_64 random(2024);
  const auto host = positions.view_host();
  for (int i = 0; i < particles; ++i) {
    for (int axis = 0; axis < 3; ++axis)
      host(i, axis) = static_cast<double>(random() >> 11) / 9007199254740992.0;  // below 1
  }
  positions.modify_host();
  positions.sync_device();

  const auto capacity = static_cast<unsigned>(particles);  // at most one cell per particle
  const cell_list<Space> list{
      positions.view_device(),
      typename cell_list<Space>::map_type(hpk::view_alloc("cells"), capacity),
      hpk::View<int*, Space>("next", particles), cells_per_side};
  const hpk::RangePolicy<Space> all(0, particles);
  hpk::parallel_for("sort into cells", all, sort_into_cells<Space>{list});
  counts result;
  hpk::parallel_reduce("pairs by cells", all, count_in_cells<Space>{list}, result.by_cells);
  hpk::parallel_reduce("pairs by all", all, count_in_all<Space>{list}, result.by_all);
  result.cells = static_cast<long>(list.first.size());
  return result;
}

int run(int argc, char* argv[]) {
  example::command_line line(argc, argv);
  if (line.take_switch("--help")) {
    std::printf("%s", usage);
    return 0;
  }
  const int particles = line.take_number("--particles", 1, 100000, 4000);
  const int cells_per_side = line.take_number("--cells", 3, 1000000, 20);
  for (const std::string& operand : line.take_operands())
    throw example::usage_error("'" + operand + "' is not understood; --help says more");

  std::printf("%d particles, a cutoff of 1/%d\n\n", particles, cells_per_side);
  std::printf("%-8s %10s %10s %10s\n", "space", "pairs", "plain loop", "cells");
  bool agree = true;
  long first = -1;
  hpk::for_each_space([&](auto space) {
    using type = decltype(space);
    const counts found = count_pairs<type>(particles, cells_per_side);
    std::printf("%-8s %10ld %10ld %10ld\n", type::name(), found.by_cells, found.by_all,
                found.cells);
    if (first < 0) first = found.by_all;
    agree = agree && found.by_cells == found.by_all && found.by_all == first;
  });
  std::printf("\nall counts agree: %s\n", agree ? "yes" : "no");
  return agree ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const hpk::ScopeGuard guard(argc, argv);
    return run(argc, argv);
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "neighbour_cells: %s\n", wrong.what());
    return 2;
  }
}
