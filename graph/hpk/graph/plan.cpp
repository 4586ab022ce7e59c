// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/streaming.hpp>
#include <hpk/graph/plan.hpp>

#include <algorithm>
#include <thread>
#include <utility>

namespace hpk::detail {

namespace {

bool is_small(const planned_node& node) noexcept {
  return node.kind == GraphNodeKind::Aggregate ||
         (node.kind == GraphNodeKind::Kernel && node.items <= most_small_items);
}

// The level of a node is the highest level of its predecessors, plus one if the node is small and
// that predecessor large. So in each level the small nodes can run before the large ones.
std::vector<std::uint32_t> find_levels(const std::vector<planned_node>& all) {
  std::vector<std::uint32_t> levels(all.size(), 0);
  for (std::size_t n = 0; n < all.size(); ++n) {
    for (const std::uint32_t b : all[n].before) {
      const bool steps_up = is_small(all[n]) && !is_small(all[b]);
      levels[n] = std::max(levels[n], levels[b] + (steps_up ? 1 : 0));
    }
  }
  return levels;
}

}  // namespace

graph_batch::graph_batch(const std::vector<planned_node>& all,
                         const std::vector<std::uint32_t>& members)
    : first_after_(members.size() + 1, 0),
      waits_(members.size(), 0),
      missing_(members.size()),
      ready_(members.size()) {
  const auto number_of = [&](std::uint32_t node) {
    const auto found = std::lower_bound(members.begin(), members.end(), node);
    return found != members.end() && *found == node
               ? static_cast<std::uint32_t>(found - members.begin())
               : none;
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::vector<index_t> depth(members.size(), 1);
  index_t longest = 1;
  for (std::uint32_t n = 0; n < members.size(); ++n) {
    const planned_node& node = all[members[n]];
    works_.push_back(node.work);
    for (const std::uint32_t b : node.before) {
      const std::uint32_t before = number_of(b);
      if (before == none) continue;
      edges.emplace_back(before, n);
      depth[n] = std::max(depth[n], depth[before] + 1);
    }
    longest = std::max(longest, depth[n]);
  }
  std::sort(edges.begin(), edges.end());
  for (const auto& [from, to] : edges) {
    ++first_after_[from + 1];
    ++waits_[to];
    after_.push_back(to);
  }
  for (std::size_t n = 0; n < members.size(); ++n) {
    first_after_[n + 1] += first_after_[n];
    missing_[n].store(waits_[n], std::memory_order_relaxed);
    ready_[n].store(none, std::memory_order_relaxed);
    if (waits_[n] == 0) roots_.push_back(static_cast<std::uint32_t>(n));
  }
  const auto count = static_cast<index_t>(members.size());
  width_ = count / longest + (count % longest != 0);
}

void graph_batch::prepare() noexcept {
  done_.store(0, std::memory_order_relaxed);
  taken_.store(0, std::memory_order_relaxed);
  made_ready_.store(0, std::memory_order_relaxed);
  for (const std::uint32_t root : roots_) push(root);
}

void graph_batch::push(std::uint32_t node) noexcept {
  ready_[made_ready_.fetch_add(1, std::memory_order_relaxed)].store(node,
                                                                    std::memory_order_release);
}

// Claims slot `place` of ready_ and waits until it holds a node or all nodes are done.
std::uint32_t graph_batch::take(std::uint32_t& finished) noexcept {
  const auto count = static_cast<std::uint32_t>(works_.size());
  if (finished != 0) done_.fetch_add(std::exchange(finished, 0), std::memory_order_release);
  const std::uint32_t place = taken_.fetch_add(1, std::memory_order_relaxed);
  if (place >= count) return none;
  std::atomic<std::uint32_t>& slot = ready_[place];
  for (int round = 0;; ++round) {
    const std::uint32_t node = slot.load(std::memory_order_acquire);
    if (node != none) {
      slot.store(none, std::memory_order_relaxed);
      return node;
    }
    if (done_.load(std::memory_order_acquire) == count) return none;
    // Most nodes become ready sooner than a yield would return.
    if (round > 1000) std::this_thread::yield();
  }
}

// Decrements the counters of the successors of a finished node. Returns the first one that is now
// ready, for the same worker, and publishes the others to all workers.
std::uint32_t graph_batch::release(std::uint32_t node) noexcept {
  std::uint32_t first_ready = none;
  bool drained = false;
  for (std::uint32_t k = first_after_[node]; k != first_after_[node + 1]; ++k) {
    const std::uint32_t next = after_[k];
    if (waits_[next] != 1 || first_ready != none) {
      if (!drained) drain_streaming_stores();
      drained = true;
    }
    if (waits_[next] != 1) {
      if (missing_[next].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
      missing_[next].store(waits_[next], std::memory_order_relaxed);
    }
    if (first_ready == none) {
      first_ready = next;
    } else {
      push(next);
    }
  }
  return first_ready;
}

void graph_batch::work(const void* space) noexcept {
  std::uint32_t finished = 0;
  for (;;) {
    std::uint32_t node = take(finished);
    if (node == none) return;
    for (; node != none; ++finished) {
      // After a failure nodes are skipped but still counted, so that all counters return to their
      // initial values.
      if (works_[node] != nullptr && !failed_.load(std::memory_order_relaxed)) {
        try {
          works_[node]->run(space);
        } catch (...) {
          record_failure(node);
        }
      }
      node = release(node);
    }
  }
}

void graph_batch::record_failure(std::uint32_t node) noexcept {
  const std::lock_guard lock(guard_);
  if (node < failed_node_) {
    failed_node_ = node;
    failure_ = std::current_exception();
  }
  failed_.store(true, std::memory_order_relaxed);
}

void graph_batch::finish() {
  if (!failed_.load(std::memory_order_relaxed)) return;
  failed_.store(false, std::memory_order_relaxed);
  failed_node_ = none;
  std::rethrow_exception(std::exchange(failure_, nullptr));
}

graph_plan::graph_plan(std::vector<planned_node> all) : nodes(std::move(all)) {
  const std::vector<std::uint32_t> levels = find_levels(nodes);
  const std::uint32_t count =
      levels.empty() ? 0 : *std::max_element(levels.begin(), levels.end()) + 1;
  std::vector<std::vector<std::uint32_t>> small(count);
  std::vector<std::vector<std::uint32_t>> large(count);
  for (std::uint32_t n = 0; n < nodes.size(); ++n)
    (is_small(nodes[n]) ? small : large)[levels[n]].push_back(n);
  for (std::uint32_t level = 0; level < count; ++level) {
    std::unique_ptr<graph_batch> batch;
    if (small[level].size() > 1) batch = std::make_unique<graph_batch>(nodes, small[level]);
    // A chain gains nothing from several workers.
    if (batch != nullptr && batch->width() < 2) batch = nullptr;
    if (!small[level].empty()) steps.push_back({std::move(small[level]), std::move(batch)});
    if (!large[level].empty()) steps.push_back({std::move(large[level]), nullptr});
  }
}

}  // namespace hpk::detail
