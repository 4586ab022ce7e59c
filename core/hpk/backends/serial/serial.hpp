// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Serial: one worker, the calling thread. The reference for results, and convenient in a debugger.
#pragma once

#include <hpk/atomic/atomic_object.hpp>
#include <hpk/backends/host/machine.hpp>
#include <hpk/backends/host/space.hpp>
#include <hpk/base/macros.hpp>

namespace hpk {

/// Runs kernels on the calling thread, in index order.
class Serial : public host::space<Serial> {
 public:
  /// The default instance.
  Serial() = default;
  /// A separate instance, for use by another thread at the same time. Throws hpk::error for a
  /// device other than 0.
  Serial(NewInstance what);
  /// "Serial"
  static constexpr const char* name() noexcept { return "Serial"; }
};

namespace seam {

/// The machine of Serial. Its launch is inline, so that a kernel costs no more than its loop.
template <>
class machine<Serial> : public host::machine {
 public:
  /// One thread runs a launch, lane after lane. Atomic operations use this to choose their scope.
  static constexpr bool one_worker = true;

  explicit machine(const NewInstance& what = NewInstance());

  machine_properties properties() const noexcept { return {.name = Serial::name()}; }

  template <class Body>
  void launch(const seam::shape& shape, const Body& body, const launch_info& info) {
    const single_thread_scope alone;
    if (shape.lanes != 1 || shape.scratch[0] + shape.scratch[1] != 0) {
      host::machine::launch(shape, body, info);
      return;
    }
    const turn held_turn(*this);
    const working_scope working;
    const kernel_scope scope(info);
    for (index_t group = 0; group < shape.groups; ++group) {
      host::lane self(group, shape.groups, nullptr, nullptr);
      body(self);
    }
  }

  // Inline because a call costs a tenth of a launch over a hundred iterations.
  static machine& default_instance() {
    machine* const only = only_.find();
    return only != nullptr ? *only : first_use();
  }
  static void start(const settings& s);
  static void stop() noexcept;
  void describe(fact_sink& sink) const;
  static constexpr std::uint32_t tool_id() noexcept { return 0; }
  /// The rank of the calling worker.
  static constexpr int worker_rank() noexcept { return 0; }

 protected:
  void run(const host::erased_launch& launched) override;
  index_t workers() const noexcept override { return 1; }

 private:
  static machine& first_use();

  static HPK_EXPORT constinit seam::default_instance<machine> only_;
};

}  // namespace seam
}  // namespace hpk
