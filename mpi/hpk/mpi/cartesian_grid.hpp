// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CartesianGrid: cells in 1 to 3 dimensions that are divided into blocks, one for each rank of a
// communicator. A rank computes its neighbours by arithmetic, so memory does not grow with the
// number of ranks.
#pragma once

#include <hpk/mpi/block.hpp>
#include <hpk/mpi/communicator.hpp>

#include <hpk/core.hpp>

#include <memory>
#include <source_location>

namespace hpk::mpi {

/// The indices begin[d], ..., end[d] - 1 in each dimension d. Empty if end[d] <= begin[d] in any
/// dimension.
///
/// \tparam N number of dimensions
template <int N>
struct Box {
  Array<index_t, std::size_t{N}> begin = {};  ///< the first index of each dimension
  Array<index_t, std::size_t{N}> end = {};    ///< the index after the last of each dimension

  /// Returns the number of indices in dimension d.
  HPK_FUNCTION constexpr index_t extent(int d) const {
    return end[d] > begin[d] ? end[d] - begin[d] : 0;
  }
  /// Returns the number of indices.
  HPK_FUNCTION constexpr index_t size() const {
    index_t product = 1;
    for (int d = 0; d < N; ++d) product *= extent(d);
    return product;
  }
  /// Returns whether an index is in the box.
  HPK_FUNCTION constexpr bool contains(const Array<index_t, std::size_t{N}>& index) const {
    for (int d = 0; d < N; ++d)
      if (index[d] < begin[d] || index[d] >= end[d]) return false;
    return true;
  }
  /// Compares the bounds, of empty boxes too.
  friend constexpr bool operator==(const Box&, const Box&) = default;
};

/// Returns the policy that calls a kernel for each index of a box: a RangePolicy in one dimension,
/// else an MDRangePolicy of N dimensions.
template <ExecutionSpace Exec, int N>
auto policy_over(const Exec& exec, const Box<N>& box) {
  if constexpr (N == 1) {
    return RangePolicy<Exec, IndexType<index_t>>(exec, box.begin[0], box.begin[0] + box.extent(0));
  } else {
    Array<index_t, std::size_t{N}> end = box.begin;
    for (int d = 0; d < N; ++d) end[d] += box.extent(d);
    return MDRangePolicy<Exec, Rank<unsigned{N}>, IndexType<index_t>>(exec, box.begin, end);
  }
}

namespace detail {

/// The data of a grid with 1 to 3 dimensions.
struct grid_facts {
  Communicator comm;
  int dimensions = 0;
  index_t extents[3] = {1, 1, 1};
  bool periodic[3] = {};
  int ranks[3] = {1, 1, 1};
  int coordinates[3] = {};
  mutable int views = 0;  // number of HaloExchanges made so far on this rank
};
/// Divides the cells among the ranks. Collective. Throws hpk::error on all ranks if the grid can't
/// be divided.
std::shared_ptr<const grid_facts> divide_grid(const Communicator& comm, int dimensions,
                                              const index_t* extents, const bool* periodic,
                                              const int* ranks, const std::source_location& where);
/// Returns the rank that is step[d] blocks away in each dimension d; no_rank beyond a boundary that
/// is not periodic.
int neighbour_in(const grid_facts& grid, const int* step);
/// Returns the rank that has the block at these coordinates.
int rank_at(const grid_facts& grid, const int* coordinates);
void coordinates_of(const grid_facts& grid, int rank, int* coordinates);

}  // namespace detail

/// Cells in N dimensions, divided into blocks of nearly equal size, one for each rank. A handle:
/// copies are the same grid.
///
/// Ranks are numbered in the order of a LayoutRight View: the coordinate of the last dimension
/// changes fastest. By default the grid chooses the numbers of blocks that give a block the
/// smallest surface; among equal surfaces it prefers to divide the first dimensions.
///
/// \tparam N number of dimensions, 1 to 3
template <int N>
class CartesianGrid {
  static_assert(
      N >= 1 && N <= 3,
      "hpk::mpi::CartesianGrid: grids have 1 to 3 dimensions; more of a View's dimensions "
      "stay whole on each rank (see GridView)");

 public:
  /// Number of dimensions, for generic code.
  static constexpr int dimensions = N;

  /// Divides extents[0] x extents[1] x ... cells among the ranks. Collective.
  ///
  /// \param periodic whether each dimension wraps around: the neighbour after its last cell is its
  /// first
  /// \param ranks number of blocks in each dimension; 0 lets the grid choose
  ///
  /// Throws hpk::error, on all ranks, if an extent is below 1, if the number of blocks differs from
  /// the number of ranks, or if a dimension has more blocks than cells.
  CartesianGrid(const Communicator& comm, const Array<index_t, std::size_t{N}>& extents,
                const Array<bool, std::size_t{N}>& periodic = {},
                const Array<int, std::size_t{N}>& ranks = {},
                const std::source_location& where = std::source_location::current())
      : facts_(detail::divide_grid(comm, N, extents.data(), periodic.data(), ranks.data(), where)) {
  }

  /// Returns the communicator whose ranks have the blocks.
  const Communicator& communicator() const noexcept { return facts_->comm; }
  /// Returns the number of cells in dimension d.
  index_t extent(int d) const noexcept { return facts_->extents[d]; }
  /// Returns the number of cells in each dimension.
  Array<index_t, std::size_t{N}> extents() const noexcept { return take(facts_->extents); }
  /// Returns whether dimension d wraps around.
  bool is_periodic(int d) const noexcept { return facts_->periodic[d]; }
  /// Returns the number of blocks in dimension d.
  int ranks(int d) const noexcept { return facts_->ranks[d]; }
  /// Returns the position of this rank's block in dimension d.
  int coordinate(int d) const noexcept { return facts_->coordinates[d]; }

  /// Returns the cells of this rank.
  Box<N> owned() const noexcept { return box_at(facts_->coordinates); }
  /// Returns the cells of a rank.
  Box<N> owned_by(int rank) const noexcept {
    int coordinates[3];
    detail::coordinates_of(*facts_, rank, coordinates);
    return box_at(coordinates);
  }
  /// Returns the rank that has a cell of the grid.
  int rank_of(const Array<index_t, std::size_t{N}>& cell) const noexcept {
    int coordinates[3] = {};
    for (int d = 0; d < N; ++d)
      coordinates[d] = static_cast<int>(block_of(extent(d), ranks(d), cell[d]));
    return detail::rank_at(*facts_, coordinates);
  }
  /// Returns the rank whose block is step[d] blocks further in dimension d; no_rank beyond the end
  /// of a dimension that is not periodic.
  int neighbour(const Array<int, std::size_t{N}>& step) const noexcept {
    return detail::neighbour_in(*facts_, step.data());
  }

  /// For the library: the data of the grid.
  const detail::grid_facts& facts() const noexcept { return *facts_; }

 private:
  template <class T>
  static Array<T, std::size_t{N}> take(const T* values) {
    Array<T, std::size_t{N}> result{};
    for (int d = 0; d < N; ++d) result[d] = values[d];
    return result;
  }
  Box<N> box_at(const int* coordinates) const {
    Box<N> box;
    for (int d = 0; d < N; ++d) {
      box.begin[d] = block_begin(extent(d), ranks(d), coordinates[d]);
      box.end[d] = block_begin(extent(d), ranks(d), coordinates[d] + 1);
    }
    return box;
  }
  std::shared_ptr<const detail::grid_facts> facts_;
};

}  // namespace hpk::mpi
