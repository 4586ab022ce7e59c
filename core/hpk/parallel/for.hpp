// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_for: calls a kernel once for every iteration of a policy.
#pragma once

#include <hpk/parallel/for_launch.hpp>
#include <hpk/parallel/mdrange_launch.hpp>
#include <hpk/parallel/team_launch.hpp>

namespace hpk::detail {

template <class P, class F>
void check_and_run_for(std::string_view label, const P& iterations, const F& kernel,
                       const std::source_location& where) {
  constexpr bool iterates = is_iterations_v<P>;
  static_assert(
      iterates,
      "hpk::parallel_for: the iterations must be an integer count or a policy; write "
      "parallel_for(\"label\", n, kernel) or parallel_for(hpk::RangePolicy(b, e), kernel)");
  if constexpr (iterates) {
    using policy = std::remove_cvref_t<decltype(make_policy<F>(iterations, where))>;
    constexpr kernel_fault fault = diagnose_iteration<policy, F>();
    constexpr bool of_teams = is_team_policy_v<policy>;
    constexpr bool of_boxes = is_box_policy_v<policy>;
    constexpr bool takes_all = !of_boxes || fault != kernel_fault::wrong_arguments;
    static_assert(
        takes_all,
        "hpk::parallel_for: an MDRangePolicy calls the kernel with one index for each "
        "dimension; write HPK_LAMBDA(int i, int j) { ... } for Rank<2>, with the work tag "
        "first if the policy has one");
    constexpr bool takes_team = !of_teams || fault != kernel_fault::wrong_arguments;
    static_assert(
        takes_team,
        "hpk::parallel_for: a TeamPolicy calls the kernel with the handle of a team; write "
        "HPK_LAMBDA(const hpk::TeamPolicy<...>::member_type& team) { ... }, with the "
        "work tag first if the policy has one");
    static_assert(fault != kernel_fault::not_callable,
                  "hpk::parallel_for: the last argument is not a kernel; write "
                  "HPK_LAMBDA(int i) { ... } or an object with operator()(int i) const");
    static_assert(
        fault != kernel_fault::not_const,
        "hpk::parallel_for: the kernel is called as const; write operator()(int i) const, "
        "and no mutable on a lambda");
    static_assert(fault != kernel_fault::tag_missing,
                  "hpk::parallel_for: the policy has a work tag, so the kernel is called with it "
                  "first; write operator()(Tag, int i) const");
    static_assert(of_teams || of_boxes || fault != kernel_fault::wrong_arguments,
                  "hpk::parallel_for: a RangePolicy calls the kernel with one index; write "
                  "HPK_LAMBDA(int i) { ... }, with the work tag first if the policy has one");
    constexpr bool reachable =
        fault != kernel_fault::none || is_callable_on<typename policy::execution_space, F>;
    static_assert(reachable,
                  "hpk::parallel_for: a plain function can't run on a GPU; write HPK_LAMBDA(int i) "
                  "{ ... } or an object with operator()(int i) const");
    if constexpr (fault == kernel_fault::none && reachable && check_scratch_hooks<F>()) {
      run_for(make_policy<F>(iterations, where), as_object(kernel),
              {.pattern = "parallel_for", .label = label, .where = where});
    }
  }
}

}  // namespace hpk::detail

namespace hpk {

/// Calls kernel(i) once for every index i of the range, on the policy's space, in no promised
/// order.
///
/// `iterations` is a count n (the range [0, n) on the functor's or the default space), a
/// RangePolicy, an MDRangePolicy, or a TeamPolicy. The kernel takes one index of any integer type,
/// one for each dimension of an MDRangePolicy, or the handle of a team, after the work tag if the
/// policy has one; its call operator is const. The kernel may be called by several threads at the
/// same time. On host spaces the call returns when all iterations are done and needs no fence. It
/// may copy a lambda once for each worker, and an MDRange copies the kernel once to choose the loop
/// order.
///
/// Errors: an exception thrown by the kernel on a host space reaches the caller; of several, that
/// of the lowest failing index of a range; hpk::error when the range does not fit the kernel's
/// index type. Any thread may call; inside a kernel of a host space it runs inline on the calling
/// thread.
template <class Iterations, class Kernel>
void parallel_for(std::string_view label, const Iterations& iterations, const Kernel& kernel,
                  const std::source_location& where = std::source_location::current()) {
  detail::check_and_run_for(label, iterations, kernel, where);
}

/// The same without a label.
template <class Iterations, class Kernel>
  requires(!std::convertible_to<Iterations, std::string_view>)
void parallel_for(const Iterations& iterations, const Kernel& kernel,
                  const std::source_location& where = std::source_location::current()) {
  detail::check_and_run_for({}, iterations, kernel, where);
}

}  // namespace hpk
