// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// WorkGraphPolicy: items with dependencies. An item is ready when all its predecessors are done.
// Hosts and devices run the items differently:
//   hosts    workers take ready items from a queue. An idle worker sleeps while another
//            runs an item, which may make more ready; it never waits for a worker that
//            has not begun (L7).
//   devices  one launch after another, each over the items that the last one made ready: no
//            lane waits for another.
// On both, a lane continues with an item that it made ready itself, so that chains need neither
// queue nor launches. On devices it does so for a limited number of items, because other items must
// not wait too long.
//
// A WorkGraphPolicy has no walk (range_walk.hpp): a walk numbers the iterations before the launch
// and can run any chunk of them, while the kernels of a WorkGraphPolicy determine the next items.
#pragma once

#include <hpk/atomic/atomic.hpp>
#include <hpk/atomic/atomic_primitive.hpp>
#include <hpk/parallel/patterns/for.hpp>
#include <hpk/parallel/patterns/reduce.hpp>
#include <hpk/parallel/patterns/scan.hpp>
#include <hpk/structures/crs.hpp>

#include <cstdint>
#include <limits>
#include <source_location>
#include <string_view>
#include <type_traits>

namespace hpk::detail {

/// Shared counters of a run, each on a separate cache line.
struct item_counters {
  alignas(64) std::uint64_t head;      ///< the first slot of the queue that may hold an item
  alignas(64) std::uint64_t tail;      ///< the number of items put into the queue
  alignas(64) std::uint64_t pending;   ///< the number of items that are ready or running
  alignas(64) std::uint64_t followed;  ///< the number of items run without the queue
  alignas(64) std::uint32_t version;   ///< changes when there may be work
  std::uint32_t waiters;               ///< the number of workers that sleep until `version` changes
  std::uint32_t stopped;               ///< 1 after an item threw
};

/// Wakes one worker, or all.
void announce_item(item_counters& counters);
void announce_end(item_counters& counters);
/// Waits until the version differs from `seen`.
void await_item(item_counters& counters, std::uint32_t seen);

/// The data of one run, and the operations of lanes on it. `Word` is an unsigned item number.
template <class Word>
struct item_run {
  static constexpr Word none = std::numeric_limits<Word>::max();
  static constexpr Word taken = none - 1;

  item_counters* counters;
  Word* remaining;     ///< for each item, the number of unfinished predecessors
  Word* queue;         ///< a slot for each item: an item, `none` if still empty, or `taken`
  std::uint64_t size;  ///< 8 bytes, to avoid padding, which Emu could mistake for pointers

  static constexpr std::size_t bytes(index_t n) {
    return sizeof(item_counters) + 2 * static_cast<std::size_t>(n) * sizeof(Word);
  }
  static item_run in(void* memory, index_t n) {
    auto* counters = static_cast<item_counters*>(memory);
    auto* words = reinterpret_cast<Word*>(counters + 1);
    return {counters, words, words + n, static_cast<std::uint64_t>(n)};
  }

  /// Appends an item to the queue.
  HPK_FUNCTION void push(Word item) const {
    const std::uint64_t slot = primitive_fetch<add_operation>(&counters->tail, std::uint64_t{1});
    Word expected = none;
    primitive_compare_exchange(queue + slot, expected, item, {memory_order::release});
  }
  /// Whether the queue may hold an item.
  HPK_FUNCTION bool has_more() const {
    return primitive_load(&counters->head) < primitive_load(&counters->tail);
  }
  /// Takes an item. Returns `none` if the queue is empty.
  HPK_FUNCTION Word pop() const {
    for (;;) {
      std::uint64_t slot = primitive_load(&counters->head);
      if (slot >= size) return none;
      Word item = primitive_load(queue + slot);
      if (item == none) return none;
      const bool is_won = item != taken && primitive_compare_exchange(queue + slot, item, taken,
                                                                      {memory_order::acquire});
      // The slot is already taken: advance the head for all lanes.
      primitive_compare_exchange(&counters->head, slot, slot + 1);
      if (is_won) return item;
    }
  }
  /// Marks `item` as done. Returns one of the successors that become ready, and passes the other
  /// ones to ready(item).
  HPK_CALLS_EITHER
  template <class Graph, class Ready>
  HPK_FUNCTION Word finish(const Graph& graph, Word item, const Ready& ready) const {
    // Makes the writes of the item visible to its successors.
    notify_handover(nullptr, SIZE_MAX);
    Word next = none;
    const auto end = graph.row_map(static_cast<index_t>(item) + 1);
    for (auto k = graph.row_map(static_cast<index_t>(item)); k < end; ++k) {
      const auto successor = static_cast<Word>(graph.entries(k));
      constexpr auto minus_one = static_cast<Word>(-1);
      if (primitive_fetch<add_operation>(remaining + successor, minus_one,
                                         {memory_order::release}) != 1)
        continue;
      // Makes the writes of all predecessors visible to this lane.
      primitive_fetch<add_operation>(remaining + successor, Word{0}, {memory_order::acquire});
      if (next == none) {
        next = successor;
      } else {
        ready(successor);
      }
    }
    return next;
  }
};

/// Initialises the words at the beginning of a run.
template <class Word, class View>
struct begin_item_run {
  item_run<Word> run;
  View before;
  View roots;
  std::uint64_t ready;
  HPK_FUNCTION void operator()(index_t i) const {
    run.remaining[i] = static_cast<Word>(before(i));
    run.queue[i] = i < static_cast<index_t>(ready) ? static_cast<Word>(roots(i)) : run.none;
    if (i == 0) {
      run.counters->tail = ready;
      run.counters->pending = ready;
    }
  }
};

/// The worker of a host space.
template <class Machine, class Tag, class I, class Word, class Graph, class F>
struct work_items {
  kernel_storage<Machine, F> kernel;
  item_run<Word> run;
  Graph graph;

  template <class Lane>
  void operator()(Lane& lane) const {
    // An item that throws ends the run.
    struct ending {
      item_counters& counters;
      bool threw = true;
      ~ending() {
        if (!threw) return;
        word_ref(counters.stopped).store(1, memory_order::relaxed);
        announce_end(counters);
      }
    } end{*run.counters};
    item_counters& counters = *run.counters;
    for (;;) {
      const auto version = word_ref(counters.version).load(memory_order::acquire);
      if (word_ref(counters.stopped).load(memory_order::relaxed) != 0) break;
      const Word item = run.pop();
      if (item != run.none) {
        // A late store to an earlier slot wakes only one worker for this slot and for later slots,
        // so wake another.
        if (word_ref(counters.waiters).load(memory_order::relaxed) != 0 && run.has_more())
          announce_item(counters);
        follow(lane, item);
      } else if (word_ref(counters.pending).load(memory_order::acquire) == 0) {
        break;
      } else {
        await_item(counters, version);
      }
    }
    end.threw = false;
  }

 private:
  // Runs an item, then an item that it made ready, and so on.
  template <class Lane>
  void follow(Lane& lane, Word item) const {
    item_counters& counters = *run.counters;
    std::uint64_t done = 0;
    while (item != run.none) {
      lane.at(static_cast<index_t>(item));
      call<Tag>(kernel, static_cast<I>(item));
      ++done;
      item = run.finish(graph, item, [this, &counters](Word ready) {
        word_ref(counters.pending).fetch_add(1, memory_order::relaxed);
        run.push(ready);
        announce_item(counters);
      });
      if (word_ref(counters.stopped).load(memory_order::relaxed) != 0) return;
    }
    word_ref(counters.followed).fetch_add(done - 1, memory_order::relaxed);
    if (word_ref(counters.pending).fetch_sub(1, memory_order::acq_rel) == 1) announce_end(counters);
  }
};

/// The lane of a device: runs an item of a launch and then up to most_followed items that became
/// ready.
template <class Tag, class I, class Word, class Graph, class F>
struct work_wave {
  static constexpr int most_followed = 16;
  F kernel;
  item_run<Word> run;
  Graph graph;

  HPK_CALLS_EITHER
  HPK_FUNCTION void operator()(index_t slot) const {
    Word item = run.queue[slot];
    std::uint64_t done = 0;
    for (;;) {
      call<Tag>(kernel, static_cast<I>(item));
      ++done;
      item = run.finish(graph, item, pusher{run});
      if (item == run.none) break;
      if (done > most_followed) {
        run.push(item);
        break;
      }
    }
    if (done > 1) primitive_fetch<add_operation>(&run.counters->followed, done - 1);
  }

 private:
  struct pusher {
    const item_run<Word>& run;
    HPK_FUNCTION void operator()(Word item) const { run.push(item); }
  };
};

/// Counts the predecessors of each item, and finds the lowest item with an invalid row or entry.
template <class Graph, class Counts>
struct check_items {
  Graph graph;
  Counts before;
  HPK_FUNCTION void operator()(index_t i, index_t& lowest) const {
    const auto n = static_cast<index_t>(graph.numRows());
    const auto begin = static_cast<index_t>(graph.row_map(i));
    const auto end = static_cast<index_t>(graph.row_map(i + 1));
    bool wrong = begin < 0 || end < begin || end > static_cast<index_t>(graph.entries.extent(0));
    for (index_t k = begin; !wrong && k < end; ++k) {
      const auto successor = static_cast<index_t>(graph.entries(k));
      wrong = successor < 0 || successor >= n;
      if (!wrong) atomic_inc(&before(successor));
    }
    if (wrong && i < lowest) lowest = i;
  }
};

/// Collects the items without predecessors.
template <class Counts>
struct list_roots {
  Counts before;
  Counts roots;
  HPK_FUNCTION void operator()(index_t i, index_t& sum, bool is_final) const {
    if (before(i) != 0) return;
    if (is_final) roots(sum) = static_cast<typename Counts::non_const_value_type>(i);
    ++sum;
  }
};

[[noreturn]] void reject_row_map(index_t item, index_t begin, index_t end, index_t entries,
                                 const std::source_location& where);
[[noreturn]] void reject_successor(index_t item, index_t successor, index_t items,
                                   const std::source_location& where);
[[noreturn]] void reject_item_count(index_t items, const std::source_location& where);
[[noreturn]] void reject_cycle(const seam::launch_info& info, index_t never, index_t items);

}  // namespace hpk::detail

namespace hpk {

/// Items 0 to n - 1 for parallel_for. Each item runs once, after all its predecessors. Row i of the
/// graph lists the items that must wait for item i; repeated entries are allowed.
///
/// Args, in any order, each at most once: an execution space, `IndexType<I>` or an integer type of
/// 4 or 8 bytes (default index_t), a work tag, and Schedule<...>, which is ignored. The graph is a
/// `Crs<I, Space, void, I>`; the policy shares its memory, which must not change. A policy may run
/// any number of times, also on several threads at once. Copies share the results of the analysis.
///
/// The constructor checks the graph and waits. Throws hpk::error for an invalid row, or for a
/// successor that is not an item, with the item and the row or successor. Not inside device
/// kernels.
template <class... Args>
class WorkGraphPolicy {
 public:
  /// @{
  /// The template arguments or their defaults. index_type and member_type number the items;
  /// execution_policy marks a policy.
  using traits = detail::policy_traits<Args...>;
  using execution_policy = WorkGraphPolicy;
  using execution_space = typename traits::execution_space;
  using memory_space = typename execution_space::memory_space;
  using schedule_type = typename traits::schedule_type;
  using index_type = typename traits::index_type;
  using member_type = index_type;
  using work_tag = typename traits::work_tag;
  using launch_bounds = typename traits::launch_bounds;
  /// @}
  /// The graph that the constructors take.
  using graph_type = Crs<index_type, execution_space, void, index_type>;
  static_assert(sizeof(index_type) >= 4,
                "hpk::WorkGraphPolicy: items are numbered by 4 or 8 bytes; write IndexType<int>");
  static_assert(std::is_void_v<typename traits::iteration_pattern>,
                "hpk::WorkGraphPolicy: items have one number; drop the Rank<...>");

  /// @{
  /// A policy for a graph, on the default instance or on `space`.
  explicit WorkGraphPolicy(const graph_type& graph,
                           const std::source_location& where = std::source_location::current())
      : WorkGraphPolicy(execution_space(), graph, where) {
    static_assert(
        detail::may_omit_instance<traits>,
        "hpk::WorkGraphPolicy: HPK_REQUIRE_INSTANCE is 1; write WorkGraphPolicy(exec, graph)");
  }
  WorkGraphPolicy(const execution_space& space, const graph_type& graph,
                  const std::source_location& where = std::source_location::current())
      : space_(space), graph_(graph) {
    const index_t n = size();
    if (n == 0) return;
    using word = std::make_unsigned_t<index_type>;
    if (static_cast<std::uint64_t>(n) >= detail::item_run<word>::taken)
      detail::reject_item_count(n, where);
    before_ = counts_type(view_alloc(space, "hpk::WorkGraphPolicy: before"), n);
    roots_ = counts_type(view_alloc(space, "hpk::WorkGraphPolicy: roots", WithoutInitializing), n);
    const RangePolicy<execution_space, IndexType<index_t>> all(space, index_t{0}, n);
    index_t lowest = n;
    parallel_reduce("hpk::WorkGraphPolicy: check", all,
                    detail::check_items<graph_type, counts_type>{graph_, before_},
                    Min<index_t>(lowest), where);
    if (lowest < n) reject(lowest, where);
    parallel_scan("hpk::WorkGraphPolicy: roots", all,
                  detail::list_roots<counts_type>{before_, roots_}, ready_, where);
  }
  /// @}

  /// The instance that runs the items.
  const execution_space& space() const noexcept { return space_; }
  /// The graph.
  const graph_type& graph() const noexcept { return graph_; }
  /// The number of items.
  index_t size() const { return static_cast<index_t>(graph_.numRows()); }

  /// For the library: calls the kernel for every item, with an index of type I.
  template <class I, class F>
  void run(const F& kernel, const seam::launch_info& info) const {
    using machine_type = seam::machine<execution_space>;
    using word = std::make_unsigned_t<index_type>;
    const index_t n = size();
    if (n == 0) return;
    machine_type& machine = space_.instance();
    detail::observed_launch state;
    const detail::for_scope scope(state, info, space_, &detail::launched<F, WorkGraphPolicy>,
                                  HPK_DETAIL_LAUNCHED(kernel, *this));
    const seam::turn held_turn(machine);
    const typename machine_type::workspace memory(machine, detail::item_run<word>::bytes(n));
    const auto run = detail::item_run<word>::in(memory.data(), n);
    machine.fill(memory.data(), 0, sizeof(detail::item_counters));
    detail::launch_for(RangePolicy<execution_space, IndexType<index_t>>(space_, index_t{0}, n),
                       detail::begin_item_run<word, counts_type>{
                           run, before_, roots_, static_cast<std::uint64_t>(ready_)},
                       info, nullptr);
    std::uint64_t done = 0;
    if constexpr (machine_type::lane::single && machine_type::synchronous) {
      using body = detail::work_items<machine_type, work_tag, I, word, graph_type, F>;
      machine.launch({.groups = detail::group_count(machine, n)}, body{kernel, run, graph_}, info);
      done = run.counters->tail + run.counters->followed;
    } else {
      using body = detail::work_wave<work_tag, I, word, graph_type, F>;
      detail::item_counters now{};
      now.tail = static_cast<std::uint64_t>(ready_);
      for (std::uint64_t begin = 0; begin < now.tail;) {
        detail::launch_lanes<void, launch_bounds>(machine, body{kernel, run, graph_},
                                                  detail::range_walk(static_cast<index_t>(begin)),
                                                  static_cast<index_t>(now.tail - begin), info);
        begin = now.tail;
        machine.copy(&now, run.counters, sizeof now);
        detail::fence_machine(machine, "hpk::parallel_for: fence of a WorkGraphPolicy");
      }
      done = now.tail + now.followed;
    }
    if (done != static_cast<std::uint64_t>(n))
      detail::reject_cycle(info, n - static_cast<index_t>(done), n);
  }

 private:
  using counts_type = View<index_type*, typename execution_space::device_type>;

  [[noreturn]] void reject(index_t item, const std::source_location& where) const {
    const auto at = [](const auto& view, index_t k) {
      index_type value{};
      deep_copy(value, subview(view, k));
      return static_cast<index_t>(value);
    };
    const index_t begin = at(graph_.row_map, item);
    const index_t end = at(graph_.row_map, item + 1);
    const auto entries = static_cast<index_t>(graph_.entries.extent(0));
    if (begin < 0 || end < begin || end > entries)
      detail::reject_row_map(item, begin, end, entries, where);
    index_t k = begin;
    while (k + 1 < end && at(graph_.entries, k) >= 0 && at(graph_.entries, k) < size()) ++k;
    detail::reject_successor(item, at(graph_.entries, k), size(), where);
  }

  execution_space space_;
  graph_type graph_;
  counts_type before_;  // the number of predecessors of each item
  counts_type roots_;   // the items without predecessors; their number is ready_
  index_t ready_ = 0;
};

/// @{
/// Space and index type are those of the graph.
template <class I, class Exec>
WorkGraphPolicy(const Crs<I, Exec, void, I>&) -> WorkGraphPolicy<Exec, IndexType<I>>;
template <class I, class Exec>
WorkGraphPolicy(const Exec&, const Crs<I, Exec, void, I>&) -> WorkGraphPolicy<Exec, IndexType<I>>;
/// @}

/// Calls kernel(i) once for every item i of a graph, after all its predecessors. The item sees the
/// writes of its predecessors. The order is otherwise unspecified. Returns when all items are done,
/// on every space.
///
/// Errors: hpk::error, with their number, if some items never become ready because of a cycle; all
/// other items have run. An exception of a kernel on a host ends the run and reaches the caller; of
/// several exceptions, the one from the lowest item. Successors of that item do not run; other
/// items may. Threads: like parallel_for over a range.
template <class... Args, class Kernel>
void parallel_for(std::string_view label, const WorkGraphPolicy<Args...>& policy,
                  const Kernel& kernel,
                  const std::source_location& where = std::source_location::current()) {
  using traits = typename WorkGraphPolicy<Args...>::traits;
  using index = typename traits::index_type;
  using tag = typename traits::work_tag;
  constexpr detail::kernel_fault fault = detail::diagnose_kernel<Kernel, tag, index>();
  static_assert(fault == detail::kernel_fault::none,
                "hpk::parallel_for: a WorkGraphPolicy calls the kernel with the number of an item; "
                "write HPK_LAMBDA(int i) { ... }, as const, with the work tag first if the policy "
                "has one");
  constexpr bool reachable = fault != detail::kernel_fault::none ||
                             detail::is_callable_on<typename traits::execution_space, Kernel>;
  static_assert(reachable,
                "hpk::parallel_for: a plain function can't run on a GPU; write HPK_LAMBDA(int i) { "
                "... } or an object with operator()(int i) const");
  if constexpr (fault == detail::kernel_fault::none && reachable) {
    using parameter = detail::index_parameter_t<0, 1, index, Kernel, tag>;
    const seam::launch_info info{.pattern = "parallel_for", .label = label, .where = where};
    if (!detail::holds_bound<parameter>(policy.size())) {
      detail::reject_index_range(info, detail::number(0), detail::number(policy.size()),
                                 detail::number(detail::highest_index<parameter>()));
    }
    policy.template run<detail::counter_t<parameter, index>>(detail::as_object(kernel), info);
  }
}
/// parallel_for without a label.
template <class... Args, class Kernel>
void parallel_for(const WorkGraphPolicy<Args...>& policy, const Kernel& kernel,
                  const std::source_location& where = std::source_location::current()) {
  parallel_for(std::string_view(), policy, kernel, where);
}

namespace detail {
template <class Policy>
constexpr void refuse_fold_of_graph() {
  static_assert(always_false<Policy>,
                "hpk: a WorkGraphPolicy is for parallel_for alone; write parallel_for, and add to "
                "elements of a View by hpk::atomic_add");
}
}  // namespace detail

/// @cond internal
// Rejected by a static_assert.
template <class... Args, class F, class R>
void parallel_reduce(std::string_view, const WorkGraphPolicy<Args...>&, const F&, R&&) {
  detail::refuse_fold_of_graph<WorkGraphPolicy<Args...>>();
}
template <class... Args, class F, class R>
void parallel_reduce(const WorkGraphPolicy<Args...>&, const F&, R&&) {
  detail::refuse_fold_of_graph<WorkGraphPolicy<Args...>>();
}
template <class... Args, class F>
void parallel_scan(std::string_view, const WorkGraphPolicy<Args...>&, const F&) {
  detail::refuse_fold_of_graph<WorkGraphPolicy<Args...>>();
}
template <class... Args, class F>
void parallel_scan(const WorkGraphPolicy<Args...>&, const F&) {
  detail::refuse_fold_of_graph<WorkGraphPolicy<Args...>>();
}
/// @endcond

}  // namespace hpk
