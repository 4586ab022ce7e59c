// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CartesianGrid: cells in 1 to 3 dimensions that are divided in blocks among the ranks of a
// communicator. A rank knows its neighbours by arithmetic: nothing here grows with the number of
// ranks.
#pragma once

#include <hpk/mpi/block.hpp>
#include <hpk/mpi/communicator.hpp>

#include <hpk/core.hpp>

#include <memory>
#include <source_location>

namespace hpk::mpi {

/// The indices begin[d], ..., end[d] - 1 in each dimension d; none if end[d] <= begin[d] in one.
///
/// \tparam N number of dimensions
template <int N>
struct Box {
  Array<index_t, std::size_t{N}> begin = {};
  Array<index_t, std::size_t{N}> end = {};

  /// Number of indices in one dimension.
  HPK_FUNCTION constexpr index_t extent(int d) const {
    return end[d] > begin[d] ? end[d] - begin[d] : 0;
  }
  /// Number of indices.
  HPK_FUNCTION constexpr index_t size() const {
    index_t product = 1;
    for (int d = 0; d < N; ++d) product *= extent(d);
    return product;
  }
  HPK_FUNCTION constexpr bool contains(const Array<index_t, std::size_t{N}>& index) const {
    for (int d = 0; d < N; ++d)
      if (index[d] < begin[d] || index[d] >= end[d]) return false;
    return true;
  }
  friend constexpr bool operator==(const Box&, const Box&) = default;
};

/// The policy that calls a kernel for the indices of a box: a RangePolicy, or an MDRangePolicy of N
/// dimensions.
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

/// What a grid is, whatever its number of dimensions, of which at most three are used.
struct grid_facts {
  Communicator comm;
  int dimensions = 0;
  index_t extents[3] = {1, 1, 1};
  bool periodic[3] = {};
  int ranks[3] = {1, 1, 1};
  int coordinates[3] = {};
  mutable int views = 0;  // that exchange halos, on this rank
};
/// Divides the cells; throws on all ranks alike.
std::shared_ptr<const grid_facts> divide_grid(const Communicator& comm, int dimensions,
                                              const index_t* extents, const bool* periodic,
                                              const int* ranks, const std::source_location& where);
/// The rank that is so many blocks away in each dimension; no_rank beyond an open boundary.
int neighbour_in(const grid_facts& grid, const int* step);
/// The rank of a block.
int rank_at(const grid_facts& grid, const int* coordinates);
void coordinates_of(const grid_facts& grid, int rank, int* coordinates);

}  // namespace detail

/// Cells in N dimensions, divided in blocks of nearly equal size: rank r has one block. A handle:
/// copies are the same grid.
///
/// The ranks are numbered as the elements of a LayoutRight View: the last dimension changes first.
/// If not told otherwise, the number of blocks in each dimension is the one with the least surface
/// of a block; of equal ones the first dimensions are divided more.
///
/// \tparam N number of dimensions, 1 to 3
template <int N>
class CartesianGrid {
  static_assert(
      N >= 1 && N <= 3,
      "hpk::mpi::CartesianGrid: grids have 1 to 3 dimensions; more of a View's dimensions "
      "stay whole on each rank (see GridView)");

 public:
  /// The dimension count, for generic code.
  static constexpr int dimensions = N;

  /// Divides extents[0] x ... cells among the ranks. Collective.
  ///
  /// \param periodic which dimensions have no ends: the last cell's neighbour is the first
  /// \param ranks number of blocks in each dimension; 0 where the grid decides
  ///
  /// Throws hpk::error, on all ranks, if an extent is below 1, if the blocks are not as many as the
  /// ranks, or if there are more blocks than cells in a dimension.
  CartesianGrid(const Communicator& comm, const Array<index_t, std::size_t{N}>& extents,
                const Array<bool, std::size_t{N}>& periodic = {},
                const Array<int, std::size_t{N}>& ranks = {},
                const std::source_location& where = std::source_location::current())
      : facts_(detail::divide_grid(comm, N, extents.data(), periodic.data(), ranks.data(), where)) {
  }

  const Communicator& communicator() const noexcept { return facts_->comm; }
  /// Number of cells in one dimension.
  index_t extent(int d) const noexcept { return facts_->extents[d]; }
  /// Number of cells in all dimensions.
  Array<index_t, std::size_t{N}> extents() const noexcept { return take(facts_->extents); }
  bool is_periodic(int d) const noexcept { return facts_->periodic[d]; }
  /// Number of blocks in one dimension.
  int ranks(int d) const noexcept { return facts_->ranks[d]; }
  /// Which of the blocks of this dimension this rank has.
  int coordinate(int d) const noexcept { return facts_->coordinates[d]; }

  /// The cells of this rank.
  Box<N> owned() const noexcept { return box_at(facts_->coordinates); }
  /// The cells of a rank.
  Box<N> owned_by(int rank) const noexcept {
    int coordinates[3];
    detail::coordinates_of(*facts_, rank, coordinates);
    return box_at(coordinates);
  }
  /// The rank that has a cell of the grid.
  int rank_of(const Array<index_t, std::size_t{N}>& cell) const noexcept {
    int coordinates[3] = {};
    for (int d = 0; d < N; ++d)
      coordinates[d] = static_cast<int>(block_of(extent(d), ranks(d), cell[d]));
    return detail::rank_at(*facts_, coordinates);
  }
  /// The rank whose block is step[d] blocks further in dimension d; no_rank beyond the end of a
  /// dimension that is not periodic.
  int neighbour(const Array<int, std::size_t{N}>& step) const noexcept {
    return detail::neighbour_in(*facts_, step.data());
  }

  /// For the library.
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
