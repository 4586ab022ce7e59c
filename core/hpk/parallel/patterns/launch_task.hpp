// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// make_task: a launch as an object. It stores policy, kernel and result. submit() launches it any
// number of times, on the policy's instance or on another one. A graph can use it as a node.
#pragma once

#include <hpk/parallel/patterns/for.hpp>
#include <hpk/parallel/patterns/reduce.hpp>
#include <hpk/parallel/patterns/scan.hpp>

#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>

namespace hpk::detail {

/// The patterns of tasks.
struct task_of_for {
  template <class P, class F>
  static void run(std::string_view label, const P& policy, const F& kernel,
                  const std::source_location& where) {
    parallel_for(label, policy, kernel, where);
  }
  template <class Node, class P, class F>
  static auto add(const Node& node, std::string_view label, const P& policy, const F& kernel,
                  const std::source_location& where) {
    return node.then_parallel_for(label, policy, kernel, where);
  }
};
struct task_of_reduce {
  template <class P, class F, class R>
  static void run(std::string_view label, const P& policy, const F& kernel, const R& result,
                  const std::source_location& where) {
    parallel_reduce(label, policy, kernel, result, where);
  }
  template <class Node, class P, class F, class R>
  static auto add(const Node& node, std::string_view label, const P& policy, const F& kernel,
                  const R& result, const std::source_location& where) {
    return node.then_parallel_reduce(label, policy, kernel, result, where);
  }
};
struct task_of_scan {
  template <class P, class F>
  static void run(std::string_view label, const P& policy, const F& kernel,
                  const std::source_location& where) {
    parallel_scan(label, policy, kernel, where);
  }
  template <class Node, class P, class F>
  static auto add(const Node& node, std::string_view label, const P& policy, const F& kernel,
                  const std::source_location& where) {
    return node.then_parallel_scan(label, policy, kernel, where);
  }
};

}  // namespace hpk::detail

namespace hpk {

/// A launch made by make_task(), make_reduce_task() or make_scan_task(). It owns copies of label,
/// policy and kernel, so it keeps the memory of captured Views alive. A regular value; several
/// threads may submit it.
template <class Pattern, class Policy, class F, class... Result>
class LaunchTask {
 public:
  /// The types of the policy and of the space that runs the task.
  ///@{
  using policy_type = Policy;
  using execution_space = typename Policy::execution_space;
  ///@}

  /// For make_task(), make_reduce_task() and make_scan_task().
  LaunchTask(std::string_view label, const Policy& policy, const F& kernel, const Result&... result)
      : label_(label), policy_(policy), kernel_(kernel), result_{result...} {}

  /// Launches the task as the pattern would: returns when the work is done on hosts, immediately on
  /// GPUs and Emu. Throws what the pattern throws.
  void submit(const std::source_location& where = std::source_location::current()) const {
    run(policy_, where);
  }
  /// Launches the task on another instance.
  void submit(const execution_space& exec,
              const std::source_location& where = std::source_location::current()) const {
    run(policy_.on(exec), where);
  }
  /// Adds the task to a graph, after `node`, and returns the new node.
  template <class Node>
  auto append_to(const Node& node,
                 const std::source_location& where = std::source_location::current()) const {
    if constexpr (sizeof...(Result) == 0) {
      return Pattern::add(node, label_, policy_, kernel_, where);
    } else {
      return Pattern::add(node, label_, policy_, kernel_, result_.value, where);
    }
  }

  /// The copies of the arguments of make_task(), make_reduce_task() or make_scan_task().
  ///@{
  const std::string& label() const noexcept { return label_; }
  const Policy& policy() const noexcept { return policy_; }
  const F& kernel() const noexcept { return kernel_; }
  ///@}

 private:
  void run(const Policy& policy, const std::source_location& where) const {
    if constexpr (sizeof...(Result) == 0) {
      Pattern::run(label_, policy, kernel_, where);
    } else {
      Pattern::run(label_, policy, kernel_, result_.value, where);
    }
  }
  struct nothing {};
  template <class R>
  struct held {
    R value;
  };
  template <class... Rs>
  struct holder {
    using type = nothing;
  };
  template <class R>
  struct holder<R> {
    using type = held<R>;
  };

  std::string label_;
  Policy policy_;
  F kernel_;
  typename holder<Result...>::type result_;
};

}  // namespace hpk

namespace hpk::detail {

template <class Pattern, class P, class F, class... R>
auto make_launch_task(std::string_view label, const P& iterations, const F& kernel,
                      const std::source_location& where, const R&... result) {
  constexpr bool iterates = is_iterations_v<P>;
  static_assert(iterates,
                "hpk::make_task: the iterations must be an integer count or a policy; write "
                "make_task(\"label\", n, kernel) or make_task(hpk::RangePolicy(b, e), kernel)");
  if constexpr (iterates) {
    using policy = std::remove_cvref_t<decltype(make_policy<F>(iterations, where))>;
    using function = std::decay_t<decltype(as_object(kernel))>;
    return LaunchTask<Pattern, policy, function, R...>(label, make_policy<F>(iterations, where),
                                                       as_object(kernel), result...);
  }
}

template <class R>
constexpr bool lasts_in_task() {
  constexpr bool lasts = is_view_like_v<R> || is_reducer_v<R>;
  static_assert(
      lasts,
      "hpk::make_reduce_task: the result must be a View, or a reducer of one, because the "
      "task runs later; write hpk::View<double, Exec> and read it after a fence");
  return lasts;
}

}  // namespace hpk::detail

namespace hpk {

/// Returns a parallel_for to submit later: `auto t = hpk::make_task("label", policy, kernel);
/// t.submit();`. Takes the arguments of parallel_for; with_args() (bound_kernel.hpp) binds
/// arguments of the kernel.
template <class Iterations, class Kernel>
auto make_task(std::string_view label, Iterations iterations, const Kernel& kernel,
               const std::source_location& where = std::source_location::current()) {
  return detail::make_launch_task<detail::task_of_for>(label, iterations, kernel, where);
}
/// make_task without a label.
template <class Iterations, class Kernel>
  requires detail::is_iterations_v<Iterations>
auto make_task(Iterations iterations, const Kernel& kernel,
               const std::source_location& where = std::source_location::current()) {
  return detail::make_launch_task<detail::task_of_for>({}, iterations, kernel, where);
}
/// Returns a parallel_reduce into a View of rank 0, or into a reducer of one, which every submit
/// overwrites. Another result is a compile-time error.
template <class Iterations, class Kernel, class Result>
auto make_reduce_task(std::string_view label, Iterations iterations, const Kernel& kernel,
                      const Result& result,
                      const std::source_location& where = std::source_location::current()) {
  if constexpr (detail::lasts_in_task<Result>())
    return detail::make_launch_task<detail::task_of_reduce>(label, iterations, kernel, where,
                                                            result);
}
/// Returns a parallel_scan without a total.
template <class Iterations, class Kernel>
auto make_scan_task(std::string_view label, Iterations iterations, const Kernel& kernel,
                    const std::source_location& where = std::source_location::current()) {
  return detail::make_launch_task<detail::task_of_scan>(label, iterations, kernel, where);
}

}  // namespace hpk
