// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of host functions in the order of an asynchronous instance. A queue runs them between
// launches and copies. Their exceptions are stored until the next fence.
#pragma once

#include <hpk/seam/launch.hpp>

#include <source_location>
#include <string>
#include <string_view>

namespace hpk::seam {

/// A host function in the queue of an instance.
class host_call {
 public:
  /// `machine` is the instance whose fences rethrow the function's exceptions.
  host_call(const void* machine, std::string_view label, const std::source_location& where)
      : machine_(machine), label_(label), info_{{"host_task", label_, where}, true} {}
  host_call(const host_call&) = delete;
  host_call& operator=(const host_call&) = delete;
  virtual ~host_call() = default;

  const task_info& info() const noexcept { return info_; }
  /// Calls the function. Called by the queue.
  void run() noexcept;
  /// Leaves the destruction of this object to a fence, for queues whose thread must not destroy the
  /// objects that the function captured.
  void retire() noexcept;

 private:
  virtual void call() = 0;

  const void* machine_;
  std::string label_;
  task_info info_;
};

/// Destroys the retired calls of a machine (null: of all machines) and rethrows the first
/// exception. Called after a fence. Thread-safe.
void settle_host_calls(const void* machine);
/// Destroys the retired calls of a machine that ends, and writes exceptions that no fence has
/// rethrown to stderr.
void forget_host_calls(const void* machine) noexcept;

}  // namespace hpk::seam
