// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a graph is replayed on the workers of a host space: as a list of steps. In a step, small
// nodes that need not wait for large ones run in one launch, in which each worker takes nodes that
// are ready and runs them whole; or nodes run one after another, each by all workers. Which it is
// depends on numbers of work items and on dependencies alone, so it is the same in every run.
#pragma once

#include <hpk/base/types.hpp>
#include <hpk/graph/work.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

namespace hpk::detail {

/// Ranges of up to so many iterations, and MDRanges, are small nodes. A team counts as 128.
inline constexpr index_t most_small_items = 1024;

/// What a node does.
enum class graph_kind : unsigned char {
  kernel,   ///< launches
  host,     ///< calls on the host, outside of kernels
  capture,  ///< calls on the host, with the instance
  join,     ///< nothing; comes behind several nodes
  graph     ///< is a graph
};

/// A node among all that a submit runs, in an order in which each comes behind what it waits for.
struct planned_node {
  graph_work* work;  ///< null for a join
  graph_kind kind;
  index_t items;                      ///< work items, or whole_launch
  std::vector<std::uint32_t> before;  ///< the numbers of those it waits for, ascending, no two same
};

/// Small nodes for one launch.
class graph_batch {
 public:
  /// `members`: numbers of nodes of `all`, ascending. What they wait for outside of the batch has
  /// been done.
  graph_batch(const std::vector<planned_node>& all, const std::vector<std::uint32_t>& members);
  graph_batch(const graph_batch&) = delete;
  graph_batch& operator=(const graph_batch&) = delete;

  /// How many nodes can be expected to run at the same time.
  index_t width() const noexcept { return width_; }
  /// Before a launch: its first nodes are ready.
  void prepare() noexcept;
  /// What each worker does: runs nodes until all are done or in work. Any number of workers.
  void work(const void* space) noexcept;
  /// After a launch: throws what the first of the nodes that failed threw.
  void finish();

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t take(std::uint32_t& finished) noexcept;
  std::uint32_t release(std::uint32_t node) noexcept;
  void push(std::uint32_t node) noexcept;
  void record_failure(std::uint32_t node) noexcept;

  std::vector<graph_work*> works_;
  std::vector<std::uint32_t> first_after_;  // where the nodes after each one begin in after_
  std::vector<std::uint32_t> after_;
  std::vector<std::uint32_t> waits_;                 // for so many nodes of the batch
  std::vector<std::atomic<std::uint32_t>> missing_;  // of these, in this run
  std::vector<std::uint32_t> roots_;
  std::vector<std::atomic<std::uint32_t>> ready_;  // nodes, in the order in which they became ready
  index_t width_ = 0;
  std::mutex guard_;
  std::uint32_t failed_node_ = none;
  std::exception_ptr failure_;
  alignas(64) std::atomic<std::uint32_t> taken_{0};  // of ready_; more than there are for workers
                                                     // that wait
  alignas(64) std::atomic<std::uint32_t> made_ready_{0};
  alignas(64) std::atomic<std::uint32_t> done_{0};
  std::atomic<bool> failed_{false};
};

/// A step of a replay: a batch, or nodes one after another.
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
