// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tasks of a scheduler and the workers that run them; only for .cpp files of this folder.
//
// Each worker has a slot: lists of ready tasks by priority, a list of its waiting tasks, and free
// blocks for reuse. A worker takes its newest ready task, which keeps the tree of tasks narrow and
// caches warm. A worker without tasks steals the oldest task of another worker. A task is either in
// one list or running. Threads that are not workers share an extra slot.
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

/// Marks of finished tasks, in place of their lists of waiting tasks.
extern task_link done_mark;
extern task_link failed_mark;
inline bool is_mark(const task_link* link) noexcept {
  return link == &done_mark || link == &failed_mark;
}

/// The state of a thread that works for a queue.
struct worker_state {
  task_queue* queue;
  int slot;
  task_node* task;
};
/// The state of the calling thread, or null.
worker_state* find_worker() noexcept;

/// A lock for a few instructions. With more threads than CPUs its holder may have been preempted,
/// so a waiting thread yields.
class short_lock {
 public:
  void lock() noexcept {
    while (taken_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() noexcept { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

/// A linked list of tasks.
struct task_list {
  task_node* first = nullptr;
  task_node* last = nullptr;
  void push_front(task_node& task) noexcept;
  void push_back(task_node& task) noexcept;
  void remove(task_node& task) noexcept;
};

/// The data of a worker.
struct alignas(64) task_slot {
  short_lock guard;
  task_list ready[3];
  std::atomic<std::uint32_t> ready_count{0};
  short_lock waiting_guard;
  task_list waiting;
  // Changed only by the worker; in the shared slot only under `outside`.
  std::atomic<std::int64_t> made{0};
  std::atomic<std::int64_t> ended{0};
  std::atomic<std::int64_t> most{0};
  static constexpr int sizes = 16;  // block sizes, by powers of two
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
  /// Makes the task ready when all tasks of behind[] are done; links[k] belongs to behind[k].
  void wait_for_all(task_node& task, task_link* links, task_node* const* behind,
                    int count) noexcept;
  /// Marks the task as done, and then all tasks that are done because of it.
  void finish(task_node& task, bool failed) noexcept;
  void work(int rank, void* member) noexcept;
  int slot_here() const noexcept;
  bool any_ready() const noexcept;
  bool any_waiting() noexcept;
  /// Drops all waiting tasks; returns a list of the first ones.
  std::string drop_waiting();
  /// Drops all ready tasks; returns a list of the first ones.
  std::string drop_ready();

  const int workers;
  const std::string space;
  MemoryPool<HostSpace> pool;
  const int most_spares;
  const std::unique_ptr<task_slot[]> slots;
  std::atomic<int> handles{1};
  std::mutex outside;
  std::mutex waiting_outside;  // guards dropping, and the waiting tasks of the shared slot
  bool closing = false;

  // The state of one call of wait().
  std::atomic<std::uint64_t> activity{0};  // low half: active workers; high half: wake-ups
  std::atomic<std::uint32_t> news{0};      // changes when there may be something to do
  std::atomic<std::uint32_t> sleepers{0};
  std::atomic<bool> finished{true};

  std::mutex failures_guard;
  std::exception_ptr failure;
  int refused = 0;  // failed spawns that the program never checked
  std::string refused_text;

 private:
  void run(task_node& task, void* member) noexcept;
  void make_ready(task_node& task, bool here) noexcept;
  void notify(task_node& task, bool failed, task_node*& done) noexcept;
  task_node* take(int slot, bool oldest) noexcept;
  task_node* find(int rank) noexcept;
  bool become_idle() noexcept;
  std::string drop(bool ready);
};

}  // namespace hpk::detail
