// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the workers of a host space replay a graph: as a list of steps. A step is either a batch of
// small nodes in one launch, in which each worker takes ready nodes and runs each one alone; or
// nodes that run one after another, each on all workers. The plan depends only on numbers of work
// items and on dependencies, so it is the same in every run.
#pragma once

#include <hpk/error.hpp>
#include <hpk/graph/work.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

namespace hpk {

/// The kinds of nodes of a graph.
enum class GraphNodeKind : unsigned char {
  Kernel,     ///< launches: parallel_for, parallel_reduce, parallel_scan, then
  Host,       ///< calls on the host, outside of kernels: then_host
  Capture,    ///< calls on the host, with the instance: capture
  Aggregate,  ///< does nothing: the root, and the result of when_all
  Graph       ///< contains a graph: then_graph
};

}  // namespace hpk

namespace hpk::detail {

/// A node is small up to this many iterations of a range or MDRange. A team counts as 128.
inline constexpr index_t most_small_items = 1024;

/// A node as a submit runs it. Nodes are in topological order.
struct planned_node {
  graph_work* work;  ///< null for a join
  GraphNodeKind kind;
  index_t items;                      ///< work items, or whole_launch
  std::vector<std::uint32_t> before;  ///< its predecessors, ascending and unique
};

/// Small nodes that run in one launch.
class graph_batch {
 public:
  /// `members`: the indices of the nodes in `all`, ascending. Their predecessors outside of the
  /// batch must be done before the launch.
  graph_batch(const std::vector<planned_node>& all, const std::vector<std::uint32_t>& members);
  graph_batch(const graph_batch&) = delete;
  graph_batch& operator=(const graph_batch&) = delete;

  /// The number of nodes that can be expected to run at the same time.
  index_t width() const noexcept { return width_; }
  /// Call before a launch: makes the first nodes ready.
  void prepare() noexcept;
  /// The body of each worker: runs nodes until all are done or taken. Any number of workers.
  void work(const void* space) noexcept;
  /// Call after a launch: rethrows the exception of the first node that failed.
  void finish();

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t take(std::uint32_t& finished) noexcept;
  std::uint32_t release(std::uint32_t node) noexcept;
  void push(std::uint32_t node) noexcept;
  void record_failure(std::uint32_t node) noexcept;

  std::vector<graph_work*> works_;
  std::vector<std::uint32_t> first_after_;  // index in after_ of the first successor of each node
  std::vector<std::uint32_t> after_;
  std::vector<std::uint32_t> waits_;                 // number of predecessors in the batch
  std::vector<std::atomic<std::uint32_t>> missing_;  // number of predecessors that this run has
                                                     // not finished
  std::vector<std::uint32_t> roots_;
  std::vector<std::atomic<std::uint32_t>> ready_;  // nodes in the order in which they became ready
  index_t width_ = 0;
  std::mutex guard_;
  std::uint32_t failed_node_ = none;
  std::exception_ptr failure_;
  alignas(64) std::atomic<std::uint32_t> taken_{0};  // slots of ready_ that are claimed, also by
                                                     // workers that get no node
  alignas(64) std::atomic<std::uint32_t> made_ready_{0};
  alignas(64) std::atomic<std::uint32_t> done_{0};
  std::atomic<bool> failed_{false};
};

/// A step of a replay: a batch, or nodes in order.
struct graph_step {
  std::vector<std::uint32_t> nodes;
  std::unique_ptr<graph_batch> batch;
};

/// All nodes, and the steps in which several workers run them.
struct graph_plan {
  explicit graph_plan(std::vector<planned_node> all);
  std::vector<planned_node> nodes;
  std::vector<graph_step> steps;
};

}  // namespace hpk::detail
