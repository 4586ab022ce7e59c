// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in reducers of one scalar. A reducer defines the value type, the result, the identity
// and the join; the kernel must combine its contribution with the update by the same operation. How
// to add one: docs/adding-a-feature.md.
#pragma once

#include <hpk/backends/default_spaces.hpp>
#include <hpk/base/classes.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/parallel/operations/identity.hpp>
#include <hpk/spaces/space.hpp>

#include <concepts>

namespace hpk {

template <class DataType, class... Properties>
class View;

}  // namespace hpk

namespace hpk::detail {

/// True for a View-like object of rank 0, which can receive a result.
template <class V>
concept rank0_view = requires(const V& v) {
  typename V::memory_space;
  typename V::value_type;
  v.data();
  requires V::rank() == 0;
};

/// The memory space of a reducer's Space: the memory_space of an execution space, or the space
/// itself. Headers below the backends only declare HostSpace.
template <class Space>
struct memory_of_result {
  using type = typename Space::memory_space;
};
template <>
struct memory_of_result<HostSpace> {
  using type = HostSpace;
};

}  // namespace hpk::detail

namespace hpk::classes {
/// Base of the built-in reducers: holds the result.
template <class Self, class Value, class Space>
class reducer_base {
  static_assert(!std::is_pointer_v<Value> && !std::is_array_v<Value>,
                "hpk reducer: the scalar must be a value type; write e.g. hpk::Sum<double>");

 public:
  using reducer = Self;                                         ///< makes the class a reducer
  using value_type = Value;                                     ///< the type of the result
  using memory_space = typename memory_of_result<Space>::type;  ///< where the result is
  using result_view_type = View<Value, Space>;                  ///< the type of view()

  /// The result.
  HPK_FUNCTION value_type& reference() const { return *result_; }
  /// The address of the result; null if constructed from a View without memory.
  HPK_FUNCTION value_type* pointer() const { return result_; }
  /// The result as a View.
  result_view_type view() const { return result_view_type(result_); }
  /// True if the result is a variable of the program, so that the reduction waits for it.
  HPK_FUNCTION bool references_scalar() const { return scalar_; }

 protected:
  /// @cond internal
  HPK_FUNCTION explicit reducer_base(value_type& result) : result_(&result), scalar_(true) {}
  HPK_FUNCTION explicit reducer_base(value_type* result) : result_(result), scalar_(false) {}
  /// @endcond

 private:
  value_type* result_;
  bool scalar_;
};
}  // namespace hpk::classes

namespace hpk::detail {
using classes::reducer_base;

/// Whether joins commute, as T declares by `static constexpr bool commutes`; else Usual.
template <class T, bool Usual>
inline constexpr bool joins_commute = Usual;
template <class T, bool Usual>
  requires std::same_as<decltype(T::commutes), const bool> &&
               requires { typename std::bool_constant<T::commutes>; }
inline constexpr bool joins_commute<T, Usual> = T::commutes;

/// Whether the join of a functor or of a program's reducer commutes unless its class declares
/// otherwise: true in programs of the drop-in for Kokkos, as in Kokkos.
inline constexpr bool own_joins_commute = HPK_PERMISSIVE != 0;

/// Whether the joins of a built-in reducer commute for all locations of its values.
template <class R>
inline constexpr bool joins_in_any_order = true;
template <class R>
  requires requires { typename R::operation_type; }
inline constexpr bool joins_in_any_order<R> = joins_commute<typename R::operation_type, true>;

}  // namespace hpk::detail

namespace hpk {

// The reducers of one scalar differ only in name, value type, identity and join.
#define HPK_DETAIL_REDUCER(name, identity, ...)                                               \
  template <class Scalar, class Space = HostSpace>                                            \
  struct name : classes::reducer_base<name<Scalar, Space>, std::remove_cv_t<Scalar>, Space> { \
    using value_type = std::remove_cv_t<Scalar>;                                              \
    using base = classes::reducer_base<name, value_type, Space>;                              \
    static constexpr bool has_identity = requires {                                           \
      reduction_identity<value_type>::identity();                                             \
    } || requires { typename reduction_accumulator<value_type>::type; };                      \
    HPK_FUNCTION name(value_type& result) : base(result) {}                                   \
    template <detail::rank0_view V>                                                           \
    name(const V& result) : base(result.data()) {}                                            \
    HPK_CALLS_EITHER                                                                          \
    HPK_FUNCTION void init(value_type& value) const {                                         \
      value = reduction_identity<value_type>::identity();                                     \
    }                                                                                         \
    HPK_CALLS_EITHER                                                                          \
    HPK_FUNCTION void join(value_type& to, const value_type& from) const { __VA_ARGS__; }     \
  };                                                                                          \
  template <detail::rank0_view V>                                                             \
  name(const V&) -> name<typename V::value_type, typename V::memory_space>;                   \
  template <class S>                                                                          \
    requires(!detail::rank0_view<S>)                                                          \
  name(S&) -> name<S>;

/// Sum of values: `to += from`. Constructed from a variable (the reduction waits for it) or from a
/// View of rank 0 (the reduction does not wait). All built-in reducers are used this way.
HPK_DETAIL_REDUCER(Sum, sum, to += from)
/// Product of values.
HPK_DETAIL_REDUCER(Prod, prod, to *= from)
/// Smallest value. Stores in any case, so that joins of accumulators vectorise.
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

/// True for a reducer: a class whose alias `reducer` names itself.
template <class R>
inline constexpr bool is_reducer_v = requires {
  typename R::reducer;
  requires std::same_as<typename R::reducer, std::remove_cv_t<R>>;
};
/// is_reducer_v as a concept.
template <class R>
concept Reducer = is_reducer_v<R>;
/// is_reducer_v as a type.
template <class R>
struct is_reducer : std::bool_constant<is_reducer_v<R>> {};

}  // namespace hpk
