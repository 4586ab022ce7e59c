// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tasks that the queue of an instance runs. They own all that they need.
#pragma once

#include <hpk/backends/emu/detectors/host_pointer_scan.hpp>
#include <hpk/backends/emu/multiprocessors.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace hpk::emu {

/// Base class of all tasks.
class task {
 public:
  task() = default;
  task(const task&) = delete;
  task& operator=(const task&) = delete;
  virtual ~task() = default;
  /// Runs the task. `number` is the number of tasks that the queue ran before.
  virtual void run(std::uint64_t number) = 0;
  /// Called at the moment when the task counts as done. completes() is true for tasks that do
  /// something here; they must own no Views.
  virtual void complete() noexcept {}
  virtual bool completes() const noexcept { return false; }
};

/// A kernel with its body and a copy of the launch's label, which the program may destroy before
/// the kernel runs.
template <class Lane, class Body>
class kernel_task : public task {
 public:
  template <class Given>
  kernel_task(const seam::shape& shape, Given&& body, const seam::launch_info& info)
      : shape_(shape),
        body_(std::forward<Given>(body)),
        label_(info.label),
        info_(info),
        host_pointers_(body_.get(), sizeof(Body), zero_padded<Body>::is_zeroed, info.label,
                       history_) {
    info_.label = label_;
  }
  void run(std::uint64_t number) override {
    run_kernel({[](const running_group& me) {
                  Lane lane(me.group, me.groups, me.scratch[1]);
                  (*static_cast<const Body*>(me.kernel->body))(lane);
                },
                body_.get(), shape_, &info_, number, HPK_HAS_TRAPPING_MATH != 0,
                host_pointers_.probe()});
    host_pointers_.restore();
  }

 private:
  static inline HPK_EXPORT_TEMPLATE constinit probe_history history_{};
  seam::shape shape_;
  zero_padded<Body> body_;
  std::string label_;
  seam::launch_info info_;
  host_pointer_scan host_pointers_;
};

}  // namespace hpk::emu
