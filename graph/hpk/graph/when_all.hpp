// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// when_all: a graph node that depends on several others.
#pragma once

#include <hpk/graph/node.hpp>

#include <memory>
#include <source_location>
#include <type_traits>
#include <utility>
#include <vector>

namespace hpk {

/// Returns a node that depends on all of these, which must belong to one graph; duplicates are
/// allowed. Throws hpk::error if the nodes belong to several graphs or the list is empty.
template <class Exec>
GraphNodeRef<Exec> when_all(const std::vector<GraphNodeRef<Exec>>& nodes,
                            const std::source_location& where = std::source_location::current()) {
  using access = detail::graph_access;
  std::shared_ptr<detail::graph_state<Exec>> graph;
  std::vector<std::size_t> before;
  if (nodes.empty()) detail::reject_empty_node("when_all", {}, false, where);
  for (const GraphNodeRef<Exec>& node : nodes) {
    const auto other = access::state_of(node).lock();
    if (other == nullptr) detail::reject_empty_node("when_all", {}, false, where);
    if (graph == nullptr) {
      graph = other;
      graph->expect_open("when_all", access::number_of(node), where);
    } else if (graph != other) {
      detail::reject_foreign_node(*graph, before.front(), *other, access::number_of(node), where);
    }
    before.push_back(access::number_of(node));
  }
  const std::size_t number = graph->add(
      {.kind = GraphNodeKind::Aggregate, .site = {"when_all", where}, .before = std::move(before)});
  return access::make<GraphNodeRef<Exec>>(graph, number);
}

/// As above, for a list of arguments. Messages name the places where the nodes were added.
template <class... Nodes>
  requires(sizeof...(Nodes) == 0 || (detail::is_graph_node_v<Nodes> || ...))
auto when_all(const Nodes&... nodes) {
  static_assert(sizeof...(Nodes) != 0, "hpk::when_all: write at least one node of a graph");
  constexpr bool all = (detail::is_graph_node_v<Nodes> && ...);
  static_assert(all,
                "hpk::when_all: an argument is not a node of a graph; write what "
                "then_parallel_for() and the like return");
  if constexpr (all && sizeof...(Nodes) != 0) {
    using exec =
        typename decltype([]<class First, class... Rest>(detail::type_list<First, Rest...>) {
          return detail::type_identity<typename First::execution_space>();
        }(detail::type_list<Nodes...>()))::type;
    constexpr bool same = (std::is_same_v<typename Nodes::execution_space, exec> && ...);
    static_assert(same,
                  "hpk::when_all: the nodes are of graphs of several execution spaces; wait for "
                  "nodes of one graph");
    if constexpr (same)
      return when_all(std::vector<GraphNodeRef<exec>>{GraphNodeRef<exec>(nodes)...}, {});
  }
}

}  // namespace hpk
