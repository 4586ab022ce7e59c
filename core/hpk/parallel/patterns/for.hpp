// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_for: calls a kernel once for every iteration of a policy.
#pragma once

#include <hpk/parallel/launch/diagnosis.hpp>
#include <hpk/parallel/launch/mdrange_launch.hpp>
#include <hpk/parallel/patterns/for_launch.hpp>
#include <hpk/parallel/patterns/team_launch.hpp>

namespace hpk::detail {

template <class P, class F>
constexpr fault diagnose_for() {
  if constexpr (!is_iterations_v<P>) {
    return fault::iterations;
  } else {
    using policy = policy_of_t<P, F>;
    return fault_of_kernel<policy, F>(diagnose_iteration<policy, F>());
  }
}

template <class Iterations, class Kernel>
void replay_for(const seam::launch_replay& given);

}  // namespace hpk::detail

namespace hpk {

/// Calls kernel(i) once for every index i of the range, on the policy's space, in no promised
/// order.
///
/// `iterations` is a count n (the range [0, n) on the functor's or the default space), a
/// RangePolicy, an MDRangePolicy, or a TeamPolicy. The kernel takes one index of any integer type,
/// one index for each dimension of an MDRangePolicy, or the handle of a team. The work tag comes
/// first if the policy has one. The call operator is const. Several threads may call the kernel at
/// the same time. On host spaces parallel_for returns when all iterations are done, and no fence is
/// needed. It may copy a lambda once for each worker, and an MDRange copies the kernel once to
/// choose the loop order.
///
/// Errors: an exception that the kernel throws on a host space reaches the caller; if several
/// iterations of a range fail, the exception of the lowest index. Throws hpk::error if the range
/// does not fit the kernel's index type. Any thread; inside a kernel of a host space it runs inline
/// on the calling thread.
///
/// Takes `iterations` by value, as all patterns do, so that a count may be a constant of a class
/// that is declared only.
template <class Iterations, class Kernel>
void parallel_for(std::string_view label, Iterations iterations, const Kernel& kernel,
                  const std::source_location& where = std::source_location::current()) {
  using namespace detail;
  using given = std::remove_cvref_t<Iterations>;
  if constexpr (accept<pattern::loop, diagnose_for<given, Kernel>()>() &&
                check_scratch_members<Kernel>()) {
    const seam::launch_info info{.pattern = "parallel_for",
                                 .label = label,
                                 .where = where,
                                 .replay = &replay_for<Iterations, Kernel>};
    const auto& policy = make_policy<Kernel>(iterations, where);
    const auto& function = as_object(kernel);
    detail::observed_launch observed;
    const detail::for_scope tool_scope(
        observed, info, policy.space(),
        &launched<std::remove_cvref_t<decltype(function)>, policy_of_t<given, Kernel>>,
        HPK_DETAIL_LAUNCHED(function, policy));
    launch_for(policy, function, info, tool_scope.launch());
  }
}

/// parallel_for without a label.
template <class Iterations, class Kernel>
  requires(!std::convertible_to<Iterations, std::string_view>)
void parallel_for(Iterations iterations, const Kernel& kernel,
                  const std::source_location& where = std::source_location::current()) {
  // By reference, to avoid a second copy.
  parallel_for<const Iterations&>(std::string_view(), iterations, kernel, where);
}

}  // namespace hpk

namespace hpk::detail {

/// Repeats a parallel_for for a replay.
template <class Iterations, class Kernel>
void replay_for(const seam::launch_replay& given) {
  parallel_for<Iterations>(given.info.label,
                           iterations_from<std::remove_cvref_t<Iterations>>(given.policy),
                           kernel_at<Kernel>(given.kernel), given.info.where);
}

}  // namespace hpk::detail
