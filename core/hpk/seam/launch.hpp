// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The current launch of this thread. The call site has a launch_info on its stack, and host threads
// point to it while they run lanes. Thereby errors name the kernel and the line that launched it,
// nested launches run inline, and copies of Views inside a kernel are not reference-counted (rule
// "borrowed copies").
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>

#include <source_location>
#include <string_view>
#include <type_traits>

namespace hpk::seam {

struct launch_replay;

/// Describes one launch. Lives on the launching thread's stack for as long as the call lasts.
struct launch_info {
  std::string_view pattern;    ///< "parallel_for", "parallel_reduce", ...
  std::string_view label;      ///< the user's label, or empty
  std::source_location where;  ///< the line that called the pattern
  /// Launches the pattern again, with the policy and the kernel that launch_replay holds
  /// (launch_observer.hpp). Null for kernels of the library, and where a replay is not possible.
  void (*replay)(const launch_replay&) = nullptr;
  int results = 0;  ///< number of results that the launch passes to an observer
};

/// The launch whose lanes this host thread runs; null outside of kernels.
extern HPK_EXPORT constinit thread_local const launch_info* current_launch;

/// Reads a thread_local variable that the fibres of this thread share. ThreadSanitizer takes
/// fibres, the lanes of a team, for unordered threads; there the access is atomic.
template <class T>
T load_of_thread(const T& variable) noexcept {
#if HPK_HAS_THREAD_SANITIZER
  T value;
  __atomic_load(&variable, &value, __ATOMIC_RELAXED);
  return value;
#else
  return variable;
#endif
}
/// Writes a thread_local variable that the fibres of this thread share.
template <class T>
void store_of_thread(T& variable, std::type_identity_t<T> value) noexcept {
#if HPK_HAS_THREAD_SANITIZER
  __atomic_store(&variable, &value, __ATOMIC_RELAXED);
#else
  variable = value;
#endif
}
/// The launch whose lanes this thread runs, or null.
inline const launch_info* load_launch() noexcept { return load_of_thread(current_launch); }
/// Sets the launch whose lanes this thread runs.
inline void store_launch(const launch_info* info) noexcept {
  store_of_thread(current_launch, info);
}

/// True while this host thread runs a lane of a kernel.
inline bool inside_kernel() noexcept { return load_launch() != nullptr; }

/// Describes a task: a callable of the program that the library calls in host code. `pattern` names
/// its kind; `label` and `where` tell where it comes from.
struct task_info : launch_info {
  bool in_queue = false;  ///< true if an instance runs the task in order and waits for it
};
/// The task that this host thread runs, or null.
extern HPK_EXPORT constinit thread_local const task_info* current_task;
/// Reads current_task.
inline const task_info* load_task() noexcept { return load_of_thread(current_task); }
/// True while this host thread runs a lane of a kernel, or a task that an instance waits for.
inline bool inside_queue() noexcept {
  if (inside_kernel()) return true;
  const task_info* const task = load_task();
  return task != nullptr && task->in_queue;
}

/// Throws hpk::error that names the kernel or task and `call` if inside_queue().
void expect_outside_kernel(std::string_view call);

/// Throws hpk::error with `what`, the kernel that this thread runs, if any, and its call site.
[[noreturn]] void raise_in_kernel(std::string_view what);
/// Throws hpk::BadAlloc with the same text.
[[noreturn]] void raise_bad_alloc(std::string_view what);

/// Marks the calling host thread as running lanes of a launch, for the lifetime of the object.
class kernel_scope {
 public:
  explicit kernel_scope(const launch_info& info) noexcept : outer_(load_launch()) {
    store_launch(&info);
  }
  ~kernel_scope() { store_launch(outer_); }
  kernel_scope(const kernel_scope&) = delete;
  kernel_scope& operator=(const kernel_scope&) = delete;

 private:
  const launch_info* outer_;
};

/// Marks the calling host thread as outside of the kernel that it runs, for the lifetime of the
/// object. Views copied meanwhile are reference-counted.
class outside_kernel_scope {
 public:
  HPK_FUNCTION outside_kernel_scope() noexcept {
    HPK_IF_ON_HOST((kernel_ = load_launch(); store_launch(nullptr);))
  }
  HPK_FUNCTION ~outside_kernel_scope() { HPK_IF_ON_HOST((store_launch(kernel_);)) }
  outside_kernel_scope(const outside_kernel_scope&) = delete;
  outside_kernel_scope& operator=(const outside_kernel_scope&) = delete;

 private:
  [[maybe_unused]] const launch_info* kernel_ = nullptr;
};

/// Marks the calling host thread as running a task, for the lifetime of the object. A task is host
/// code even if a worker calls it inside a launch: its copies of Views are reference-counted.
class task_scope {
 public:
  explicit task_scope(const task_info& info) noexcept : outer_(load_task()) {
    store_of_thread(current_task, &info);
  }
  ~task_scope() { store_of_thread(current_task, outer_); }
  task_scope(const task_scope&) = delete;
  task_scope& operator=(const task_scope&) = delete;

 private:
  const outside_kernel_scope outside_;
  const task_info* outer_;
};

/// The shape of a launch: groups, lanes per group, and scratch.
struct shape {
  index_t groups = 1;               ///< groups to run; may exceed the number that fits at once (L7)
  int lanes = 1;                    ///< lanes of each group
  std::size_t scratch[2] = {0, 0};  ///< bytes of scratch per group, level 0 (fast) and 1 (large)
  /// If not null: receives the time that the calling thread spent on its own groups, on machines
  /// that run some groups on the calling thread. Other machines ignore it.
  std::int64_t* caller_elapsed_ns = nullptr;
};

}  // namespace hpk::seam
