// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_reduce: joins the contributions of a kernel for all iterations of a policy into one
// value.
#pragma once

#include <hpk/parallel/reduce_array.hpp>
#include <hpk/parallel/results.hpp>
#include <hpk/parallel/update.hpp>
#include <hpk/parallel/wide_reduce.hpp>

namespace hpk::detail {

/// Whether a reduction is rejected, accumulates in the type of its updates, or in a wider one.
enum class reduce_way { refused, plain, wide };

/// Checks at the front door, in the user's words.
template <class P, class F, class Result>
constexpr reduce_way check_reduce() {
  constexpr bool iterates = is_iterations_v<P>;
  static_assert(iterates,
                "hpk::parallel_reduce: the iterations must be an integer count or a policy; write "
                "parallel_reduce(\"label\", n, kernel, result)");
  constexpr bool writable = !is_const_result<Result>();
  static_assert(
      writable,
      "hpk::parallel_reduce: the result is const; write a variable, a reducer or a View of "
      "non-const elements that can be assigned");
  constexpr bool rank0 = !is_rank_above_0<Result>();
  static_assert(
      rank0,
      "hpk::parallel_reduce: the result View must have rank 0; write hpk::View<T> for it, or "
      "give the functor value_type = T[] and value_count for an array");
  if constexpr (iterates && writable && rank0) {
    using policy = std::remove_cvref_t<decltype(make_policy<F>(std::declval<const P&>(),
                                                               std::source_location()))>;
    using tag = typename policy::work_tag;
    using result_value = typename decltype(find_result_value<Result>())::type;
    constexpr bool by_reducer = is_reducer_v<std::remove_cv_t<Result>>;
    using value = typename decltype([] {
      if constexpr (by_reducer) {
        return type_identity<result_value>{};
      } else {
        return find_value_type<F, tag, count_arguments<policy>(), result_value>();
      }
    }())::type;
    constexpr bool has_result = !std::is_void_v<Result>;
    constexpr bool has_value = !std::is_void_v<value>;
    static_assert(has_value,
                  "hpk::parallel_reduce: the value type is unknown, or the functor's value_type is "
                  "void; pass a result, e.g. parallel_reduce(n, kernel, sum)");
    constexpr bool is_object = std::is_same_v<value, std::remove_cvref_t<value>>;
    static_assert(is_object,
                  "hpk::parallel_reduce: the functor's value_type is const or a reference; write "
                  "the plain type");
    constexpr bool joins = [] {
      if constexpr (by_reducer) {
        return has_hook<join_hook, std::remove_cv_t<Result>, void, value>();
      } else {
        return true;
      }
    }();
    static_assert(joins,
                  "hpk::parallel_reduce: the reducer has no join; write void join(value_type&, "
                  "const value_type&) const");
    if constexpr (has_value && is_object && joins) {
      constexpr bool ends = has_result || has_hook<final_hook, F, tag, value>();
      static_assert(ends,
                    "hpk::parallel_reduce: without a result argument the functor needs void "
                    "final(value_type&) const; or pass a result: parallel_reduce(n, kernel, sum)");
      constexpr kernel_fault plain_fault = diagnose_iteration<policy, F, value&>();
      constexpr kernel_fault fault = fault_of_update<plain_fault, policy, F, value, Result>;
      constexpr bool wide =
          fault != plain_fault || is_wide_sum<F, tag, value, std::remove_cv_t<Result>>;
      constexpr bool of_teams = is_team_policy_v<policy>;
      constexpr bool of_boxes = is_box_policy_v<policy>;
      constexpr bool takes_all = !of_boxes || fault != kernel_fault::wrong_arguments;
      static_assert(takes_all,
                    "hpk::parallel_reduce: an MDRangePolicy calls the kernel with one index for "
                    "each dimension and the update; write HPK_LAMBDA(int i, int j, T& update) for "
                    "Rank<2>, with T the type of the result");
      constexpr bool takes_team = !of_teams || fault != kernel_fault::wrong_arguments;
      static_assert(takes_team,
                    "hpk::parallel_reduce: over teams the kernel is called with the handle and the "
                    "update; write HPK_LAMBDA(const hpk::TeamPolicy<...>::member_type& team, T& "
                    "update) with T the type of the result");
      static_assert(fault != kernel_fault::not_callable,
                    "hpk::parallel_reduce: the kernel argument is not a kernel; write "
                    "HPK_LAMBDA(int i, T& update) { update += ...; }");
      static_assert(
          fault != kernel_fault::not_const,
          "hpk::parallel_reduce: the kernel is called as const; write operator()(int i, T& "
          "update) const, and no mutable on a lambda");
      static_assert(fault != kernel_fault::tag_missing,
                    "hpk::parallel_reduce: the policy has a work tag, so the kernel is called with "
                    "it first; write operator()(Tag, int i, T& update) const");
      static_assert(
          of_teams || of_boxes || fault != kernel_fault::wrong_arguments,
          "hpk::parallel_reduce: the kernel is called with one index and the update; write "
          "HPK_LAMBDA(int i, T& update) with T the type of the result");
      constexpr bool reachable =
          fault != kernel_fault::none || is_callable_on<typename policy::execution_space, F>;
      static_assert(reachable,
                    "hpk::parallel_reduce: a plain function can't run on a GPU; write "
                    "HPK_LAMBDA(int i, T& update) or an object with operator() const");
      constexpr bool by_value = fault == kernel_fault::none && loses_update<policy, F, value>();
      static_assert(!by_value,
                    "hpk::parallel_reduce: the kernel takes its update by value, so contributions "
                    "are lost; write T& update");
      constexpr bool reached =
          is_result_reachable<typename policy::execution_space, std::remove_cv_t<Result>>();
      static_assert(reached,
                    "hpk::parallel_reduce: the memory of the result is not accessible from kernels "
                    "on the host; write a variable or a View in hpk::HostSpace");
      constexpr hook_fault hooks = by_reducer ? hook_fault::none : diagnose_hooks<F, tag, value>();
      static_assert(hooks != hook_fault::init,
                    "hpk::parallel_reduce: the functor's init can't be called; write void "
                    "init(value_type&) const, with the work tag first if the policy has one");
      static_assert(
          hooks != hook_fault::join,
          "hpk::parallel_reduce: the functor's join can't be called; write void "
          "join(value_type&, const value_type&) const, with the work tag first if the policy "
          "has one");
      static_assert(hooks != hook_fault::final,
                    "hpk::parallel_reduce: the functor's final can't be called; write void "
                    "final(value_type&) const, with the work tag first if the policy has one");
      static_assert(hooks != hook_fault::no_plus,
                    "hpk::parallel_reduce: the value type has no operator+=; give the functor void "
                    "join(value_type&, const value_type&) const, or pass a reducer");
      if constexpr (ends && fault == kernel_fault::none && reachable && reached && !by_value &&
                    hooks == hook_fault::none && check_scratch_hooks<F>())
        return wide ? reduce_way::wide : reduce_way::plain;
    }
  }
  return reduce_way::refused;
}

/// The functor's value_type, or void.
template <class F>
constexpr auto find_own_value() {
  if constexpr (requires { typename F::value_type; }) {
    return type_identity<typename F::value_type>{};
  } else {
    return type_identity<void>{};
  }
}

template <class P, class F, class Result>
void check_and_run_reduce(std::string_view label, const P& iterations, const F& kernel,
                          Result* result, const std::source_location& where) {
  using own_value = typename decltype(find_own_value<F>())::type;
  if constexpr (std::is_array_v<own_value>) {
    check_and_run_array(label, iterations, kernel, result, where);
  } else if constexpr (std::is_array_v<Result>) {
    check_and_run_results(label, iterations, kernel, where, *result);
  } else if constexpr (std::is_pointer_v<Result> && !std::is_pointer_v<own_value>) {
    if (*result == nullptr) reject_null_result({"parallel_reduce", label, where}, true);
    check_and_run_reduce(label, iterations, kernel, *result, where);
  } else if constexpr (constexpr reduce_way way = check_reduce<P, F, Result>();
                       way != reduce_way::refused) {
    const seam::launch_info info{.pattern = "parallel_reduce", .label = label, .where = where};
    const auto& policy = make_policy<F>(iterations, where);
    using policy_type = std::remove_cvref_t<decltype(policy)>;
    using tag = typename policy_type::work_tag;
    if constexpr (way == reduce_way::wide) {
      run_wide_reduce(policy, as_object(kernel), result, info);
    } else if constexpr (std::is_void_v<Result>) {
      using value = value_type_t<F, tag, count_arguments<policy_type>(), void>;
      run_reduce(policy, as_object(kernel), functor_operations<F, tag, value>(kernel),
                 result_slot<value>{nullptr}, info);
    } else {
      const auto place = place_of(*result);
      using type = typename std::remove_cvref_t<decltype(place)>::type;
      if (place.where == nullptr) reject_null_result(info, place.blocking);
      if constexpr (is_reducer_v<std::remove_cv_t<Result>>) {
        run_reduce(policy, as_object(kernel), reducer_operations<std::remove_cv_t<Result>>(*result),
                   result_slot<type>{place.where}, info);
      } else {
        using result_value = typename decltype(find_result_value<Result>())::type;
        using value = value_type_t<F, tag, count_arguments<policy_type>(), result_value>;
        run_reduce(policy, as_object(kernel), functor_operations<F, tag, value>(kernel),
                   result_slot<type>{place.where}, info);
      }
      keep_result(policy, *result);
      if (place.blocking) seam::fence(policy.space().instance(), name_of_result_fence);
    }
  }
}

}  // namespace hpk::detail

namespace hpk {

/// Reduces kernel(i, update) over all iterations into `result`, which is overwritten.
///
/// `iterations`: a count, a RangePolicy, an MDRangePolicy, which calls the kernel with one index
/// for each dimension, or a TeamPolicy, which calls kernel(team, update) for every thread of every
/// team. `result`: a variable or a pointer to one (the call waits), a View of rank 0 (it does not),
/// or a reducer (as the variable or View that it was constructed from). The kernel combines its
/// contribution with the update by the operation of the reduction. The value type is the reducer's,
/// else the functor's `value_type`, else the result's; it starts from the reducer's or functor's
/// init, else from T(); values join by the reducer's or functor's join, else by +=; final, if it
/// exists, is applied once.
///
/// Arrays: a functor with `value_type = T[]` and a member value_count is called with a T* for its
/// update; it may have init(T*), join(T*, const T*) and final(T*). The result is a T[N] or a View
/// of rank 1, of that length, or a pointer; see parallel/reduce_array.hpp. A kernel without
/// value_type takes T (&update)[N], or T*, for a result T[N].
///
/// The bits of the result do not depend on the space's worker count or the schedule (R7): blocks of
/// iterations and the order of joins depend only on the number of iterations, the value type and
/// the chunk size of the policy, see parallel/fold.hpp; on a GPU only on the first two, see
/// parallel/lane_reduce.hpp. Short ranges have few chunks; if few iterations take long each, give
/// the policy ChunkSize(1). An empty range gives the identity. Errors and threads: as parallel_for.
template <class Iterations, class Kernel, class Result>
void parallel_reduce(std::string_view label, const Iterations& iterations, const Kernel& kernel,
                     Result&& result,
                     const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::check_assignable<Result>())
    detail::check_and_run_reduce(label, iterations, kernel, &result, where);
}

/// The same without a label.
template <class Iterations, class Kernel, class Result>
  requires(!std::convertible_to<Iterations, std::string_view> &&
           !std::same_as<std::remove_cvref_t<Result>, std::source_location>)
void parallel_reduce(const Iterations& iterations, const Kernel& kernel, Result&& result,
                     const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::check_assignable<Result>())
    detail::check_and_run_reduce({}, iterations, kernel, &result, where);
}

/// Without a result: the functor's final receives the value.
template <class Iterations, class Kernel>
void parallel_reduce(std::string_view label, const Iterations& iterations, const Kernel& kernel,
                     const std::source_location& where = std::source_location::current()) {
  detail::check_and_run_reduce(label, iterations, kernel, static_cast<void*>(nullptr), where);
}

/// The same without a label.
template <class Iterations, class Kernel>
  requires(!std::convertible_to<Iterations, std::string_view>)
void parallel_reduce(const Iterations& iterations, const Kernel& kernel,
                     const std::source_location& where = std::source_location::current()) {
  detail::check_and_run_reduce({}, iterations, kernel, static_cast<void*>(nullptr), where);
}

/// Folds kernel(i, a, b, ...) over all iterations into several results at once, up to eight, which
/// are overwritten: in their order, each update becomes one result.
///
/// Each result is a variable, a C array, a View of rank 0 or a reducer. A reducer's operation joins
/// its values; all others start from T() and join by +=; hooks of the kernel have no say. The call
/// waits if one of the results is a variable, or a reducer of one. Everything else, the bits of the
/// results and errors too, is as with one result.
template <class Iterations, class Kernel, class R0, class R1, class R2 = detail::no_result,
          class R3 = detail::no_result, class R4 = detail::no_result, class R5 = detail::no_result,
          class R6 = detail::no_result, class R7 = detail::no_result>
  requires(!detail::is_location_v<R1> && !std::convertible_to<R1, const char*>)
void parallel_reduce(std::string_view label, const Iterations& iterations, const Kernel& kernel,
                     R0&& r0, R1&& r1, R2&& r2 = {}, R3&& r3 = {}, R4&& r4 = {}, R5&& r5 = {},
                     R6&& r6 = {}, R7&& r7 = {},
                     const std::source_location& where = std::source_location::current()) {
  detail::reduce_into<R0, R1, R2, R3, R4, R5, R6, R7>(
      label, iterations, kernel, where,
      std::make_index_sequence<detail::count_of_results<R0, R1, R2, R3, R4, R5, R6, R7>>(),
      {&r0, &r1, &r2, &r3, &r4, &r5, &r6, &r7});
}

/// The same without a label.
template <class Iterations, class Kernel, class R0, class R1, class R2 = detail::no_result,
          class R3 = detail::no_result, class R4 = detail::no_result, class R5 = detail::no_result,
          class R6 = detail::no_result, class R7 = detail::no_result>
  requires(!std::convertible_to<Iterations, std::string_view> &&
           !detail::is_in_team_v<Iterations> && !detail::is_location_v<R1> &&
           !std::convertible_to<R1, const char*>)
void parallel_reduce(const Iterations& iterations, const Kernel& kernel, R0&& r0, R1&& r1,
                     R2&& r2 = {}, R3&& r3 = {}, R4&& r4 = {}, R5&& r5 = {}, R6&& r6 = {},
                     R7&& r7 = {},
                     const std::source_location& where = std::source_location::current()) {
  detail::reduce_into<R0, R1, R2, R3, R4, R5, R6, R7>(
      {}, iterations, kernel, where,
      std::make_index_sequence<detail::count_of_results<R0, R1, R2, R3, R4, R5, R6, R7>>(),
      {&r0, &r1, &r2, &r3, &r4, &r5, &r6, &r7});
}

}  // namespace hpk
