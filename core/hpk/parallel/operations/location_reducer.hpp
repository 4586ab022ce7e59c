// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in reducers of more than one scalar: extremes with their locations, and the first and
// last location where a condition holds. They share their identities and joins.
#pragma once

#include <hpk/base/classes.hpp>
#include <hpk/parallel/operations/reducer.hpp>

namespace hpk {

/// A value and its location.
template <class Scalar, class Index>
struct ValLocScalar {
  Scalar val;  ///< the extreme value
  Index loc;   ///< its location: the index that the kernel stores with it
  /// Compares all members.
  friend bool operator==(const ValLocScalar&, const ValLocScalar&) = default;
};

/// The smallest and the largest value.
template <class Scalar>
struct MinMaxScalar {
  Scalar min_val;  ///< the smallest value
  Scalar max_val;  ///< the largest value
  /// Compares all members.
  friend bool operator==(const MinMaxScalar&, const MinMaxScalar&) = default;
};

/// The smallest and the largest value and their locations.
template <class Scalar, class Index>
struct MinMaxLocScalar {
  Scalar min_val;  ///< the smallest value
  Scalar max_val;  ///< the largest value
  Index min_loc;   ///< the location of min_val
  Index max_loc;   ///< the location of max_val
  /// Compares all members.
  friend bool operator==(const MinMaxLocScalar&, const MinMaxLocScalar&) = default;
};

/// The lowest location where a condition holds.
template <class Index>
struct FirstLocScalar {
  Index min_loc_true;  ///< reduction_identity<Index>::min() if the condition never holds
  /// Compares the locations.
  friend bool operator==(const FirstLocScalar&, const FirstLocScalar&) = default;
};

/// The highest location where a condition holds.
template <class Index>
struct LastLocScalar {
  Index max_loc_true;  ///< reduction_identity<Index>::max() if the condition never holds
  /// Compares the locations.
  friend bool operator==(const LastLocScalar&, const LastLocScalar&) = default;
};

/// The highest location where a condition holds, and the lowest where it does not.
template <class Index>
struct StdIsPartScalar {
  Index max_loc_true;   ///< reduction_identity<Index>::max() if the condition never holds
  Index min_loc_false;  ///< reduction_identity<Index>::min() if the condition always holds
  /// Compares all members.
  friend bool operator==(const StdIsPartScalar&, const StdIsPartScalar&) = default;
};

/// The lowest location where a condition does not hold.
template <class Index>
struct StdPartPointScalar {
  Index min_loc_false;  ///< reduction_identity<Index>::min() if the condition always holds
  /// Compares the locations.
  friend bool operator==(const StdPartPointScalar&, const StdPartPointScalar&) = default;
};

}  // namespace hpk

namespace hpk::detail {

// The template arguments of the reducers' value types, for deduction guides.
template <class First, class Second = void>
struct value_arguments {
  using first = First;
  using second = Second;
};
template <template <class...> class Value, class... Ts>
value_arguments<Ts...> arguments_of(Value<Ts...>);
template <class V>
using arguments_of_view = decltype(arguments_of(typename V::value_type()));

struct is_less {
  template <class T>
  HPK_FUNCTION constexpr bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

/// Reverses the order of Less.
template <class Less>
struct reversed {
  const Less& less;
  HPK_CALLS_EITHER
  template <class T>
  HPK_FUNCTION constexpr bool operator()(const T& a, const T& b) const {
    return less(b, a);
  }
};

/// Whether neither of two values is better. A NaN is not equal to any value.
HPK_CALLS_EITHER
template <class S, class Better>
HPK_INLINE_FUNCTION constexpr bool equals(const S& to, const S& from, const Better& better) {
  if constexpr (std::is_arithmetic_v<S>) {
    return !better(to, from) && from == from;
  } else {
    return !better(to, from);
  }
}

/// Which of two equal values a join keeps: the current one, or the one with the first or last
/// location. usual: the first if locations are numbers, else the current one.
enum class ties { current, first, last, usual };
/// Resolves `usual` for locations of type I.
template <ties Ties, class I>
inline constexpr ties ties_of = Ties != ties::usual       ? Ties
                                : std::is_arithmetic_v<I> ? ties::first
                                                          : ties::current;

/// Replaces a value and its location by a better one; `ties` decides between equal values.
HPK_CALLS_EITHER
template <ties Ties, class S, class I, class Better>
HPK_INLINE_FUNCTION constexpr void take_better(S& to, I& to_loc, const S& from, const I& from_loc,
                                               const Better& better) {
  bool taken = better(from, to);
  constexpr ties found = ties_of<Ties, I>;
  if constexpr (found == ties::current) {
    taken = taken || (to_loc == reduction_identity<I>::min() && from == to);
  } else {
    const bool located = found == ties::first ? from_loc < to_loc : from_loc > to_loc;
    taken = taken || (located && equals(to, from, better));
  }
  if (taken) {
    to = from;
    to_loc = from_loc;
  }
}

// The identities and joins of the reducers. Less: the order of the scalars.

template <class S>
struct both_extremes {
  using value = MinMaxScalar<S>;
  HPK_FUNCTION static value identity() {
    return {reduction_identity<S>::min(), reduction_identity<S>::max()};
  }
  HPK_FUNCTION void join(value& to, const value& from) const {
    if (from.min_val < to.min_val) to.min_val = from.min_val;
    if (from.max_val > to.max_val) to.max_val = from.max_val;
  }
};

template <ties Ties, class S, class I, class Less>
struct least_with_location {
  using value = ValLocScalar<S, I>;
  static constexpr bool commutes = ties_of<Ties, I> != ties::current;
  Less less;
  HPK_FUNCTION static value identity() {
    return {reduction_identity<S>::min(), reduction_identity<I>::min()};
  }
  HPK_FUNCTION static bool is_unset(const value& v) {
    return v.loc == reduction_identity<I>::min();
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(value& to, const value& from) const {
    take_better<Ties>(to.val, to.loc, from.val, from.loc, less);
  }
};

template <ties Ties, class S, class I, class Less>
struct most_with_location {
  using value = ValLocScalar<S, I>;
  static constexpr bool commutes = ties_of<Ties, I> != ties::current;
  Less less;
  HPK_FUNCTION static value identity() {
    return {reduction_identity<S>::max(), reduction_identity<I>::min()};
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(value& to, const value& from) const {
    take_better<Ties>(to.val, to.loc, from.val, from.loc, reversed<Less>{less});
  }
  HPK_FUNCTION static bool is_unset(const value& v) {
    return v.loc == reduction_identity<I>::min();
  }
};

template <ties OfMin, ties OfMax, class S, class I, class Less>
struct both_with_locations {
  using value = MinMaxLocScalar<S, I>;
  static constexpr bool commutes =
      ties_of<OfMin, I> != ties::current && ties_of<OfMax, I> != ties::current;
  Less less;
  HPK_FUNCTION static value identity() {
    // Uses only identities that are needed: a program's reduction_identity may lack the others.
    if constexpr (OfMax == ties::last) {
      return {reduction_identity<S>::min(), reduction_identity<S>::max(),
              reduction_identity<I>::min(), reduction_identity<I>::max()};
    } else {
      return {reduction_identity<S>::min(), reduction_identity<S>::max(),
              reduction_identity<I>::min(), reduction_identity<I>::min()};
    }
  }
  HPK_FUNCTION static bool is_unset(const value& v) {
    return v.min_loc == reduction_identity<I>::min();
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(value& to, const value& from) const {
    take_better<OfMin>(to.min_val, to.min_loc, from.min_val, from.min_loc, less);
    take_better<OfMax>(to.max_val, to.max_loc, from.max_val, from.max_loc,
                       reversed<Less>{this->less});
  }
};

/// Adapts an operation to a program's comparator. The identities may not be the worst values in its
/// order, so values without a location count as absent.
template <class Operation>
struct unless_unset : Operation {
  using value = typename Operation::value;
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(value& to, const value& from) const {
    if (Operation::is_unset(from)) return;
    if (Operation::is_unset(to)) {
      to = from;
    } else {
      Operation::join(to, from);
    }
  }
};

template <class I>
HPK_INLINE_FUNCTION constexpr void keep_lower(I& to, const I& from) {
  if (from < to) to = from;
}
template <class I>
HPK_INLINE_FUNCTION constexpr void keep_higher(I& to, const I& from) {
  if (from > to) to = from;
}

template <class I>
struct first_location {
  using value = FirstLocScalar<I>;
  HPK_FUNCTION static value identity() { return {reduction_identity<I>::min()}; }
  HPK_FUNCTION void join(value& to, const value& from) const {
    keep_lower(to.min_loc_true, from.min_loc_true);
  }
};
template <class I>
struct last_location {
  using value = LastLocScalar<I>;
  HPK_FUNCTION static value identity() { return {reduction_identity<I>::max()}; }
  HPK_FUNCTION void join(value& to, const value& from) const {
    keep_higher(to.max_loc_true, from.max_loc_true);
  }
};
template <class I>
struct partition_locations {
  using value = StdIsPartScalar<I>;
  HPK_FUNCTION static value identity() {
    return {reduction_identity<I>::max(), reduction_identity<I>::min()};
  }
  HPK_FUNCTION void join(value& to, const value& from) const {
    keep_higher(to.max_loc_true, from.max_loc_true);
    keep_lower(to.min_loc_false, from.min_loc_false);
  }
};
template <class I>
struct partition_point {
  using value = StdPartPointScalar<I>;
  HPK_FUNCTION static value identity() { return {reduction_identity<I>::min()}; }
  HPK_FUNCTION void join(value& to, const value& from) const {
    keep_lower(to.min_loc_false, from.min_loc_false);
  }
};

}  // namespace hpk::detail

namespace hpk::classes {
/// Base of the reducers with the identity and join of an operation.
template <class Self, class Operation, class Space>
class operation_reducer : public reducer_base<Self, typename Operation::value, Space> {
 public:
  using value_type = typename Operation::value;  ///< the type of the result
  using operation_type = Operation;              ///< has identity() and join()
  /// @cond internal
  HPK_FUNCTION explicit operation_reducer(value_type& result, const Operation& operation = {})
      : base(result), operation_(operation) {}
  template <rank0_view V>
  explicit operation_reducer(const V& result, const Operation& operation = {})
      : base(result.data()), operation_(operation) {}
  /// @endcond
  /// Sets the value that no contribution changes.
  HPK_FUNCTION void init(value_type& value) const { value = Operation::identity(); }
  /// Combines `from` into `to`.
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(value_type& to, const value_type& from) const {
    operation_.join(to, from);
  }

 private:
  using base = reducer_base<Self, value_type, Space>;
  Operation operation_;
};
}  // namespace hpk::classes

namespace hpk::detail {

// The operations of the reducers with locations, of a scalar, an index and an order.
template <class S, class I, class Less>
using any_least = least_with_location<ties::usual, S, I, Less>;
template <class S, class I, class Less>
using any_most = most_with_location<ties::usual, S, I, Less>;
template <class S, class I, class Less>
using any_both = both_with_locations<ties::usual, ties::usual, S, I, Less>;
template <class S, class I, class Less>
using first_least = least_with_location<ties::first, S, I, Less>;
template <class S, class I, class Less>
using first_most = most_with_location<ties::first, S, I, Less>;
template <class S, class I, class Less>
using first_and_last = both_with_locations<ties::first, ties::last, S, I, Less>;

}  // namespace hpk::detail

namespace hpk {

// The reducers of one macro differ only in their names and operations.

// Reducers of values alone or of locations alone.
#define HPK_DETAIL_ONE_TYPE_REDUCER(name, operation, scalar)                                    \
  template <class First, class Space = HostSpace>                                               \
  struct name : classes::operation_reducer<name<First, Space>,                                  \
                                           detail::operation<std::remove_cv_t<First>>, Space> { \
    using base =                                                                                \
        classes::operation_reducer<name, detail::operation<std::remove_cv_t<First>>, Space>;    \
    HPK_FUNCTION name(typename base::value_type& result) : base(result) {}                      \
    template <detail::rank0_view V>                                                             \
    name(const V& result) : base(result) {}                                                     \
  };                                                                                            \
  template <class First>                                                                        \
  name(scalar<First>&) -> name<First>;                                                          \
  template <detail::rank0_view V>                                                               \
  name(const V&) -> name<typename detail::arguments_of_view<V>::first, typename V::memory_space>;

/// Smallest and largest value.
HPK_DETAIL_ONE_TYPE_REDUCER(MinMax, both_extremes, MinMaxScalar)
/// Lowest location where a condition holds: the kernel lowers min_loc_true. If the condition never
/// holds, the result is reduction_identity<>::min of the index.
HPK_DETAIL_ONE_TYPE_REDUCER(FirstLoc, first_location, FirstLocScalar)
/// Highest location where a condition holds: the kernel raises max_loc_true.
HPK_DETAIL_ONE_TYPE_REDUCER(LastLoc, last_location, LastLocScalar)
/// Highest location where a condition holds and lowest location where it does not hold: a range is
/// partitioned if the first is below the second.
HPK_DETAIL_ONE_TYPE_REDUCER(StdIsPartitioned, partition_locations, StdIsPartScalar)
/// Lowest location where a condition does not hold.
HPK_DETAIL_ONE_TYPE_REDUCER(StdPartitionPoint, partition_point, StdPartPointScalar)
#undef HPK_DETAIL_ONE_TYPE_REDUCER

// Reducers of values with their locations.
#define HPK_DETAIL_LOCATION_REDUCER(name, operation, scalar)                                       \
  template <class Scalar, class Index, class Space = HostSpace>                                    \
  struct name                                                                                      \
      : classes::operation_reducer<                                                                \
            name<Scalar, Index, Space>,                                                            \
            detail::operation<std::remove_cv_t<Scalar>, std::remove_cv_t<Index>, detail::is_less>, \
            Space> {                                                                               \
    using base = classes::operation_reducer<                                                       \
        name,                                                                                      \
        detail::operation<std::remove_cv_t<Scalar>, std::remove_cv_t<Index>, detail::is_less>,     \
        Space>;                                                                                    \
    HPK_FUNCTION name(typename base::value_type& result) : base(result) {}                         \
    template <detail::rank0_view V>                                                                \
    name(const V& result) : base(result) {}                                                        \
  };                                                                                               \
  template <class Scalar, class Index>                                                             \
  name(scalar<Scalar, Index>&) -> name<Scalar, Index>;                                             \
  template <detail::rank0_view V>                                                                  \
  name(const V&) -> name<typename detail::arguments_of_view<V>::first,                             \
                         typename detail::arguments_of_view<V>::second, typename V::memory_space>;

/// Smallest value and its location. Among equal values the one of the lowest iteration wins, on
/// every space and with any number of workers, if the kernel replaces only on a strictly smaller
/// value and, where locations are numbers, they ascend with the iterations. If they do not ascend,
/// any of the equal values may win, but over a range the choice is the same on every space and with
/// any number of workers. A NaN never wins.
HPK_DETAIL_LOCATION_REDUCER(MinLoc, any_least, ValLocScalar)
/// Largest value and its location; ties as in MinLoc.
HPK_DETAIL_LOCATION_REDUCER(MaxLoc, any_most, ValLocScalar)
/// Smallest and largest value and their locations; ties as in MinLoc.
HPK_DETAIL_LOCATION_REDUCER(MinMaxLoc, any_both, MinMaxLocScalar)
/// Smallest value and the lowest of its locations, in whatever order the kernel finds them.
HPK_DETAIL_LOCATION_REDUCER(MinFirstLoc, first_least, ValLocScalar)
/// Largest value and the lowest of its locations.
HPK_DETAIL_LOCATION_REDUCER(MaxFirstLoc, first_most, ValLocScalar)
/// Smallest value and the lowest of its locations, largest value and the highest of its locations.
HPK_DETAIL_LOCATION_REDUCER(MinMaxFirstLastLoc, first_and_last, MinMaxLocScalar)
#undef HPK_DETAIL_LOCATION_REDUCER

// Reducers of values with their locations, in an order of the program.
#define HPK_DETAIL_ORDERED_REDUCER(name, operation, scalar)                                     \
  template <class Scalar, class Index, class Compare, class Space = HostSpace>                  \
  struct name                                                                                   \
      : classes::operation_reducer<                                                             \
            name<Scalar, Index, Compare, Space>,                                                \
            detail::unless_unset<                                                               \
                detail::operation<std::remove_cv_t<Scalar>, std::remove_cv_t<Index>, Compare>>, \
            Space> {                                                                            \
    using operation_type = detail::unless_unset<                                                \
        detail::operation<std::remove_cv_t<Scalar>, std::remove_cv_t<Index>, Compare>>;         \
    using base = classes::operation_reducer<name, operation_type, Space>;                       \
    HPK_FUNCTION name(typename base::value_type& result, const Compare& compare)                \
        : base(result, operation_type{{compare}}) {}                                            \
    template <detail::rank0_view V>                                                             \
    name(const V& result, const Compare& compare) : base(result, operation_type{{compare}}) {}  \
  };                                                                                            \
  template <class Scalar, class Index, class Compare>                                           \
  name(scalar<Scalar, Index>&, const Compare&) -> name<Scalar, Index, Compare>;                 \
  template <detail::rank0_view V, class Compare>                                                \
  name(const V&, const Compare&)                                                                \
      -> name<typename detail::arguments_of_view<V>::first,                                     \
              typename detail::arguments_of_view<V>::second, Compare, typename V::memory_space>;

/// MinFirstLoc in the order of compare(a, b): true if a comes before b. A value whose location is
/// reduction_identity<Index>::min() counts as absent. An update starts absent: combine with it by
/// the reducer's join(update, {value, i}), or test the location.
HPK_DETAIL_ORDERED_REDUCER(MinFirstLocCustomComparator, first_least, ValLocScalar)
/// MaxFirstLoc in the order of compare(a, b); see MinFirstLocCustomComparator.
HPK_DETAIL_ORDERED_REDUCER(MaxFirstLocCustomComparator, first_most, ValLocScalar)
/// MinMaxFirstLastLoc in the order of compare(a, b). A value whose min_loc is
/// reduction_identity<Index>::min() counts as absent.
HPK_DETAIL_ORDERED_REDUCER(MinMaxFirstLastLocCustomComparator, first_and_last, MinMaxLocScalar)
#undef HPK_DETAIL_ORDERED_REDUCER

}  // namespace hpk
