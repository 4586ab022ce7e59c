// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_reduce: joins the contributions of a kernel for all iterations of a policy into one
// value.
#pragma once

#include <hpk/parallel/launch/update.hpp>
#include <hpk/parallel/patterns/reduce_array.hpp>
#include <hpk/parallel/patterns/results.hpp>
#include <hpk/parallel/patterns/wide_reduce.hpp>

namespace hpk::detail {

template <class P, class F, class Result>
constexpr fault diagnose_reduce() {
  constexpr fault of_results = diagnose_results<P, Result>();
  if constexpr (of_results != fault::none) {
    return of_results;
  } else {
    using policy = policy_of_t<P, F>;
    using value = typename decltype(find_value<policy, F, Result>())::type;
    constexpr fault of_value = diagnose_value<value, Result>();
    if constexpr (of_value != fault::none) {
      return of_value;
    } else if constexpr (std::is_void_v<Result> &&
                         !has_member<final_member, F, typename policy::work_tag, value>()) {
      return fault::no_result;
    } else {
      using operations = decltype(operations_of<typename policy::work_tag, value>(
          std::declval<const F&>(), std::declval<const Result*>()));
      constexpr fault of_kernel = of_update<policy, F, value>(fault_of_kernel<policy, F>(
          fault_of_updates<diagnose_iteration<policy, F, value&>(), policy, F, operations>));
      if constexpr (of_kernel != fault::none) {
        return of_kernel;
      } else {
        return loses_updates_over<policy, F, value>
                   ? fault::lost_update
                   : diagnose_operations<policy, F, value, Result>();
      }
    }
  }
}

/// Finds the functor's value_type; void if it has none.
template <class F>
constexpr auto find_own_value() {
  if constexpr (requires { typename F::value_type; }) {
    return type_identity<typename F::value_type>{};
  } else {
    return type_identity<void>{};
  }
}

template <class P, class F, class Result>
void replay_reduce(const seam::launch_replay& given);

/// Checks a reduction, finds its values, and runs it.
template <class P, class F, class Result>
void reduce_into(std::string_view label, const P& iterations, const F& kernel, Result* result,
                 const std::source_location& where) {
  using own_value = typename decltype(find_own_value<F>())::type;
  seam::launch_info info{.pattern = "parallel_reduce", .label = label, .where = where};
  if constexpr (std::is_array_v<own_value>) {
    reduce_into_array(iterations, kernel, result, info);
  } else if constexpr (std::is_array_v<Result>) {
    reduce_into_results(iterations, kernel, info, *result);
  } else if constexpr (std::is_pointer_v<Result> && !std::is_pointer_v<own_value>) {
    if (*result == nullptr) reject_null_result(info, true);
    reduce_into(label, iterations, kernel, *result, where);
  } else if constexpr (accept_update<pattern::reduce, diagnose_reduce<P, F, Result>(), P, F,
                                     Result>() &&
                       accept<pattern::reduce, diagnose_reduce<P, F, Result>()>() &&
                       check_scratch_members<F>()) {
    if constexpr (has_own_result<Result>()) info.replay = &replay_reduce<P, F, Result>;
    info.results = std::is_void_v<Result> ? 0 : 1;
    using policy_type = policy_of_t<P, F>;
    using value = typename decltype(find_value<policy_type, F, Result>())::type;
    const auto& policy = make_policy<F>(iterations, where);
    const auto place = place_of_value<value>(result);
    using slot = result_slot<typename std::remove_const_t<decltype(place)>::type>;
    if (!std::is_void_v<Result> && place.where == nullptr) reject_null_result(info, place.blocking);
    const auto operations = operations_of<typename policy_type::work_tag, value>(kernel, result);
    using operations_type = std::remove_const_t<decltype(operations)>;
    using exec = typename policy_type::execution_space;
    auto& machine = policy.space().instance();
    const slot there{place.where, is_stored_directly<exec, Result>(machine, place.blocking)};
    const auto run = [&](const slot& target) {
      if constexpr (is_wide_reduction<policy_type, F, operations_type>()) {
        run_wide_reduce(policy, as_object(kernel), operations, target, info);
      } else {
        run_reduce(policy, as_object(kernel), operations, target, info);
      }
      if constexpr (!std::is_void_v<Result>) keep_result(policy, *result, info);
    };
    run_into(machine, there, place.blocking, name_of_result_fence, run);
    if constexpr (!std::is_void_v<Result>) show_results(machine, *result);
  }
}

/// Repeats a reduction for a replay, into a separate result.
template <class P, class F, class Result>
void replay_reduce(const seam::launch_replay& given) {
  const auto run = [&given](Result* result) {
    reduce_into(given.info.label, iterations_from<P>(given.policy), kernel_at<F>(given.kernel),
                result, given.info.where);
  };
  if constexpr (std::is_void_v<Result>) {
    run(nullptr);
  } else {
    own_result<Result> result;
    run(&result.get());
  }
}

/// Runs a reduction into the results Ks of `all`. Rs: the types as which the results were passed.
template <class... Rs, class P, class F, std::size_t... Ks>
void reduce_into_several(std::string_view label, const P& iterations, const F& kernel,
                         const std::source_location& where, std::index_sequence<Ks...>,
                         const result_refs<std::remove_reference_t<Rs>...>& all) {
  constexpr bool assignable = (is_assignable_v<Rs> && ...);
  static_assert(assignable,
                "hpk::parallel_reduce: a result is a temporary value; write a variable, a View or "
                "a reducer");
  if constexpr (assignable) {
    reduce_into_results(iterations, kernel,
                        {.pattern = "parallel_reduce", .label = label, .where = where},
                        detail::get<Ks>(all)...);
  }
}

}  // namespace hpk::detail

namespace hpk {

/// Reduces kernel(i, update) over all iterations into `result`, which is overwritten.
///
/// `iterations`: a count, a RangePolicy, an MDRangePolicy, which calls the kernel with one index
/// for each dimension, or a TeamPolicy, which calls kernel(team, update) for every thread of every
/// team. `result`: a variable or a pointer to one (the call waits), a View of rank 0 (the call does
/// not wait), or a reducer (as the variable or View from which it was constructed). The kernel
/// combines its contribution with the update by the operation of the reduction. The value type is
/// the reducer's, else the functor's `value_type`, else the result's. Values start from the
/// reducer's or functor's init, else from T(), and join by the reducer's or functor's join, else by
/// +=. final, if it exists, is applied once.
///
/// A program's joins are applied in the order of iterations, unless the functor or reducer has
/// `static constexpr bool commutes = true`; in programs of the drop-in for Kokkos they are assumed
/// to commute, unless it is false. += and the reducers of hpk, except Prod of objects, are assumed
/// to commute, unless the class of the value has `commutes = false`. Small values whose joins
/// commute have several accumulators, which is faster, above all on GPUs.
///
/// Arrays: a functor with `value_type = T[]` and a member value_count is called with a T* for its
/// update; it may have init(T*), join(T*, const T*) and final(T*). The result is a T[N] or a View
/// of rank 1, of that length, or a pointer; see parallel/patterns/reduce_array.hpp. A kernel
/// without value_type takes T (&update)[N], or T*, for a result T[N].
///
/// The bits of the result do not depend on the space, its worker count or the schedule (rule "same
/// bits"). The order of joins depends only on the number of iterations, the value type, whether
/// joins commute, the chunk size of the policy and, over an MDRange, the length of a row; see
/// parallel/launch/reduce_shape.hpp. For arrays and over teams it also depends on whether the space
/// is a host space. Short ranges have few chunks; if few iterations take long each, give the policy
/// ChunkSize(1). An empty range gives the identity. Errors and threads: as parallel_for.
template <class Iterations, class Kernel, class Result>
void parallel_reduce(std::string_view label, Iterations iterations, const Kernel& kernel,
                     Result&& result,
                     const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::check_assignable<Result>())
    detail::reduce_into(label, iterations, kernel, &result, where);
}

/// parallel_reduce without a label.
template <class Iterations, class Kernel, class Result>
  requires(!std::convertible_to<Iterations, std::string_view> &&
           !std::same_as<std::remove_cvref_t<Result>, std::source_location>)
void parallel_reduce(Iterations iterations, const Kernel& kernel, Result&& result,
                     const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::check_assignable<Result>())
    detail::reduce_into({}, iterations, kernel, &result, where);
}

/// parallel_reduce without a result: the functor's final receives the value.
template <class Iterations, class Kernel>
void parallel_reduce(std::string_view label, Iterations iterations, const Kernel& kernel,
                     const std::source_location& where = std::source_location::current()) {
  detail::reduce_into(label, iterations, kernel, static_cast<void*>(nullptr), where);
}

/// parallel_reduce without a label and a result.
template <class Iterations, class Kernel>
  requires(!std::convertible_to<Iterations, std::string_view>)
void parallel_reduce(Iterations iterations, const Kernel& kernel,
                     const std::source_location& where = std::source_location::current()) {
  detail::reduce_into({}, iterations, kernel, static_cast<void*>(nullptr), where);
}

/// Folds kernel(i, a, b, ...) over all iterations into several results at once, up to eight, which
/// are overwritten. Updates and results have the same order.
///
/// Each result is a variable, a C array, a View of rank 0 or a reducer. A reducer's operation joins
/// its values; all others start from T() and join by +=; init, join and final of the kernel are
/// ignored. The call waits if one of the results is a variable, or a reducer of one. Everything
/// else, including the bits of the results and errors, is as with one result.
template <class Iterations, class Kernel, class R0, class R1, class R2 = detail::no_result,
          class R3 = detail::no_result, class R4 = detail::no_result, class R5 = detail::no_result,
          class R6 = detail::no_result, class R7 = detail::no_result>
  requires(!detail::is_location_v<R1> && !std::convertible_to<R1, const char*>)
void parallel_reduce(std::string_view label, Iterations iterations, const Kernel& kernel, R0&& r0,
                     R1&& r1, R2&& r2 = {}, R3&& r3 = {}, R4&& r4 = {}, R5&& r5 = {}, R6&& r6 = {},
                     R7&& r7 = {},
                     const std::source_location& where = std::source_location::current()) {
  detail::reduce_into_several<R0, R1, R2, R3, R4, R5, R6, R7>(
      label, iterations, kernel, where,
      std::make_index_sequence<detail::count_of_results<R0, R1, R2, R3, R4, R5, R6, R7>>(),
      {&r0, &r1, &r2, &r3, &r4, &r5, &r6, &r7});
}

/// parallel_reduce into several results, without a label.
template <class Iterations, class Kernel, class R0, class R1, class R2 = detail::no_result,
          class R3 = detail::no_result, class R4 = detail::no_result, class R5 = detail::no_result,
          class R6 = detail::no_result, class R7 = detail::no_result>
  requires(!std::convertible_to<Iterations, std::string_view> &&
           !detail::is_in_team_v<Iterations> && !detail::is_location_v<R1> &&
           !std::convertible_to<R1, const char*>)
void parallel_reduce(Iterations iterations, const Kernel& kernel, R0&& r0, R1&& r1, R2&& r2 = {},
                     R3&& r3 = {}, R4&& r4 = {}, R5&& r5 = {}, R6&& r6 = {}, R7&& r7 = {},
                     const std::source_location& where = std::source_location::current()) {
  detail::reduce_into_several<R0, R1, R2, R3, R4, R5, R6, R7>(
      {}, iterations, kernel, where,
      std::make_index_sequence<detail::count_of_results<R0, R1, R2, R3, R4, R5, R6, R7>>(),
      {&r0, &r1, &r2, &r3, &r4, &r5, &r6, &r7});
}

}  // namespace hpk
