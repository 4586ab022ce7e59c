// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TaskScheduler: runs tasks that spawn tasks and wait for each other, on the workers of an instance
// of a host space.
#pragma once

#include <hpk/error.hpp>
#include <hpk/parallel.hpp>
#include <hpk/tasks/future.hpp>

#include <source_location>
#include <type_traits>
#include <utility>

namespace hpk {

template <class Exec>
class TaskScheduler;

/// The first argument of a task: a team of one thread, which works in nested loops, with access to
/// its scheduler.
template <class Exec>
class TaskMember : public TeamMember<Exec> {
 public:
  using scheduler_type = TaskScheduler<Exec>;  ///< runs the task
  using team_handle = TaskMember;              ///< marks the handle of a team
  /// For the library: makes the first argument of a task.
  explicit TaskMember(const scheduler_type& scheduler)
      : TeamMember<Exec>(detail::team_shape{.league = 1}, 0, index_t{0}, index_t{1}, 0, 1,
                         static_cast<std::byte*>(nullptr), static_cast<std::byte*>(nullptr)),
        scheduler_(&scheduler) {}
  /// The scheduler of the running task.
  HPK_FUNCTION const scheduler_type& scheduler() const noexcept { return *scheduler_; }

 private:
  const scheduler_type* scheduler_;
};

}  // namespace hpk

namespace hpk::detail {

/// Whether Exec can run tasks.
template <class Exec>
constexpr bool runs_tasks() {
  if constexpr (seam::execution_space<Exec>) {
    return seam::machine<Exec>::runs_on_host && seam::machine<Exec>::synchronous;
  } else {
    return false;
  }
}

/// The kernel in which a worker runs tasks.
template <class Exec>
struct task_work {
  task_queue* queue;
  const TaskScheduler<Exec>* scheduler;
  template <class Lane>
  void operator()(Lane& lane) const {
    TaskMember<Exec> member(*scheduler);
    work(*queue, static_cast<int>(lane.group()), &member);
  }
};

}  // namespace hpk::detail

namespace hpk {

/// Runs tasks on the workers of an instance of the host space Exec. Tasks are functors that spawn
/// further tasks, wait for futures by respawn(), and compute a value. Copies refer to the same
/// scheduler. Tasks run while a thread of the program is in wait(scheduler); that thread is one of
/// the workers. Idle workers steal tasks from other workers, and sleep while there are no tasks.
///
/// Tasks are stored in a pool of fixed size. A spawn for which the pool has no memory returns a
/// null future; if the program never checks it, wait() throws hpk::error. A task that throws fails.
/// Tasks that wait for a failed task are not run and fail too. The others run, and wait() throws
/// the first exception.
///
/// Any thread may spawn; threads that wait take turns. If the last copy is destroyed while tasks
/// have not run, the program ends with a message that names them.
template <class Exec>
class TaskScheduler {
  static constexpr bool on_host = detail::runs_tasks<Exec>();
  static_assert(on_host,
                "hpk::TaskScheduler: tasks run on host spaces; use "
                "hpk::TaskScheduler<hpk::DefaultHostExecutionSpace>, and host_task or launches on "
                "instances for other spaces");

 public:
  /// The types of the scheduler, its instance and its memory; member_type is the first argument of
  /// a task.
  ///@{
  using scheduler_type = TaskScheduler;
  using execution_space = std::conditional_t<on_host, Exec, DefaultHostExecutionSpace>;
  using memory_space = HostSpace;
  using memory_pool = MemoryPool<HostSpace>;
  using member_type = TaskMember<execution_space>;
  ///@}
  /// The future of a task with a result of type V, or void.
  template <class V>
  using future_type = BasicFuture<V, TaskScheduler>;

  /// A scheduler on an instance, with a pool of `capacity` bytes for tasks of `min_block` to
  /// `max_block` bytes (spawn_allocation_size), in superblocks (MemoryPool). Throws hpk::error when
  /// the sizes are inconsistent, and inside a kernel.
  TaskScheduler(const execution_space& exec, std::size_t capacity, std::size_t min_block = 64,
                std::size_t max_block = 1024, std::size_t superblock = 4096)
      : exec_(exec),
        queue_(detail::make_task_queue(static_cast<int>(exec.instance().properties().workers),
                                       Exec::name(),
                                       {capacity, min_block, max_block, superblock})) {}
  /// As above, on the default instance.
  explicit TaskScheduler(const memory_space&, std::size_t capacity, std::size_t min_block = 64,
                         std::size_t max_block = 1024, std::size_t superblock = 4096)
      : TaskScheduler(execution_space(), capacity, min_block, max_block, superblock) {}
  /// A scheduler on an instance that uses an existing pool.
  explicit TaskScheduler(const memory_pool& pool, const execution_space& exec = {})
      : exec_(exec),
        queue_(detail::make_task_queue(static_cast<int>(exec.instance().properties().workers),
                                       Exec::name(), pool)) {}
  /// A handle of the same scheduler.
  ///@{
  HPK_FUNCTION TaskScheduler(const TaskScheduler& other) noexcept
      : exec_(other.exec_), queue_(other.queue_) {
    HPK_IF_ON_HOST((detail::retain(*queue_);))
  }
  HPK_FUNCTION TaskScheduler& operator=(TaskScheduler other) noexcept {
    detail::task_queue* const old = queue_;
    queue_ = other.queue_;
    other.queue_ = old;
    const execution_space before = exec_;
    exec_ = other.exec_;
    other.exec_ = before;
    return *this;
  }
  ///@}
  HPK_FUNCTION ~TaskScheduler() { HPK_IF_ON_HOST((detail::release(*queue_);)) }

  /// A future that is ready when all `count` futures are; null futures are ignored. Returns a null
  /// future when the pool has no memory. Throws hpk::error for a future of another scheduler, and
  /// for one whose spawn failed for lack of memory and that the program did not check.
  template <class V>
  HPK_FUNCTION BasicFuture<void, TaskScheduler> when_all(
      [[maybe_unused]] const BasicFuture<V, TaskScheduler>* futures, [[maybe_unused]] int count,
      [[maybe_unused]] const std::source_location& where = std::source_location::current()) const {
    HPK_IF_ON_HOST((return all_of(count, [&](int k) { return futures[k]; }, where);))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::TaskScheduler: tasks run on host spaces"); return {};))
  }
  /// As above, for future_at(0), ..., future_at(count - 1).
  HPK_CALLS_EITHER
  template <class F>
    requires(std::is_invocable_v<const F&, int>)
  HPK_FUNCTION BasicFuture<void, TaskScheduler> when_all(
      [[maybe_unused]] int count, [[maybe_unused]] const F& future_at,
      [[maybe_unused]] const std::source_location& where = std::source_location::current()) const {
    HPK_IF_ON_HOST((return all_of(count, future_at, where);))
    HPK_IF_ON_DEVICE((hpk::abort("hpk::TaskScheduler: tasks run on host spaces"); return {};))
  }

  /// The size of the pool in bytes.
  std::size_t allocation_capacity() const noexcept { return counts().capacity; }
  /// The number of live tasks and when_alls: not done, or with a future. Exact while no worker
  /// runs.
  std::size_t allocated_task_count() const noexcept { return counts().now; }
  /// The largest number of live tasks at any time; with several workers an upper bound.
  std::size_t allocated_task_count_max() const noexcept { return counts().most; }
  /// The number of tasks and when_alls created since the scheduler was made.
  std::size_t allocated_task_count_accum() const noexcept { return counts().all; }
  /// The size of a task of functor F in bytes.
  template <class F>
  HPK_FUNCTION static constexpr std::size_t spawn_allocation_size();
  /// The size of a when_all of `count` futures in bytes.
  static std::size_t when_all_allocation_size(int count) noexcept {
    return detail::when_all_bytes(count);
  }

  /// Whether both are the same scheduler.
  HPK_FUNCTION friend bool operator==(const TaskScheduler& a, const TaskScheduler& b) noexcept {
    return a.queue_ == b.queue_;
  }
  /// The instance whose workers run the tasks.
  const execution_space& space() const noexcept { return exec_; }
  /// For the library: the queue of tasks.
  HPK_FUNCTION detail::task_queue& queue() const noexcept { return *queue_; }

 private:
  detail::task_counts counts() const noexcept { return detail::counts_of(*queue_); }

  template <class F>
  BasicFuture<void, TaskScheduler> all_of(int count, const F& future_at,
                                          const std::source_location& where) const {
    using future = std::remove_cvref_t<decltype(future_at(0))>;
    constexpr int few = 8;
    future some[few];
    const detail::task_share* shares[few];
    future* const many = count > few ? new future[static_cast<std::size_t>(count)] : some;
    const detail::task_share** const at =
        count > few ? new const detail::task_share*[static_cast<std::size_t>(count)] : shares;
    struct cleaner {
      future* many;
      const detail::task_share** at;
      bool owns;
      ~cleaner() {
        if (!owns) return;
        delete[] many;
        delete[] at;
      }
    } const clean{many, at, count > few};
    for (int k = 0; k < count; ++k) {
      many[k] = future_at(k);
      at[k] = &std::as_const(many[k]).share();
    }
    return BasicFuture<void, TaskScheduler>(detail::make_when_all(*queue_, at, count, where));
  }

  execution_space exec_;
  detail::task_queue* queue_;
};

/// Kokkos' other task schedulers, which are the same class in hpk.
///@{
template <class Exec>
using TaskSchedulerMultiple = TaskScheduler<Exec>;
template <class Exec>
using ChaseLevTaskScheduler = TaskScheduler<Exec>;
///@}

/// A future by its execution space: Future<double, Exec>.
template <class V, class Exec>
using Future = BasicFuture<V, TaskScheduler<Exec>>;

/// Runs all tasks of the scheduler, and the tasks that they spawn, on the workers of its instance.
/// Returns when no task is left. Tasks that other threads spawn meanwhile run now or in the next
/// call. Throws the exception of the first task that failed. Throws hpk::error if the remaining
/// tasks wait for each other (they are dropped, and fail), if a task was lost for lack of memory,
/// and inside a task or kernel, which would wait for itself.
template <class Exec>
void wait(const TaskScheduler<Exec>& scheduler,
          const std::source_location& where = std::source_location::current()) {
  detail::expect_may_wait("hpk::wait", where);
  auto& machine = scheduler.space().instance();
  // Held until the end: otherwise end_work() could reject tasks that wait for tasks which another
  // thread runs.
  const seam::turn turn(machine);
  if (const int workers = detail::begin_work(scheduler.queue()); workers != 0) {
    machine.launch(seam::shape{.groups = workers},
                   detail::task_work<Exec>{&scheduler.queue(), &scheduler},
                   seam::launch_info{"wait", {}, where});
  }
  detail::end_work(scheduler.queue(), where);
}

}  // namespace hpk
