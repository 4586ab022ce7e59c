// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of host functions in the order of an instance whose work is asynchronous. A queue takes
// them between launches and copies; what they throw is kept for the next fence.
#pragma once

#include <hpk/seam/launch.hpp>

#include <source_location>
#include <string>
#include <string_view>

namespace hpk::seam {

/// A host function in the queue of an instance.
class host_call {
 public:
  /// `machine` is the instance, whose fences throw what the function throws.
  host_call(const void* machine, std::string_view label, const std::source_location& where)
      : machine_(machine), label_(label), info_{{"host_task", label_, where}, true} {}
  host_call(const host_call&) = delete;
  host_call& operator=(const host_call&) = delete;
  virtual ~host_call() = default;

  const task_info& info() const noexcept { return info_; }
  /// Calls it; for the queue.
  void run() noexcept;
  /// Leaves it to a fence to destroy it: for queues on whose thread it can't end what it captured.
  void retire() noexcept;

 private:
  virtual void call() = 0;

  const void* machine_;
  std::string label_;
  task_info info_;
};

/// Destroys the retired calls of a machine, of all for null, and throws what the first of them that
/// failed threw. After a fence. Thread-safe.
void settle_host_calls(const void* machine);
/// The same at the end of a machine; what was thrown and no fence saw is written to stderr.
void forget_host_calls(const void* machine) noexcept;

}  // namespace hpk::seam
