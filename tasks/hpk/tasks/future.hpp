// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Futures: handles of tasks and of their results.
#pragma once

#include <hpk/error.hpp>
#include <hpk/tasks/task.hpp>

#include <concepts>
#include <source_location>
#include <type_traits>
#include <utility>

namespace hpk::detail {

/// A task and its result.
template <class V>
struct task_with_result : task_node {
  using task_node::task_node;
  V result{};
};
template <>
struct task_with_result<void> : task_node {
  using task_node::task_node;
};

}  // namespace hpk::detail

namespace hpk {

/// The handle of a task of Scheduler whose functor has the value_type V, which may be void. Copies
/// refer to the same task. The result is destroyed when the task is done and its last future is
/// destroyed. Converts to BasicFuture<void, Scheduler>. As thread-safe as std::shared_ptr.
template <class V, class Scheduler>
class BasicFuture {
 public:
  using value_type = V;              ///< the type of the result; void without one
  using scheduler_type = Scheduler;  ///< runs the task

  /// A null future, without a task.
  HPK_FUNCTION BasicFuture() noexcept {}
  /// For the library: makes a future of a task.
  explicit BasicFuture(detail::task_share task) noexcept : task_(std::move(task)) {}
  /// A future of the same task without its value.
  ///@{
  template <class U>
    requires(std::is_void_v<V> && !std::is_void_v<U>)
  HPK_FUNCTION BasicFuture(const BasicFuture<U, Scheduler>& other) noexcept
      : task_(other.share()) {}
  template <class U>
    requires(std::is_void_v<V> && !std::is_void_v<U>)
  HPK_FUNCTION BasicFuture(BasicFuture<U, Scheduler>&& other) noexcept
      : task_(std::move(other).share()) {}
  ///@}

  /// Whether there is no task: it was never spawned, or the scheduler's pool had no memory for it.
  /// After a failed spawn that the program does not check here, wait() throws hpk::error.
  HPK_FUNCTION bool is_null() const noexcept { return task_.look() == nullptr; }
  /// Whether the task is done, so that get() returns; false for a null future. Never waits. A
  /// failed task is ready too; get() throws its error.
  HPK_FUNCTION bool is_ready() const noexcept {
    HPK_IF_ON_HOST((const detail::task_node* task = task_.look();
                    return task != nullptr && detail::is_done(*task);))
    HPK_IF_ON_DEVICE((return false;))
  }
  /// Returns the result of the task. Throws hpk::error with the name of the task if the future is
  /// null, if the task is not done or threw, or if a task that it waited for failed.
  HPK_FUNCTION std::add_lvalue_reference_t<const V> get(
      [[maybe_unused]] const std::source_location& where = std::source_location::current()) const
    requires(!std::is_void_v<V>)
  {
    HPK_IF_ON_HOST((detail::task_node& task = task_.expect("hpk::BasicFuture::get", where);
                    detail::expect_result(task, where);
                    return static_cast<detail::task_with_result<V>&>(task).result;))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::BasicFuture: tasks run on host spaces");))
  }
  /// As above, without a value.
  HPK_FUNCTION void get(
      [[maybe_unused]] const std::source_location& where = std::source_location::current()) const
    requires(std::is_void_v<V>)
  {
    HPK_IF_ON_HOST((detail::expect_result(task_.expect("hpk::BasicFuture::get", where), where);))
  }
  /// Becomes a null future.
  HPK_FUNCTION void clear() noexcept { task_ = detail::task_share(); }
  /// The number of futures of the task, plus one until it is done; 0 for a null future. Other
  /// threads may change it at the same time.
  HPK_FUNCTION int reference_count() const noexcept {
    HPK_IF_ON_HOST((const detail::task_node* task = task_.look();
                    return task == nullptr ? 0 : task->owners.load(detail::memory_order::relaxed);))
    HPK_IF_ON_DEVICE((return 0;))
  }

  /// For the library: the share in the task that the future holds.
  ///@{
  HPK_FUNCTION const detail::task_share& share() const& noexcept { return task_; }
  HPK_FUNCTION detail::task_share&& share() && noexcept {
    return static_cast<detail::task_share&&>(task_);
  }
  ///@}
  /// Whether both refer to the same task, or both are null.
  HPK_FUNCTION friend bool operator==(const BasicFuture& a, const BasicFuture& b) noexcept {
    return a.task_.look() == b.task_.look();
  }

 private:
  detail::task_share task_;
};

}  // namespace hpk
