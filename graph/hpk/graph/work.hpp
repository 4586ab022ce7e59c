// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work of graph nodes: copies of kernels and of everything that their launches need except the
// instance, which each submit provides.
#pragma once

#include <hpk/parallel.hpp>

#include <limits>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace hpk {

/// The work tag for hpk::GraphNodeRef::then: the functor is called with a Tag.
template <class Tag = void>
struct ThenPolicy {
  using work_tag = Tag;  ///< void without a tag
};

}  // namespace hpk

namespace hpk::detail {

/// The number of work items of a node that one worker can't run alone.
inline constexpr index_t whole_launch = std::numeric_limits<index_t>::max();

/// Work that runs on a given instance of the graph's execution space.
class graph_work {
 public:
  graph_work() = default;
  graph_work(const graph_work&) = delete;
  graph_work& operator=(const graph_work&) = delete;
  virtual ~graph_work() = default;
  /// Runs the work on `space`, an object of the execution space. One call at a time for each graph.
  virtual void run(const void* space) = 0;
};

/// The label of a node and the source location that added it, for its launches.
struct launch_site {
  std::string label;
  std::source_location where;
};

/// Converts the iterations argument of a node to a policy of the graph's space.
template <class Exec, class P>
auto make_graph_policy(const P& iterations, const std::source_location& where) {
  if constexpr (is_policy_v<P>) {
    return iterations.on(Exec());
  } else {
    return RangePolicy<Exec>(Exec(), integer_t<P>{0}, iterations, where);
  }
}

/// Returns a * b, at most whole_launch.
constexpr index_t count_at_most(index_t a, index_t b) noexcept {
  index_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? whole_launch : product;
}

/// A team counts as this many iterations of a range.
inline constexpr index_t iterations_of_team = 128;

/// The number of work items of a policy; decides whether a node is small.
template <class Policy>
index_t count_work_items(const Policy& policy) {
  using heavy = Experimental::WorkItemProperty;
  if constexpr ((Policy::work_item_property::value & heavy::HintHeavyWeight.value) != 0) {
    return whole_launch;
  } else if constexpr (is_team_policy_v<Policy>) {
    return count_at_most(policy.league_size(), iterations_of_team);
  } else if constexpr (is_mdrange_policy_v<Policy>) {
    index_t items = 1;
    for (int r = 0; r < Policy::rank; ++r)
      items = count_at_most(items, policy.upper(r) - policy.lower(r));
    return items;
  } else {
    const auto count =
        static_cast<std::uint64_t>(policy.end()) - static_cast<std::uint64_t>(policy.begin());
    return fits<index_t>(count) ? static_cast<index_t>(count) : whole_launch;
  }
}

/// Placeholder for a missing result: the functor of the reduction or scan keeps the value.
struct graph_no_result {};

/// The data that nodes of all patterns keep until they run.
template <class Exec, class Policy, class F, class Result = graph_no_result>
class graph_pattern : public graph_work {
 public:
  graph_pattern(launch_site site, Policy policy, const F& kernel, const Result& result = {})
      : site_(std::move(site)), policy_(std::move(policy)), kernel_(kernel), result_(result) {}

 protected:
  Policy policy_on(const void* space) const { return policy_.on(*static_cast<const Exec*>(space)); }
  /// A pointer to the result, or a null void pointer without one.
  auto result() {
    if constexpr (std::is_same_v<Result, graph_no_result>) {
      return static_cast<void*>(nullptr);
    } else {
      return &result_;
    }
  }

  launch_site site_;
  Policy policy_;
  F kernel_;
  Result result_;
};

template <class Exec, class Policy, class F>
class graph_for final : public graph_pattern<Exec, Policy, F> {
 public:
  using graph_pattern<Exec, Policy, F>::graph_pattern;
  void run(const void* space) override {
    parallel_for(this->site_.label, this->policy_on(space), this->kernel_, this->site_.where);
  }
};

template <class Exec, class Policy, class F, class Result>
class graph_reduce final : public graph_pattern<Exec, Policy, F, Result> {
 public:
  using graph_pattern<Exec, Policy, F, Result>::graph_pattern;
  void run(const void* space) override {
    reduce_into(this->site_.label, this->policy_on(space), this->kernel_, this->result(),
                this->site_.where);
  }
};

template <class Exec, bool Backward, class Policy, class F, class Result>
class graph_scan final : public graph_pattern<Exec, Policy, F, Result> {
 public:
  using graph_pattern<Exec, Policy, F, Result>::graph_pattern;
  void run(const void* space) override {
    const Policy here = this->policy_on(space);
    if constexpr (Backward) {
      launch(backward(here));
    } else {
      launch(here);
    }
  }

 private:
  template <class P>
  void launch(const P& iterations) {
    scan_into(this->site_.label, iterations, this->kernel_, this->result(), this->site_.where);
  }
};

/// A callable that runs on the host; with TakesInstance, one that launches or calls a library on
/// the given instance.
template <class Exec, bool TakesInstance, class F>
class graph_host_call final : public graph_work {
 public:
  explicit graph_host_call(F&& callable) : callable_(std::move(callable)) {}
  explicit graph_host_call(const F& callable) : callable_(callable) {}
  void run([[maybe_unused]] const void* space) override {
    if constexpr (TakesInstance) {
      callable_(*static_cast<const Exec*>(space));
    } else {
      callable_();
    }
  }

 private:
  F callable_;
};

}  // namespace hpk::detail
