// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions inside of a team into several results at once.
#pragma once

#include <hpk/parallel/nested/nested_mdrange.hpp>
#include <hpk/parallel/patterns/results.hpp>
#include <hpk/parallel/patterns/wide_reduce.hpp>

namespace hpk::detail {

/// The types in which a body over a range or MDRange takes its indices.
template <class Range, class F, class... Vs>
constexpr auto find_nested_leading() {
  if constexpr (requires { Range::rank; }) {
    return nested_indices_t<Range::rank, F, Vs&...>();
  } else {
    return type_list<nested_index_t<Range, F, Vs&...>>();
  }
}
/// The types in which a loop over Range counts.
template <class Range>
using nested_arguments = repeated_t<typename Range::index_type, count_nested<Range>>;

/// Returns why a body can't be called with its indices and Rest.
template <class Range, class F, class... Rest>
constexpr kernel_fault diagnose_nested_results() {
  return []<class... Is>(type_list<Is...>) {
    return diagnose_kernel<F, void, Is..., Rest...>();
  }(nested_arguments<Range>());
}

template <class Range>
  requires is_in_team_v<Range>
struct loop_call<Range> {
  using tag = void;
  static constexpr int arguments = count_nested<Range>;
  template <class F, class... Rest>
  static constexpr kernel_fault fault = diagnose_nested_results<Range, F, Rest...>();
  template <class F, class... Vs>
  using leading = decltype(find_nested_leading<Range, F, Vs...>());
};

template <class Range, class F, class... Vs>
inline constexpr bool loses_nested_update =
    loses_an_update<F, void, decltype(find_nested_leading<Range, F, Vs...>()), Vs...>;

/// Checks the call, with errors in the user's words; returns whether the call is well-formed.
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
      constexpr kernel_fault fault =
          fault_of_updates<fault_of_accumulators<Range, F, std::remove_reference_t<Rs>...>, Range,
                           F, operations_for_t<std::remove_reference_t<Rs>>...>;
      static_assert(fault == kernel_fault::none,
                    "hpk: the body of a reduction inside of a team is called, as const, with the "
                    "indices and one update for each result, in their order; write [&](int i, T& "
                    "first, U& second) with the types of the results");
      if constexpr (fault == kernel_fault::none) {
        constexpr bool right = !loses_nested_update<
            Range, F, typename decltype(find_result_value<std::remove_reference_t<Rs>>())::type...>;
        static_assert(right,
                      "hpk: the body of a reduction inside of a team takes an update by value, so "
                      "contributions are lost; write T& for each");
        return right;
      }
    }
  }
  return false;
}

HPK_CALLS_EITHER
template <class Range, class F, class Operations>
HPK_FORCEINLINE_FUNCTION auto fold_nested(const Range& range, const F& body,
                                          const Operations& operations) {
  if constexpr (requires { Range::rank; }) {
    return fold_nested_mdrange(range, body, operations);
  } else {
    return fold_range(range, body, operations);
  }
}

/// Assigns a result in every thread, or lets one thread write it.
HPK_CALLS_EITHER
template <class Range, class Result, class V>
HPK_FORCEINLINE_FUNCTION void deliver_nested(const Range& range, Result& result, const V& value) {
  with_operations<1>(range, no_members(), result, [&value](const auto&, auto& into) {
    into = static_cast<std::remove_reference_t<decltype(into)>>(value);
  });
}

HPK_CALLS_EITHER
template <class Range, class F, std::size_t... Ks, class... Rs>
HPK_FORCEINLINE_FUNCTION void reduce_nested(const Range& range, const F& body,
                                            std::index_sequence<Ks...>, Rs&... results) {
  const results_kernel_t<Range, F, const F&, Rs...> all{body};
  const auto values = fold_nested(range, all, operations_of_results(results...));
  (deliver_nested(range, results, detail::get<Ks>(values)), ...);
}

template <class Range, class F, class Operations>
HPK_FORCEINLINE_FUNCTION auto fold_wide_nested(const Range& range, const F& body,
                                               const Operations& operations) {
  const update_kernel_t<F, const F&, accumulator_t<Operations>&,
                        kernel_updates_t<Range, F, Operations>>
      all{body};
  return fold_nested(range, all, accumulating(operations));
}

}  // namespace hpk::detail

namespace hpk {

/// Folds body(i, a, b, ...), or body(i0, i1, ..., a, b, ...), over a range or MDRange inside of a
/// team into several results, for every participating thread. Each result is a variable, which
/// starts from T() and joins by +=, a reducer, or a View of rank 0, which one thread writes.
/// Members init, join and final of the body are ignored.
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
