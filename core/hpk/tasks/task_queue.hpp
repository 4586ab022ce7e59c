// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tasks of a scheduler and the workers that run them; for .cpp files of this folder.
//
// Every worker has a slot: lists of ready tasks by priority, a list of its tasks that wait, and
// blocks of memory that it used before. It takes its newest ready task, which keeps the tree of
// tasks narrow and caches warm; one without work takes the oldest task of another. A task is in one
// list at a time, or runs. Threads that run no tasks share one more slot.
#pragma once

#include <hpk/tasks/task.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace hpk::detail {

/// The marks of a task that is done, in place of who waits for it.
extern task_link done_mark;
extern task_link failed_mark;
inline bool is_mark(const task_link* link) noexcept {
  return link == &done_mark || link == &failed_mark;
}

/// What a thread runs that works for a queue.
struct worker_state {
  task_queue* queue;
  int slot;
  task_node* task;
};
/// That of the calling thread, or null.
worker_state* find_worker() noexcept;

/// A lock for a few instructions. With more threads than CPUs the one that holds it may have lost
/// its CPU, so who waits gives up its own.
class short_lock {
 public:
  void lock() noexcept {
    while (taken_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() noexcept { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

/// Tasks one behind the other.
struct task_list {
  task_node* first = nullptr;
  task_node* last = nullptr;
  void push_front(task_node& task) noexcept;
  void push_back(task_node& task) noexcept;
  void remove(task_node& task) noexcept;
};

/// What belongs to a worker.
struct alignas(64) task_slot {
  short_lock guard;
  task_list ready[3];
  std::atomic<std::uint32_t> ready_count{0};
  short_lock waiting_guard;
  task_list waiting;
  // Changed by the worker alone; those of the shared slot under `outside`.
  std::atomic<std::int64_t> made{0};
  std::atomic<std::int64_t> ended{0};
  std::atomic<std::int64_t> most{0};
  static constexpr int sizes = 16;  // of blocks, by powers of two
  struct spare {
    void* first = nullptr;
    int count = 0;
  } spares[sizes];
};

class task_queue {
 public:
  task_queue(int workers, std::string_view space, MemoryPool<HostSpace> pool);
  ~task_queue();
  task_queue(const task_queue&) = delete;
  task_queue& operator=(const task_queue&) = delete;

  void* allocate(std::size_t bytes) noexcept;
  void deallocate(void* memory, std::size_t bytes) noexcept;
  void release_task(task_node& task) noexcept;
  void submit(task_node& task, task_node* behind, bool here) noexcept;
  /// The task becomes ready once all of them are done; links[k] belongs to behind[k].
  void wait_for_all(task_node& task, task_link* links, task_node* const* behind,
                    int count) noexcept;
  /// The task is done; so are all that become done by it.
  void finish(task_node& task, bool failed) noexcept;
  void work(int rank, void* member) noexcept;
  int slot_here() const noexcept;
  bool any_ready() const noexcept;
  bool any_waiting() noexcept;
  /// Drops all tasks that wait; lists the first of them.
  std::string drop_waiting();
  /// The same for those that are ready.
  std::string drop_ready();

  const int workers;
  const std::string space;
  MemoryPool<HostSpace> pool;
  const int most_spares;
  const std::unique_ptr<task_slot[]> slots;
  std::atomic<int> handles{1};
  std::mutex outside;
  std::mutex waiting_outside;  // held while others than workers have a task wait, or drop some
  bool closing = false;

  // Of one call of wait().
  std::atomic<std::uint64_t> activity{0};  // workers that are not idle; above, how often one woke
  std::atomic<std::uint32_t> news{0};      // changes when there may be something to do
  std::atomic<std::uint32_t> sleepers{0};
  std::atomic<bool> finished{true};

  std::mutex failures_guard;
  std::exception_ptr failure;
  int refused = 0;  // spawns that found no memory and that nobody looked at
  std::string refused_text;

 private:
  void run(task_node& task, void* member) noexcept;
  void make_ready(task_node& task, bool here) noexcept;
  void tell(task_node& task, bool failed, task_node*& done) noexcept;
  task_node* take(int slot, bool oldest) noexcept;
  task_node* find(int rank) noexcept;
  bool become_idle() noexcept;
  std::string drop(bool ready);
};

}  // namespace hpk::detail
