// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of several results as one value, so that the code that folds one value folds several
// too. The accumulators of one result are contiguous in memory, so that loops over them vectorise.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/parallel/kernel/walk.hpp>

#include <type_traits>
#include <utility>

namespace hpk::detail {

/// One of several values.
template <std::size_t K, class V>
struct indexed_value {
  V value;
};
template <class Ks, class... Vs>
struct indexed_values;
template <std::size_t... Ks, class... Vs>
struct indexed_values<std::index_sequence<Ks...>, Vs...> : indexed_value<Ks, Vs>... {};

/// The values of several results.
template <class... Vs>
struct result_values : indexed_values<std::index_sequence_for<Vs...>, Vs...> {};

/// A pointer to one of several values.
template <std::size_t K, class V>
struct indexed_pointer {
  V* where;
};

/// Returns the K-th of several values.
template <std::size_t K, class V>
HPK_INLINE_FUNCTION constexpr V& get(indexed_value<K, V>& values) {
  return values.value;
}
template <std::size_t K, class V>
HPK_INLINE_FUNCTION constexpr const V& get(const indexed_value<K, V>& values) {
  return values.value;
}
template <std::size_t K, class V>
HPK_INLINE_FUNCTION constexpr V& get(const indexed_pointer<K, V>& values) {
  return *values.where;
}

template <class Ks, class... Vs>
struct result_places;
template <std::size_t... Ks, class... Vs>
struct result_places<std::index_sequence<Ks...>, Vs...> : indexed_pointer<Ks, Vs>... {
  HPK_INLINE_FUNCTION result_places(Vs*... where) : indexed_pointer<Ks, Vs>{where}... {}
  HPK_INLINE_FUNCTION explicit result_places(result_values<Vs...>& values)
      : indexed_pointer<Ks, Vs>{&detail::get<Ks>(values)}... {}
  HPK_INLINE_FUNCTION result_values<Vs...> values() const {
    return {{{detail::get<Ks>(*this)}...}};
  }
};

/// References to the values of several results, in any memory.
template <class... Vs>
struct result_refs : result_places<std::index_sequence_for<Vs...>, Vs...> {
  using base = result_places<std::index_sequence_for<Vs...>, Vs...>;
  using base::base;
  HPK_INLINE_FUNCTION result_refs(result_values<Vs...>& values) : base(values) {}
  HPK_INLINE_FUNCTION explicit operator result_values<Vs...>() const { return this->values(); }
};

/// Count accumulators of several results.
template <int Count, class Ks, class... Vs>
struct result_lists;
template <int Count, std::size_t... Ks, class... Vs>
struct result_lists<Count, std::index_sequence<Ks...>, Vs...>
    : indexed_value<Ks, Vs[std::size_t{Count}]>... {
  HPK_INLINE_FUNCTION result_refs<Vs...> operator[](int k) {
    return result_refs<Vs...>(&detail::get<Ks>(*this)[k]...);
  }
};

// How values are accumulated: a number in 16 accumulators, an object in 8; several results divide
// the 16. `least`: the fewest iterations per accumulator; with fewer, joins of objects would take
// longer than the iterations.
template <class V>
struct accumulation {
  static constexpr bool is_object = !std::is_arithmetic_v<V>;
  static constexpr int count = is_object ? interleaved_accumulators / 2 : interleaved_accumulators;
  static constexpr index_t least = is_object ? 8 : 0;
  static constexpr bool short_ranges = !is_object;
  template <int Count>
  using list = V[std::size_t{Count}];
};
template <class... Vs>
struct accumulation<result_values<Vs...>> {
  static constexpr int results = sizeof...(Vs);
  static constexpr int count = results <= 1   ? interleaved_accumulators
                               : results <= 2 ? interleaved_accumulators / 2
                               : results <= 4 ? interleaved_accumulators / 4
                                              : interleaved_accumulators / 8;
  static constexpr bool is_object = false;
  static constexpr index_t least = 0;
  static constexpr bool short_ranges = false;
  template <int Count>
  using list = result_lists<Count, std::index_sequence_for<Vs...>, Vs...>;
};
/// The number of interleaved accumulators for values V.
template <class V>
inline constexpr int accumulators_of = accumulation<V>::count;
/// The number of iterations from which on values V are interleaved. Usual: the number of iterations
/// per accumulator for numbers.
template <class V, index_t Usual>
inline constexpr index_t interleaved_from =
    accumulators_of<V> * (Usual < accumulation<V>::least ? accumulation<V>::least : Usual);
/// The `Usual` of interleaved_from over a range.
inline constexpr index_t interleaved_from_of_range = 2;
/// Count accumulators; [k] is a reference to the k-th.
template <class V, int Count>
using accumulators_t = typename accumulation<V>::template list<Count>;
/// The type to which the first accumulator is cast at its last use: an rvalue reference or a value.
template <class V, class Accumulators>
using first_of = std::conditional_t<std::is_array_v<Accumulators>, V&&, V>;
/// Whether the iterations of a reduction or scan are folded into several accumulators. Extra: the
/// arguments of a scan's kernel after the update. A scan interleaves numbers only; other joins keep
/// their order.
template <class Operations, class... Extra>
inline constexpr bool folds_interleaved =
    Operations::interleave &&
    (sizeof...(Extra) == 0 || std::is_arithmetic_v<typename Operations::value_type>);
/// Whether short ranges have a separate set of accumulators.
template <class Walk, class Operations>
inline constexpr bool has_short_ranges =
    Walk::is_range && Operations::interleave &&
    accumulation<typename Operations::value_type>::short_ranges;

}  // namespace hpk::detail
