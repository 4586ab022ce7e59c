// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nodes of a graph as the program adds them, for every execution space: their dependencies, the
// rules on when nodes may be added, and the errors for violations.
#pragma once

#include <hpk/graph/plan.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <source_location>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace hpk::detail {

class graph_record;

/// A node. Node 0 of each graph is its root, a join.
struct graph_node {
  GraphNodeKind kind;
  launch_site site;
  std::vector<std::size_t> before = {};  ///< the numbers of its predecessors
  std::unique_ptr<graph_work> work = {};
  index_t items = 0;
  std::shared_ptr<graph_record> graph = {};  ///< the graph of a node of kind graph
};

/// The nodes of a graph. Only one thread at a time may add nodes; any thread may submit.
class graph_record {
 public:
  graph_record(std::string_view label, const std::source_location& where);
  graph_record(const graph_record&) = delete;
  graph_record& operator=(const graph_record&) = delete;
  virtual ~graph_record();

  /// Adds a node and returns its number. Throws hpk::error when the graph is closed, or when the
  /// node would make a graph contain itself.
  std::size_t add(graph_node node);
  /// Throws the errors of add(). Called before a kernel is copied.
  void expect_open(std::string_view label, std::size_t behind,
                   const std::source_location& where) const;
  /// Closes the graph: nothing may be added any more. `how`: "instantiate" or "submit".
  void close(const char* how, const std::source_location& where);
  /// Throws hpk::error when the graph is already closed.
  void expect_not_closed(const std::source_location& where) const;
  /// Returns all nodes, with the nodes of contained graphs, in the order of a submit. Closes this
  /// graph and the contained ones.
  std::vector<planned_node> flatten(const char* how, const std::source_location& where);

  std::string_view label() const noexcept { return label_; }
  GraphNodeKind kind_of(std::size_t node) const { return nodes_[node].kind; }
  /// Returns the text for messages: hpk::Graph "label".
  std::string name() const;
  /// Returns the text for messages: node 3 "label" (file.cpp:12).
  std::string name_of(std::size_t node) const;

  /// A lock that a thread holds while it submits a graph that hpk replays itself.
  class submitting {
   public:
    /// Waits for other threads. Throws hpk::error when the calling thread is already submitting the
    /// graph.
    submitting(graph_record& graph, const std::source_location& where);
    ~submitting();
    submitting(const submitting&) = delete;
    submitting& operator=(const submitting&) = delete;

   private:
    graph_record& graph_;
  };

 private:
  std::vector<std::uint32_t> append_to(std::vector<planned_node>& all,
                                       std::vector<std::uint32_t> before, const char* how,
                                       const std::source_location& where);
  bool contains(const graph_record& other) const;

  std::string label_;
  std::source_location where_;
  std::vector<graph_node> nodes_;
  const char* closed_by_ = nullptr;
  std::source_location closed_at_;
  std::mutex submits_;
  std::atomic<std::thread::id> submitter_{};
};

/// Throws hpk::error: `call` on a graph that was moved from.
[[noreturn]] void reject_empty_graph(std::string_view call, const std::source_location& where);
/// Throws hpk::error: `call` on an empty node, or one whose graph has ended.
[[noreturn]] void reject_empty_node(std::string_view call, std::string_view label, bool expired,
                                    const std::source_location& where);
/// Throws hpk::error: when_all of nodes of two graphs.
[[noreturn]] void reject_foreign_node(const graph_record& graph, std::size_t node,
                                      const graph_record& other, std::size_t other_node,
                                      const std::source_location& where);
/// Throws hpk::error: the result is a variable of the program.
[[noreturn]] void reject_scalar_result(std::string_view call, std::string_view label,
                                       const std::source_location& where);
/// Throws hpk::error: a submit on another device than the graph's.
[[noreturn]] void reject_other_device(const graph_record& graph, int device, int other,
                                      const std::source_location& where);

}  // namespace hpk::detail
