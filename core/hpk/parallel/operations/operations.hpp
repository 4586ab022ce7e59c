// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of a reduction or scan: identity, join and final of its values. They come from a
// functor or a reducer; sums of small numbers are accumulated by operations of a wider type.
// operations_of and accumulating select them. Arrays of run-time length: array_operations.hpp;
// several values at once: results.hpp.
#pragma once

#include <hpk/base/compressed.hpp>
#include <hpk/parallel/operations/functor_members.hpp>
#include <hpk/parallel/operations/reducer.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace hpk::detail {

/// The operations of a reduction or scan of values V = value_type.
///
/// init sets a value to the identity, join joins the second value to the first, final is applied
/// once to the joined value. `interleave`: iterations are folded into several accumulators.
/// `exact`: the result does not depend on the order of joins. of(kernel): returns the same
/// operations, bound to a copy of the kernel. Arrays of run-time length have value_type T[] and
/// length().
template <class Operations>
concept operations_like = requires(
    const Operations& o, typename value_argument<typename Operations::value_type>::to to,
    typename value_argument<typename Operations::value_type>::from from) {
  o.init(to);
  o.join(to, from);
  o.final(to);
  requires std::same_as<decltype(Operations::interleave), const bool>;
  requires std::same_as<decltype(Operations::exact), const bool>;
  requires !std::is_unbounded_array_v<typename Operations::value_type> || requires { o.length(); };
};

/// Whether operations are a sum or a product defined by hpk.
enum class sum_kind { other, sum, product };

/// The size, in bytes, of the largest objects that are folded into several accumulators.
inline constexpr std::size_t most_interleaved = 64;
/// Whether values V are folded into several accumulators if joins commute (reduce_shape.hpp):
/// numbers and small objects are.
template <class V>
inline constexpr bool interleaves =
    (std::is_arithmetic_v<V> && !std::same_as<V, bool>) ||
    (std::is_class_v<V> && is_passed_as_bytes<V> &&
     sizeof(std::conditional_t<std::is_class_v<V>, V, char>) <= most_interleaved);

/// The members init, join and final of a functor for values V, and its address if it has any.
template <class F, class Tag, class V>
class functor_members : compressed<functor_address<F, has_reduction_members<F, Tag, V>>> {
  using functor_base = compressed<functor_address<F, has_reduction_members<F, Tag, V>>>;

 public:
  using value_type = V;
  static constexpr bool own_join = has_member<join_member, F, Tag, V>();
  static constexpr bool own_init = has_member<init_member, F, Tag, V>();
  static constexpr bool own_final = has_member<final_member, F, Tag, V>();
  static constexpr bool is_plain_sum = !own_join && !own_init;
  static constexpr sum_kind kind = is_plain_sum ? sum_kind::sum : sum_kind::other;
  // += commutes unless the value declares `commutes = false`; own joins if the functor declares it.
  static constexpr bool joins_in_order = own_join
                                             ? !joins_commute<F, own_joins_commute>
                                             : !joins_commute<std::remove_all_extents_t<V>, true>;
  static constexpr bool interleave =
      interleaves<V> && !joins_in_order && (is_plain_sum || joins_commute<F, own_joins_commute>);
  static constexpr bool exact = std::integral<std::remove_extent_t<V>> && is_plain_sum;

 protected:
  HPK_FUNCTION explicit functor_members(const F& functor)
      : functor_base(functor_address<F, has_reduction_members<F, Tag, V>>(functor)) {}
  HPK_FUNCTION const F& functor() const { return *functor_base::value(); }
};

/// Placeholder for a functor without these members.
struct no_members {};

/// Initialises, joins and finalises values by the functor's members. Defaults are V() and +=, for
/// each element if V is an array.
template <class F, class Tag, class V>
class functor_operations : public functor_members<F, Tag, V> {
  using members = functor_members<F, Tag, V>;

 public:
  HPK_FUNCTION explicit functor_operations(const F& functor) : members(functor) {}
  /// Returns the same operations, bound to a copy of the functor if it has members.
  template <class G>
  HPK_FUNCTION functor_operations of([[maybe_unused]] const G& functor) const {
    if constexpr (std::same_as<F, no_members>) {
      return *this;
    } else {
      return functor_operations(functor);
    }
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(V& value) const {
    if constexpr (members::own_init) {
      call_member<init_member, Tag>(members::functor(), value);
    } else if constexpr (std::is_array_v<V>) {
      for (auto& element : value) element = std::remove_extent_t<V>();
    } else {
      value = V();
    }
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(V& to, const V& from) const {
    if constexpr (members::own_join) {
      call_member<join_member, Tag>(members::functor(), to, from);
    } else if constexpr (std::is_array_v<V>) {
      for (std::size_t k = 0; k < std::extent_v<V>; ++k) to[k] += from[k];
    } else {
      to += from;
    }
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void final(V& value) const {
    if constexpr (members::own_final) call_member<final_member, Tag>(members::functor(), value);
  }
};

// A function, because for nvcc 13 a lambda in the requires-expression can not be called.
template <class R, class V, class Space>
void find_base(const reducer_base<R, V, Space>*);
/// True for the built-in reducers.
template <class R>
constexpr bool is_built_in() {
  return requires(const R* reducer) { find_base<R>(reducer); };
}

/// False for a built-in reducer whose values lack its operation, for example BAnd<double>.
template <class R>
constexpr bool has_operation() {
  if constexpr (is_built_in<R>() && requires { R::has_identity; }) {
    return R::has_identity;
  } else {
    return true;
  }
}

template <class R>
inline constexpr sum_kind sum_of_reducer = sum_kind::other;
template <class V, class Space>
inline constexpr sum_kind sum_of_reducer<Sum<V, Space>> = sum_kind::sum;
template <class V, class Space>
inline constexpr sum_kind sum_of_reducer<Prod<V, Space>> = sum_kind::product;

/// Initialises, joins and finalises values by a reducer, whose members take no tag.
template <class R>
class reducer_operations {
 public:
  using value_type = typename R::value_type;
  static constexpr bool built_in = is_built_in<R>();
  static constexpr sum_kind kind = sum_of_reducer<R>;
  // Built-in reducers commute unless the value declares `commutes = false`. Exceptions are products
  // of objects and some ties of location reducers. A program's reducer is joined in iteration order
  // unless the reducer, or the rule for the whole program, declares that it commutes.
  static constexpr bool value_commutes = joins_commute < value_type,
                        std::is_arithmetic_v<value_type> || kind != sum_kind::product > ;
  static constexpr bool says_so = joins_commute<R, own_joins_commute>;
  static constexpr bool commuting = built_in ? joins_in_any_order<R> && value_commutes : says_so;
  static constexpr bool interleave = interleaves<value_type> && commuting;
  static constexpr bool exact = std::integral<value_type> && built_in;
  static constexpr bool own_init = has_member<init_member, R, void, value_type>();
  static constexpr bool own_final = has_member<final_member, R, void, value_type>();

  HPK_CALLS_EITHER
  HPK_FUNCTION explicit reducer_operations(const R& reducer) : reducer_(reducer) {}
  /// Returns *this: the operations do not depend on the kernel.
  template <class F>
  HPK_FUNCTION const reducer_operations& of(const F&) const {
    return *this;
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(value_type& value) const {
    if constexpr (own_init) {
      reducer_.init(value);
    } else {
      value = value_type();
    }
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(value_type& to, const value_type& from) const { reducer_.join(to, from); }
  HPK_CALLS_EITHER
  HPK_FUNCTION void final(value_type& value) const {
    if constexpr (own_final) reducer_.final(value);
  }

 private:
  R reducer_;
};

/// Whether sums of T are accumulated in a wider type.
template <class T>
concept accumulates_wide =
    !std::is_arithmetic_v<T> && requires { typename reduction_accumulator<T>::type; };
/// Whether operations are a sum or product of values that accumulate in a wider type.
template <class Operations>
inline constexpr bool is_wide_operations = false;
template <class Operations>
  requires accumulates_wide<typename Operations::value_type>
inline constexpr bool is_wide_operations<Operations> = Operations::kind != sum_kind::other;

/// The identity of a sum or product of values V.
template <sum_kind Kind, class V>
HPK_FORCEINLINE_FUNCTION constexpr V identity_of() {
  if constexpr (Kind == sum_kind::product) {
    return reduction_identity<V>::prod();
  } else {
    return reduction_identity<V>::sum();
  }
}
/// Joins `from` to a sum or product.
HPK_CALLS_EITHER
template <sum_kind Kind, class V>
HPK_FORCEINLINE_FUNCTION constexpr void join_to(V& to, const V& from) {
  if constexpr (Kind == sum_kind::product) {
    to *= from;
  } else {
    to += from;
  }
}

/// The operations of a sum or product in the wider type in which its values are accumulated. final
/// passes the rounded value to the functor's final.
template <class Narrow>
class wide_operations : compressed<Narrow> {
 public:
  using rounded = typename Narrow::value_type;
  using value_type = typename reduction_accumulator<rounded>::type;
  static constexpr sum_kind kind = Narrow::kind;
  static constexpr bool value_commutes = joins_commute<rounded, true>;
  static constexpr bool interleave =
      interleaves<value_type> && value_commutes && joins_commute<value_type, true>;
  static constexpr bool exact = false;

  HPK_FUNCTION explicit wide_operations(const Narrow& narrow) : compressed<Narrow>(narrow) {}
  template <class F>
  HPK_FUNCTION wide_operations of(const F& functor) const {
    return wide_operations(narrow().of(functor));
  }
  HPK_CALLS_EITHER
  HPK_FUNCTION void init(value_type& value) const { value = identity_of<kind, value_type>(); }
  HPK_CALLS_EITHER
  HPK_FUNCTION void join(value_type& to, const value_type& from) const { join_to<kind>(to, from); }
  HPK_CALLS_EITHER
  HPK_FUNCTION void final(value_type& value) const {
    if constexpr (Narrow::own_final) {
      rounded rounded_value = static_cast<rounded>(value);
      narrow().final(rounded_value);
      value = static_cast<value_type>(rounded_value);
    }
  }

 private:
  HPK_FUNCTION const Narrow& narrow() const { return compressed<Narrow>::value(); }
};

/// Returns the operations that accumulate values: the given ones, or operations of a wider type.
HPK_CALLS_EITHER
template <class Operations>
HPK_FUNCTION auto accumulating(const Operations& operations) {
  if constexpr (is_wide_operations<Operations>) {
    return wide_operations<Operations>(operations);
  } else {
    return operations;
  }
}

/// Returns the operations on values V of a reduction or scan: the reducer's if the result is a
/// reducer, else the functor's. Functors without members share one type, so that code that joins
/// values is compiled once for all of them.
HPK_CALLS_EITHER
template <class Tag, class V, class F, class Result>
HPK_FUNCTION auto operations_of(const F& functor, [[maybe_unused]] const Result* result) {
  if constexpr (is_reducer_v<std::remove_cv_t<Result>>) {
    return reducer_operations<std::remove_cv_t<Result>>(*result);
  } else if constexpr (has_reduction_members<F, Tag, V>) {
    return functor_operations<F, Tag, V>(functor);
  } else {
    return functor_operations<no_members, void, V>(no_members());
  }
}

}  // namespace hpk::detail
