// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// host_task: runs a host function in the queue of an instance, after earlier work and before later
// work, without a fence.
#pragma once

#include <hpk/parallel.hpp>
#include <hpk/seam/host_call.hpp>

#include <concepts>
#include <source_location>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk::detail {

/// A callable in the queue of an instance.
template <class F>
class queued_function : public seam::host_call {
 public:
  template <class Given>
  queued_function(Given&& function, const void* machine, std::string_view label,
                  const std::source_location& where)
      : host_call(machine, label, where), function_(std::forward<Given>(function)) {}

 private:
  void call() override { std::move(function_)(); }
  F function_;
};

/// Calls a function on this thread, for an instance whose earlier work is done.
template <class F>
void call_in_turn(std::string_view label, F&& function, const std::source_location& where) {
  const seam::working_scope working;
  const seam::task_info info{{"host_task", label, where}, true};
  const seam::task_scope inside(info);
  std::forward<F>(function)();
}

}  // namespace hpk::detail

namespace hpk {

/// Calls function() once on the host when all earlier work of `exec` is done; later work begins
/// after function() has returned. On GPUs and Emu the call returns at once: the function is moved
/// or copied, and runs on a thread of the queue. Other instances call the function at once, after
/// earlier launches of other threads. The label appears in messages.
///
/// The function may launch, copy and allocate on host spaces; that work runs on its own thread.
/// Fences, Space::record(), wait(), another host_task, and launches or copies on a GPU or Emu throw
/// hpk::error inside it, because its instance would wait for itself. It must not wait for later
/// work of its instance. Its exception reaches the caller or, on GPUs and Emu, the next fence of
/// the instance or of all instances; later work still runs. On GPUs the function and its captures
/// are destroyed at that fence. Any thread; throws hpk::error inside a kernel.
template <class Exec, class F>
  requires(seam::execution_space<Exec>)
void host_task(std::string_view label, const Exec& exec, F&& function,
               const std::source_location& where = std::source_location::current()) {
  static_assert(std::invocable<std::decay_t<F>>,
                "hpk::host_task: the function can't be called without arguments; write "
                "hpk::host_task(exec, [=] { ... })");
  using machine_type = seam::machine<Exec>;
  seam::expect_outside_kernel("hpk::host_task");
  machine_type& machine = exec.instance();
  if constexpr (seam::has_host_calls<seam::machine<Exec>>) {
    machine.call(new detail::queued_function<std::decay_t<F>>(std::forward<F>(function), &machine,
                                                              label, where));
  } else {
    if constexpr (!machine_type::synchronous) machine.fence();
    const seam::turn turn(machine);
    detail::call_in_turn(label, std::forward<F>(function), where);
  }
}
/// As above, without a label.
template <class Exec, class F>
  requires(seam::execution_space<Exec>)
void host_task(const Exec& exec, F&& function,
               const std::source_location& where = std::source_location::current()) {
  host_task(std::string_view(), exec, std::forward<F>(function), where);
}

}  // namespace hpk
