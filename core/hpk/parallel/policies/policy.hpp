// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The template arguments that all policies share, parsed once: execution space, schedule, index
// type, work tag, launch bounds and properties, in any order, each at most once.
#pragma once

#include <hpk/backends/default_spaces.hpp>
#include <hpk/base/array.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/classes.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/base/types.hpp>
#include <hpk/parallel/kernel/property.hpp>
#include <hpk/spaces/space.hpp>

#include <concepts>
#include <limits>
#include <source_location>
#include <type_traits>
#include <utility>

namespace hpk {

struct ResolvedLaunch;

namespace detail {
/// Whether a launch may omit its instance. A template, so that only calls that omit it fail to
/// compile.
template <class>
inline constexpr bool may_omit_instance = HPK_REQUIRE_INSTANCE == 0;
}  // namespace detail

/// Schedule tag: every worker gets one contiguous chunk of the iterations.
struct Static {};
/// Schedule tag: workers claim chunks as they become free; for uneven work.
struct Dynamic {};

/// Policy argument: how iterations are distributed over workers. Reductions give the same bits with
/// either schedule.
template <class Kind>
struct Schedule {
  using schedule_type = Schedule;  ///< makes the class a schedule
};

/// Policy argument: the type of the iteration index if the kernel takes any (`auto i`).
template <class I>
struct IndexType {
  using index_type = I;  ///< makes the class an index type of policies
};

/// Policy argument: on a GPU a parallel_for has at most MaxThreads lanes in a group (by default
/// 256), and the compiler limits registers so that a multiprocessor can hold MinBlocks groups.
/// Ignored by other patterns, whose groups are fixed, and by host spaces.
template <unsigned MaxThreads = 0, unsigned MinBlocks = 0>
struct LaunchBounds {
  static_assert(MaxThreads <= 1024, "hpk::LaunchBounds: a group has 1024 lanes at most");
  static constexpr unsigned max_threads = MaxThreads;  ///< lanes of a group; 0: the default
  static constexpr unsigned min_blocks = MinBlocks;    ///< groups of a multiprocessor; 0: 1
};

/// Which index varies fastest.
enum class Iterate {
  Default,  ///< the space's order; a parallel_for on a host follows the captured Views instead
  Left,     ///< the first
  Right     ///< the last
};

/// Policy argument: the number of dimensions, the loop order over tiles, and the loop order within
/// a tile.
template <unsigned N, Iterate Outer = Iterate::Default, Iterate Inner = Iterate::Default>
struct Rank {
  static constexpr bool known = N >= 1 && N <= 8;  ///< always true; another N does not compile
  static_assert(known, "hpk::Rank: write 1 to 8 dimensions");
  static constexpr int rank = static_cast<int>(N);   ///< the number of dimensions, 1 to 8
  static constexpr Iterate outer_direction = Outer;  ///< the order of the tiles
  static constexpr Iterate inner_direction = Inner;  ///< the order of the indices in a tile
};

/// Iterations per claim of Schedule<Dynamic>; with Schedule<Static> chunks end at multiples of it.
/// In a reduction, the number of iterations that are joined in one block. Write ChunkSize(1) if few
/// iterations take long each, so that each can run on a different worker.
struct ChunkSize {
  /// The policy that takes it throws hpk::error if it is below 1.
  constexpr ChunkSize(int size) : value(size) {}
  int value;  ///< the number of iterations of a chunk
};

}  // namespace hpk

namespace hpk::detail {

template <class T>
struct is_execution_argument : std::bool_constant<seam::execution_space<std::remove_cv_t<T>>> {};
template <class E, class M>
struct is_execution_argument<Device<E, M>> : std::true_type {};
template <class T>
struct is_schedule : std::false_type {};
template <class K>
struct is_schedule<Schedule<K>> : std::true_type {};
template <class T>
struct is_index_argument : std::bool_constant<std::integral<T>> {};
template <class I>
struct is_index_argument<IndexType<I>> : std::true_type {};
template <class T>
struct is_launch_bounds : std::false_type {};
template <unsigned T, unsigned B>
struct is_launch_bounds<LaunchBounds<T, B>> : std::true_type {};
template <class T>
struct is_rank : std::false_type {};
template <unsigned N, Iterate Outer, Iterate Inner>
struct is_rank<Rank<N, Outer, Inner>> : std::true_type {};
using Experimental::is_work_item_property;
template <class T>
struct is_occupancy : std::bool_constant<std::is_same_v<T, Experimental::DesiredOccupancy> ||
                                         std::is_same_v<T, Experimental::MaximizeOccupancy>> {};
template <class T>
struct is_batch_size : std::false_type {};
template <unsigned N>
struct is_batch_size<Experimental::StaticBatchSize<N>> : std::true_type {};
/// Kinds of properties. contain: P is of one of the kinds. unite: A and B are of the same kind.
template <template <class> class... Kinds>
struct property_kinds {
  template <class P>
  static constexpr bool contain = (Kinds<P>::value || ...);
  template <class A, class B>
  static constexpr bool unite = ((Kinds<A>::value && Kinds<B>::value) || ...);
};
/// All kinds that require() adds to a policy. A kind that is missing here would count as a work
/// tag.
using policy_properties =
    property_kinds<is_schedule, is_work_item_property, is_occupancy, is_batch_size>;
/// True for an argument that can't be a work tag.
template <class T>
inline constexpr bool is_named_argument_v =
    is_execution_argument<T>::value || is_index_argument<T>::value || is_launch_bounds<T>::value ||
    is_rank<T>::value || policy_properties::contain<T>;
template <class T>
struct is_work_tag
    : std::bool_constant<std::is_class_v<T> && std::is_empty_v<T> && !is_named_argument_v<T>> {};
template <class T>
struct is_known_argument
    : std::bool_constant<is_named_argument_v<T> || is_work_tag<T>::value || std::is_void_v<T>> {};

template <class T>
struct execution_of {
  using type = typename T::execution_space;
};
template <class I>
struct index_of {
  using type = I;
};
template <class I>
struct index_of<IndexType<I>> {
  using type = I;
};

/// The parsed arguments of a policy.
template <class... Args>
struct policy_traits {
  static_assert(are_complete<Args...>);
  static constexpr bool known = (is_known_argument<Args>::value && ...);
  static_assert(
      known,
      "hpk policy: an argument is none of execution space, Schedule<...>, IndexType<...>, "
      "LaunchBounds<...>, a property or an empty class as work tag");
  static_assert(count_of<is_execution_argument, Args...> <= 1,
                "hpk policy: more than one execution space; write one");
  static_assert(count_of<is_schedule, Args...> <= 1,
                "hpk policy: more than one Schedule<...>; write one");
  static_assert(count_of<is_index_argument, Args...> <= 1,
                "hpk policy: more than one index type; write one");
  static_assert(count_of<is_launch_bounds, Args...> <= 1,
                "hpk policy: more than one LaunchBounds<...>; write one");
  static_assert(count_of<is_rank, Args...> <= 1, "hpk policy: more than one Rank<...>; write one");
  static_assert(count_of<is_work_item_property, Args...> <= 1,
                "hpk policy: more than one work item property; join hints by |");
  static_assert(count_of<is_occupancy, Args...> <= 1 && count_of<is_batch_size, Args...> <= 1,
                "hpk policy: more than one property of a kind; write one DesiredOccupancy or "
                "MaximizeOccupancy, and one StaticBatchSize");
  static_assert(!known || count_of<is_work_tag, Args...> <= 1,
                "hpk policy: more than one work tag; write one");

  using execution_space = typename execution_of<
      find_first<is_execution_argument, DefaultExecutionSpace, Args...>>::type;
  using schedule_type = find_first<is_schedule, Schedule<Static>, Args...>;
  using index_type = typename index_of<find_first<is_index_argument, index_t, Args...>>::type;
  using work_tag = find_first<is_work_tag, void, Args...>;
  using iteration_pattern = find_first<is_rank, void, Args...>;
  using launch_bounds = find_first<is_launch_bounds, LaunchBounds<>, Args...>;
  using work_item_property =
      find_first<is_work_item_property, Experimental::WorkItemProperty::None_t, Args...>;
  using occupancy_control = find_first<is_occupancy, Experimental::MaximizeOccupancy, Args...>;
  using static_batch_size = find_first<is_batch_size, Experimental::StaticBatchSize<1>, Args...>;
  static constexpr bool dynamic = std::is_same_v<schedule_type, Schedule<Dynamic>>;
  static_assert(static_batch_size::batch_size > 0,
                "hpk::Experimental::StaticBatchSize: write 1 or more");
  static_assert(dynamic || std::is_same_v<schedule_type, Schedule<Static>>,
                "hpk::Schedule: write Schedule<hpk::Static> or Schedule<hpk::Dynamic>");
  static_assert(std::is_integral_v<index_type>,
                "hpk::IndexType: write an integer type, e.g. IndexType<int>");
};

}  // namespace hpk::detail

namespace hpk::classes {
/// @cond internal
/// Base of all policies: holds the desired occupancy, if any.
template <class Control>
struct held_occupancy {
  template <class Other>
  static constexpr void take(const Other&) noexcept {}
};
template <>
struct held_occupancy<Experimental::DesiredOccupancy> {
  Experimental::DesiredOccupancy wish;
  Experimental::DesiredOccupancy impl_get_desired_occupancy() const { return wish; }
  template <class Other>
  void take(const Other& other) noexcept {
    if constexpr (requires { other.wish; }) wish = other.wish;
  }
};
/// @endcond
}  // namespace hpk::classes

namespace hpk::detail {
using classes::held_occupancy;

/// Placeholder for no functor.
struct no_functor {};
template <class Policy, class F>
ResolvedLaunch resolve(const Policy& policy, const F& kernel);

/// True if `value` survives the conversion to I. (std::in_range does not accept characters.)
template <std::integral I, integer_value T>
constexpr bool fits(T value) {
  if constexpr (std::is_enum_v<T>) {
    return fits<I>(static_cast<integer_t<T>>(value));
  } else {
    const I converted = static_cast<I>(value);
    return static_cast<T>(converted) == value && is_negative(converted) == is_negative(value);
  }
}

/// The types of a range's bounds and a league's size: an integer, a floating-point number, or a
/// class that converts to an index.
template <class T, class I>
concept bound_value = integer_value<T> || std::floating_point<T> ||
                      (std::is_class_v<T> && (std::convertible_to<const T&, index_t> ||
                                              std::convertible_to<const T&, I>));

[[noreturn]] void reject_bound(const char* what, double value, const std::source_location& where);

/// Converts a number to an index. Throws hpk::error if it is not a whole number or too large.
inline index_t whole_number(double value, const char* what, const std::source_location& where) {
  constexpr double end = 9223372036854775808.0;  // 2^63
  // Also rejects NaN.
  if (!(value >= -end && value < end)) reject_bound(what, value, where);
  const index_t index = static_cast<index_t>(value);
  if (static_cast<double>(index) != value) reject_bound(what, value, where);
  return index;
}

/// Converts a bound to an integer. Throws hpk::error if it is not a whole number or too large.
template <class I, class T>
constexpr auto bound_of(const T& value, [[maybe_unused]] const char* what,
                        [[maybe_unused]] const std::source_location& where) {
  if constexpr (integer_value<T>) {
    return value;
  } else if constexpr (std::floating_point<T>) {
    return whole_number(static_cast<double>(value), what, where);
  } else if constexpr (std::convertible_to<const T&, index_t>) {
    // A class that also converts to double must have a whole value.
    if constexpr (std::convertible_to<const T&, double>) {
      const auto real = static_cast<double>(value);
      constexpr double end = 9223372036854775808.0;
      if (!(real >= -end && real <= end) ||
          static_cast<double>(static_cast<index_t>(value)) != real)
        reject_bound(what, real, where);
    }
    return static_cast<index_t>(value);
  } else {
    return static_cast<I>(value);
  }
}

}  // namespace hpk::detail
