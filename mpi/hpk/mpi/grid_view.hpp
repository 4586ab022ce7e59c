// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GridView: the cells that a rank has of a View over a whole grid, and the halo around them, which
// kernels use with the indices of the whole grid.
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

/// The part of a View with these indices in its first dimensions, from 0 on, and all of the others.
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

/// Throws if a halo is wider than what each neighbour has.
void expect_halo_fits(const grid_facts& grid, const std::string& label, const index_t* halo,
                      const std::source_location& where);

}  // namespace detail

/// A View of the cells of this rank, with a halo around them: copies of cells that belong to other
/// ranks, and cells beyond the ends of the grid, which a program sets itself. HaloExchange fills
/// the copies. A kernel takes it along by value, and `u(i, j)` takes the indices of the whole grid,
/// from begin - halo to end + halo of the rank's cells; in a periodic dimension the halo has the
/// indices -1, -2, ... and n, n + 1, ...
///
///     const hpk::mpi::CartesianGrid<2> grid(comm, {n, n});
///     hpk::mpi::GridView<hpk::View<double**>> u("u", grid, 1);
///     hpk::parallel_for(policy_over(exec, u.owned_box()), HPK_LAMBDA(int i, int j) { u(i, j) = 0;
///     });
///
/// \tparam V the View's type; its first N dimensions are those of the grid, further ones
/// (components
///           of a cell) are whole on each rank
/// \tparam N number of dimensions of the grid
///
/// Threads: as a View.
template <class V, int N = static_cast<int>(V::rank())>
  requires is_view_v<V>
class GridView {
  static_assert(detail::accept_grid_view<V, N>());
  static constexpr int components = static_cast<int>(V::rank()) - N;

 public:
  using view_type = V;
  using value_type = typename V::value_type;
  using execution_space = typename V::execution_space;
  using memory_space = typename V::memory_space;
  /// Number of dimensions of the grid.
  static constexpr int dimensions = N;

  /// No View.
  GridView() = default;
  /// Allocates the cells of this rank and a halo of `halo` cells on each side of each dimension.
  /// Elements are 0, halos too.
  ///
  /// \param extents of the dimensions behind those of the grid, if they are dynamic
  ///
  /// Throws hpk::error if a halo is negative, or wider than the smallest block of a dimension in
  /// which cells are exchanged; on all ranks alike.
  GridView(const std::string& label, const CartesianGrid<N>& grid, index_t halo,
           const Array<index_t, static_cast<std::size_t>(components)>& extents = {},
           const std::source_location& where = std::source_location::current())
      : GridView(label, grid, same(halo), extents, where) {}
  /// The same with halos whose widths differ by dimension.
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

  /// The same cells as a GridView of a View that converts, of const elements for example.
  template <class W>
    requires(!std::same_as<W, V> && std::convertible_to<const W&, V>)
  GridView(const GridView<W, N>& other)
      : view_(other.view_),
        first_(other.first_),
        extents_(other.extents_),
        owned_(other.owned_),
        halo_(other.halo_) {}

  /// An element, by the indices of the whole grid; of cells of this rank and its halo.
  template <std::integral... I>
    requires(sizeof...(I) == V::rank())
  HPK_FUNCTION decltype(auto) operator()(I... index) const {
    return at(std::make_index_sequence<V::rank()>(), index...);
  }

  std::string label() const { return view_.label(); }
  /// The View of this rank, with the halo; its indices begin at 0.
  const V& view() const noexcept { return view_; }
  /// The View of this rank's own cells, without the halo; its indices begin at 0. With subarray(),
  /// what files take.
  auto owned() const { return part(owned_); }
  /// The cells of a box of the whole grid, within those of this rank and its halo.
  auto part(const Box<N>& box) const { return detail::part_of(view_, to_local(box)); }

  /// The cells of this rank, as indices of the whole grid.
  const Box<N>& owned_box() const noexcept { return owned_; }
  /// The first cell of this rank in dimension d, and the one behind its last.
  HPK_FUNCTION index_t begin(int d) const { return owned_.begin[d]; }
  HPK_FUNCTION index_t end(int d) const { return owned_.end[d]; }
  /// Number of cells of the whole grid in dimension d.
  HPK_FUNCTION index_t global_extent(int d) const { return extents_[d]; }
  /// Width of the halo on each side in dimension d, in cells.
  HPK_FUNCTION index_t halo(int d) const { return halo_[d]; }
  const Array<index_t, std::size_t{N}>& halo() const noexcept { return halo_; }
  /// Where owned() lies in the whole grid, with the dimensions behind those of the grid.
  Subarray<static_cast<int>(V::rank())> subarray() const {
    Subarray<static_cast<int>(V::rank())> result;
    for (int r = 0; r < static_cast<int>(V::rank()); ++r) {
      result.extents[r] =
          r < N ? extents_[r] : static_cast<index_t>(view_.extent(static_cast<std::size_t>(r)));
      result.begin[r] = r < N ? owned_.begin[r] : 0;
    }
    return result;
  }
  /// The index in view() of a cell of the whole grid, in one dimension; and back.
  HPK_FUNCTION index_t to_local(int d, index_t global) const { return global - first_[d]; }
  HPK_FUNCTION index_t to_global(int d, index_t local) const { return local + first_[d]; }

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
  // The index in the whole grid of view_'s first element.
  Array<index_t, std::size_t{N}> first_ = {};
  Array<index_t, std::size_t{N}> extents_ = {};
  Box<N> owned_;
  Array<index_t, std::size_t{N}> halo_ = {};
};

}  // namespace hpk::mpi
