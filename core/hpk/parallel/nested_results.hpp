// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions inside of a team into several results at once.
#pragma once

#include <hpk/parallel/nested_box.hpp>
#include <hpk/parallel/results.hpp>
#include <hpk/parallel/wide_reduce.hpp>

namespace hpk::detail {

/// The index types with which a body over a range or box is called.
template <class Range, class F, class... Vs>
constexpr auto find_nested_leading() {
  if constexpr (requires { Range::rank; }) {
    return []<std::size_t... Rs>(std::index_sequence<Rs...>) {
      using index = nested_index_t<Range::rank, F, Vs&...>;
      return type_list<std::conditional_t<Rs != 0, index, index>...>();
    }(std::make_index_sequence<static_cast<std::size_t>(Range::rank)>());
  } else {
    return type_list<kernel_index_t<typename Range::index_type, F, void, Vs&...>>();
  }
}

/// Why a body can't be called with its indices and Rest.
template <class Range, class F, class... Rest>
constexpr kernel_fault diagnose_nested_results() {
  if constexpr (requires { Range::rank; }) {
    return []<std::size_t... Rs>(std::index_sequence<Rs...>) {
      return diagnose_kernel<F, void, std::conditional_t<Rs != 0, index_t, index_t>..., Rest...>();
    }(std::make_index_sequence<static_cast<std::size_t>(Range::rank)>());
  } else {
    return diagnose_kernel<F, void, typename Range::index_type, Rest...>();
  }
}

template <class Range, class F, class... Us>
constexpr kernel_fault diagnose_nested_updates(type_list<Us...>) {
  return diagnose_nested_results<Range, F, Us&...>();
}
template <class Range, class F, class... Us>
auto find_nested_leading_of(type_list<Us...>) -> decltype(find_nested_leading<Range, F, Us...>());
template <class Range, class F, class... Rs>
using nested_updates_t =
    results_updates<F, void, count_nested<Range>, std::index_sequence_for<Rs...>, Rs...>;

// Like fault_of_updates and results_call, for nested loops.
template <kernel_fault Fault, class Range, class F, class... Rs>
inline constexpr kernel_fault fault_of_nested_updates = Fault;
template <class Range, class F, class... Rs>
  requires nested_updates_t<Range, F, Rs...>::applies
inline constexpr kernel_fault
    fault_of_nested_updates<kernel_fault::wrong_arguments, Range, F, Rs...> =
        diagnose_nested_updates<Range, F>(typename nested_updates_t<Range, F, Rs...>::updates());
template <kernel_fault Fault, class Range, class F, class... Rs>
struct nested_results_call {
  using makers = void;
  using leading =
      decltype(find_nested_leading<Range, F, typename operations_for_t<Rs>::value_type...>());
};
template <class Range, class F, class... Rs>
struct nested_results_call<kernel_fault::wrong_arguments, Range, F, Rs...> {
  using found = nested_updates_t<Range, F, Rs...>;
  using makers = typename found::makers;
  using leading = decltype(find_nested_leading_of<Range, F>(typename found::updates()));
};
template <class Range, class F, class... Rs>
constexpr kernel_fault diagnose_plain_results() {
  return diagnose_nested_results<Range, F, typename operations_for_t<Rs>::value_type&...>();
}

/// Checks the call, with errors in the user's words; returns whether it is well-formed.
template <class Range, class F, class... Rs>
constexpr bool check_nested_results() {
  constexpr bool assignable = (is_assignable_v<Rs> && ...);
  constexpr bool writable = !(is_const_result<std::remove_reference_t<Rs>>() || ...);
  static_assert(assignable && writable,
                "hpk: a result of a loop inside of a team is const or a temporary; write a "
                "variable, a reducer or a View of rank 0");
  if constexpr (assignable && writable) {
    constexpr bool joins = ((is_joinable<std::remove_reference_t<Rs>>() &&
                             !std::is_array_v<std::remove_reference_t<Rs>> &&
                             !is_rank_above_0<std::remove_reference_t<Rs>>()) &&
                            ...);
    static_assert(joins,
                  "hpk: a result of a loop inside of a team is neither a variable with operator+= "
                  "nor a reducer nor a View of rank 0; write one of these");
    if constexpr (joins) {
      constexpr kernel_fault fault = fault_of_nested_updates<
          diagnose_plain_results<Range, F, std::remove_reference_t<Rs>...>(), Range, F,
          std::remove_reference_t<Rs>...>;
      static_assert(fault == kernel_fault::none,
                    "hpk: the body of a reduction inside of a team is called, as const, with the "
                    "indices and one update for each result, in their order; write [&](int i, T& "
                    "first, U& second) with the types of the results");
      return fault == kernel_fault::none;
    }
  }
  return false;
}

HPK_CALLS_EITHER
template <class Range, class F, class Operations>
HPK_FORCEINLINE_FUNCTION auto fold_nested(const Range& range, const F& body,
                                          const Operations& operations) {
  if constexpr (requires { Range::rank; }) {
    return fold_nested_box(range, body, operations);
  } else {
    return fold_range(range, body, operations);
  }
}

/// Assigns a result in every thread, or has one thread write it.
HPK_CALLS_EITHER
template <class Range, class Result, class V>
HPK_FORCEINLINE_FUNCTION void deliver_nested(const Range& range, Result& result, const V& value) {
  with_operations<1>(range, no_hooks(), result, [&value](const auto&, auto& into) {
    into = static_cast<std::remove_reference_t<decltype(into)>>(value);
  });
}

HPK_CALLS_EITHER
template <class Range, class F, std::size_t... Ks, class... Rs>
HPK_FORCEINLINE_FUNCTION void reduce_nested(const Range& range, const F& body,
                                            std::index_sequence<Ks...>, Rs&... results) {
  using operations = results_operations<operations_for_t<Rs>...>;
  using called = nested_results_call<diagnose_plain_results<Range, F, Rs...>(), Range, F, Rs...>;
  const results_kernel<F, const F&, typename called::leading, typename called::makers,
                       typename operations_for_t<Rs>::value_type...>
      all{body};
  const operations joined{{result_traits<Rs>::operations(results)}...};
  const auto values = fold_nested(range, all, joined);
  (deliver_nested(range, results, part<Ks>(values)), ...);
}

template <class Range, class F, class Operations>
HPK_FORCEINLINE_FUNCTION auto fold_wide_nested(const Range& range, const F& body,
                                               const Operations&) {
  using V = typename Operations::value_type;
  constexpr sum_kind kind = sum_of_operations<Operations>;
  using sum = wide_sum<F, void, count_nested<Range>, V, kind>;
  using wide = typename sum::accumulator;
  using leading = decltype(find_nested_leading<Range, F, typename sum::update>());
  using kernel = wide_kernel<F, const F&, leading, update_for_t<sum>, wide>;
  const kernel all{body};
  if constexpr (Operations::own_final) {
    return fold_nested(range, all, ended_operations<wide, kind, F, void, V, kernel>(body));
  } else {
    return fold_nested(range, all, accumulating_operations<wide, kind>());
  }
}

}  // namespace hpk::detail

namespace hpk {

/// Folds body(i, a, b, ...), or body(i0, i1, ..., a, b, ...), over a range or box inside of a team
/// into several results; every thread that takes part gets them. Each is a variable, which starts
/// from T() and joins by +=, a reducer, or a View of rank 0, which one thread writes. Members init,
/// join and final of the body are ignored.
HPK_CALLS_EITHER
template <class Range, class F, class R0, class R1, class... Rs>
  requires detail::is_in_team_v<Range>
HPK_FORCEINLINE_FUNCTION void parallel_reduce(const Range& range, const F& body, R0&& r0, R1&& r1,
                                              Rs&&... rs) {
  if constexpr (detail::check_nested_results<Range, F, R0, R1, Rs...>()) {
    detail::reduce_nested(range, body, std::make_index_sequence<2 + sizeof...(Rs)>(), r0, r1,
                          rs...);
  }
}

}  // namespace hpk
