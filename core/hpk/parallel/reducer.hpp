// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in reducers. A reducer says what the value is, where the result goes, what the identity
// is and how two values join; the kernel folds into its update itself, with the same operation.
#pragma once

#include <hpk/backends/default_spaces.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/parallel/identity.hpp>
#include <hpk/seam/space.hpp>

namespace hpk {

template <class DataType, class... Properties>
class View;

/// A value and where it was found.
template <class Scalar, class Index>
struct ValLocScalar {
  Scalar val;
  Index loc;
  friend bool operator==(const ValLocScalar&, const ValLocScalar&) = default;
};

/// The smallest and the largest value.
template <class Scalar>
struct MinMaxScalar {
  Scalar min_val;
  Scalar max_val;
  friend bool operator==(const MinMaxScalar&, const MinMaxScalar&) = default;
};

/// The smallest and the largest value and where they were found.
template <class Scalar, class Index>
struct MinMaxLocScalar {
  Scalar min_val;
  Scalar max_val;
  Index min_loc;
  Index max_loc;
  friend bool operator==(const MinMaxLocScalar&, const MinMaxLocScalar&) = default;
};

}  // namespace hpk

namespace hpk::detail {

/// True for a View-like object of rank 0: somewhere a result can be written.
template <class V>
concept rank0_view = requires(const V& v) {
  typename V::memory_space;
  typename V::value_type;
  v.data();
  requires V::rank() == 0;
};

// What the value types of location reducers are made of, for deduction guides.
template <class S, class I>
struct value_arguments {
  using scalar = S;
  using index = I;
};
template <class S>
value_arguments<S, void> arguments_of(MinMaxScalar<S>);
template <class S, class I>
value_arguments<S, I> arguments_of(ValLocScalar<S, I>);
template <class S, class I>
value_arguments<S, I> arguments_of(MinMaxLocScalar<S, I>);

/// What the built-in reducers share: where the result goes.
template <class Self, class Value, class Space>
class reducer_base {
  static_assert(!std::is_pointer_v<Value> && !std::is_array_v<Value>,
                "hpk reducer: the scalar must be a value type; write e.g. hpk::Sum<double>");

 public:
  using reducer = Self;
  using value_type = Value;
  using memory_space = Space;
  using result_view_type = View<Value, Space>;

  /// Where the result is written.
  HPK_FUNCTION value_type& reference() const { return *result_; }
  /// The same as a pointer; null when constructed from a View without memory.
  HPK_FUNCTION value_type* pointer() const { return result_; }
  /// The result as a View.
  result_view_type view() const { return result_view_type(result_); }
  /// True when the result is a variable of the program, so that the reduction waits for it.
  HPK_FUNCTION bool references_scalar() const { return scalar_; }

 protected:
  HPK_FUNCTION explicit reducer_base(value_type& result) : result_(&result), scalar_(true) {}
  HPK_FUNCTION explicit reducer_base(value_type* result) : result_(result), scalar_(false) {}

 private:
  value_type* result_;
  bool scalar_;
};

}  // namespace hpk::detail

namespace hpk {

// Name, value type, identity and join are all that differs between the reducers of one scalar.
#define HPK_DETAIL_REDUCER(name, identity, ...)                                              \
  template <class Scalar, class Space = HostSpace>                                           \
  struct name : detail::reducer_base<name<Scalar, Space>, std::remove_cv_t<Scalar>, Space> { \
    using value_type = std::remove_cv_t<Scalar>;                                             \
    using base = detail::reducer_base<name, value_type, Space>;                              \
    HPK_FUNCTION explicit name(value_type& result) : base(result) {}                         \
    template <detail::rank0_view V>                                                          \
    explicit name(const V& result) : base(result.data()) {}                                  \
    HPK_CALLS_EITHER                                                                         \
    HPK_FUNCTION void init(value_type& value) const {                                        \
      value = reduction_identity<value_type>::identity();                                    \
    }                                                                                        \
    HPK_CALLS_EITHER                                                                         \
    HPK_FUNCTION void join(value_type& to, const value_type& from) const { __VA_ARGS__; }    \
  };                                                                                         \
  template <detail::rank0_view V>                                                            \
  name(const V&) -> name<typename V::value_type, typename V::memory_space>;                  \
  template <class S>                                                                         \
    requires(!detail::rank0_view<S>)                                                         \
  name(S&) -> name<S>;

/// Sum of values: `to += from`. Constructed from a variable (the reduction waits for it) or from a
/// View of rank 0 (it does not). All built-in reducers are used this way.
HPK_DETAIL_REDUCER(Sum, sum, to += from)
/// Product of values.
HPK_DETAIL_REDUCER(Prod, prod, to *= from)
/// Smallest value. The store is unconditional, so that joins of accumulators vectorise.
HPK_DETAIL_REDUCER(Min, min, to = from < to ? from : to)
/// Largest value.
HPK_DETAIL_REDUCER(Max, max, to = from > to ? from : to)
/// Logical and.
HPK_DETAIL_REDUCER(LAnd, land, to = to && from)
/// Logical or.
HPK_DETAIL_REDUCER(LOr, lor, to = to || from)
/// Bitwise and.
HPK_DETAIL_REDUCER(BAnd, band, to = to & from)
/// Bitwise or.
HPK_DETAIL_REDUCER(BOr, bor, to = to | from)
#undef HPK_DETAIL_REDUCER

/// Smallest and largest value.
template <class Scalar, class Space = HostSpace>
struct MinMax
    : detail::reducer_base<MinMax<Scalar, Space>, MinMaxScalar<std::remove_cv_t<Scalar>>, Space> {
  using scalar = std::remove_cv_t<Scalar>;
  using value_type = MinMaxScalar<scalar>;
  using base = detail::reducer_base<MinMax, value_type, Space>;
  HPK_FUNCTION explicit MinMax(value_type& result) : base(result) {}
  template <detail::rank0_view V>
  explicit MinMax(const V& result) : base(result.data()) {}
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(value_type& value) const {
    value = {reduction_identity<scalar>::min(), reduction_identity<scalar>::max()};
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(value_type& to, const value_type& from) const {
    if (from.min_val < to.min_val) to.min_val = from.min_val;
    if (from.max_val > to.max_val) to.max_val = from.max_val;
  }
};
template <class Scalar>
MinMax(MinMaxScalar<Scalar>&) -> MinMax<Scalar>;
template <detail::rank0_view V>
MinMax(const V&)
    -> MinMax<typename decltype(detail::arguments_of(typename V::value_type()))::scalar,
              typename V::memory_space>;

/// Smallest value and its location. Among equal values the one of the lowest iteration wins, on
/// every space and worker count, when the kernel replaces only on a strictly smaller value.
template <class Scalar, class Index, class Space = HostSpace>
struct MinLoc
    : detail::reducer_base<MinLoc<Scalar, Index, Space>,
                           ValLocScalar<std::remove_cv_t<Scalar>, std::remove_cv_t<Index>>, Space> {
  using scalar = std::remove_cv_t<Scalar>;
  using index = std::remove_cv_t<Index>;
  using value_type = ValLocScalar<scalar, index>;
  using base = detail::reducer_base<MinLoc, value_type, Space>;
  HPK_FUNCTION explicit MinLoc(value_type& result) : base(result) {}
  template <detail::rank0_view V>
  explicit MinLoc(const V& result) : base(result.data()) {}
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(value_type& value) const {
    value = {reduction_identity<scalar>::min(), reduction_identity<index>::min()};
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(value_type& to, const value_type& from) const {
    const bool unset = to.loc == reduction_identity<index>::min();
    if (from.val < to.val || (unset && from.val == to.val)) to = from;
  }
};
template <class Scalar, class Index>
MinLoc(ValLocScalar<Scalar, Index>&) -> MinLoc<Scalar, Index>;
template <detail::rank0_view V>
MinLoc(const V&)
    -> MinLoc<typename decltype(detail::arguments_of(typename V::value_type()))::scalar,
              typename decltype(detail::arguments_of(typename V::value_type()))::index,
              typename V::memory_space>;

/// Largest value and its location; ties as in MinLoc.
template <class Scalar, class Index, class Space = HostSpace>
struct MaxLoc
    : detail::reducer_base<MaxLoc<Scalar, Index, Space>,
                           ValLocScalar<std::remove_cv_t<Scalar>, std::remove_cv_t<Index>>, Space> {
  using scalar = std::remove_cv_t<Scalar>;
  using index = std::remove_cv_t<Index>;
  using value_type = ValLocScalar<scalar, index>;
  using base = detail::reducer_base<MaxLoc, value_type, Space>;
  HPK_FUNCTION explicit MaxLoc(value_type& result) : base(result) {}
  template <detail::rank0_view V>
  explicit MaxLoc(const V& result) : base(result.data()) {}
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(value_type& value) const {
    value = {reduction_identity<scalar>::max(), reduction_identity<index>::min()};
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(value_type& to, const value_type& from) const {
    const bool unset = to.loc == reduction_identity<index>::min();
    if (from.val > to.val || (unset && from.val == to.val)) to = from;
  }
};
template <class Scalar, class Index>
MaxLoc(ValLocScalar<Scalar, Index>&) -> MaxLoc<Scalar, Index>;
template <detail::rank0_view V>
MaxLoc(const V&)
    -> MaxLoc<typename decltype(detail::arguments_of(typename V::value_type()))::scalar,
              typename decltype(detail::arguments_of(typename V::value_type()))::index,
              typename V::memory_space>;

/// Smallest and largest value and their locations; ties as in MinLoc.
template <class Scalar, class Index, class Space = HostSpace>
struct MinMaxLoc
    : detail::reducer_base<MinMaxLoc<Scalar, Index, Space>,
                           MinMaxLocScalar<std::remove_cv_t<Scalar>, std::remove_cv_t<Index>>,
                           Space> {
  using scalar = std::remove_cv_t<Scalar>;
  using index = std::remove_cv_t<Index>;
  using value_type = MinMaxLocScalar<scalar, index>;
  using base = detail::reducer_base<MinMaxLoc, value_type, Space>;
  HPK_FUNCTION explicit MinMaxLoc(value_type& result) : base(result) {}
  template <detail::rank0_view V>
  explicit MinMaxLoc(const V& result) : base(result.data()) {}
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(value_type& value) const {
    value = {reduction_identity<scalar>::min(), reduction_identity<scalar>::max(),
             reduction_identity<index>::min(), reduction_identity<index>::min()};
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(value_type& to, const value_type& from) const {
    constexpr index unset = reduction_identity<index>::min();
    if (from.min_val < to.min_val || (to.min_loc == unset && from.min_val == to.min_val)) {
      to.min_val = from.min_val;
      to.min_loc = from.min_loc;
    }
    if (from.max_val > to.max_val || (to.max_loc == unset && from.max_val == to.max_val)) {
      to.max_val = from.max_val;
      to.max_loc = from.max_loc;
    }
  }
};
template <class Scalar, class Index>
MinMaxLoc(MinMaxLocScalar<Scalar, Index>&) -> MinMaxLoc<Scalar, Index>;
template <detail::rank0_view V>
MinMaxLoc(const V&)
    -> MinMaxLoc<typename decltype(detail::arguments_of(typename V::value_type()))::scalar,
                 typename decltype(detail::arguments_of(typename V::value_type()))::index,
                 typename V::memory_space>;

/// True for a reducer: a class whose alias `reducer` names itself.
template <class R>
inline constexpr bool is_reducer_v = requires {
  typename R::reducer;
  requires std::same_as<typename R::reducer, std::remove_cv_t<R>>;
};
/// `type`-style form of is_reducer_v.
template <class R>
struct is_reducer : std::bool_constant<is_reducer_v<R>> {};

}  // namespace hpk
