// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Particles in a box, sorted by their grid cell, as in molecular dynamics and particle-in-cell
// codes: the particles of a cell become contiguous in memory, and the neighbours of a particle are
// in a few cells. hpk::BinSort computes the order once and applies it to every View of particle
// properties. The order and the beginnings of cells are checked against a plain loop. Then pairs of
// close particles are counted by looking only at neighbouring cells.
#include <hpk/algorithms/bin_sort.hpp>
#include <hpk/core.hpp>

#include <command_line.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

constexpr char usage[] = R"(usage: particle_binning [--particles N]

Sorts particles by cell on every space, checks the result, and counts close pairs.

  --particles N   from 1 to 10000000 (default 200000)
  --help          print this text and exit
  --hpk-help      print the flags of hpk and exit

Columns: workers of the space; milliseconds to find the order, and to apply it to three Views;
whether each particle is in its cell; pairs closer than a fiftieth of the box.
)";

constexpr int cells = 8;  // along each edge of the box, which is [0, 1] x [0, 1] x [0, 1]
constexpr double reach = 0.02;

/// Returns the k-th number of a particle, in [0, 1): a mixed counter (SplitMix64, Steele et al.,
/// 2014).
HPK_INLINE_FUNCTION double number_of(std::uint64_t particle, std::uint64_t k) {
  std::uint64_t x = (3 * particle + k + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return static_cast<double>((x ^ x >> 31) >> 11) * 0x1p-53;
}

template <class Space>
struct particles {
  hpk::View<double* [3], Space> position;
  hpk::View<float*, Space> charge;
  hpk::View<int*, Space> number;
  explicit particles(int count)
      : position("position", count), charge("charge", count), number("number", count) {}
};

template <class Space>
particles<Space> make_particles(const Space& space, int count) {
  const particles<Space> all(count);
  hpk::parallel_for(
      "make particles", hpk::RangePolicy<Space>(space, 0, count), HPK_LAMBDA(int i) {
        for (int d = 0; d < 3; ++d)
          all.position(i, d) = number_of(static_cast<std::uint64_t>(i), static_cast<unsigned>(d));
        all.charge(i) = static_cast<float>(i % 3 - 1);
        all.number(i) = i;
      });
  return all;
}

HPK_INLINE_FUNCTION int cell_along(double x) {
  const int cell = static_cast<int>(x * cells);
  return cell < cells ? cell : cells - 1;
}

/// Whether particles and cells equal the result of a plain loop over all particles.
template <class Sorter, class Space>
bool is_as_by_hand(const Sorter& sorter, const particles<Space>& sorted, int count) {
  std::vector<std::vector<int>> members(cells * cells * cells);
  for (int i = 0; i < count; ++i) {
    std::size_t cell = 0;
    for (unsigned d = 0; d < 3; ++d)
      cell = cell * cells +
             static_cast<std::size_t>(cell_along(number_of(static_cast<std::uint64_t>(i), d)));
    members[cell].push_back(i);
  }
  const auto begin = hpk::create_mirror_view_and_copy(hpk::HostSpace(), sorter.get_bin_offsets());
  const auto size = hpk::create_mirror_view_and_copy(hpk::HostSpace(), sorter.get_bin_count());
  const auto number = hpk::create_mirror_view_and_copy(hpk::HostSpace(), sorted.number);
  const auto charge = hpk::create_mirror_view_and_copy(hpk::HostSpace(), sorted.charge);
  const auto position = hpk::create_mirror_view_and_copy(hpk::HostSpace(), sorted.position);
  std::size_t at = 0;
  for (std::size_t c = 0; c < members.size(); ++c) {
    if (begin(c) != at || size(c) != members[c].size()) return false;
    for (const int i : members[c]) {
      if (number(at) != i || charge(at) != static_cast<float>(i % 3 - 1)) return false;
      for (unsigned d = 0; d < 3; ++d)
        if (position(at, d) != number_of(static_cast<std::uint64_t>(i), d)) return false;
      ++at;
    }
  }
  return true;
}

/// Counts the pairs that are closer than `reach`: each particle looks at 27 cells.
template <class Space, class Begin, class Size>
std::int64_t count_close_pairs(const Space& space, const particles<Space>& sorted,
                               const Begin& begin, const Size& size, int count) {
  const auto position = sorted.position;
  std::int64_t pairs = 0;
  hpk::parallel_reduce(
      "count close pairs", hpk::RangePolicy<Space>(space, 0, count),
      HPK_LAMBDA(int i, std::int64_t& sum) {
        int low[3];
        int high[3];
        for (int d = 0; d < 3; ++d) {
          low[d] = cell_along(position(i, d) < reach ? 0 : position(i, d) - reach);
          high[d] = cell_along(position(i, d) + reach);
        }
        for (int x = low[0]; x <= high[0]; ++x) {
          for (int y = low[1]; y <= high[1]; ++y) {
            for (int z = low[2]; z <= high[2]; ++z) {
              const int cell = (x * cells + y) * cells + z;
              const int end = static_cast<int>(begin(cell) + size(cell));
              for (int j = static_cast<int>(begin(cell)); j < end; ++j) {
                double square = 0;
                for (int d = 0; d < 3; ++d) {
                  const double distance = position(i, d) - position(j, d);
                  square += distance * distance;
                }
                if (j > i && square < reach * reach) ++sum;
              }
            }
          }
        }
      },
      pairs);
  return pairs;
}

/// Prints one row of the table. Returns false if a result is wrong.
template <class Space>
bool run(const Space& space, int count) {
  using positions = hpk::View<double* [3], Space>;
  const particles<Space> all = make_particles(space, count);
  const int bins[3] = {cells, cells, cells};
  const double low[3] = {0, 0, 0};
  const double high[3] = {1, 1, 1};
  const hpk::BinOp3D<positions> op(bins, low, high);
  hpk::BinSort<positions, hpk::BinOp3D<positions>> sorter(space, all.position, op);
  space.fence();
  hpk::Timer timer;
  sorter.create_permute_vector(space);
  const double found = timer.seconds();
  timer.reset();
  sorter.sort(space, all.position);
  sorter.sort(space, all.charge);
  sorter.sort(space, all.number);
  const double applied = timer.seconds();
  const bool right = is_as_by_hand(sorter, all, count);
  const std::int64_t pairs =
      count_close_pairs(space, all, sorter.get_bin_offsets(), sorter.get_bin_count(), count);
  std::printf("%-10s %7d %9.2f %9.2f  %-5s %10lld\n", space.name(), space.concurrency(),
              found * 1e3, applied * 1e3, right ? "yes" : "no", static_cast<long long>(pairs));
  return right;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const hpk::ScopeGuard scope(argc, argv);
    example::command_line line(argc, argv);
    const bool help = line.take_switch("--help");
    const int count = line.take_number("--particles", 1, 10000000, 200000);
    for (const std::string& operand : line.take_operands())
      throw example::usage_error("'" + operand + "' is not understood; --help says more");
    if (help) {
      std::fputs(usage, stdout);
      return 0;
    }
    std::printf("%d particles in %d x %d x %d cells\n\n", count, cells, cells, cells);
    std::printf("%-10s %7s %9s %9s  %-5s %10s\n", "space", "workers", "find ms", "apply ms",
                "right", "pairs");
    bool right = true;
    hpk::for_each_space([&](auto space) { right = run(space, count) && right; });
    return right ? 0 : 1;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "particle_binning: %s\n", problem.what());
    return 2;
  }
}
