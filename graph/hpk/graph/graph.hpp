// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graph: launches and their dependencies, defined once and submitted many times by one call.
#pragma once

#include <hpk/graph/when_all.hpp>

#include <concepts>
#include <memory>
#include <source_location>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk {

/// A graph of launches on the execution space Exec. Copies of the handle refer to the same graph,
/// which lives as long as a handle of it or a graph that contains it as a node.
///
///   hpk::Graph graph(exec);
///   auto a = graph.root_node().then_parallel_for("a", n, kernel_a);
///   auto b = graph.root_node().then_parallel_for("b", n, kernel_b);
///   hpk::when_all(a, b).then_parallel_reduce("sum", n, kernel_c, sum);
///   for (int step = 0; step < steps; ++step) graph.submit(exec);
///
/// Only one thread at a time may add nodes; any thread may submit. docs/graph.md explains how nodes
/// are scheduled.
template <class Exec = DefaultExecutionSpace>
class [[nodiscard]] Graph : public seam::graph_names_of<seam::machine<Exec>, Graph<Exec>> {
 public:
  using execution_space = Exec;       ///< runs the nodes
  using root_t = GraphNodeRef<Exec>;  ///< the handle of the root node

  /// A graph without nodes. get_execution_space() returns `exec`; native graphs are created on its
  /// device.
  explicit Graph(const Exec& exec = Exec(),
                 const std::source_location& where = std::source_location::current())
      : Graph(std::string_view(), exec, where) {}
  /// As above, with a label for messages and tools.
  explicit Graph(std::string_view label, const Exec& exec = Exec(),
                 const std::source_location& where = std::source_location::current())
      : state_(std::make_shared<detail::graph_state<Exec>>(label, exec, where)) {}

  /// Returns the root node. The first nodes are added after it.
  root_t root_node(const std::source_location& where = std::source_location::current()) const {
    expect_state("root_node", where);
    return detail::graph_access::make<root_t>(state_, 0);
  }
  /// The instance passed to the constructor.
  const Exec& get_execution_space(
      const std::source_location& where = std::source_location::current()) const {
    return expect_state("get_execution_space", where).space;
  }
  /// The label, or "".
  std::string_view label() const noexcept {
    return state_ == nullptr ? std::string_view() : state_->label();
  }

  /// Prepares the graph for submission, which otherwise the first submit does. Throws hpk::error
  /// when called twice or after a submit, and inside a kernel.
  void instantiate(const std::source_location& where = std::source_location::current()) const {
    expect_state("instantiate", where).instantiate(where);
  }
  /// Runs all nodes, in order with other work of the instance. On hosts it returns when they are
  /// done, on devices early. May be called any number of times and with any instance; on GPUs the
  /// instance must use the graph's device. Submits of one graph never overlap on hosts. An
  /// exception of a kernel or callable on a host reaches the caller, and the graph can be submitted
  /// again. Not inside a kernel.
  void submit(const Exec& exec,
              const std::source_location& where = std::source_location::current()) const {
    expect_state("submit", where).submit(exec, where);
  }
  /// Submits on the default instance.
  void submit(const std::source_location& where = std::source_location::current()) const {
    submit(Exec(), where);
  }

  /// The graph object of the vendor's library and its executable form, on spaces with native
  /// graphs; null before instantiate() or submit(). Kokkos' names cuda_graph(), cuda_graph_exec(),
  /// hip_graph() and hip_graph_exec() are available too.
  ///@{
  // The requires clauses are hidden from Doxygen 1.9.4, which reads on after them to the end of the
  // class.
  auto native_graph() const
      /// @cond internal
    requires detail::graph_state<Exec>::is_native
  /// @endcond
  {
    return expect_state("native_graph", std::source_location()).native_graph();
  }
  auto native_graph_exec() const
      /// @cond internal
    requires detail::graph_state<Exec>::is_native
  /// @endcond
  {
    return expect_state("native_graph_exec", std::source_location()).native_graph_exec();
  }
  ///@}

  /// Equal if both are the same graph.
  friend bool operator==(const Graph& a, const Graph& b) noexcept { return a.state_ == b.state_; }

 private:
  friend detail::graph_access;
  detail::graph_state<Exec>& expect_state(std::string_view call,
                                          const std::source_location& where) const {
    if (state_ == nullptr) detail::reject_empty_graph(call, where);
    return *state_;
  }
  std::shared_ptr<detail::graph_state<Exec>> state_;
};

/// Creates a graph without nodes.
template <seam::execution_space Exec = DefaultExecutionSpace>
[[nodiscard]] Graph<Exec> create_graph(
    const Exec& exec = Exec(),
    const std::source_location& where = std::source_location::current()) {
  return Graph<Exec>(exec, where);
}

/// Creates a graph and calls closure(root) immediately to add its nodes. The label is for messages
/// and tools.
///@{
template <seam::execution_space Exec, class Closure>
[[nodiscard]] Graph<Exec> create_graph(
    std::string_view label, const Exec& exec, Closure&& closure,
    const std::source_location& where = std::source_location::current()) {
  Graph<Exec> graph(label, exec, where);
  constexpr bool called = std::is_invocable_v<Closure&, GraphNodeRef<Exec>&>;
  static_assert(called,
                "hpk::create_graph: the closure is called with the root node; write [&](auto root) "
                "{ root.then_parallel_for(n, kernel); }");
  if constexpr (called) {
    GraphNodeRef<Exec> root = graph.root_node(where);
    closure(root);
  }
  return graph;
}
template <seam::execution_space Exec, class Closure>
  requires(!std::same_as<std::remove_cvref_t<Closure>, std::source_location>)
[[nodiscard]] Graph<Exec> create_graph(
    const Exec& exec, Closure&& closure,
    const std::source_location& where = std::source_location::current()) {
  return create_graph(std::string_view(), exec, std::forward<Closure>(closure), where);
}
template <seam::execution_space Exec = DefaultExecutionSpace, class Closure>
  requires(!seam::execution_space<std::remove_cvref_t<Closure>>)
[[nodiscard]] Graph<Exec> create_graph(
    Closure&& closure, const std::source_location& where = std::source_location::current()) {
  return create_graph(std::string_view(), Exec(), std::forward<Closure>(closure), where);
}
///@}

namespace Experimental {
using hpk::create_graph;
using hpk::Graph;
using hpk::GraphNodeKind;
using hpk::GraphNodeRef;
using hpk::ThenPolicy;
using hpk::TypeErasedTag;
using hpk::when_all;
}  // namespace Experimental

}  // namespace hpk
