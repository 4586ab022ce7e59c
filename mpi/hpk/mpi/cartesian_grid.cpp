// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/cartesian_grid.hpp>
#include <hpk/mpi/detail/call.hpp>

#include <limits>
#include <string>
#include <vector>

namespace hpk::mpi::detail {

namespace {

constexpr const char* function = "hpk::mpi::CartesianGrid";

// Writes a product, for example "12 x 8".
template <class T>
void put_product(error_message& text, const T* factors, int n) {
  for (int d = 0; d < n; ++d) text << (d == 0 ? "" : " x ") << factors[d];
}

// Returns the surface of the largest block: the number of cells that it exchanges in a halo of
// width 1, counting only dimensions with more than one block.
index_t surface(const grid_facts& grid, const int* ranks) {
  index_t sides[3] = {1, 1, 1}, total = 0;
  for (int d = 0; d < grid.dimensions; ++d) sides[d] = (grid.extents[d] + ranks[d] - 1) / ranks[d];
  for (int d = 0; d < grid.dimensions; ++d)
    if (ranks[d] > 1) total += 2 * sides[(d + 1) % 3] * sides[(d + 2) % 3];
  return total;
}

// Tries all ways to write `left` as a product of numbers of blocks in the dimensions from d on, and
// remembers the best.
struct search {
  const grid_facts& grid;
  const int* asked;
  std::vector<int> divisors;  // divisors of the number of ranks, descending
  int tried[3] = {1, 1, 1};
  int best[3] = {0, 0, 0};
  index_t least = std::numeric_limits<index_t>::max();

  void divide(int d, int left) {
    if (d == grid.dimensions) {
      if (left != 1) return;
      const index_t found = surface(grid, tried);
      if (found >= least) return;
      least = found;
      for (int k = 0; k < 3; ++k) best[k] = tried[k];
      return;
    }
    // The first dimensions get the most blocks, because in a LayoutRight View their faces are
    // contiguous.
    for (const int n : divisors) {
      if (left % n != 0 || n > grid.extents[d] || (asked[d] != 0 && n != asked[d])) continue;
      if (d == grid.dimensions - 1 && n != left) continue;
      tried[d] = n;
      divide(d + 1, left / n);
    }
  }
};

std::vector<int> divisors_of(int n) {
  std::vector<int> small, result;
  for (int k = 1; k <= n / k; ++k) {
    if (n % k != 0) continue;
    result.push_back(n / k);
    if (k != n / k) small.push_back(k);
  }
  result.insert(result.end(), small.rbegin(), small.rend());
  return result;
}

std::string fault_of(const grid_facts& grid, const int* asked, int ranks) {
  error_message why;
  for (int d = 0; d < grid.dimensions; ++d) {
    if (grid.extents[d] < 1) {
      why << "dimension " << d << " has " << grid.extents[d] << " cells; a grid has at least one";
      return why.str();
    }
    if (grid.extents[d] > std::numeric_limits<index_t>::max() / ranks) {
      why << "dimension " << d << " has " << grid.extents[d] << " cells, too many for " << ranks
          << " ranks";
      return why.str();
    }
    if (asked[d] < 0) {
      why << "dimension " << d << " can't have " << asked[d] << " blocks; write 0 for any number";
      return why.str();
    }
  }
  return {};
}

}  // namespace

std::shared_ptr<const grid_facts> divide_grid(const Communicator& comm, int dimensions,
                                              const index_t* extents, const bool* periodic,
                                              const int* ranks, const std::source_location& where) {
  const auto grid = std::make_shared<grid_facts>();
  grid->dimensions = dimensions;
  for (int d = 0; d < dimensions; ++d) {
    grid->extents[d] = extents[d];
    grid->periodic[d] = periodic[d];
  }
  const call what{.function = function, .where = where};
  error_message described;
  put_product(described, extents, dimensions);
  described << " cells, periodic ";
  for (int d = 0; d < dimensions; ++d) described << (periodic[d] ? '1' : '0');
  described << ", blocks ";
  put_product(described, ranks, dimensions);
  std::string fault = fault_of(*grid, ranks, comm.size());
  search found{.grid = *grid, .asked = ranks, .divisors = divisors_of(comm.size())};
  if (fault.empty()) {
    found.divide(0, comm.size());
    if (found.best[0] == 0) {
      error_message why;
      why << comm.size() << " ranks can't have one block each of a grid of " << described.str()
          << " (0: any number); a block has at least one cell in each dimension";
      fault = why.str();
    }
  }
  expect_agreement(comm, what, {.operation = described.str()}, fault);
  // A separate communicator, so that messages of halos never match messages of the program.
  grid->comm = comm.split(0, comm.rank(), where);
  for (int d = 0; d < dimensions; ++d) grid->ranks[d] = found.best[d];
  coordinates_of(*grid, comm.rank(), grid->coordinates);
  return grid;
}

void coordinates_of(const grid_facts& grid, int rank, int* coordinates) {
  for (int d = 2; d >= 0; --d) {
    coordinates[d] = rank % grid.ranks[d];
    rank /= grid.ranks[d];
  }
}

int rank_at(const grid_facts& grid, const int* coordinates) {
  int rank = 0;
  for (int d = 0; d < 3; ++d) rank = rank * grid.ranks[d] + coordinates[d];
  return rank;
}

int neighbour_in(const grid_facts& grid, const int* step) {
  int coordinates[3] = {};
  for (int d = 0; d < grid.dimensions; ++d) {
    const int n = grid.ranks[d];
    coordinates[d] = grid.coordinates[d] + step[d];
    if (coordinates[d] >= 0 && coordinates[d] < n) continue;
    if (!grid.periodic[d]) return no_rank;
    coordinates[d] = (coordinates[d] % n + n) % n;
  }
  return rank_at(grid, coordinates);
}

}  // namespace hpk::mpi::detail
