// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tool callbacks: functions set by a tool or a program, and called at launches, copies, fences,
// allocations and regions. If no callback is set, each of these operations loads one word.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/seam/abilities.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/tools/launch_observer.hpp>
#include <hpk/tools/tool_events.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace hpk::detail {

/// The callbacks; null if not set. The members have the same names as the members of tool_events.
/// Any thread may load a member at any time, and store it through set_callback().
struct callback_table {
  template <class Callback>
  using slot = atomic_word<Callback>;

#define HPK_DETAIL_SLOT(type, member, function) slot<type> member
  HPK_DETAIL_TOOL_EVENTS(HPK_DETAIL_SLOT);
  HPK_DETAIL_TUNING_EVENTS(HPK_DETAIL_SLOT);
#undef HPK_DETAIL_SLOT

  /// Whether any launch callback or a launch observer is set. A launch loads only this word.
  slot<bool> wants_kernels{false};
  /// Whether to fence before and after launches and regions, as a tool may request.
  slot<bool> fences_kernels{false};
  /// Whether end-of-launch callbacks wait for the work, on asynchronous machines.
  slot<bool> times_kernels{false};
  /// Whether launches may request tile and team sizes from the tool, and whether they currently do.
  slot<bool> may_tune_kernels{false};
  slot<bool> tunes_kernels{false};
};
/// The callbacks of this program.
extern callback_table tool_callbacks;

/// The callback that is currently set, or null.
template <class Callback>
Callback listener(const atomic_word<Callback>& slot) noexcept {
  return slot.load(memory_order::acquire);
}
/// Whether the callback is set.
template <class Callback>
bool has_listener(const atomic_word<Callback>& slot) noexcept {
  return slot.load(memory_order::relaxed) != nullptr;
}
/// Recomputes wants_kernels and tunes_kernels.
void update_kernel_callbacks() noexcept;
/// Sets a callback of `tool_callbacks`.
template <class Callback>
void set_callback(atomic_word<Callback>& slot, std::type_identity_t<Callback> callback) noexcept {
  slot.store(callback, memory_order::release);
  update_kernel_callbacks();
}
/// Calls visit.operator()<member of tool_events, member of callback_table>() for all events, in the
/// order of tool_events.
template <class Visit>
void for_each_event(const Visit& visit) {
#define HPK_DETAIL_VISIT(type, member, function) \
  visit.template operator()<&tool_events::member, &callback_table::member>()
  HPK_DETAIL_TOOL_EVENTS(HPK_DETAIL_VISIT);
  HPK_DETAIL_TUNING_EVENTS(HPK_DETAIL_VISIT);
#undef HPK_DETAIL_VISIT
}

/// Waits for all work before a launch or region begins or ends, if a tool requested such fences.
void fence_for_tool();

/// The part of a device id that identifies an instance: 1 for the first instance of its backend
/// that a tool saw, 2 for the next. A machine at the address of a destroyed one inherits its
/// number.
std::uint32_t instance_number(std::uint32_t backend, const void* machine);
/// The device id of a machine, as passed to tools: device type in the top 8 bits, device number in
/// the next 7, instance in the lower 17.
template <class Machine>
std::uint32_t device_id_of(const Machine& machine) {
  std::uint32_t id = machine.tool_id();
  if constexpr (seam::has_device_number<Machine>)
    id |= static_cast<std::uint32_t>(machine.device()) << 17;
  return id | instance_number(machine.tool_id(), &machine);
}

/// The state of a launch with callbacks, until its end. A separate object, so that the compiler can
/// hold launch_scope in a register.
struct observed_launch {
  std::uint64_t handle;
  std::size_t tuning;      ///< the context in which a tool chose sizes; 0 if none
  std::uint64_t observed;  ///< number of the launch at the launch observer; 0 if not observed
  int exceptions;          ///< uncaught exceptions when the launch began
  void* machine;
  void (*wait)(void* machine);  ///< null on synchronous machines
};

/// Calls the launch callbacks at the begin and end of a launch, if any are set. Launches inside a
/// kernel have no callbacks. The destructor may wait for the work. It then throws the error of the
/// work, unless the launch has already thrown.
template <auto Begin, auto End>
class launch_scope {
 public:
  /// For a launch on `exec`. `state` must live at least as long as this object. `types` is called
  /// only if there are callbacks.
  template <class Exec>
  HPK_FORCEINLINE launch_scope(observed_launch& state, const seam::launch_info& info,
                               const Exec& exec, launched_kernel types,
                               const launched_objects& objects = {}) {
    if (tool_callbacks.wants_kernels.load(memory_order::relaxed)) [[unlikely]]
      launch_ = begin_on(Exec(exec), state, {info, types, objects, Exec::name(), 0});
  }
  launch_scope(const launch_scope&) = delete;
  launch_scope& operator=(const launch_scope&) = delete;
  HPK_FORCEINLINE ~launch_scope() noexcept(false) {
    if (launch_ != nullptr) [[unlikely]]
      end(*launch_);
  }
  /// The launch if it has callbacks, else null.
  observed_launch* launch() const noexcept { return launch_; }

 private:
  template <class Exec>
  HPK_NOINLINE static observed_launch* begin_on(Exec exec, observed_launch& state,
                                                launch_event launch) {
    auto& machine = exec.instance();
    launch.workers = machine.properties().workers;
    using machine_type = std::remove_reference_t<decltype(machine)>;
    state.machine = &machine;
    state.wait = nullptr;
    if constexpr (!machine_type::synchronous)
      state.wait = [](void* m) { static_cast<machine_type*>(m)->fence(); };
    return begin(state, launch, device_id_of(machine)) ? &state : nullptr;
  }
  static bool begin(observed_launch& state, const launch_event& launch, std::uint32_t device);
  static void end(const observed_launch& launch);

  observed_launch* launch_ = nullptr;
};
using for_scope =
    launch_scope<&callback_table::begin_parallel_for, &callback_table::end_parallel_for>;
using reduce_scope =
    launch_scope<&callback_table::begin_parallel_reduce, &callback_table::end_parallel_reduce>;
using scan_scope =
    launch_scope<&callback_table::begin_parallel_scan, &callback_table::end_parallel_scan>;

/// Calls the launch callbacks for a kernel of the library that is not a pattern. describe() returns
/// its launch_info and is called only if there are callbacks.
class library_scope {
 public:
  template <class Exec, class Describe>
  HPK_FORCEINLINE library_scope(const Exec& exec, const Describe& describe,
                                launched_kernel types = &no_types) {
    if (tool_callbacks.wants_kernels.load(memory_order::relaxed)) [[unlikely]]
      begin(exec, describe, types);
  }
  library_scope(const library_scope&) = delete;
  library_scope& operator=(const library_scope&) = delete;
  HPK_FORCEINLINE ~library_scope() noexcept(false) {
    if (launch_ != nullptr) [[unlikely]]
      end();
  }

 private:
  struct launch {
    template <class Exec>
    launch(const Exec& exec, const seam::launch_info& i, launched_kernel types)
        : info(i), scope(state, info, exec, types) {}
    seam::launch_info info;
    observed_launch state;
    for_scope scope;
  };
  template <class Exec, class Describe>
  HPK_NOINLINE void begin(const Exec& exec, const Describe& describe, launched_kernel types) {
    launch_ = new launch(exec, describe(), types);
  }
  void end() const;

  launch* launch_ = nullptr;
};

/// One side of a copy.
struct copy_side {
  std::string_view space;
  const char* label;
  const void* data;
};

/// Calls the copy callbacks at the begin and end of a copy, if any are set.
class copy_scope {
 public:
  copy_scope() = default;
  copy_scope(const copy_scope&) = delete;
  copy_scope& operator=(const copy_scope&) = delete;
  ~copy_scope() {
    if (begun_) end();
  }
  /// Whether a copy callback is set.
  static bool is_wanted() noexcept {
    return has_listener(tool_callbacks.begin_deep_copy) ||
           has_listener(tool_callbacks.end_deep_copy);
  }
  /// Calls the begin callback.
  void begin(const copy_side& to, const copy_side& from, std::size_t bytes);

 private:
  void end() const;

  bool begun_ = false;
};

/// Whether a tool is notified of copies or of the kernels that perform them, or an observer is set.
inline bool are_copies_watched() noexcept {
  return copy_scope::is_wanted() || tool_callbacks.wants_kernels.load(memory_order::relaxed);
}
/// Returns the observer of this thread's launches and copies, or null. Without callbacks it loads
/// one word.
inline launch_observer* find_observer() noexcept {
  return tool_callbacks.wants_kernels.load(memory_order::relaxed) ? observer_of_thread() : nullptr;
}

/// Calls the fence callbacks at the begin and end of a fence, if any are set.
class fence_scope {
 public:
  /// For a fence of all instances of a backend.
  fence_scope(std::string_view name, std::uint32_t device) {
    if (is_wanted()) begin(name, device, {});
  }
  /// For a fence of one instance. `space` completes the name of an unnamed fence ("").
  template <class Machine>
  fence_scope(std::string_view name, const Machine& machine, std::string_view space) {
    if (is_wanted()) begin(name, device_id_of(machine), space);
  }
  fence_scope(const fence_scope&) = delete;
  fence_scope& operator=(const fence_scope&) = delete;
  ~fence_scope() {
    if (begun_) end();
  }
  /// Whether a fence callback is set.
  static bool is_wanted() noexcept {
    return has_listener(tool_callbacks.begin_fence) || has_listener(tool_callbacks.end_fence);
  }

 private:
  void begin(std::string_view name, std::uint32_t device, std::string_view space);
  void end() const;

  std::uint64_t handle_ = 0;
  bool begun_ = false;
};

/// Returns the name that tools receive for a fence: `name`, or if it is empty a default name with
/// `space`, which is empty for a fence of all instances.
std::string name_of_fence(std::string_view name, std::string_view space);

/// The data of an allocation that tools receive.
struct memory_event {
  std::string_view space;
  const char* label;
  const void* data;
  std::size_t bytes;
};
/// Calls the memory guard and the callbacks of an allocation.
void notify_allocated(const memory_event& memory);
void notify_freed(const memory_event& memory);

/// Loads the tools named by the current settings, once. Called when the first space starts.
void begin_tools() noexcept;

/// Waits for the work of a machine on behalf of the library, and calls the fence callbacks.
template <class Machine>
void fence_machine(Machine& machine, std::string_view name) {
  const fence_scope scope(name, machine, {});
  machine.fence();
}

}  // namespace hpk::detail
