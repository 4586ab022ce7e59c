// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape of a DynRankView: rank, extents and strides as run-time values. Reads shapes from
// extents and layout objects, and checks whether a layout can have a shape. The error messages are
// in dyn_rank_shape.cpp.
#pragma once

#include <hpk/core.hpp>
#include <hpk/error.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk {

template <class DataType, class... Properties>
class DynRankView;

/// True for a DynRankView (const or not).
///@{
template <class T>
inline constexpr bool is_dyn_rank_view_v = false;
template <class D, class... Ps>
inline constexpr bool is_dyn_rank_view_v<DynRankView<D, Ps...>> = true;
template <class T>
inline constexpr bool is_dyn_rank_view_v<const T> = is_dyn_rank_view_v<T>;
///@}
/// is_dyn_rank_view_v as a type.
template <class T>
struct is_dyn_rank_view : std::bool_constant<is_dyn_rank_view_v<T>> {};

}  // namespace hpk

namespace hpk::detail {

/// The largest rank of a DynRankView.
inline constexpr int most_run_time_rank = 7;

/// Rank, extents and strides. In a default-constructed shape all extents are 0.
struct dyn_rank_shape {
  index_t extents[most_run_time_rank] = {};  ///< 1 for dimensions r >= rank
  index_t strides[most_run_time_rank] = {};  ///< in elements; 1 for dimensions r >= rank
  int rank = 0;

  HPK_FUNCTION constexpr index_t size() const {
    index_t product = 1;
    for (int r = 0; r != most_run_time_rank; ++r) product *= extents[r];
    return product;
  }
  /// The distance in elements from the first element to one past the last.
  HPK_FUNCTION constexpr index_t span() const {
    index_t last = 0;
    for (int r = 0; r != most_run_time_rank; ++r) {
      if (extents[r] == 0) return 0;
      last += (extents[r] - 1) * strides[r];
    }
    return last + 1;
  }
};

/// Equal rank and extents; strides are ignored.
HPK_INLINE_FUNCTION constexpr bool have_same_extents(const dyn_rank_shape& a,
                                                     const dyn_rank_shape& b) {
  bool same = a.rank == b.rank;
  for (int r = 0; r != most_run_time_rank; ++r) same = same && a.extents[r] == b.extents[r];
  return same;
}

/// The value of an extent that was not given: HPK_INVALID_INDEX.
inline constexpr index_t extent_not_given = -1 - 0x7fffffffffffffff;

/// A type that can be an index or an extent.
template <class T>
concept index_argument = is_index_like_v<T>;

/// A pointer type that a DynRankView of T may wrap.
template <class P, class T>
concept dyn_rank_pointer =
    (std::is_pointer_v<P> && std::is_convertible_v<P, T*>) || std::is_null_pointer_v<P>;
/// A string type that labels a DynRankView of T: always a literal; a pointer to char only if it is
/// not memory to wrap.
template <class L, class T>
concept dyn_rank_label = std::is_convertible_v<const L&, std::string_view> &&
                         ((std::is_array_v<L> && std::is_const_v<std::remove_extent_t<L>>) ||
                          !dyn_rank_pointer<std::decay_t<L>, T>);
/// A memory from which a kernel takes bytes: the scratch memory of a team.
template <class S>
concept dyn_rank_scratch = requires(const S& s, std::size_t n) { s.get_shmem_aligned(n, n); };
/// The result of view_wrap().
template <class M>
concept dyn_rank_memory = requires(const M& memory) {
  requires std::is_pointer_v<decltype(memory.pointer)>;
  { memory.label } -> std::convertible_to<std::string_view>;
};

/// Whether a DynRankView can have the layout.
template <class Layout>
inline constexpr bool is_dyn_rank_layout =
    std::is_same_v<Layout, LayoutLeft> || std::is_same_v<Layout, LayoutRight> ||
    std::is_same_v<Layout, LayoutStride>;

/// Throws hpk::error: an extent is below zero.
[[noreturn]] void reject_dyn_rank_extent(std::string_view label, int dimension, index_t extent);
/// Throws hpk::error: an extent follows one that was not given.
[[noreturn]] void reject_dyn_rank_hole(std::string_view label, int dimension);
/// Throws hpk::error: a layout object has rank 8.
[[noreturn]] void reject_dyn_rank_layout_rank(std::string_view label);
/// Throws hpk::error: the rows of a layout object overlap.
[[noreturn]] void reject_dyn_rank_pitch(std::string_view label, index_t pitch, index_t row);
/// Throws hpk::error: the layout can't have the strides.
[[noreturn]] void reject_dyn_rank_strides(std::string_view label, const dyn_rank_shape& shape,
                                          std::string_view layout);
/// Throws hpk::error if the bytes of a shape exceed 64 bits. `row`: the dimension that takes
/// `pitch` elements in memory, or -1.
void check_dyn_rank_bytes(std::string_view label, const dyn_rank_shape& shape, int row,
                          index_t pitch, std::size_t element_bytes);
/// Adds the extents to a message, for example "[3, 4]".
error_message& add_extents(error_message& message, const dyn_rank_shape& shape);

/// Returns the extent that an argument gives.
HPK_CALLS_EITHER
template <index_argument N>
HPK_FUNCTION constexpr index_t given_extent(const N& n, std::string_view label) {
  if constexpr (std::is_unsigned_v<N> && sizeof(N) == sizeof(index_t)) {
    return n == static_cast<N>(HPK_INVALID_INDEX) ? extent_not_given : static_cast<index_t>(n);
  } else {
    return as_extent(n, label);
  }
}

/// Sets rank and extents from `count` numbers, of which some at the end may not be given.
HPK_INLINE_FUNCTION constexpr void set_extents(dyn_rank_shape& shape, const index_t* given,
                                               int count, [[maybe_unused]] std::string_view label) {
  shape.rank = 0;
  while (shape.rank != count && given[shape.rank] != extent_not_given) ++shape.rank;
  for (int r = 0; r != most_run_time_rank; ++r) shape.extents[r] = r < shape.rank ? given[r] : 1;
  for (int r = 0; r != count; ++r) {
    if (r < shape.rank && given[r] < 0) {
      HPK_IF_ON_HOST((reject_dyn_rank_extent(label, r, given[r]);))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::DynRankView: an extent is below zero");))
    }
    if (r > shape.rank && given[r] != extent_not_given) {
      HPK_IF_ON_HOST((reject_dyn_rank_hole(label, r);))
      HPK_IF_ON_DEVICE((hpk::abort("hpk::DynRankView: an extent follows one that is not given");))
    }
  }
}

/// Sets the strides of LayoutLeft or LayoutRight. `pitch`: the distance in elements from one row to
/// the next.
HPK_CALLS_EITHER
template <class Layout>
HPK_FUNCTION constexpr void set_dense_strides(dyn_rank_shape& shape, index_t pitch) {
  constexpr bool right = std::is_same_v<Layout, LayoutRight>;
  for (int r = 0; r != most_run_time_rank; ++r) shape.strides[r] = 1;
  auto next = static_cast<std::uint64_t>(pitch);  // unsigned, as it overflows if there are too many
                                                  // bytes
  for (int k = 1; k < shape.rank; ++k) {
    const int r = right ? shape.rank - 1 - k : k;
    shape.strides[r] = static_cast<index_t>(next);
    next *= static_cast<std::uint64_t>(shape.extents[r]);
  }
}

/// The dimension of LayoutLeft or LayoutRight with stride 1.
template <class Layout>
HPK_FUNCTION constexpr int row_of(const dyn_rank_shape& shape) {
  return std::is_same_v<Layout, LayoutRight> && shape.rank > 0 ? shape.rank - 1 : 0;
}
/// The distance in elements from one row to the next.
template <class Layout>
HPK_FUNCTION constexpr index_t pitch_of(const dyn_rank_shape& shape) {
  const int next = std::is_same_v<Layout, LayoutRight> ? shape.rank - 2 : 1;
  return shape.rank < 2 ? shape.extents[row_of<Layout>(shape)] : shape.strides[next];
}

/// Makes a shape from extents, or from one layout object.
HPK_CALLS_EITHER
template <class Layout, class... Shape>
HPK_FUNCTION constexpr dyn_rank_shape read_shape(std::string_view label, const Shape&... given) {
  dyn_rank_shape shape;
  if constexpr (sizeof...(Shape) == 1 && (is_array_layout_v<Shape> && ...)) {
    constexpr bool same = (std::is_same_v<Shape, Layout> && ...);
    static_assert(same,
                  "hpk::DynRankView: the layout object is of another type than array_layout; write "
                  "one of the DynRankView's layout");
    if constexpr (same) {
      const Layout& layout = (given, ...);
      index_t extents[max_rank] = {};
      for (int r = 0; r != max_rank; ++r) extents[r] = given_extent(layout.dimension[r], label);
      if (extents[most_run_time_rank] != extent_not_given) {
        HPK_IF_ON_HOST((reject_dyn_rank_layout_rank(label);))
        HPK_IF_ON_DEVICE((hpk::abort("hpk::DynRankView: the rank is 7 at most");))
      }
      set_extents(shape, extents, most_run_time_rank, label);
      if constexpr (std::is_same_v<Layout, LayoutStride>) {
        for (int r = 0; r != most_run_time_rank; ++r)
          shape.strides[r] = r < shape.rank ? static_cast<index_t>(layout.stride[r]) : 1;
      } else {
        const index_t row = shape.extents[row_of<Layout>(shape)];
        const bool padded = shape.rank >= 2 && layout.stride != unspecified_extent;
        const index_t pitch = padded ? static_cast<index_t>(layout.stride) : row;
        if (pitch < row) {
          HPK_IF_ON_HOST((reject_dyn_rank_pitch(label, pitch, row);))
          HPK_IF_ON_DEVICE((hpk::abort("hpk::DynRankView: rows are longer than their stride");))
        }
        set_dense_strides<Layout>(shape, pitch);
      }
    }
  } else {
    constexpr bool integers = (index_argument<Shape> && ...);
    static_assert(integers,
                  "hpk::DynRankView: extents are integers; write DynRankView(\"label\", n0, n1, "
                  "...)");
    constexpr bool fits_rank = sizeof...(Shape) <= most_run_time_rank;
    static_assert(fits_rank, "hpk::DynRankView: the rank is 7 at most; write at most 7 extents");
    constexpr bool dense = !std::is_same_v<Layout, LayoutStride>;
    static_assert(dense,
                  "hpk::DynRankView: LayoutStride needs strides; write DynRankView(\"label\", "
                  "hpk::LayoutStride(n0, s0, n1, s1, ...))");
    if constexpr (integers && fits_rank && dense) {
      const index_t extents[] = {given_extent(given, label)..., 0};
      set_extents(shape, extents, static_cast<int>(sizeof...(Shape)), label);
      set_dense_strides<Layout>(shape, shape.extents[row_of<Layout>(shape)]);
    }
  }
  return shape;
}

/// Returns whether Layout can have these strides. If it can, sets the strides of dimensions of
/// extent 1, which are never used, to those of the layout.
template <class Layout>
HPK_FUNCTION constexpr bool fit_strides([[maybe_unused]] dyn_rank_shape& shape) {
  if constexpr (!std::is_same_v<Layout, LayoutStride>) {
    constexpr bool right = std::is_same_v<Layout, LayoutRight>;
    dyn_rank_shape dense = shape;
    const int row = row_of<Layout>(shape);
    index_t pitch = shape.extents[row];
    // Without elements, strides may be 0.
    for (int k = 1; shape.size() != 0 && k < shape.rank; ++k) {
      const int r = right ? row - k : k;
      if (shape.extents[r] <= 1) continue;
      pitch = shape.strides[r];
      break;
    }
    set_dense_strides<Layout>(dense, pitch);
    if (shape.size() != 0) {
      for (int r = 0; r != shape.rank; ++r) {
        if (shape.extents[r] > 1 && shape.strides[r] != dense.strides[r]) return false;
      }
    }
    shape = dense;
  }
  return true;
}
/// Returns the layout object of a shape with `rank` dimensions: `lead` dimensions of extent 1, the
/// dimensions of the shape, and dimensions of extent 1 up to `rank`.
template <class Layout>
HPK_FUNCTION constexpr Layout layout_of_shape(const dyn_rank_shape& shape, int lead, int rank) {
  Layout layout;
  for (int r = 0; r != rank; ++r) {
    const bool inside = r >= lead && r < lead + most_run_time_rank;
    layout.dimension[r] = static_cast<std::size_t>(inside ? shape.extents[r - lead] : 1);
    if constexpr (std::is_same_v<Layout, LayoutStride>)
      layout.stride[r] = static_cast<std::size_t>(inside ? shape.strides[r - lead] : 1);
  }
  if (lead != 0 && shape.size() == 0) layout.dimension[0] = 0;
  if constexpr (!std::is_same_v<Layout, LayoutStride>) {
    if (shape.rank >= 2 && pitch_of<Layout>(shape) != shape.extents[row_of<Layout>(shape)])
      layout.stride = static_cast<std::size_t>(pitch_of<Layout>(shape));
  }
  return layout;
}

/// In a kernel of a device: reports a wrong access and ends the kernel.
HPK_INLINE_FUNCTION void stop_dyn_rank_access([[maybe_unused]] const void* data,
                                              [[maybe_unused]] const dyn_rank_shape& shape,
                                              [[maybe_unused]] const index_t* index,
                                              [[maybe_unused]] int count) {
  HPK_IF_ON_DEVICE(
      (hpk::printf("hpk::DynRankView of rank %d at %p: %d indices, as index/extent:", shape.rank,
                   data, count);
       for (int r = 0; r < count; ++r) hpk::printf(" %lld/%lld", static_cast<long long>(index[r]),
                                                   static_cast<long long>(shape.extents[r]));
       hpk::printf("\n");
       hpk::abort("hpk::DynRankView: an index is outside of the extents, or there are "
                  "fewer than the rank");))
}

}  // namespace hpk::detail
