// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/structures/work_graph.hpp>

#include <atomic>
#include <chrono>
#include <thread>

namespace hpk::detail {

namespace {

using counter = std::atomic_ref<std::uint32_t>;

text begin_message() { return text() << "hpk::WorkGraphPolicy: "; }

}  // namespace

// Sequentially consistent, so that no wake-up is lost: if this thread sees no waiter, a worker that
// counts itself later sees the new version in its wait().
void announce_item(item_counters& counters) {
  counter(counters.version).fetch_add(1);
  if (counter(counters.waiters).load() != 0) counter(counters.version).notify_one();
}

void announce_end(item_counters& counters) {
  counter(counters.version).fetch_add(1);
  if (counter(counters.waiters).load() != 0) counter(counters.version).notify_all();
}

void await_item(item_counters& counters, std::uint32_t seen) {
  // Items may take less time than a sleep and a wake-up.
  constexpr std::chrono::microseconds awake{50};
  const auto end = std::chrono::steady_clock::now() + awake;
  while (std::chrono::steady_clock::now() < end) {
    if (counter(counters.version).load(std::memory_order_acquire) != seen) return;
    std::this_thread::yield();
  }
  counter(counters.waiters).fetch_add(1);
  counter(counters.version).wait(seen);
  counter(counters.waiters).fetch_sub(1);
}

void reject_row_map(index_t item, index_t begin, index_t end, index_t entries,
                    const std::source_location& where) {
  raise((begin_message() << "row " << item << " of the graph is [" << begin << ", " << end
                         << "), but there are " << entries
                         << " entries; write a row_map that ascends from 0 to their number")
            .str(),
        where);
}

void reject_successor(index_t item, index_t successor, index_t items,
                      const std::source_location& where) {
  raise((begin_message() << "item " << item << " comes before item " << successor
                         << ", but there are items 0 to " << items - 1)
            .str(),
        where);
}

void reject_item_count(index_t items, const std::source_location& where) {
  raise((begin_message() << items
                         << " items are too many for its index type; write a wider one, "
                            "WorkGraphPolicy<IndexType<...>>")
            .str(),
        where);
}

void reject_cycle(const seam::launch_info& info, index_t never, index_t items) {
  text message;
  message << "hpk::parallel_for";
  if (!info.label.empty()) message << " \"" << info.label << '"';
  message << ": " << never << " of " << items
          << " items never became ready; they are in a cycle of the graph, or depend on items of a "
             "cycle";
  raise(message.str(), info.where);
}

}  // namespace hpk::detail
