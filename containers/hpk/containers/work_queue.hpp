// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WorkQueue: a bounded queue to which lanes of kernels push and from which they pop at the same
// time. The algorithm is the bounded MPMC queue of Dmitry Vyukov (1024cores.net, 2010): each slot
// has a sequence number that tells which push or pop is next, so a lane claims a slot by one
// compare-exchange and never waits.
#pragma once

#include <hpk/core.hpp>

#include <cstddef>
#include <cstring>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

namespace hpk {

namespace detail {

/// Errors: each function throws hpk::error.
[[noreturn]] void reject_queue_capacity(const std::string& label, index_t capacity,
                                        const std::source_location& where);
[[noreturn]] void reject_queue_fill(const std::string& label, index_t capacity, index_t size,
                                    index_t more, const std::source_location& where);

/// Puts item k into the k-th slot after the last item, or takes item k from the k-th slot from the
/// front. No other thread uses the queue meanwhile.
template <class Queue, class Items>
struct queue_fill {
  Queue queue;
  Items items;
  index_t first;
  HPK_FUNCTION void operator()(index_t k) const { queue.put(first + k, items(k)); }
};
template <class Queue, class Items>
struct queue_drain {
  Queue queue;
  Items items;
  index_t first;
  HPK_FUNCTION void operator()(index_t k) const { queue.take(first + k, items(k)); }
};
/// Makes a queue empty.
template <class Queue>
struct queue_clear {
  Queue queue;
  HPK_FUNCTION void operator()(index_t k) const { queue.restart(k); }
};

}  // namespace detail

/// A queue of at most capacity() items of T, first in first out, in the memory of Device. Copies
/// share the items; a kernel captures a copy. T is trivially copyable.
///   hpk::WorkQueue<int> queue("queue", 1000);
///   queue.fill({start});
///   in a kernel: int item; while (queue.try_pop(item)) { ... if (!queue.try_push(next)) ...; }
///
/// Threads: any number of lanes and host threads may call try_push() and try_pop() at the same
/// time. Both are lock-free and never wait, so lanes of one sub-group may call both. Writes of a
/// lane before its push are visible to the lane that pops the item. The other functions are called
/// by the host while no kernel uses the queue; they wait for all work. Errors: hpk::error with
/// label, capacity and call site.
template <class T, class DeviceType = DefaultExecutionSpace>
class WorkQueue {
  using word = unsigned;
  static constexpr std::size_t words_of_item = (sizeof(T) + sizeof(word) - 1) / sizeof(word);
  static constexpr int head = 0;
  static constexpr int tail = 16;  // in another cache line
  static constexpr int refused = 32;

 public:
  /// Type of an item, and the place of the items.
  ///@{
  using value_type = T;
  using execution_space = typename View<T*, DeviceType>::execution_space;
  using memory_space = typename View<T*, DeviceType>::memory_space;
  using device_type = typename View<T*, DeviceType>::device_type;
  ///@}
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>,
                "hpk::WorkQueue: items are copied as bytes; write a trivially copyable type with a "
                "default constructor, such as an index");

  /// Makes a queue of capacity 0.
  WorkQueue() = default;
  /// Allocates memory for `capacity` items, rounded up to a power of two. Throws hpk::error if
  /// `capacity` is less than 1 or more than 2^40.
  explicit WorkQueue(const std::string& label, index_t capacity,
                     const std::source_location& where = std::source_location::current())
      : words_(view_alloc(label, WithoutInitializing), rounded(label, capacity, where),
               words_of_item),
        turns_(view_alloc("hpk::WorkQueue: turns", WithoutInitializing), words_.extent(0)),
        counts_("hpk::WorkQueue: counts") {
    clear();
  }

  /// Appends an item. Returns false if the queue is full; refusals() counts these calls.
  HPK_FUNCTION bool try_push(const T& item) const {
    index_t at = atomic_load(&counts_(tail));
    while (capacity() != 0) {
      const index_t turn = atomic_load(&turns_(at & mask()), MemoryOrderAcquire());
      if (turn < at) break;
      if (turn == at) {
        const index_t before = atomic_compare_exchange(&counts_(tail), at, at + 1);
        if (before == at) {
          put(at, item);
          return true;
        }
        at = before;
      } else {
        at = atomic_load(&counts_(tail));
      }
    }
    atomic_inc(&counts_(refused));
    return false;
  }
  /// Takes the first item. Returns false if the queue is empty, or if the first item is still being
  /// pushed.
  HPK_FUNCTION bool try_pop(T& item) const {
    index_t at = atomic_load(&counts_(head));
    while (capacity() != 0) {
      const index_t turn = atomic_load(&turns_(at & mask()), MemoryOrderAcquire());
      if (turn < at + 1) break;
      if (turn == at + 1) {
        const index_t before = atomic_compare_exchange(&counts_(head), at, at + 1);
        if (before == at) {
          take(at, item);
          return true;
        }
        at = before;
      } else {
        at = atomic_load(&counts_(head));
      }
    }
    return false;
  }
  /// The number of items at some moment of the call, while others push and pop.
  HPK_FUNCTION index_t size_estimate() const {
    if (capacity() == 0) return 0;
    const index_t first = atomic_load(&counts_(head));
    const index_t size = atomic_load(&counts_(tail)) - first;
    return size < 0 ? 0 : size > capacity() ? capacity() : size;
  }

  /// The largest number of items.
  HPK_FUNCTION index_t capacity() const { return static_cast<index_t>(turns_.extent(0)); }
  std::string label() const { return words_.label(); }  ///< Empty for a default-constructed queue.
  /// The number of items.
  index_t size() const {
    const auto counts = read();
    return counts[1] - counts[0];
  }
  bool empty() const { return size() == 0; }  ///< Waits, as size() does.
  /// The number of calls of try_push() that found the queue full, since construction or clear().
  index_t refusals() const { return read()[2]; }

  /// Appends items in their order. Throws hpk::error, and appends none, if they do not fit.
  void fill(const std::vector<T>& items,
            const std::source_location& where = std::source_location::current()) const {
    const auto counts = read();
    const auto n = static_cast<index_t>(items.size());
    if (n > capacity() - (counts[1] - counts[0]))
      detail::reject_queue_fill(label(), capacity(), counts[1] - counts[0], n, where);
    if (n == 0) return;
    const View<const T*, HostSpace, MemoryTraits<Unmanaged>> given(items.data(), items.size());
    const auto device = create_mirror_view_and_copy(memory_space(), given);
    run("hpk::WorkQueue::fill", n,
        detail::queue_fill<WorkQueue, decltype(device)>{*this, device, counts[1]});
    write(tail, counts[1] + n);
  }
  /// Removes and returns all items, the first one first.
  std::vector<T> drain() const {
    const auto counts = read();
    const index_t n = counts[1] - counts[0];
    std::vector<T> items(static_cast<std::size_t>(n));
    if (n == 0) return items;
    const View<T*, device_type> device("hpk::WorkQueue: items", n);
    run("hpk::WorkQueue::drain", n,
        detail::queue_drain<WorkQueue, View<T*, device_type>>{*this, device, counts[0]});
    write(head, counts[1]);
    const View<T*, HostSpace, MemoryTraits<Unmanaged>> to(items.data(), items.size());
    deep_copy(to, device);
    return items;
  }
  /// Removes all items and resets refusals().
  void clear() const {
    fence("hpk::WorkQueue::clear");
    if (capacity() == 0) return;
    run("hpk::WorkQueue::clear", capacity(), detail::queue_clear<WorkQueue>{*this});
    deep_copy(counts_, index_t{0});
  }

 private:
  template <class, class>
  friend struct detail::queue_fill;
  template <class, class>
  friend struct detail::queue_drain;
  template <class>
  friend struct detail::queue_clear;

  static index_t rounded(const std::string& label, index_t capacity,
                         const std::source_location& where) {
    if (capacity < 1 || capacity > (index_t{1} << 40))
      detail::reject_queue_capacity(label, capacity, where);
    index_t power = 1;
    while (power < capacity) power *= 2;
    return power;
  }
  HPK_FUNCTION index_t mask() const { return capacity() - 1; }

  // Items are stored word by word with atomic operations, because the owner of a slot changes.
  HPK_FUNCTION void put(index_t at, const T& item) const {
    word words[words_of_item] = {};
    std::memcpy(words, &item, sizeof(T));
    for (std::size_t k = 0; k != words_of_item; ++k)
      atomic_store(&words_(at & mask(), k), words[k]);
    atomic_store(&turns_(at & mask()), at + 1, MemoryOrderRelease());
  }
  HPK_FUNCTION void take(index_t at, T& item) const {
    word words[words_of_item];
    for (std::size_t k = 0; k != words_of_item; ++k)
      words[k] = atomic_load(&words_(at & mask(), k));
    std::memcpy(&item, words, sizeof(T));
    atomic_store(&turns_(at & mask()), at + capacity(), MemoryOrderRelease());
  }
  HPK_FUNCTION void restart(index_t k) const { turns_(k) = k; }

  template <class Kernel>
  static void run(const std::string& name, index_t n, const Kernel& kernel) {
    parallel_for(name, RangePolicy<execution_space, IndexType<index_t>>(index_t{0}, n), kernel);
    fence(name);
  }
  // The counts: number of the first item, one past the last item, refusals.
  Array<index_t, 3> read() const {
    if (capacity() == 0) return {};
    fence("hpk::WorkQueue: work is complete");
    const auto mirror = create_mirror_view_and_copy(HostSpace(), counts_);
    return {mirror(head), mirror(tail), mirror(refused)};
  }
  void write(int which, index_t value) const { deep_copy(subview(counts_, which), value); }

  View<word**, LayoutRight, device_type> words_;
  View<index_t*, device_type> turns_;
  View<index_t[48], device_type> counts_;
};

}  // namespace hpk
