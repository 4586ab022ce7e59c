// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MDRangePolicy: a box of indices of 1 to 8 dimensions, and the order in which they run.
#pragma once

#include <hpk/parallel/range_policy.hpp>

#include <cstddef>

namespace hpk {

namespace detail {

[[noreturn]] void reject_box_order(int dimension, number begin, number end,
                                   const std::source_location& where);
[[noreturn]] void reject_box_conversion(int dimension, number begin, number end, number lowest,
                                        number highest, const std::source_location& where);
[[noreturn]] void reject_box_size(const std::source_location& where);
[[noreturn]] void reject_tile(int dimension, number size, const std::source_location& where);

/// The begin, the extents and the tiles of a box.
template <int N>
struct box_bounds {
  index_t lower[N] = {};
  index_t upper[N] = {};
  index_t tile[N] = {};  ///< 0: no tiles in this dimension
};

/// A list of bounds: an array of the language, or of a class that has size() and operator[].
template <class T>
inline constexpr std::size_t bounds_count = [] {
  if constexpr (std::is_array_v<T>) {
    return std::extent_v<T>;
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    return std::tuple_size<T>::value;
  } else {
    return T::size();
  }
}();
template <class T>
concept bounds_list = requires(const T& list) {
  requires std::integral<std::remove_cvref_t<decltype(list[0])>>;
  requires bounds_count<T> != 0;
};

}  // namespace detail

/// Multi-dimensional iteration over [lower, upper), one index for each dimension.
///
/// Args, in any order: Rank<N, outer, inner>, and those of RangePolicy. Bounds and tiles are lists
/// of N integers: MDRangePolicy<Rank<2>>({0, 0}, {rows, columns}). Tiles may be fewer, and 0 or
/// less in a dimension, which then has none. By default there are none: on hosts the whole box is
/// cut into equal pieces along its slowest dimensions, and one plain loop runs over the fastest.
///
/// The order, unless given: the last index fastest on hosts, the first on GPUs, for Views of the
/// space's layout. A large parallel_for on a host whose order is not given runs a first part in
/// each order, goes on in the faster one, and remembers it for that kernel; results of reductions
/// and scans must not depend on time, so these keep the order.
///
/// Errors: upper < lower in a dimension, bounds that do not survive the conversion to index_type,
/// and a box of more than 2^63 points throw hpk::error that names dimension, values and line. A
/// regular value; any thread.
template <class... Args>
class MDRangePolicy {
 public:
  using traits = detail::policy_traits<Args...>;
  using execution_policy = MDRangePolicy;
  using execution_space = typename traits::execution_space;
  using schedule_type = typename traits::schedule_type;
  using index_type = typename traits::index_type;
  using member_type = index_type;
  using work_tag = typename traits::work_tag;
  using launch_bounds = typename traits::launch_bounds;
  // One dimension where none are given: deduction looks at the members of MDRangePolicy<> too.
  using iteration_pattern = std::conditional_t<std::is_void_v<typename traits::iteration_pattern>,
                                               Rank<1>, typename traits::iteration_pattern>;
  /// The number of dimensions.
  static constexpr int rank = iteration_pattern::rank;
  /// The order of tiles and of points, as asked for.
  static constexpr Iterate outer_direction = iteration_pattern::outer_direction;
  static constexpr Iterate inner_direction = iteration_pattern::inner_direction;
  using array_index_type = index_t;

  /// No points.
  MDRangePolicy() { check_pattern(); }
  /// [lower, upper) on the default instance.
  template <std::integral L, std::integral U>
  MDRangePolicy(const L (&lower)[rank], const U (&upper)[rank],
                const std::source_location& where = std::source_location::current())
      : MDRangePolicy(execution_space(), lower, upper, where) {}
  /// Lists of integers of several types: {0, n} with n a long.
  MDRangePolicy(const index_t (&lower)[rank], const index_t (&upper)[rank],
                const std::source_location& where = std::source_location::current())
      : MDRangePolicy(execution_space(), lower, upper, where) {}
  MDRangePolicy(const execution_space& space, const index_t (&lower)[rank],
                const index_t (&upper)[rank],
                const std::source_location& where = std::source_location::current())
      : space_(space) {
    set_bounds(lower, upper, where);
  }
  /// The same in tiles.
  template <std::integral L, std::integral U, std::integral T, std::size_t Tiles>
  MDRangePolicy(const L (&lower)[rank], const U (&upper)[rank], const T (&tile)[Tiles],
                const std::source_location& where = std::source_location::current())
      : MDRangePolicy(execution_space(), lower, upper, tile, where) {}
  /// On an instance.
  template <std::integral L, std::integral U>
  MDRangePolicy(const execution_space& space, const L (&lower)[rank], const U (&upper)[rank],
                const std::source_location& where = std::source_location::current())
      : space_(space) {
    set_bounds(lower, upper, where);
  }
  /// The same in tiles.
  template <std::integral L, std::integral U, std::integral T, std::size_t Tiles>
  MDRangePolicy(const execution_space& space, const L (&lower)[rank], const U (&upper)[rank],
                const T (&tile)[Tiles],
                const std::source_location& where = std::source_location::current())
      : space_(space) {
    set_bounds(lower, upper, where);
    set_tiles(tile, where);
  }
  /// Bounds, and tiles, of arrays of a class.
  template <detail::bounds_list L, detail::bounds_list U>
    requires(!std::is_array_v<L>)
  MDRangePolicy(const L& lower, const U& upper,
                const std::source_location& where = std::source_location::current())
      : MDRangePolicy(execution_space(), lower, upper, where) {}
  template <detail::bounds_list L, detail::bounds_list U, detail::bounds_list T>
    requires(!std::is_array_v<L>)
  MDRangePolicy(const L& lower, const U& upper, const T& tile,
                const std::source_location& where = std::source_location::current())
      : MDRangePolicy(execution_space(), lower, upper, tile, where) {}
  template <detail::bounds_list L, detail::bounds_list U>
    requires(!std::is_array_v<L>)
  MDRangePolicy(const execution_space& space, const L& lower, const U& upper,
                const std::source_location& where = std::source_location::current())
      : space_(space) {
    set_bounds(lower, upper, where);
  }
  template <detail::bounds_list L, detail::bounds_list U, detail::bounds_list T>
    requires(!std::is_array_v<L>)
  MDRangePolicy(const execution_space& space, const L& lower, const U& upper, const T& tile,
                const std::source_location& where = std::source_location::current())
      : space_(space) {
    set_bounds(lower, upper, where);
    set_tiles(tile, where);
  }
  /// From a policy with other arguments and as many dimensions: keeps instance, bounds and tiles.
  template <class... Others>
    requires(!std::same_as<MDRangePolicy<Others...>, MDRangePolicy> &&
             std::same_as<typename MDRangePolicy<Others...>::execution_space, execution_space> &&
             MDRangePolicy<Others...>::rank == rank)
  MDRangePolicy(const MDRangePolicy<Others...>& other)
      : space_(other.space()), bounds_(other.bounds()) {}

  /// The instance that runs the box.
  const execution_space& space() const noexcept { return space_; }
  /// The bounds and the size of a tile of a dimension (0: it has none).
  index_t lower(int dimension) const { return bounds_.lower[dimension]; }
  index_t upper(int dimension) const { return bounds_.upper[dimension]; }
  index_t tile(int dimension) const { return bounds_.tile[dimension]; }
  /// All of them, for the library.
  const detail::box_bounds<rank>& bounds() const noexcept { return bounds_; }
  /// 0: the library chooses how many points a worker takes at a time.
  static constexpr index_t chunk_size() noexcept { return 0; }

 private:
  static constexpr void check_pattern() {
    static_assert(!std::is_void_v<typename traits::iteration_pattern>,
                  "hpk::MDRangePolicy: write the number of dimensions: "
                  "MDRangePolicy<hpk::Rank<2>>");
  }
  template <class L, class U>
  void set_bounds(const L& lower, const U& upper, const std::source_location& where) {
    static_assert(detail::bounds_count<L> == rank && detail::bounds_count<U> == rank,
                  "hpk::MDRangePolicy: write one lower and one upper bound for each dimension");
    check_pattern();
    for (int r = 0; r < rank; ++r) {
      const auto at = static_cast<std::size_t>(r);
      if (!detail::fits<index_type>(lower[at]) || !detail::fits<index_type>(upper[at]) ||
          !detail::fits<index_t>(lower[at]) || !detail::fits<index_t>(upper[at])) {
        detail::reject_box_conversion(r, detail::number(lower[at]), detail::number(upper[at]),
                                      detail::number(std::numeric_limits<index_type>::min()),
                                      detail::number(std::numeric_limits<index_type>::max()),
                                      where);
      }
      bounds_.lower[r] = static_cast<index_t>(lower[at]);
      bounds_.upper[r] = static_cast<index_t>(upper[at]);
      if (bounds_.upper[r] < bounds_.lower[r])
        detail::reject_box_order(r, detail::number(lower[at]), detail::number(upper[at]), where);
    }
    std::uint64_t points = 1;
    bool too_many = false;
    for (int r = 0; r < rank; ++r) {
      const auto extent = static_cast<std::uint64_t>(bounds_.upper[r]) -
                          static_cast<std::uint64_t>(bounds_.lower[r]);
      if (extent == 0) return;
      if (points > static_cast<std::uint64_t>(std::numeric_limits<index_t>::max()) / extent)
        too_many = true;
      points *= extent;
    }
    if (too_many) detail::reject_box_size(where);
  }
  template <class T>
  void set_tiles(const T& tile, const std::source_location& where) {
    static_assert(detail::bounds_count<T> <= rank,
                  "hpk::MDRangePolicy: more tiles than dimensions; write one for each at most");
    for (int r = 0; r < static_cast<int>(detail::bounds_count<T>); ++r) {
      const auto size = tile[static_cast<std::size_t>(r)];
      if (!detail::fits<index_t>(size)) detail::reject_tile(r, detail::number(size), where);
      bounds_.tile[r] = static_cast<index_t>(size) < 0 ? 0 : static_cast<index_t>(size);
    }
  }

  execution_space space_;
  detail::box_bounds<rank> bounds_;
};

template <std::integral L, std::integral U, std::size_t N>
MDRangePolicy(const L (&)[N], const U (&)[N]) -> MDRangePolicy<Rank<N>>;
template <std::integral L, std::integral U, std::integral T, std::size_t N, std::size_t M>
MDRangePolicy(const L (&)[N], const U (&)[N], const T (&)[M]) -> MDRangePolicy<Rank<N>>;
template <std::integral L, std::integral U, std::size_t N>
MDRangePolicy(DefaultExecutionSpace, const L (&)[N], const U (&)[N]) -> MDRangePolicy<Rank<N>>;
template <std::integral L, std::integral U, std::integral T, std::size_t N, std::size_t M>
MDRangePolicy(DefaultExecutionSpace, const L (&)[N], const U (&)[N], const T (&)[M])
    -> MDRangePolicy<Rank<N>>;
template <seam::execution_space Exec, std::integral L, std::integral U, std::size_t N>
  requires(!std::same_as<Exec, DefaultExecutionSpace>)
MDRangePolicy(Exec, const L (&)[N], const U (&)[N]) -> MDRangePolicy<Exec, Rank<N>>;
template <seam::execution_space Exec, std::integral L, std::integral U, std::integral T,
          std::size_t N, std::size_t M>
  requires(!std::same_as<Exec, DefaultExecutionSpace>)
MDRangePolicy(Exec, const L (&)[N], const U (&)[N], const T (&)[M]) -> MDRangePolicy<Exec, Rank<N>>;
template <detail::bounds_list L, detail::bounds_list U>
  requires(!std::is_array_v<L>)
MDRangePolicy(const L&, const U&) -> MDRangePolicy<Rank<detail::bounds_count<L>>>;
template <detail::bounds_list L, detail::bounds_list U, detail::bounds_list T>
  requires(!std::is_array_v<L>)
MDRangePolicy(const L&, const U&, const T&) -> MDRangePolicy<Rank<detail::bounds_count<L>>>;
template <detail::bounds_list L, detail::bounds_list U>
  requires(!std::is_array_v<L>)
MDRangePolicy(DefaultExecutionSpace, const L&, const U&)
    -> MDRangePolicy<Rank<detail::bounds_count<L>>>;
template <seam::execution_space Exec, detail::bounds_list L, detail::bounds_list U>
  requires(!std::is_array_v<L> && !std::same_as<Exec, DefaultExecutionSpace>)
MDRangePolicy(Exec, const L&, const U&) -> MDRangePolicy<Exec, Rank<detail::bounds_count<L>>>;
template <detail::bounds_list L, detail::bounds_list U, detail::bounds_list T>
  requires(!std::is_array_v<L>)
MDRangePolicy(DefaultExecutionSpace, const L&, const U&, const T&)
    -> MDRangePolicy<Rank<detail::bounds_count<L>>>;
template <seam::execution_space Exec, detail::bounds_list L, detail::bounds_list U,
          detail::bounds_list T>
  requires(!std::is_array_v<L> && !std::same_as<Exec, DefaultExecutionSpace>)
MDRangePolicy(Exec, const L&, const U&, const T&)
    -> MDRangePolicy<Exec, Rank<detail::bounds_count<L>>>;

}  // namespace hpk
