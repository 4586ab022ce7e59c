// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_scan: prefix results over a range, in index order, or postfix results, from the last
// index on; joins need not commute.
#pragma once

#include <hpk/parallel/backward.hpp>
#include <hpk/parallel/mdrange_launch.hpp>
#include <hpk/parallel/scan_launch.hpp>
#include <hpk/parallel/update.hpp>
#include <hpk/parallel/wide_reduce.hpp>

namespace hpk::detail {

/// The value type of a scan: the reducer's, else as in a reduction.
template <class F, class Tag, int Position, bool ByReducer, class Result>
constexpr auto find_scan_value() {
  if constexpr (ByReducer) {
    return type_identity<Result>{};
  } else {
    return find_value_type<F, Tag, Position, Result>();
  }
}
/// Whether a result is not a reducer, or is one that can join values.
template <class Result, class V>
constexpr bool reducer_joins() {
  if constexpr (is_reducer_v<std::remove_cv_t<Result>>) {
    return has_hook<join_hook, std::remove_cv_t<Result>, void, V>();
  } else {
    return true;
  }
}

/// Checks at the front door, in the user's words; returns whether the call is well-formed.
template <class P, class F, class Result>
constexpr bool check_scan() {
  constexpr bool iterates = is_iterations_v<P> && !is_team_policy_v<P>;
  static_assert(iterates,
                "hpk::parallel_scan: the iterations must be an integer count, a RangePolicy or an "
                "MDRangePolicy, or hpk::backward of one; write "
                "parallel_scan(\"label\", n, kernel)");
  constexpr bool writable = !is_const_result<Result>();
  static_assert(writable,
                "hpk::parallel_scan: the total is const; write a variable or a View of non-const "
                "elements");
  constexpr bool plain = !is_rank_above_0<Result>();
  static_assert(plain,
                "hpk::parallel_scan: the total must be a variable, a reducer or a View of rank 0");
  if constexpr (iterates && writable && plain) {
    using policy = std::remove_cvref_t<decltype(make_policy<F>(std::declval<const P&>(),
                                                               std::source_location()))>;
    using tag = typename policy::work_tag;
    using result_value = typename decltype(find_result_value<Result>())::type;
    constexpr bool by_reducer = is_reducer_v<std::remove_cv_t<Result>>;
    using value = typename decltype(find_scan_value<F, tag, count_arguments<policy>(), by_reducer,
                                                    result_value>())::type;
    constexpr bool joins = reducer_joins<Result, value>();
    static_assert(joins,
                  "hpk::parallel_scan: the reducer has no join; write void join(value_type&, const "
                  "value_type&) const");
    constexpr bool has_value = !std::is_void_v<value>;
    static_assert(has_value,
                  "hpk::parallel_scan: the value type is unknown; write HPK_LAMBDA(int i, T& "
                  "update, bool final), or pass a total");
    constexpr bool is_object = std::is_same_v<value, std::remove_cvref_t<value>>;
    static_assert(is_object,
                  "hpk::parallel_scan: the functor's value_type is const or a reference; write the "
                  "plain type");
    if constexpr (has_value && is_object && joins) {
      constexpr kernel_fault fault = diagnose_iteration<policy, F, value&, bool>();
      static_assert(fault != kernel_fault::not_callable,
                    "hpk::parallel_scan: the kernel argument is not a kernel; write HPK_LAMBDA(int "
                    "i, T& update, bool final) { ... }");
      static_assert(fault != kernel_fault::not_const,
                    "hpk::parallel_scan: the kernel is called as const; write operator()(int i, T& "
                    "update, bool final) const, and no mutable on a lambda");
      static_assert(
          fault != kernel_fault::tag_missing,
          "hpk::parallel_scan: the policy has a work tag, so the kernel is called with it "
          "first; write operator()(Tag, int i, T& update, bool final) const");
      static_assert(
          fault != kernel_fault::wrong_arguments,
          "hpk::parallel_scan: the kernel is called with index, update and whether this is "
          "the final pass; write HPK_LAMBDA(int i, T& update, bool final), with one index for "
          "each dimension of an MDRangePolicy");
      constexpr bool reachable =
          fault != kernel_fault::none || is_callable_on<typename policy::execution_space, F>;
      static_assert(reachable,
                    "hpk::parallel_scan: a plain function can't run on a GPU; write HPK_LAMBDA(int "
                    "i, T& update, bool final) or an object with operator() const");
      constexpr bool by_value =
          fault == kernel_fault::none && takes_update_by_value<F, tag, count_arguments<policy>()>();
      constexpr bool reached =
          is_result_reachable<typename policy::execution_space, std::remove_cv_t<Result>>();
      static_assert(reached,
                    "hpk::parallel_scan: the memory of the total is not accessible from kernels on "
                    "the host; write a variable or a View in hpk::HostSpace");
      static_assert(
          !by_value,
          "hpk::parallel_scan: the kernel takes its update by value, so contributions are "
          "lost; write T& update");
      constexpr hook_fault hooks = by_reducer ? hook_fault::none : diagnose_hooks<F, tag, value>();
      static_assert(hooks != hook_fault::init,
                    "hpk::parallel_scan: the functor's init can't be called; write void "
                    "init(value_type&) const, with the work tag first if the policy has one");
      static_assert(
          hooks != hook_fault::join,
          "hpk::parallel_scan: the functor's join can't be called; write void "
          "join(value_type&, const value_type&) const, with the work tag first if the policy "
          "has one");
      static_assert(hooks != hook_fault::final,
                    "hpk::parallel_scan: the functor's final can't be called; write void "
                    "final(value_type&) const, with the work tag first if the policy has one");
      static_assert(hooks != hook_fault::no_plus,
                    "hpk::parallel_scan: the value type has no operator+=; give the functor void "
                    "join(value_type&, const value_type&) const");
      return fault == kernel_fault::none && reachable && reached && !by_value &&
             hooks == hook_fault::none;
    }
  }
  return false;
}

template <class P, class F, class Result>
void check_and_run_scan(std::string_view label, const P& iterations, const F& kernel, Result* total,
                        const std::source_location& where) {
  using way = either_way<P>;
  if constexpr (check_scan<typename way::type, F, Result>()) {
    constexpr bool backward = is_backward_v<P>;
    const seam::launch_info info{.pattern = "parallel_scan", .label = label, .where = where};
    const auto& policy = make_policy<F>(way::of(iterations), where);
    using policy_type = std::remove_cvref_t<decltype(policy)>;
    using tag = typename policy_type::work_tag;
    using result_value = typename decltype(find_result_value<Result>())::type;
    if constexpr (std::is_void_v<Result>) {
      using value = value_type_t<F, tag, count_arguments<policy_type>(), void>;
      scan_with<backward>(policy, as_object(kernel), functor_operations<F, tag, value>(kernel),
                          static_cast<value*>(nullptr), info);
    } else {
      const auto place = place_of(*total);
      if (place.where == nullptr) reject_null_result(info);
      if constexpr (is_reducer_v<std::remove_cv_t<Result>>) {
        scan_with<backward>(policy, as_object(kernel),
                            reducer_operations<std::remove_cv_t<Result>>(*total), place.where,
                            info);
      } else {
        using value = value_type_t<F, tag, count_arguments<policy_type>(), result_value>;
        scan_with<backward>(policy, as_object(kernel), functor_operations<F, tag, value>(kernel),
                            place.where, info);
      }
      keep_result(policy, *total);
      if (place.blocking) {
        seam::fence(policy.space().instance(),
                    "hpk::parallel_scan: fence due to result being a value, not a view");
      }
    }
  }
}

}  // namespace hpk::detail

namespace hpk {

/// Calls kernel(i, update, final) so that, if `final` is true, `update` holds the joined
/// contributions of all lower indices: read it before adding for an exclusive prefix, after adding
/// for an inclusive one. `iterations`: a count, a RangePolicy, or an MDRangePolicy, whose kernel
/// takes one index for each dimension and whose iterations are scanned in its loop order.
/// hpk::backward of one of these scans from the last index down: `update` then holds the
/// contributions of all higher indices.
///
/// Every index gets exactly one call with final == true, and any number with false; write results
/// only if it is true, and contribute the same value in every call. Iteration i may overwrite what
/// it reads. Values start from the functor's init or T() and join in scan order by its join or +=;
/// a reducer, given as `total`, replaces both. Joins need not commute. `total`, if given, receives
/// the join of all contributions: a variable or a reducer of one (the call waits), or a View of
/// rank 0 (it does not). The bits do not depend on the number of workers. Errors and threads: as
/// parallel_for; of several failing indices the first in scan order is reported, if the kernel
/// throws whether `final` is true or false. Otherwise the reported index depends on the number of
/// workers.
template <class Iterations, class Kernel, class Total>
void parallel_scan(std::string_view label, const Iterations& iterations, const Kernel& kernel,
                   Total&& total,
                   const std::source_location& where = std::source_location::current()) {
  constexpr bool assignable = std::is_lvalue_reference_v<Total> ||
                              detail::is_view_like_v<std::remove_cv_t<Total>> ||
                              is_reducer_v<std::remove_cv_t<Total>>;
  static_assert(assignable,
                "hpk::parallel_scan: the total is a temporary value; write a variable, a View or a "
                "reducer");
  if constexpr (assignable) detail::check_and_run_scan(label, iterations, kernel, &total, where);
}

/// The same without a label.
template <class Iterations, class Kernel, class Total>
  requires(!std::convertible_to<Iterations, std::string_view> &&
           !std::same_as<std::remove_cvref_t<Total>, std::source_location>)
void parallel_scan(const Iterations& iterations, const Kernel& kernel, Total&& total,
                   const std::source_location& where = std::source_location::current()) {
  parallel_scan(std::string_view(), iterations, kernel, static_cast<Total&&>(total), where);
}

/// Without a total.
template <class Iterations, class Kernel>
void parallel_scan(std::string_view label, const Iterations& iterations, const Kernel& kernel,
                   const std::source_location& where = std::source_location::current()) {
  detail::check_and_run_scan(label, iterations, kernel, static_cast<void*>(nullptr), where);
}

/// The same without a label.
template <class Iterations, class Kernel>
  requires(!std::convertible_to<Iterations, std::string_view>)
void parallel_scan(const Iterations& iterations, const Kernel& kernel,
                   const std::source_location& where = std::source_location::current()) {
  detail::check_and_run_scan({}, iterations, kernel, static_cast<void*>(nullptr), where);
}

}  // namespace hpk
