// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GridView: the cells that a rank has of a View over a whole grid, with a halo around them. Kernels
// access them with the indices of the whole grid.
#pragma once

#include <hpk/mpi/cartesian_grid.hpp>

#include <hpk/core.hpp>

#include <concepts>
#include <cstddef>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace hpk::mpi {

namespace detail {

template <class V, int N>
constexpr bool accept_grid_view() {
  constexpr bool has_dimensions = N >= 1 && N <= 3 && static_cast<std::size_t>(N) <= V::rank();
  static_assert(has_dimensions,
                "hpk::mpi::GridView: the grid has 1 to 3 dimensions, and the View as many or more; "
                "write a View of at least N dimensions");
  constexpr bool is_dynamic = !has_dimensions || static_cast<std::size_t>(N) <= V::rank_dynamic();
  static_assert(is_dynamic,
                "hpk::mpi::GridView: extents of a divided dimension differ between ranks; write a "
                "View whose first N extents are dynamic");
  return true;
}

/// Returns the subview with the indices of `local` in the first N dimensions and all indices of the
/// other dimensions. Indices count from 0.
template <class V, int N, std::size_t... R>
auto part_of(const V& view, const Box<N>& local, std::index_sequence<R...>) {
  const auto range = [&](auto r) {
    if constexpr (static_cast<int>(r()) < N) {
      constexpr int d = static_cast<int>(r());
      return pair<index_t, index_t>(local.begin[d], local.begin[d] + local.extent(d));
    } else {
      return ALL;
    }
  };
  return subview(view, range(std::integral_constant<std::size_t, R>())...);
}
template <class V, int N>
auto part_of(const V& view, const Box<N>& local) {
  return part_of(view, local, std::make_index_sequence<V::rank()>());
}

/// Throws hpk::error if a halo is negative, or wider than the smallest block of a dimension in
/// which cells are exchanged.
void expect_halo_fits(const grid_facts& grid, const std::string& label, const index_t* halo,
                      const std::source_location& where);

}  // namespace detail

/// A View of the cells of this rank, with a halo around them. The halo has copies of cells that
/// belong to other ranks, which HaloExchange fills, and cells beyond the ends of the grid, which
/// the program sets. Kernels capture a GridView by value. `u(i, j)` takes the indices of the whole
/// grid, from begin - halo to end + halo of the rank's cells; in a periodic dimension the halo has
/// the indices -1, -2, ... and n, n + 1, ...
///
///     const hpk::mpi::CartesianGrid<2> grid(comm, {n, n});
///     hpk::mpi::GridView<hpk::View<double**>> u("u", grid, 1);
///     hpk::parallel_for(
///         policy_over(exec, u.owned_box()), HPK_LAMBDA(int i, int j) { u(i, j) = 0; });
///
/// \tparam V the View's type; its first N dimensions are the dimensions of the grid, further ones
/// (components of a cell) are whole on each rank
/// \tparam N number of dimensions of the grid
///
/// Threads: as a View.
template <class V, int N = static_cast<int>(V::rank())>
  requires is_view_v<V>
class GridView {
  static_assert(detail::accept_grid_view<V, N>());
  static constexpr int components = static_cast<int>(V::rank()) - N;

 public:
  /// The type of view(), and its element type and spaces.
  ///@{
  using view_type = V;
  using value_type = typename V::value_type;
  using execution_space = typename V::execution_space;
  using memory_space = typename V::memory_space;
  ///@}
  /// Number of dimensions of the grid.
  static constexpr int dimensions = N;

  /// Makes a GridView without a View.
  GridView() = default;
  /// Allocates the cells of this rank and a halo of `halo` cells on each side of each dimension.
  /// All elements are 0, including the halo.
  ///
  /// \param extents dynamic extents of the dimensions after the grid's
  ///
  /// Throws hpk::error, on all ranks, if a halo is negative, or wider than the smallest block of a
  /// dimension in which cells are exchanged.
  GridView(const std::string& label, const CartesianGrid<N>& grid, index_t halo,
           const Array<index_t, static_cast<std::size_t>(components)>& extents = {},
           const std::source_location& where = std::source_location::current())
      : GridView(label, grid, same(halo), extents, where) {}
  /// The same with a halo width for each dimension.
  GridView(const std::string& label, const CartesianGrid<N>& grid,
           const Array<index_t, std::size_t{N}>& halo,
           const Array<index_t, static_cast<std::size_t>(components)>& extents = {},
           const std::source_location& where = std::source_location::current())
      : extents_(grid.extents()), owned_(grid.owned()), halo_(halo) {
    detail::expect_halo_fits(grid.facts(), label, halo.data(), where);
    typename V::array_layout layout;
    for (int r = 0; r < static_cast<int>(V::rank()); ++r) {
      if (r < N) {
        first_[r] = owned_.begin[r] - halo[r];
        layout.dimension[r] = static_cast<std::size_t>(owned_.extent(r) + 2 * halo[r]);
      } else {
        const auto k = static_cast<std::size_t>(r);
        layout.dimension[r] =
            k < V::rank_dynamic() ? static_cast<std::size_t>(extents[r - N]) : V::static_extent(k);
      }
    }
    view_ = V(view_alloc(label), layout);
  }

  /// Converts a GridView whose View converts, for example to const elements. Both share the cells.
  template <class W>
    requires(!std::same_as<W, V> && std::convertible_to<const W&, V>)
  GridView(const GridView<W, N>& other)
      : view_(other.view_),
        first_(other.first_),
        extents_(other.extents_),
        owned_(other.owned_),
        halo_(other.halo_) {}

  /// Returns an element by its indices in the whole grid, of a cell of this rank or its halo.
  template <std::integral... I>
    requires(sizeof...(I) == V::rank())
  HPK_FUNCTION decltype(auto) operator()(I... index) const {
    return at(std::make_index_sequence<V::rank()>(), index...);
  }

  /// Returns the label of view().
  std::string label() const { return view_.label(); }
  /// Returns the View of this rank with the halo. Its indices begin at 0.
  const V& view() const noexcept { return view_; }
  /// Returns the View of this rank's cells without the halo. Its indices begin at 0. Functions for
  /// files take it with subarray().
  auto owned() const { return part(owned_); }
  /// Returns a subview with the cells of a box, which is given in indices of the whole grid and
  /// lies within this rank's cells and halo.
  auto part(const Box<N>& box) const { return detail::part_of(view_, to_local(box)); }

  /// Returns the box of this rank's cells, in indices of the whole grid.
  const Box<N>& owned_box() const noexcept { return owned_; }
  /// Return the first cell of this rank in dimension d, and the cell after its last one.
  ///@{
  HPK_FUNCTION index_t begin(int d) const { return owned_.begin[d]; }
  HPK_FUNCTION index_t end(int d) const { return owned_.end[d]; }
  ///@}
  /// Returns the number of cells of the whole grid in dimension d.
  HPK_FUNCTION index_t global_extent(int d) const { return extents_[d]; }
  /// Returns the width of the halo on each side in dimension d, or in each dimension, in cells.
  ///@{
  HPK_FUNCTION index_t halo(int d) const { return halo_[d]; }
  const Array<index_t, std::size_t{N}>& halo() const noexcept { return halo_; }
  ///@}
  /// Returns the position of owned() in the whole grid, including the dimensions after the grid's.
  Subarray<static_cast<int>(V::rank())> subarray() const {
    Subarray<static_cast<int>(V::rank())> result;
    for (int r = 0; r < static_cast<int>(V::rank()); ++r) {
      result.extents[r] =
          r < N ? extents_[r] : static_cast<index_t>(view_.extent(static_cast<std::size_t>(r)));
      result.begin[r] = r < N ? owned_.begin[r] : 0;
    }
    return result;
  }
  /// Convert an index in one dimension from the whole grid to view(), and back.
  ///@{
  HPK_FUNCTION index_t to_local(int d, index_t global) const { return global - first_[d]; }
  HPK_FUNCTION index_t to_global(int d, index_t local) const { return local + first_[d]; }
  ///@}

 private:
  template <class W, int M>
    requires is_view_v<W>
  friend class GridView;
  static Array<index_t, std::size_t{N}> same(index_t width) {
    Array<index_t, std::size_t{N}> result{};
    for (int d = 0; d < N; ++d) result[d] = width;
    return result;
  }
  Box<N> to_local(const Box<N>& box) const {
    Box<N> local;
    for (int d = 0; d < N; ++d) {
      local.begin[d] = to_local(d, box.begin[d]);
      local.end[d] = to_local(d, box.end[d]);
    }
    return local;
  }
  template <std::size_t... R, class... I>
  HPK_FUNCTION decltype(auto) at(std::index_sequence<R...>, I... index) const {
    return view_((static_cast<index_t>(index) - first_of(static_cast<int>(R)))...);
  }
  HPK_FUNCTION constexpr index_t first_of(int r) const { return r < N ? first_[r] : 0; }

  V view_;
  // Index in the whole grid of the first element of view_.
  Array<index_t, std::size_t{N}> first_ = {};
  Array<index_t, std::size_t{N}> extents_ = {};
  Box<N> owned_;
  Array<index_t, std::size_t{N}> halo_ = {};
};

}  // namespace hpk::mpi
