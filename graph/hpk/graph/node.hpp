// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GraphNodeRef: the handle of a graph node, after which other nodes are added.
#pragma once

#include <hpk/graph/detail/replay.hpp>
#include <hpk/parallel.hpp>

#include <concepts>
#include <memory>
#include <source_location>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk {

template <class Exec>
class Graph;

/// Default for template arguments of GraphNodeRef, which carry no information.
struct TypeErasedTag {};

template <class Exec, class Kernel, class Predecessor>
class GraphNodeRef;

namespace detail {

template <class T>
inline constexpr bool is_graph_node_v = false;
template <class... Args>
inline constexpr bool is_graph_node_v<GraphNodeRef<Args...>> = true;
template <class T>
inline constexpr bool is_graph_v = false;
template <class Exec>
inline constexpr bool is_graph_v<Graph<Exec>> = true;
template <class T>
concept graph_label = std::convertible_to<const T&, std::string_view>;

/// Gives the handles and graphs of this folder access to private members.
struct graph_access {
  template <class Handle>
  static auto& state_of(const Handle& handle) {
    return handle.state_;
  }
  template <class Node>
  static std::size_t number_of(const Node& node) {
    return node.number_;
  }
  template <class Handle, class... Args>
  static Handle make(Args&&... args) {
    return Handle(std::forward<Args>(args)...);
  }
};

/// Checks that a policy or count is valid for nodes of Exec.
template <class Exec, class P>
constexpr bool check_node_iterations() {
  constexpr bool iterates = is_iterations_v<P>;
  static_assert(iterates,
                "hpk::GraphNodeRef: the iterations of a node must be an integer count or a policy; "
                "write node.then_parallel_for(\"label\", n, kernel)");
  if constexpr (is_policy_v<P>) {
    constexpr bool same = std::is_same_v<typename P::execution_space, Exec>;
    static_assert(same,
                  "hpk::GraphNodeRef: the policy of a node runs on another execution space than "
                  "its graph; write hpk::RangePolicy<Exec>(begin, end) with the Exec of the graph");
    return same;
  } else {
    return iterates;
  }
}

/// Checks that a result type is valid for a node.
template <class R>
constexpr bool check_node_result() {
  constexpr bool lasts = is_view_like_v<R> || is_reducer_v<R> || std::is_same_v<R, graph_no_result>;
  static_assert(lasts,
                "hpk::GraphNodeRef: the result of a node must be a View, or a reducer of one, "
                "because the graph runs later; write hpk::View<double, Exec> and read it after a "
                "fence");
  return lasts;
}

/// Throws hpk::error for a result that the graph can't write when it runs.
template <class R>
void expect_lasting(const R& result, const char* pattern, std::string_view call,
                    const launch_site& site) {
  if constexpr (is_reducer_v<R> || rank0_view<R>) {
    R copy = result;
    const auto place = place_of(copy);
    if (place.blocking) reject_scalar_result(call, site.label, site.where);
    if (place.where == nullptr) reject_null_result({pattern, site.label, site.where});
  }
}

}  // namespace detail

/// A node of a graph on the space Exec. Each member function adds a node after this one: in every
/// submit the new node runs after this node, concurrently with nodes that neither depends on. The
/// graph keeps copies of kernels and callables, and so the Views that they captured.
///
/// A regular value that does not keep the graph alive. Kernel and Predecessor have no meaning; they
/// exist for programs that name them. Only one thread at a time may add to a graph.
///
/// Errors: hpk::error with node and call site for an empty handle, for a graph that has ended, and
/// once the graph has been instantiated or submitted; and the errors of each pattern for its
/// arguments.
template <class Exec = DefaultExecutionSpace, class Kernel = TypeErasedTag,
          class Predecessor = TypeErasedTag>
class GraphNodeRef
    : public seam::capture_names_of<seam::machine<Exec>, GraphNodeRef<Exec, Kernel, Predecessor>> {
 public:
  using execution_space = Exec;  ///< runs the nodes of the graph
  /// The result of the member functions.
  using next = GraphNodeRef<Exec>;

  /// An empty handle.
  GraphNodeRef() = default;
  /// A handle of the same node.
  template <class K, class P>
    requires(!std::same_as<GraphNodeRef<Exec, K, P>, GraphNodeRef>)
  GraphNodeRef(const GraphNodeRef<Exec, K, P>& other)
      : state_(detail::graph_access::state_of(other)),
        number_(detail::graph_access::number_of(other)) {}

  /// Adds a parallel_for over any policy of Exec, or over a count.
  ///@{
  template <class P, class F>
  next then_parallel_for(
      std::string_view label, P iterations, const F& kernel,
      const std::source_location& where = std::source_location::current()) const {
    if constexpr (detail::check_node_iterations<Exec, P>()) {
      auto graph = expect_state("GraphNodeRef::then_parallel_for", label, where);
      const auto policy = detail::make_graph_policy<Exec>(iterations, where);
      using work = detail::graph_for<Exec, std::remove_cv_t<decltype(policy)>, std::decay_t<F>>;
      return add_kernel<work>(*graph, policy, {std::string(label), where}, kernel);
    } else {
      return {};
    }
  }
  template <class P, class F>
    requires(!detail::graph_label<P>)
  next then_parallel_for(
      P iterations, const F& kernel,
      const std::source_location& where = std::source_location::current()) const {
    return then_parallel_for(std::string_view(), iterations, kernel, where);
  }
  ///@}

  /// Adds a parallel_reduce. Each submit overwrites `result`: a View of rank 0, a View of rank 1
  /// for a functor with an array result, or a reducer of a View of rank 0. `result` must live as
  /// long as the graph.
  ///@{
  template <class P, class F, class Result>
    requires(!std::same_as<Result, std::source_location>)
  next then_parallel_reduce(
      std::string_view label, P iterations, const F& kernel, const Result& result,
      const std::source_location& where = std::source_location::current()) const {
    if constexpr (detail::check_node_result<Result>() && detail::check_node_iterations<Exec, P>()) {
      auto graph = expect_state("GraphNodeRef::then_parallel_reduce", label, where);
      detail::launch_site site{std::string(label), where};
      detail::expect_lasting(result, "parallel_reduce", "then_parallel_reduce", site);
      const auto policy = detail::make_graph_policy<Exec>(iterations, where);
      using work =
          detail::graph_reduce<Exec, std::remove_cv_t<decltype(policy)>, std::decay_t<F>, Result>;
      return add_kernel<work>(*graph, policy, std::move(site), kernel, result);
    } else {
      return {};
    }
  }
  template <class P, class F, class Result>
    requires(!detail::graph_label<P> && !std::same_as<Result, std::source_location>)
  next then_parallel_reduce(
      P iterations, const F& kernel, const Result& result,
      const std::source_location& where = std::source_location::current()) const {
    return then_parallel_reduce(std::string_view(), iterations, kernel, result, where);
  }
  ///@}
  /// As above, without a result: the functor's final receives the value.
  ///@{
  template <class P, class F>
  next then_parallel_reduce(
      std::string_view label, P iterations, const F& kernel,
      const std::source_location& where = std::source_location::current()) const {
    return then_parallel_reduce(label, iterations, kernel, detail::graph_no_result(), where);
  }
  template <class P, class F>
    requires(!detail::graph_label<P>)
  next then_parallel_reduce(
      P iterations, const F& kernel,
      const std::source_location& where = std::source_location::current()) const {
    return then_parallel_reduce(std::string_view(), iterations, kernel, detail::graph_no_result(),
                                where);
  }
  ///@}

  /// Adds a parallel_scan over a range or an MDRange, or over hpk::backward of one. `total`: like
  /// the result of then_parallel_reduce.
  ///@{
  template <class P, class F, class Total>
    requires(!std::same_as<Total, std::source_location>)
  next then_parallel_scan(
      std::string_view label, P iterations, const F& kernel, const Total& total,
      const std::source_location& where = std::source_location::current()) const {
    using direction = detail::direction_of<P>;
    if constexpr (detail::check_node_result<Total>() &&
                  detail::check_node_iterations<Exec, typename direction::type>()) {
      auto graph = expect_state("GraphNodeRef::then_parallel_scan", label, where);
      detail::launch_site site{std::string(label), where};
      detail::expect_lasting(total, "parallel_scan", "then_parallel_scan", site);
      const auto policy = detail::make_graph_policy<Exec>(direction::of(iterations), where);
      using work = detail::graph_scan<Exec, detail::is_backward_v<P>,
                                      std::remove_cv_t<decltype(policy)>, std::decay_t<F>, Total>;
      return add_kernel<work>(*graph, policy, std::move(site), kernel, total);
    } else {
      return {};
    }
  }
  template <class P, class F, class Total>
    requires(!detail::graph_label<P> && !std::same_as<Total, std::source_location>)
  next then_parallel_scan(
      P iterations, const F& kernel, const Total& total,
      const std::source_location& where = std::source_location::current()) const {
    return then_parallel_scan(std::string_view(), iterations, kernel, total, where);
  }
  template <class P, class F>
  next then_parallel_scan(
      std::string_view label, P iterations, const F& kernel,
      const std::source_location& where = std::source_location::current()) const {
    return then_parallel_scan(label, iterations, kernel, detail::graph_no_result(), where);
  }
  template <class P, class F>
    requires(!detail::graph_label<P>)
  next then_parallel_scan(
      P iterations, const F& kernel,
      const std::source_location& where = std::source_location::current()) const {
    return then_parallel_scan(std::string_view(), iterations, kernel, detail::graph_no_result(),
                              where);
  }
  ///@}

  /// Adds one call of functor() in a kernel, or of functor(Tag) with a ThenPolicy<Tag>.
  ///@{
  template <class Tag, class F>
  next then(std::string_view label, ThenPolicy<Tag>, const F& functor,
            const std::source_location& where = std::source_location::current()) const {
    constexpr bool callable = detail::callable_with<const F&, Tag>;
    static_assert(callable,
                  "hpk::GraphNodeRef::then: the functor is called as const and without arguments, "
                  "or with the Tag of a ThenPolicy<Tag>; write HPK_LAMBDA() { ... }");
    if constexpr (callable) {
      return then_parallel_for(label, RangePolicy<Exec>(Exec(), 0, 1),
                               detail::single_call<Tag, std::decay_t<F>>{functor}, where);
    } else {
      return {};
    }
  }
  template <class Tag, class F>
  next then(ThenPolicy<Tag> policy, const F& functor,
            const std::source_location& where = std::source_location::current()) const {
    return then(std::string_view(), policy, functor, where);
  }
  template <class F>
  next then(std::string_view label, const F& functor,
            const std::source_location& where = std::source_location::current()) const {
    return then(label, ThenPolicy<>(), functor, where);
  }
  ///@}
  /// As above. The given instance is ignored; the submit determines it.
  template <class F>
  next then(std::string_view label, const Exec&, const F& functor,
            const std::source_location& where = std::source_location::current()) const {
    return then(label, ThenPolicy<>(), functor, where);
  }
  /// As above, without a label.
  template <class F>
    requires(!detail::graph_label<F>)
  next then(const F& functor,
            const std::source_location& where = std::source_location::current()) const {
    return then(std::string_view(), ThenPolicy<>(), functor, where);
  }

  /// Adds one call of callable() on the host, outside of kernels, when its predecessors are done.
  /// On a space with native graphs the callable runs on a thread of the vendor's library and may
  /// neither launch nor throw. On other spaces it runs on the submitting thread, and may throw and
  /// launch on any instance.
  ///@{
  template <class F>
  next then_host(std::string_view label, F&& callable,
                 const std::source_location& where = std::source_location::current()) const {
    constexpr bool called = std::is_invocable_v<std::decay_t<F>&>;
    static_assert(called,
                  "hpk::GraphNodeRef::then_host: the callable is called on the host without "
                  "arguments; write [=] { ... }");
    if constexpr (called) {
      return add_host<false>("GraphNodeRef::then_host", GraphNodeKind::Host, label,
                             std::forward<F>(callable), where);
    } else {
      return {};
    }
  }
  template <class F>
    requires(!detail::graph_label<F>)
  next then_host(F&& callable,
                 const std::source_location& where = std::source_location::current()) const {
    return then_host(std::string_view(), std::forward<F>(callable), where);
  }
  ///@}

  /// Adds the launches, copies and fills of callable(instance) on that instance. A space with
  /// native graphs calls it once, for the first submit, and records everything, including work that
  /// libraries put on the stream of the instance. Other spaces call it in each submit with the
  /// instance of that submit.
  ///@{
  template <class F>
  next capture(std::string_view label, F&& callable,
               const std::source_location& where = std::source_location::current()) const {
    constexpr bool called = std::is_invocable_v<std::decay_t<F>&, const Exec&>;
    static_assert(called,
                  "hpk::GraphNodeRef::capture: the callable is called on the host with the "
                  "instance to launch on; write [=](const Exec& exec) { ... }");
    if constexpr (called) {
      return add_host<true>("GraphNodeRef::capture", GraphNodeKind::Capture, label,
                            std::forward<F>(callable), where);
    } else {
      return {};
    }
  }
  template <class F>
    requires(!detail::graph_label<F>)
  next capture(F&& callable,
               const std::source_location& where = std::source_location::current()) const {
    return capture(std::string_view(), std::forward<F>(callable), where);
  }
  ///@}

  /// Adds all nodes of another graph of the same space and keeps that graph alive. Its nodes
  /// without predecessors depend on this node; nodes added after the result depend on all of its
  /// nodes. Nothing may be added to it once a graph that contains it has been instantiated or
  /// submitted.
  ///@{
  template <class G>
  next then_graph(std::string_view label, const G& added,
                  const std::source_location& where = std::source_location::current()) const {
    constexpr bool same = std::is_same_v<G, Graph<Exec>>;
    static_assert(same,
                  "hpk::GraphNodeRef::then_graph: the node must be a graph of the same execution "
                  "space; write node.then_graph(\"label\", hpk::create_graph(exec, closure))");
    if constexpr (same) {
      auto graph = expect_state("GraphNodeRef::then_graph", label, where);
      const auto& other = detail::graph_access::state_of(added);
      if (other == nullptr) detail::reject_empty_graph("then_graph", where);
      return add(*graph, {.kind = GraphNodeKind::Graph,
                          .site = {std::string(label), where},
                          .before = {number_},
                          .graph = other});
    } else {
      return {};
    }
  }
  template <class G>
    requires(!detail::graph_label<G>)
  next then_graph(const G& added,
                  const std::source_location& where = std::source_location::current()) const {
    return then_graph(std::string_view(), added, where);
  }
  ///@}

  /// Returns the kind of the node.
  GraphNodeKind get_node_kind(
      const std::source_location& where = std::source_location::current()) const {
    const std::shared_ptr<state> found = state_.lock();
    if (found == nullptr) reject("GraphNodeRef::get_node_kind", {}, where);
    return found->kind_of(number_);
  }

 private:
  friend detail::graph_access;
  using state = detail::graph_state<Exec>;

  GraphNodeRef(const std::weak_ptr<state>& graph, std::size_t number)
      : state_(graph), number_(number) {}

  [[noreturn]] void reject(std::string_view call, std::string_view label,
                           const std::source_location& where) const {
    const std::weak_ptr<state> none;
    const bool expired = state_.owner_before(none) || none.owner_before(state_);
    detail::reject_empty_node(call, label, expired, where);
  }
  std::shared_ptr<state> expect_state(std::string_view call, std::string_view label,
                                      const std::source_location& where) const {
    std::shared_ptr<state> found = state_.lock();
    if (found == nullptr) reject(call, label, where);
    found->expect_open(label, number_, where);
    return found;
  }
  next add(state& graph, detail::graph_node node) const {
    return detail::graph_access::make<next>(state_, graph.add(std::move(node)));
  }
  template <class Work, class Policy, class... Args>
  next add_kernel(state& graph, const Policy& policy, detail::launch_site site,
                  const Args&... args) const {
    auto work = std::make_unique<Work>(site, policy, args...);
    return add(graph, {.kind = GraphNodeKind::Kernel,
                       .site = std::move(site),
                       .before = {number_},
                       .work = std::move(work),
                       .items = detail::count_work_items(policy)});
  }
  template <bool TakesInstance, class F>
  next add_host(std::string_view call, GraphNodeKind kind, std::string_view label, F&& callable,
                const std::source_location& where) const {
    auto graph = expect_state(call, label, where);
    using work = detail::graph_host_call<Exec, TakesInstance, std::decay_t<F>>;
    return add(*graph, {.kind = kind,
                        .site = {std::string(label), where},
                        .before = {number_},
                        .work = std::make_unique<work>(std::forward<F>(callable))});
  }

  std::weak_ptr<state> state_;
  std::size_t number_ = 0;
};

}  // namespace hpk
