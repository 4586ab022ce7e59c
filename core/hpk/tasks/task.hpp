// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the scheduler knows of a task, and what it does for futures and spawns, without their types.
#pragma once

#include <hpk/backends/backends.hpp>
#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/structures/memory_pool.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string_view>

namespace hpk {

/// How soon a task that is ready runs, compared with others: a hint.
enum class TaskPriority : int { High = 0, Regular = 1, Low = 2 };

}  // namespace hpk

namespace hpk::detail {

/// The tasks of a scheduler, their memory, and the workers that run them (task_queue.cpp).
class task_queue;
struct task_node;

/// An entry in the list of those that wait for a task.
struct task_link {
  task_link* next = nullptr;
  task_node* who = nullptr;
};

/// What is compiled for the type of a functor.
struct task_type {
  void (*run)(task_node& task, void* member);  ///< null for when_all
  void (*end_functor)(task_node& task) noexcept;
  void (*end_result)(task_node& task) noexcept;
  void* (*functor)(task_node& task) noexcept;
  std::size_t functor_bytes;
};

/// A task. Behind it lie its result and its functor, or the links of a when_all.
struct task_node {
  task_node(task_queue& q, const task_type& t, std::string_view label,
            const std::source_location& where, std::size_t size) noexcept
      : queue(&q), type(&t), info{{"task", label, where}, false}, bytes(size) {}

  task_queue* queue;
  const task_type* type;
  seam::task_info info;
  std::size_t bytes;
  atomic_word<task_link*> waiters{nullptr};  // or a mark, once it is done
  atomic_word<int> owners{1};                // futures, and itself until it is done
  atomic_word<int> missing{0};               // tasks that it waits for
  atomic_word<bool> doomed{false};           // one of them failed
  int slot = 0;                              // in whose list of waiting tasks it is
  TaskPriority priority = TaskPriority::Regular;
  bool again = false;           // it asked to run once more
  task_node* behind = nullptr;  // then: behind that one, which it owns a share of
  task_link link;
  task_node* before = nullptr;  // in the list that it is in
  task_node* after = nullptr;
};

/// A share of a task, for futures. One that stands for a task that found no memory knows it until
/// somebody looks; else the task would be lost without a word.
class task_share {
 public:
  HPK_FUNCTION constexpr task_share() noexcept {}
  /// Takes a share over.
  explicit task_share(task_node* task) noexcept : word_(reinterpret_cast<std::uintptr_t>(task)) {}
  /// Stands for one that found no memory.
  static task_share missing(task_queue& queue) noexcept;
  HPK_FUNCTION task_share(const task_share& other) noexcept {
    HPK_IF_ON_HOST((copy_from(other);))
    HPK_IF_ON_DEVICE((word_ = other.word_;))
  }
  HPK_FUNCTION task_share(task_share&& other) noexcept : word_(other.word_) { other.word_ = 0; }
  HPK_FUNCTION task_share& operator=(task_share other) noexcept {
    const std::uintptr_t mine = word_;
    word_ = other.word_;
    other.word_ = mine;
    return *this;
  }
  HPK_FUNCTION ~task_share() { HPK_IF_ON_HOST((if (word_ != 0) release();)) }

  /// The task, or null; whoever asks has looked.
  HPK_FUNCTION task_node* look() const noexcept {
    HPK_IF_ON_HOST((const std::uintptr_t word = load(); if ((word & tag) == 0) return as_task(word);
                    forgive();))
    return nullptr;
  }
  /// The task; throws hpk::error that begins with `call` when there is none.
  task_node& expect(const char* call, const std::source_location& where) const;
  /// Whether it stands for one that found no memory, and nobody looked.
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
  // Changed by whoever looks first, maybe one of several that read the same future.
  mutable std::uintptr_t word_ = 0;
};

/// What a scheduler is made of.
struct task_pool_sizes {
  std::size_t capacity;
  std::size_t min_block;
  std::size_t max_block;
  std::size_t superblock;
};

/// Makes one for so many workers, with one handle. Throws hpk::error inside of a kernel.
task_queue* make_task_queue(int workers, std::string_view space, const task_pool_sizes& sizes);
/// The same over a pool.
task_queue* make_task_queue(int workers, std::string_view space, const MemoryPool<HostSpace>& pool);
void retain(task_queue& queue) noexcept;
/// The last handle ends the queue. Tasks that nobody ran end the program with a message, or are
/// dropped with one while an exception is on its way.
void release(task_queue& queue);

/// Memory of a task; null when there is none, which is noted as that of `label`. Throws hpk::error
/// when no block is so large.
void* allocate_task(task_queue& queue, std::size_t bytes, std::string_view label,
                    const std::source_location& where);
/// The same back, of a task that could not be made.
void deallocate_task(task_queue& queue, void* memory, std::size_t bytes) noexcept;
/// Makes a task ready, once `behind` is done if that is not null.
void submit_task(task_node& task, task_node* behind);
/// A when_all over tasks, null ones left out; a share, maybe one that found no memory.
task_share make_when_all(task_queue& queue, const task_share* const* futures, int count,
                         const std::source_location& where);
std::size_t when_all_bytes(int count) noexcept;

/// Whether a task is done.
bool is_done(const task_node& task) noexcept;
/// Throws hpk::error unless a task is done and did not fail.
void expect_result(const task_node& task, const std::source_location& where);
/// Throws hpk::error unless the tasks are of one queue.
void expect_same_queue(const task_queue& queue, const task_node& of, const char* call,
                       const std::source_location& where);
/// Throws hpk::error inside of a kernel; with `task`, unless the thread runs a task.
void expect_may_spawn(const char* call, bool task, const std::source_location& where);
/// Has the running task, whose functor is at `self`, run once more; behind another if that is not
/// null.
void respawn_task(const void* self, const task_share* behind, TaskPriority priority,
                  const std::source_location& where);

/// Throws hpk::error inside of a kernel or task.
void expect_may_wait(const char* call, const std::source_location& where);
/// The workers that a call of wait needs; 0 when there is nothing to do.
int begin_work(task_queue& queue);
/// What a worker does.
void work(task_queue& queue, int rank, void* member) noexcept;
/// Throws what a task threw, or hpk::error when tasks wait for each other or found no memory.
void end_work(task_queue& queue, const std::source_location& where);

/// The numbers that TaskScheduler offers.
struct task_counts {
  std::size_t capacity;
  std::size_t now;
  std::size_t most;
  std::size_t all;
};
task_counts counts_of(const task_queue& queue) noexcept;

}  // namespace hpk::detail
