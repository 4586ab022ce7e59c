// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spawning: host_spawn, task_spawn and respawn, and the policies that set the scheduler, the
// predecessor and the priority of a task.
#pragma once

#include <hpk/parallel.hpp>
#include <hpk/tasks/scheduler.hpp>
#include <hpk/type_name.hpp>

#include <concepts>
#include <new>
#include <source_location>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk {

/// The policy of one spawn, from TaskSingle and TaskTeam.
template <class Scheduler>
class TaskPolicy {
 public:
  using scheduler_type = Scheduler;  ///< runs the task
  /// For the library: made by TaskSingle() and TaskTeam().
  HPK_FUNCTION TaskPolicy(detail::task_queue* queue, detail::task_share behind,
                          TaskPriority priority) noexcept
      : queue_(queue), behind_(static_cast<detail::task_share&&>(behind)), priority_(priority) {}
  /// For the library: the queue, the task to wait for, and the priority.
  ///@{
  HPK_FUNCTION detail::task_queue& queue() const noexcept { return *queue_; }
  HPK_FUNCTION const detail::task_share& behind() const noexcept { return behind_; }
  HPK_FUNCTION TaskPriority priority() const noexcept { return priority_; }
  ///@}

 private:
  detail::task_queue* queue_;
  detail::task_share behind_;
  TaskPriority priority_;
};

}  // namespace hpk

namespace hpk::detail {

template <class Exec>
HPK_FUNCTION TaskPolicy<TaskScheduler<Exec>> make_task_policy(const TaskScheduler<Exec>& scheduler,
                                                              TaskPriority priority) {
  return {&scheduler.queue(), task_share(), priority};
}
template <class Exec, class V>
HPK_FUNCTION TaskPolicy<TaskScheduler<Exec>> make_task_policy(
    [[maybe_unused]] const TaskScheduler<Exec>& scheduler,
    [[maybe_unused]] const BasicFuture<V, TaskScheduler<Exec>>& behind,
    [[maybe_unused]] TaskPriority priority, [[maybe_unused]] const char* call,
    [[maybe_unused]] const std::source_location& where) {
  HPK_IF_ON_HOST(
      (expect_same_queue(scheduler.queue(), behind.share().expect(call, where), call, where);))
  return {&scheduler.queue(), behind.share(), priority};
}
template <class V, class Exec>
HPK_FUNCTION TaskPolicy<TaskScheduler<Exec>> make_task_policy(
    const BasicFuture<V, TaskScheduler<Exec>>& behind, TaskPriority priority,
    [[maybe_unused]] const char* call, [[maybe_unused]] const std::source_location& where) {
  task_queue* queue = nullptr;
  HPK_IF_ON_HOST((queue = behind.share().expect(call, where).queue;))
  return {queue, behind.share(), priority};
}

/// The task of a functor of type F.
template <class Member, class F>
struct task_of : task_with_result<typename F::value_type> {
  using base = task_with_result<typename F::value_type>;
  template <class Given>
  task_of(Given&& functor, task_queue& in, std::string_view label,
          const std::source_location& where)
      : base(in, functions, label, where, sizeof(task_of)) {
    ::new (static_cast<void*>(bytes_of_functor)) F(std::forward<Given>(functor));
  }
  static F& functor_of(task_node& task) noexcept {
    return *std::launder(reinterpret_cast<F*>(static_cast<task_of&>(task).bytes_of_functor));
  }
  static void run(task_node& task, void* member) {
    auto& handle = *static_cast<Member*>(member);
    if constexpr (std::is_void_v<typename F::value_type>) {
      functor_of(task)(handle);
    } else {
      functor_of(task)(handle, static_cast<base&>(task).result);
    }
  }
  static void end_functor(task_node& task) noexcept { functor_of(task).~F(); }
  static void end_result(task_node& task) noexcept { static_cast<task_of&>(task).~task_of(); }
  static void* find_functor(task_node& task) noexcept { return &functor_of(task); }
  static constexpr task_type functions{&run, &end_functor, &end_result, &find_functor, sizeof(F)};

  alignas(F) std::byte bytes_of_functor[sizeof(F)];
};

/// Whether a functor is a task. static_asserts report what is missing.
template <class F>
concept task_functor = requires { typename F::value_type; };
template <class F, class Member>
constexpr bool takes_member() {
  if constexpr (!task_functor<F>) {
    return true;
  } else if constexpr (std::is_void_v<typename F::value_type>) {
    return std::is_invocable_v<F&, Member&>;
  } else {
    return std::is_invocable_v<F&, Member&, typename F::value_type&>;
  }
}

/// Whether a functor takes its result by value.
template <class F>
constexpr bool loses_result() {
  if constexpr (!task_functor<F> || std::is_void_v<parameters_of<F>>) {
    return false;
  } else {
    return !std::is_void_v<typename F::value_type> &&
           !is_update_v<parameter_at<1, parameters_of<F>>>;
  }
}

template <class Scheduler, class F>
BasicFuture<typename std::decay_t<F>::value_type, Scheduler> spawn(
    std::string_view label, const TaskPolicy<Scheduler>& policy, F&& functor,
    const std::source_location& where) {
  using functor_type = std::decay_t<F>;
  using made_type = task_of<typename Scheduler::member_type, functor_type>;
  static_assert(alignof(made_type) <= 64, "hpk: a task is aligned to 64 bytes at most");
  if (label.empty()) label = type_name<functor_type>();
  task_queue& queue = policy.queue();
  void* const memory = allocate_task(queue, sizeof(made_type), label, where);
  if (memory == nullptr)
    return BasicFuture<typename functor_type::value_type, Scheduler>(task_share::missing(queue));
  made_type* task = nullptr;
  try {
    task = ::new (memory) made_type(std::forward<F>(functor), queue, label, where);
  } catch (...) {
    deallocate_task(queue, memory, sizeof(made_type));
    throw;
  }
  task->priority = policy.priority();
  task->owners.store(2, memory_order::relaxed);
  BasicFuture<typename functor_type::value_type, Scheduler> future{task_share(task)};
  submit_task(*task, policy.behind().look());
  return future;
}

/// Checks a task functor; reports at most one error.
template <class Scheduler, class F>
constexpr bool check_task() {
  constexpr bool has_value_type = task_functor<F>;
  constexpr bool is_called = takes_member<F, typename Scheduler::member_type>();
  static_assert(has_value_type,
                "hpk::task_spawn, hpk::host_spawn: the functor has no value_type; write using "
                "value_type = T; for operator()(member, T& result), or void");
  static_assert(is_called,
                "hpk::task_spawn, hpk::host_spawn: the functor can't be called; write void "
                "operator()(typename Scheduler::member_type& member, value_type& result), without "
                "result if value_type is void");
  constexpr bool keeps_result = !is_called || !loses_result<F>();
  static_assert(keeps_result,
                "hpk::task_spawn, hpk::host_spawn: the functor takes its result by value, so it is "
                "lost; write value_type& result");
  return has_value_type && is_called && keeps_result;
}

/// The value_type for the result of a spawn, also for an invalid functor, which must not cause a
/// second error.
template <class F>
constexpr auto find_value_type() {
  if constexpr (task_functor<F>) {
    return type_identity<typename F::value_type>();
  } else {
    return type_identity<void>();
  }
}
template <class F, class Scheduler>
using spawned_t = BasicFuture<typename decltype(find_value_type<F>())::type, Scheduler>;

}  // namespace hpk::detail

namespace hpk {

template <class Exec>
template <class F>
HPK_FUNCTION constexpr std::size_t TaskScheduler<Exec>::spawn_allocation_size() {
  return sizeof(detail::task_of<member_type, F>);
}

/// A task that one worker runs as soon as one is free. The scheduler must outlive the policy.
template <class Exec>
HPK_FUNCTION auto TaskSingle(const TaskScheduler<Exec>& scheduler,
                             TaskPriority priority = TaskPriority::Regular) {
  return detail::make_task_policy(scheduler, priority);
}
/// As above, after the task of `behind` is done. Throws hpk::error for a null future and for a
/// future of another scheduler.
template <class Exec, class V>
HPK_FUNCTION auto TaskSingle(const TaskScheduler<Exec>& scheduler,
                             const BasicFuture<V, TaskScheduler<Exec>>& behind,
                             TaskPriority priority = TaskPriority::Regular,
                             const std::source_location& where = std::source_location::current()) {
  return detail::make_task_policy(scheduler, behind, priority, "hpk::TaskSingle", where);
}
/// As above, on the scheduler of the future.
template <class V, class Exec>
HPK_FUNCTION auto TaskSingle(const BasicFuture<V, TaskScheduler<Exec>>& behind,
                             TaskPriority priority = TaskPriority::Regular,
                             const std::source_location& where = std::source_location::current()) {
  return detail::make_task_policy(behind, priority, "hpk::TaskSingle", where);
}
/// A task that a team runs. Teams of host spaces have one thread here, so this equals TaskSingle
/// with the same arguments.
///@{
template <class Exec>
HPK_FUNCTION auto TaskTeam(const TaskScheduler<Exec>& scheduler,
                           TaskPriority priority = TaskPriority::Regular) {
  return detail::make_task_policy(scheduler, priority);
}
template <class Exec, class V>
HPK_FUNCTION auto TaskTeam(const TaskScheduler<Exec>& scheduler,
                           const BasicFuture<V, TaskScheduler<Exec>>& behind,
                           TaskPriority priority = TaskPriority::Regular,
                           const std::source_location& where = std::source_location::current()) {
  return detail::make_task_policy(scheduler, behind, priority, "hpk::TaskTeam", where);
}
template <class V, class Exec>
HPK_FUNCTION auto TaskTeam(const BasicFuture<V, TaskScheduler<Exec>>& behind,
                           TaskPriority priority = TaskPriority::Regular,
                           const std::source_location& where = std::source_location::current()) {
  return detail::make_task_policy(behind, priority, "hpk::TaskTeam", where);
}
///@}

/// Spawns a task from the program: a copy of the functor, which has a value_type T and `void
/// operator()(member, T& result)`, without `result` if T is void. The first call finds result ==
/// T(). The task runs in wait(). Messages name it by the label, which must outlive the task, or by
/// the type of the functor. Returns its future; a null future when the pool has no memory. Throws
/// hpk::error inside a kernel, and when the task is larger than the largest block of the pool. Any
/// thread.
template <class Scheduler, class F>
auto host_spawn(std::string_view label, const TaskPolicy<Scheduler>& policy, F&& functor,
                const std::source_location& where = std::source_location::current())
    -> detail::spawned_t<std::decay_t<F>, Scheduler> {
  if constexpr (detail::check_task<Scheduler, std::decay_t<F>>()) {
    detail::expect_may_spawn("hpk::host_spawn", false, where);
    return detail::spawn(label, policy, std::forward<F>(functor), where);
  } else {
    return {};
  }
}
/// As above, without a label.
template <class Scheduler, class F>
auto host_spawn(const TaskPolicy<Scheduler>& policy, F&& functor,
                const std::source_location& where = std::source_location::current())
    -> detail::spawned_t<std::decay_t<F>, Scheduler> {
  return host_spawn(std::string_view(), policy, std::forward<F>(functor), where);
}
/// Spawns a task from inside a task. Throws hpk::error outside of tasks.
HPK_CALLS_EITHER
template <class Scheduler, class F>
HPK_FUNCTION auto task_spawn(
    [[maybe_unused]] std::string_view label, [[maybe_unused]] const TaskPolicy<Scheduler>& policy,
    [[maybe_unused]] F&& functor,
    [[maybe_unused]] const std::source_location& where = std::source_location::current())
    -> detail::spawned_t<std::decay_t<F>, Scheduler> {
  if constexpr (detail::check_task<Scheduler, std::decay_t<F>>()) {
    HPK_IF_ON_HOST((detail::expect_may_spawn("hpk::task_spawn", true, where);
                    return detail::spawn(label, policy, static_cast<F&&>(functor), where);))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::task_spawn: tasks run on host spaces");))
  }
  return {};
}
/// As above, without a label.
HPK_CALLS_EITHER
template <class Scheduler, class F>
HPK_FUNCTION auto task_spawn(const TaskPolicy<Scheduler>& policy, F&& functor,
                             const std::source_location& where = std::source_location::current())
    -> detail::spawned_t<std::decay_t<F>, Scheduler> {
  return task_spawn(std::string_view(), policy, static_cast<F&&>(functor), where);
}

/// Makes the running task, which passes `this`, run again: when operator() returns, the task is not
/// done, but runs again after `behind` is done, with the same functor and result. This is how tasks
/// wait. Throws hpk::error when called twice in one run, outside of a task, with another object,
/// with a null future or one of another scheduler, and with the task's own future.
template <class F, class V, class Exec>
HPK_FUNCTION void respawn(
    [[maybe_unused]] F* self, [[maybe_unused]] const BasicFuture<V, TaskScheduler<Exec>>& behind,
    [[maybe_unused]] TaskPriority priority = TaskPriority::Regular,
    [[maybe_unused]] const std::source_location& where = std::source_location::current()) {
  HPK_IF_ON_HOST((detail::respawn_task(self, &behind.share(), priority, where);))
}
/// As above, but the task runs again after the tasks that are ready now.
template <class F, class Exec>
HPK_FUNCTION void respawn(
    [[maybe_unused]] F* self, [[maybe_unused]] const TaskScheduler<Exec>& scheduler,
    [[maybe_unused]] TaskPriority priority = TaskPriority::Regular,
    [[maybe_unused]] const std::source_location& where = std::source_location::current()) {
  HPK_IF_ON_HOST((detail::respawn_task(self, nullptr, priority, where);))
}

}  // namespace hpk
