// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type-independent part of tasks, for the scheduler, futures and spawns.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/error.hpp>
#include <hpk/memory_pool.hpp>
#include <hpk/parallel.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string_view>

namespace hpk {

/// The priority of a ready task among others: a hint.
enum class TaskPriority : int { High = 0, Regular = 1, Low = 2 };

}  // namespace hpk

namespace hpk::detail {

/// The tasks of a scheduler, their memory, and the workers that run them (task_queue.cpp).
class task_queue;
struct task_node;

/// An entry in the list of tasks that wait for a task.
struct task_link {
  task_link* next = nullptr;
  task_node* task = nullptr;
};

/// The functions that are compiled for a functor type.
struct task_type {
  void (*run)(task_node& task, void* member);  ///< null for when_all
  void (*end_functor)(task_node& task) noexcept;
  void (*end_result)(task_node& task) noexcept;
  void* (*functor)(task_node& task) noexcept;
  std::size_t functor_bytes;
};

/// A task. Its result and functor, or the links of a when_all, follow in memory.
struct task_node {
  task_node(task_queue& q, const task_type& t, std::string_view label,
            const std::source_location& where, std::size_t size) noexcept
      : queue(&q), type(&t), info{{"task", label, where}, false}, bytes(size) {}

  task_queue* queue;
  const task_type* type;
  seam::task_info info;
  std::size_t bytes;
  atomic_word<task_link*> waiters{nullptr};  // or a mark, once the task is done
  atomic_word<int> owners{1};                // futures, plus the task itself until it is done
  atomic_word<int> missing{0};               // number of unfinished tasks that it waits for
  atomic_word<bool> doomed{false};           // whether one of them failed
  int slot = 0;                              // the slot whose list of waiting tasks contains it
  TaskPriority priority = TaskPriority::Regular;
  bool respawned = false;       // whether it called respawn()
  task_node* behind = nullptr;  // then: the task to wait for, of which it holds a share
  task_link link;
  task_node* before = nullptr;  // previous in its list
  task_node* after = nullptr;
};

/// Shared ownership of a task, for futures. A share can also record that there was no memory for a
/// task, until the program checks this; otherwise the task would be lost silently.
class task_share {
 public:
  HPK_FUNCTION constexpr task_share() noexcept {}
  /// Takes over a share.
  explicit task_share(task_node* task) noexcept : word_(reinterpret_cast<std::uintptr_t>(task)) {}
  /// Returns a share that records a task for which there was no memory.
  static task_share missing(task_queue& queue) noexcept;
  HPK_FUNCTION task_share(const task_share& other) noexcept {
    HPK_IF_ON_HOST((copy_from(other);))
    HPK_IF_ON_DEVICE((word_ = other.word_;))
  }
  HPK_FUNCTION task_share(task_share&& other) noexcept : word_(other.word_) { other.word_ = 0; }
  HPK_FUNCTION task_share& operator=(task_share other) noexcept {
    const std::uintptr_t old = word_;
    word_ = other.word_;
    other.word_ = old;
    return *this;
  }
  HPK_FUNCTION ~task_share() { HPK_IF_ON_HOST((if (word_ != 0) release();)) }

  /// Returns the task, or null. Counts as a check by the program.
  HPK_FUNCTION task_node* look() const noexcept {
    HPK_IF_ON_HOST((const std::uintptr_t word = load(); if ((word & tag) == 0) return as_task(word);
                    forgive();))
    return nullptr;
  }
  /// Returns the task. Without one, throws an hpk::error that begins with `call`.
  task_node& expect(const char* call, const std::source_location& where) const;
  /// Whether the share records missing memory that the program has not checked.
  bool is_missing() const noexcept { return (load() & tag) != 0; }

 private:
  static constexpr std::uintptr_t tag = 1;
  static task_node* as_task(std::uintptr_t word) noexcept {
    return reinterpret_cast<task_node*>(word);
  }
  std::uintptr_t load() const noexcept {
    return word_ref<std::uintptr_t>(word_).load(memory_order::relaxed);
  }
  void copy_from(const task_share& other) noexcept;
  void release() noexcept;
  void forgive() const noexcept;
  // Changed by the first check, possibly by one of several threads that read the same future.
  mutable std::uintptr_t word_ = 0;
};

/// The sizes of a scheduler's pool.
struct task_pool_sizes {
  std::size_t capacity;
  std::size_t min_block;
  std::size_t max_block;
  std::size_t superblock;
};

/// Makes a queue for `workers` workers, with one handle. Throws hpk::error inside a kernel.
task_queue* make_task_queue(int workers, std::string_view space, const task_pool_sizes& sizes);
/// As above, over an existing pool.
task_queue* make_task_queue(int workers, std::string_view space, const MemoryPool<HostSpace>& pool);
void retain(task_queue& queue) noexcept;
/// Releases a handle; the last one destroys the queue. Tasks that have not run end the program with
/// a message; while an exception is propagating they are dropped with a message.
void release(task_queue& queue);

/// Allocates memory for a task. Returns null, and records the failure under `label`, if the pool is
/// full. Throws hpk::error if the task is larger than the largest block.
void* allocate_task(task_queue& queue, std::size_t bytes, std::string_view label,
                    const std::source_location& where);
/// Frees the memory of a task that could not be made.
void deallocate_task(task_queue& queue, void* memory, std::size_t bytes) noexcept;
/// Makes a task ready when `behind` is done; immediately if `behind` is null.
void submit_task(task_node& task, task_node* behind);
/// Makes a when_all over tasks, ignoring null ones. If the pool is full, returns a share that
/// records this.
task_share make_when_all(task_queue& queue, const task_share* const* futures, int count,
                         const std::source_location& where);
std::size_t when_all_bytes(int count) noexcept;

/// Whether a task is done.
bool is_done(const task_node& task) noexcept;
/// Throws hpk::error unless the task is done and did not fail.
void expect_result(const task_node& task, const std::source_location& where);
/// Throws hpk::error inside a kernel and, with `task`, unless the thread runs a task.
void expect_same_queue(const task_queue& queue, const task_node& of, const char* call,
                       const std::source_location& where);
/// Throws hpk::error inside a kernel; with `task`, unless the thread runs a task.
void expect_may_spawn(const char* call, bool task, const std::source_location& where);
/// Makes the running task, whose functor is at `self`, run again; after `behind` unless `behind` is
/// null.
void respawn_task(const void* self, const task_share* behind, TaskPriority priority,
                  const std::source_location& where);

/// Throws hpk::error inside a kernel or task.
void expect_may_wait(const char* call, const std::source_location& where);
/// Returns the number of workers that a wait needs; 0 if there is no task to run.
int begin_work(task_queue& queue);
/// The body of a worker.
void work(task_queue& queue, int rank, void* member) noexcept;
/// Throws the exception of a failed task, or hpk::error if tasks wait for each other or had no
/// memory.
void end_work(task_queue& queue, const std::source_location& where);

/// The counters that TaskScheduler reports.
struct task_counts {
  std::size_t capacity;
  std::size_t now;
  std::size_t most;
  std::size_t all;
};
task_counts counts_of(const task_queue& queue) noexcept;

}  // namespace hpk::detail
