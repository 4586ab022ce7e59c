// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MDRangePolicy: a range of 1 to 8 dimensions, and its loop order.
#pragma once

#include <hpk/base/array.hpp>
#include <hpk/parallel/policies/range_policy.hpp>

#include <cstddef>
#include <utility>

namespace hpk {

namespace detail {

/// The length of a C array or an array class; 0 for other types.
template <class T>
inline constexpr std::size_t bounds_count = [] {
  if constexpr (std::is_array_v<T>) {
    return std::extent_v<T>;
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    return std::tuple_size<T>::value;
  } else if constexpr (requires { T::size(); }) {
    return T::size();
  } else {
    return std::size_t{0};
  }
}();
template <class T>
concept bounds_array = requires(const T& list) {
  requires std::integral<std::remove_cvref_t<decltype(list[0])>>;
  requires bounds_count<T> != 0;
};

/// A number of any integer type.
struct any_number : number {
  template <integer_value I>
  constexpr any_number(I value) : number(value) {}
};

/// Integers of any types, from a braced list or an array. All: one for each of N dimensions; else
/// up to N, and the missing ones are 0.
template <int N, bool All>
struct number_list {
  number values[std::size_t{N}];

  template <integer_value... Is>
  constexpr number_list(Is... is) {
    fill(number(is)...);
  }
  template <bounds_array A>
  constexpr number_list(const A& array) {
    fill_from(array, std::make_index_sequence<bounds_count<A>>());
  }
  // For nested braces, {{0, 0}}.
  template <std::size_t M>
  constexpr number_list(const any_number (&list)[M]) {
    fill_from(list, std::make_index_sequence<M>());
  }

 private:
  template <class... Ns>
  constexpr void fill(Ns... ns) {
    constexpr int given = static_cast<int>(sizeof...(Ns));
    constexpr bool fits = All ? given == N : given <= N;
    static_assert(fits || !All,
                  "hpk::MDRangePolicy: write one lower and one upper bound for each dimension");
    static_assert(fits || All,
                  "hpk::MDRangePolicy: more tiles than dimensions; write one for each at most");
    [[maybe_unused]] int r = 0;
    if constexpr (fits) ((values[r++] = ns), ...);
  }
  template <class A, std::size_t... Rs>
  constexpr void fill_from(const A& array, std::index_sequence<Rs...>) {
    fill(number(array[Rs])...);
  }
};
template <int N>
using bound_list = number_list<N, true>;
template <int N>
using tile_list = number_list<N, false>;

/// The Rank<...> among the arguments of a policy. One dimension if there is none: deduction
/// instantiates the members of MDRangePolicy<> too.
template <class... Args>
using rank_argument =
    std::conditional_t<std::is_void_v<typename policy_traits<Args...>::iteration_pattern>, Rank<1>,
                       typename policy_traits<Args...>::iteration_pattern>;

/// Checks bounds and tiles, for an index type from `lowest` to `highest`, and stores them.
void set_bounds(int rank, const number* lower, const number* upper, number lowest, number highest,
                index_t* lower_out, index_t* upper_out, const std::source_location& where);
void set_tiles(int rank, const number* tile, index_t* out, const std::source_location& where);

}  // namespace detail

namespace classes {
/// @cond internal
/// Base class of an MDRangePolicy: counts of its tiles, if `Counted`; for programs that come from
/// Kokkos.
template <int N, bool Counted>
struct tile_counts {};
template <int N>
struct tile_counts<N, true> {
  Array<index_t, std::size_t{N}> m_tile_end{};  ///< the number of tiles in each dimension
  index_t m_num_tiles = 1;                      ///< the number of all tiles
  index_t m_prod_tile_dims = 1;                 ///< the iterations of a tile
  bool m_tune_tile_size = false;                ///< whether the library chooses a size

  void count_tiles(const index_t* lower, const index_t* upper, const index_t* tile) {
    m_num_tiles = 1;
    m_prod_tile_dims = 1;
    m_tune_tile_size = false;
    for (int r = 0; r < N; ++r) {
      const index_t extent = upper[r] - lower[r];
      const index_t size = tile[r] > 0 ? tile[r] : (extent < 1 ? 1 : extent);
      m_tile_end[r] = extent / size + (extent % size != 0 ? 1 : 0);
      m_num_tiles *= m_tile_end[r];
      // Tiles may be larger than the box.
      if (__builtin_mul_overflow(m_prod_tile_dims, size, &m_prod_tile_dims))
        m_prod_tile_dims = std::numeric_limits<index_t>::max();
      m_tune_tile_size = m_tune_tile_size || tile[r] <= 0;
    }
  }
};
/// @endcond
}  // namespace classes

/// Multi-dimensional iteration over [lower, upper), one index for each dimension.
///
/// Args, in any order: Rank<N, outer, inner>, and the arguments of RangePolicy. Bounds and tiles
/// are lists of N integers: MDRangePolicy<Rank<2>>({0, 0}, {rows, columns}). There may be fewer
/// tile sizes than dimensions; a size of 0 or less leaves its dimension whole. By default there are
/// no tiles: on hosts each worker gets an equal contiguous chunk of the iterations, and runs a
/// plain loop over each row of it. On Cuda and HIP the tile of a parallel_for is the shape of its
/// blocks; hpk chooses missing sizes and reduces sizes that are too large for a block.
///
/// The default loop order: the last index fastest on hosts, the first on GPUs. A parallel_for on a
/// host without tiles takes the order that suits the layouts of the Views that the kernel captures;
/// see docs/policies.md. Reductions and scans use the order of the policy, because the order
/// determines the bits of their results.
///
/// Errors: upper < lower in a dimension, bounds that do not survive the conversion to index_type,
/// and an MDRange of 2^63 iterations or more throw hpk::error that names dimension, values and
/// line. A regular value; any thread.
template <class... Args>
class MDRangePolicy
    : public classes::held_occupancy<typename detail::policy_traits<Args...>::occupancy_control>,
      public classes::tile_counts<detail::rank_argument<Args...>::rank, HPK_PERMISSIVE != 0> {
 public:
  /// The arguments of the policy by kind, or their defaults; work_tag is void if there is none.
  /// execution_policy marks a policy. member_type is the type of each index that the kernel
  /// receives, iteration_pattern the Rank.
  ///@{
  using traits = detail::policy_traits<Args...>;
  using execution_policy = MDRangePolicy;
  using execution_space = typename traits::execution_space;
  using schedule_type = typename traits::schedule_type;
  using index_type = typename traits::index_type;
  using member_type = index_type;
  using work_tag = typename traits::work_tag;
  using launch_bounds = typename traits::launch_bounds;
  using work_item_property = typename traits::work_item_property;
  using occupancy_control = typename traits::occupancy_control;
  using iteration_pattern = detail::rank_argument<Args...>;
  ///@}
  /// The number of dimensions.
  static constexpr int rank = iteration_pattern::rank;
  /// The loop orders over tiles and within a tile, as given in the policy.
  ///@{
  static constexpr Iterate outer_direction = iteration_pattern::outer_direction;
  static constexpr Iterate inner_direction = iteration_pattern::inner_direction;
  ///@}
  /// The types of bounds and tiles: of one dimension, and of all.
  ///@{
  using array_index_type = index_t;
  using point_type = Array<array_index_type, static_cast<std::size_t>(rank)>;
  using tile_type = point_type;
  ///@}

  /// All bounds and tile sizes (0: no tiles in this dimension), for older programs. New programs
  /// call lower(), upper() and tile().
  ///@{
  point_type m_lower{};
  point_type m_upper{};
  tile_type m_tile{};
  ///@}

  /// No iterations.
  MDRangePolicy() { check_pattern(); }
  /// [lower, upper) on the default instance, with tiles if given.
  MDRangePolicy(const detail::bound_list<rank>& lower, const detail::bound_list<rank>& upper,
                const detail::tile_list<rank>& tile = {},
                const std::source_location& where = std::source_location::current())
      : MDRangePolicy(execution_space(), lower, upper, tile, where) {
    static_assert(
        detail::may_omit_instance<traits>,
        "hpk::MDRangePolicy: HPK_REQUIRE_INSTANCE is 1; write MDRangePolicy(exec, lower, upper)");
  }
  /// [lower, upper) on an instance.
  template <std::same_as<execution_space> Exec>
  MDRangePolicy(const Exec& space, const detail::bound_list<rank>& lower,
                const detail::bound_list<rank>& upper, const detail::tile_list<rank>& tile = {},
                const std::source_location& where = std::source_location::current())
      : space_(space) {
    check_pattern();
    detail::set_bounds(rank, lower.values, upper.values,
                       detail::number(std::numeric_limits<index_type>::min()),
                       detail::number(std::numeric_limits<index_type>::max()), m_lower.data(),
                       m_upper.data(), where);
    detail::set_tiles(rank, tile.values, m_tile.data(), where);
    if constexpr (counts_tiles) this->count_tiles(m_lower.data(), m_upper.data(), m_tile.data());
  }
  /// [lower, upper) on the instance to which an object converts.
  template <class Object>
    requires(!std::is_void_v<typename traits::iteration_pattern> && std::is_class_v<Object> &&
             !std::same_as<Object, execution_space> && !detail::bounds_array<Object> &&
             std::convertible_to<const Object&, execution_space>)
  MDRangePolicy(const Object& object, const detail::bound_list<rank>& lower,
                const detail::bound_list<rank>& upper, const detail::tile_list<rank>& tile = {},
                const std::source_location& where = std::source_location::current())
      : MDRangePolicy(static_cast<execution_space>(object), lower, upper, tile, where) {}
  /// Converts a policy with other arguments and equally many dimensions; copies instance, bounds
  /// and tiles.
  template <class... Others>
    requires(!std::same_as<MDRangePolicy<Others...>, MDRangePolicy> &&
             std::same_as<typename MDRangePolicy<Others...>::execution_space, execution_space> &&
             MDRangePolicy<Others...>::rank == rank)
  MDRangePolicy(const MDRangePolicy<Others...>& other)
      : m_lower(other.m_lower),
        m_upper(other.m_upper),
        m_tile(other.m_tile),
        space_(other.space()) {
    this->take(other);
    if constexpr (counts_tiles) this->count_tiles(m_lower.data(), m_upper.data(), m_tile.data());
  }

  /// The instance that runs the MDRange.
  const execution_space& space() const noexcept { return space_; }
  /// Returns the same policy on another instance.
  MDRangePolicy on(const execution_space& space) const {
    MDRangePolicy other(*this);
    other.space_ = space;
    return other;
  }
  /// The bounds and the tile size of a dimension (0: no tiles).
  ///@{
  index_t lower(int dimension) const { return m_lower[dimension]; }
  index_t upper(int dimension) const { return m_upper[dimension]; }
  index_t tile(int dimension) const { return m_tile[dimension]; }
  ///@}
  /// The default tile sizes, for a constructor: 0, no tiles, in every dimension.
  static constexpr tile_type tile_size_recommended() noexcept { return {}; }
  /// The largest number of iterations in a tile; unlimited on every space.
  static constexpr int max_total_tile_size() noexcept { return std::numeric_limits<int>::max(); }
  /// For tuners: whether the library chooses some tile size; and a setter of all sizes.
  ///@{
  bool impl_tune_tile_size() const noexcept {
    bool left = false;
    for (int r = 0; r < rank; ++r) left = left || m_tile[r] <= 0;
    return left;
  }
  void impl_change_tile_size(const point_type& sizes) {
    for (int r = 0; r < rank; ++r) m_tile[r] = sizes[r] < 0 ? 0 : sizes[r];
    if constexpr (counts_tiles) this->count_tiles(m_lower.data(), m_upper.data(), m_tile.data());
  }
  ///@}
  /// 0: the library chooses the chunk size.
  static constexpr index_t chunk_size() noexcept { return 0; }

  /// Describes how a parallel_for over this policy would run, for any kernel or the given one:
  /// hpk::ResolvedLaunch.
  ///@{
  template <class Self = MDRangePolicy>
  auto resolved() const {
    return detail::resolve<Self>(*this, detail::no_functor());
  }
  template <class F>
  auto resolved(const F& kernel) const {
    return detail::resolve(*this, kernel);
  }
  ///@}

 private:
  static constexpr bool counts_tiles = HPK_PERMISSIVE != 0;
  static constexpr void check_pattern() {
    static_assert(!std::is_void_v<typename traits::iteration_pattern>,
                  "hpk::MDRangePolicy: write the number of dimensions: "
                  "MDRangePolicy<hpk::Rank<2>>");
  }

  execution_space space_;
};

/// Deduces the execution space from the instance, the dimensions from the length of the bounds.
///@{
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
template <detail::bounds_array L, detail::bounds_array U>
  requires(!std::is_array_v<L>)
MDRangePolicy(const L&, const U&) -> MDRangePolicy<Rank<detail::bounds_count<L>>>;
template <detail::bounds_array L, detail::bounds_array U, detail::bounds_array T>
  requires(!std::is_array_v<L>)
MDRangePolicy(const L&, const U&, const T&) -> MDRangePolicy<Rank<detail::bounds_count<L>>>;
template <detail::bounds_array L, detail::bounds_array U>
  requires(!std::is_array_v<L>)
MDRangePolicy(DefaultExecutionSpace, const L&, const U&)
    -> MDRangePolicy<Rank<detail::bounds_count<L>>>;
template <seam::execution_space Exec, detail::bounds_array L, detail::bounds_array U>
  requires(!std::is_array_v<L> && !std::same_as<Exec, DefaultExecutionSpace>)
MDRangePolicy(Exec, const L&, const U&) -> MDRangePolicy<Exec, Rank<detail::bounds_count<L>>>;
template <detail::bounds_array L, detail::bounds_array U, detail::bounds_array T>
  requires(!std::is_array_v<L>)
MDRangePolicy(DefaultExecutionSpace, const L&, const U&, const T&)
    -> MDRangePolicy<Rank<detail::bounds_count<L>>>;
template <seam::execution_space Exec, detail::bounds_array L, detail::bounds_array U,
          detail::bounds_array T>
  requires(!std::is_array_v<L> && !std::same_as<Exec, DefaultExecutionSpace>)
MDRangePolicy(Exec, const L&, const U&, const T&)
    -> MDRangePolicy<Exec, Rank<detail::bounds_count<L>>>;
///@}

}  // namespace hpk
