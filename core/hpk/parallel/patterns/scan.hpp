// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_scan: prefix results over a range, in index order, or with hpk::backward postfix
// results, from the last index to the first. Joins need not commute.
#pragma once

#include <hpk/parallel/launch/backward.hpp>
#include <hpk/parallel/launch/diagnosis.hpp>
#include <hpk/parallel/launch/mdrange_launch.hpp>
#include <hpk/parallel/launch/update.hpp>
#include <hpk/parallel/operations/observed_results.hpp>
#include <hpk/parallel/patterns/scan_launch.hpp>
#include <hpk/parallel/patterns/wide_reduce.hpp>

namespace hpk::detail {

template <class P, class F, class Result>
constexpr fault diagnose_scan() {
  constexpr fault of_result =
      is_team_policy_v<P> ? fault::iterations : diagnose_results<P, Result>();
  if constexpr (of_result != fault::none) {
    return of_result;
  } else {
    using policy = policy_of_t<P, F>;
    using value = typename decltype(find_value<policy, F, Result>())::type;
    constexpr fault of_value = diagnose_value<value, Result>();
    if constexpr (of_value != fault::none) {
      return of_value;
    } else {
      constexpr fault of_kernel = of_update<policy, F, value>(
          fault_of_kernel<policy, F>(diagnose_iteration<policy, F, value&, bool>()));
      if constexpr (of_kernel != fault::none) {
        return of_kernel;
      } else {
        return loses_scan_update_over<policy, F, value>
                   ? fault::lost_update
                   : diagnose_operations<policy, F, value, Result>();
      }
    }
  }
}

template <class P, class F, class Result>
void replay_scan(const seam::launch_replay& given);

/// Checks a scan, finds its values, and runs it.
template <class P, class F, class Result>
void scan_into(std::string_view label, const P& iterations, const F& kernel, Result* total,
               const std::source_location& where) {
  using direction = direction_of<P>;
  using forward = typename direction::type;
  constexpr fault found = diagnose_scan<forward, F, Result>();
  if constexpr (accept_update<pattern::scan, found, forward, F, Result>() &&
                accept<pattern::scan, found>()) {
    using policy_type = policy_of_t<forward, F>;
    using value = typename decltype(find_value<policy_type, F, Result>())::type;
    seam::launch_info info{.pattern = "parallel_scan", .label = label, .where = where};
    if constexpr (has_own_result<Result>()) info.replay = &replay_scan<P, F, Result>;
    info.results = std::is_void_v<Result> ? 0 : 1;
    const auto& policy = make_policy<F>(direction::of(iterations), where);
    const auto place = place_of_value<value>(total);
    if (!std::is_void_v<Result> && place.where == nullptr) reject_null_result(info);
    constexpr bool backward = is_backward_v<P>;
    const auto operations = operations_of<typename policy_type::work_tag, value>(kernel, total);
    if constexpr (is_wide_operations<std::remove_const_t<decltype(operations)>>) {
      run_wide_scan<backward>(policy, as_object(kernel), operations, place.where, info);
    } else {
      run_scan<backward>(policy, as_object(kernel), operations, place.where, info);
    }
    if constexpr (!std::is_void_v<Result>) keep_result(policy, *total, info);
    auto& machine = policy.space().instance();
    if (place.blocking)
      detail::fence_machine(machine,
                            "hpk::parallel_scan: fence due to result being a value, not a view");
    if constexpr (!std::is_void_v<Result>) show_results(machine, *total);
  }
}

/// Repeats a scan for a replay, into a separate total.
template <class P, class F, class Result>
void replay_scan(const seam::launch_replay& given) {
  const auto run = [&given](Result* total) {
    scan_into(given.info.label, iterations_from<P>(given.policy), kernel_at<F>(given.kernel), total,
              given.info.where);
  };
  if constexpr (std::is_void_v<Result>) {
    run(nullptr);
  } else {
    own_result<Result> total;
    run(&total.get());
  }
}

}  // namespace hpk::detail

namespace hpk {

/// Calls kernel(i, update, final) so that, if `final` is true, `update` holds the joined
/// contributions of all lower indices: read it before adding for an exclusive prefix, after adding
/// for an inclusive one. `iterations`: a count, a RangePolicy, or an MDRangePolicy, whose kernel
/// takes one index for each dimension and whose iterations are scanned in its loop order. With
/// hpk::backward of one of these, the scan runs from the last index to the first, and `update`
/// holds the contributions of all higher indices.
///
/// Every index gets exactly one call with final == true, and any number of calls with false. Write
/// results only if it is true, and contribute the same value in every call. Iteration i may
/// overwrite what it reads. Values start from the functor's init or T() and join in scan order by
/// its join or +=; a reducer, given as `total`, replaces both. Joins need not commute. `total`, if
/// given, receives the join of all contributions: a variable or a reducer of one (the call waits),
/// or a View of rank 0 (the call does not wait). The bits do not depend on the number of workers.
/// Errors and threads: as parallel_for. If several indices fail, the first in scan order is
/// reported, provided that the kernel throws both with and without `final`. Otherwise the reported
/// index depends on the number of workers.
template <class Iterations, class Kernel, class Total>
void parallel_scan(std::string_view label, Iterations iterations, const Kernel& kernel,
                   Total&& total,
                   const std::source_location& where = std::source_location::current()) {
  constexpr bool assignable = std::is_lvalue_reference_v<Total> ||
                              detail::is_view_like_v<std::remove_cv_t<Total>> ||
                              is_reducer_v<std::remove_cv_t<Total>>;
  static_assert(assignable,
                "hpk::parallel_scan: the total is a temporary value; write a variable, a View or a "
                "reducer");
  if constexpr (assignable) detail::scan_into(label, iterations, kernel, &total, where);
}

/// parallel_scan with a total, without a label.
template <class Iterations, class Kernel, class Total>
  requires(!std::convertible_to<Iterations, std::string_view> &&
           !std::same_as<std::remove_cvref_t<Total>, std::source_location>)
void parallel_scan(Iterations iterations, const Kernel& kernel, Total&& total,
                   const std::source_location& where = std::source_location::current()) {
  parallel_scan<const Iterations&>(std::string_view(), iterations, kernel,
                                   static_cast<Total&&>(total), where);
}

/// parallel_scan without a total.
template <class Iterations, class Kernel>
void parallel_scan(std::string_view label, Iterations iterations, const Kernel& kernel,
                   const std::source_location& where = std::source_location::current()) {
  detail::scan_into(label, iterations, kernel, static_cast<void*>(nullptr), where);
}

/// parallel_scan without a label and a total.
template <class Iterations, class Kernel>
  requires(!std::convertible_to<Iterations, std::string_view>)
void parallel_scan(Iterations iterations, const Kernel& kernel,
                   const std::source_location& where = std::source_location::current()) {
  detail::scan_into({}, iterations, kernel, static_cast<void*>(nullptr), where);
}

}  // namespace hpk
