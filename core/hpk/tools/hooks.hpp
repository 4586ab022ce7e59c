// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library tells of its work while it works: a table of functions that a program sets. A
// place that tells loads one word; nobody listens in most programs.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/seam/abilities.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/tools/tool_events.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace hpk::seam {

/// Who is told; null for nobody. Members are named as those of tool_events. Any thread may load at
/// any time, and store through set_hook().
struct hook_table {
  template <class Callback>
  using hook = detail::atomic_word<Callback>;

  hook<init_callback> init;
  hook<plain_callback> finalize;
  hook<parse_args_callback> parse_args;
  hook<print_help_callback> print_help;
  hook<begin_callback> begin_parallel_for;
  hook<end_callback> end_parallel_for;
  hook<begin_callback> begin_parallel_reduce;
  hook<end_callback> end_parallel_reduce;
  hook<begin_callback> begin_parallel_scan;
  hook<end_callback> end_parallel_scan;
  hook<name_callback> push_region;
  hook<plain_callback> pop_region;
  hook<memory_callback> allocate_data;
  hook<memory_callback> deallocate_data;
  hook<create_section_callback> create_profile_section;
  hook<section_callback> start_profile_section;
  hook<section_callback> stop_profile_section;
  hook<section_callback> destroy_profile_section;
  hook<name_callback> profile_event;
  hook<begin_copy_callback> begin_deep_copy;
  hook<plain_callback> end_deep_copy;
  hook<begin_callback> begin_fence;
  hook<end_callback> end_fence;
  hook<dual_view_callback> sync_dual_view;
  hook<dual_view_callback> modify_dual_view;
  hook<metadata_callback> declare_metadata;
  hook<interface_callback> provide_tool_programming_interface;
  hook<settings_callback> request_tool_settings;
  hook<declare_variable_callback> declare_output_type;
  hook<declare_variable_callback> declare_input_type;
  hook<request_values_callback> request_output_values;
  hook<begin_context_callback> begin_tuning_context;
  hook<end_context_callback> end_tuning_context;
  hook<declare_goal_callback> declare_optimization_goal;

  /// Whether somebody wants to know of launches: the one word that a launch loads.
  hook<bool> wants_kernels{false};
  /// Whether launches and regions are to be fenced on both sides, as a tool asked for.
  hook<bool> fences_kernels{false};
  /// Whether the end of a launch is to be that of its work, on machines that return before.
  hook<bool> times_kernels{false};
  /// Whether launches may ask the tool for tile and team sizes, and whether they do now.
  hook<bool> may_tune_kernels{false};
  hook<bool> tunes_kernels{false};
};
/// The table of the program.
extern hook_table hooks;

/// The function that listens to an event now.
template <class Callback>
Callback listener(const detail::atomic_word<Callback>& hook) noexcept {
  return hook.load(detail::memory_order::acquire);
}
/// Whether there is one.
template <class Callback>
bool has_listener(const detail::atomic_word<Callback>& hook) noexcept {
  return hook.load(detail::memory_order::relaxed) != nullptr;
}
/// Looks again whether somebody wants to know of launches.
void note_kernel_hooks() noexcept;
/// Sets the function that listens to an event of `hooks`.
template <class Callback>
void set_hook(detail::atomic_word<Callback>& hook,
              std::type_identity_t<Callback> callback) noexcept {
  hook.store(callback, detail::memory_order::release);
  note_kernel_hooks();
}
/// Calls visit.operator()<member of tool_events, member of hook_table>() for all events, in their
/// order.
template <class Visit>
void for_each_event(const Visit& visit) {
  visit.template operator()<&tool_events::init, &hook_table::init>();
  visit.template operator()<&tool_events::finalize, &hook_table::finalize>();
  visit.template operator()<&tool_events::parse_args, &hook_table::parse_args>();
  visit.template operator()<&tool_events::print_help, &hook_table::print_help>();
  visit.template operator()<&tool_events::begin_parallel_for, &hook_table::begin_parallel_for>();
  visit.template operator()<&tool_events::end_parallel_for, &hook_table::end_parallel_for>();
  visit.template
  operator()<&tool_events::begin_parallel_reduce, &hook_table::begin_parallel_reduce>();
  visit.template operator()<&tool_events::end_parallel_reduce, &hook_table::end_parallel_reduce>();
  visit.template operator()<&tool_events::begin_parallel_scan, &hook_table::begin_parallel_scan>();
  visit.template operator()<&tool_events::end_parallel_scan, &hook_table::end_parallel_scan>();
  visit.template operator()<&tool_events::push_region, &hook_table::push_region>();
  visit.template operator()<&tool_events::pop_region, &hook_table::pop_region>();
  visit.template operator()<&tool_events::allocate_data, &hook_table::allocate_data>();
  visit.template operator()<&tool_events::deallocate_data, &hook_table::deallocate_data>();
  visit.template
  operator()<&tool_events::create_profile_section, &hook_table::create_profile_section>();
  visit.template
  operator()<&tool_events::start_profile_section, &hook_table::start_profile_section>();
  visit
      .template operator()<&tool_events::stop_profile_section, &hook_table::stop_profile_section>();
  visit.template
  operator()<&tool_events::destroy_profile_section, &hook_table::destroy_profile_section>();
  visit.template operator()<&tool_events::profile_event, &hook_table::profile_event>();
  visit.template operator()<&tool_events::begin_deep_copy, &hook_table::begin_deep_copy>();
  visit.template operator()<&tool_events::end_deep_copy, &hook_table::end_deep_copy>();
  visit.template operator()<&tool_events::begin_fence, &hook_table::begin_fence>();
  visit.template operator()<&tool_events::end_fence, &hook_table::end_fence>();
  visit.template operator()<&tool_events::sync_dual_view, &hook_table::sync_dual_view>();
  visit.template operator()<&tool_events::modify_dual_view, &hook_table::modify_dual_view>();
  visit.template operator()<&tool_events::declare_metadata, &hook_table::declare_metadata>();
  visit.template operator()<&tool_events::provide_tool_programming_interface,
                            &hook_table::provide_tool_programming_interface>();
  visit.template
  operator()<&tool_events::request_tool_settings, &hook_table::request_tool_settings>();
  visit.template operator()<&tool_events::declare_output_type, &hook_table::declare_output_type>();
  visit.template operator()<&tool_events::declare_input_type, &hook_table::declare_input_type>();
  visit.template
  operator()<&tool_events::request_output_values, &hook_table::request_output_values>();
  visit
      .template operator()<&tool_events::begin_tuning_context, &hook_table::begin_tuning_context>();
  visit.template operator()<&tool_events::end_tuning_context, &hook_table::end_tuning_context>();
  visit.template
  operator()<&tool_events::declare_optimization_goal, &hook_table::declare_optimization_goal>();
}

/// Loads the tools that the settings in force name, once. Called when the first space starts.
void begin_tools() noexcept;

/// Waits for all work before a launch or region begins or ends, if a tool asked for that.
void fence_for_tool();

/// What tells instances apart in device ids: 1 for the first one of its backend that a tool saw, 2
/// for the next. A machine at the address of one that is gone has its number.
std::uint32_t instance_number(std::uint32_t backend, const void* machine);
/// The id of a machine as tools know it: the kind of device in the top 8 bits, its number in the
/// next 7, the instance in the lower 17.
template <class Machine>
std::uint32_t device_id_of(const Machine& machine) {
  std::uint32_t id = machine.tool_id();
  if constexpr (has_device_number<Machine>)
    id |= static_cast<std::uint32_t>(machine.device()) << 17;
  return id | instance_number(machine.tool_id(), &machine);
}

/// The name of a kernel that has no label.
struct launched_types {
  std::string_view functor;
  std::string_view tag;  ///< empty for none
};

/// What is kept of a launch that somebody hears of, until its end. Nobody reads or writes it else,
/// and the launch_scope beside it stays in a register.
struct told_launch {
  std::uint64_t handle;
  std::size_t tuning;  ///< the context in which a tool chose sizes; 0 for none
  int exceptions;      ///< in flight when it began
  void* machine;
  void (*wait)(void* machine);  ///< null on machines that return when the work is done
};

/// Tells of a launch while it lasts, if anybody wants to know; not of one inside of a kernel. The
/// end may have to wait for the work. Its destructor throws the error of that, unless the launch
/// has thrown one already.
template <auto Begin, auto End>
class launch_scope {
 public:
  /// Of a launch on `exec`. `kept` lives at least as long; `types` is called where it is told.
  template <class Exec>
  HPK_FORCEINLINE launch_scope(told_launch& kept, const launch_info& info, const Exec& exec,
                               launched_types (*types)()) {
    if (hooks.wants_kernels.load(detail::memory_order::relaxed)) [[unlikely]]
      launch_ = begin_on(Exec(exec), kept, info, types);
  }
  launch_scope(const launch_scope&) = delete;
  launch_scope& operator=(const launch_scope&) = delete;
  HPK_FORCEINLINE ~launch_scope() noexcept(false) {
    if (launch_ != nullptr) [[unlikely]]
      end(*launch_);
  }
  /// The launch if somebody hears of it, else null.
  told_launch* launch() const noexcept { return launch_; }

 private:
  template <class Exec>
  HPK_NOINLINE static told_launch* begin_on(Exec exec, told_launch& kept, const launch_info& info,
                                            launched_types (*types)()) {
    auto& machine = exec.instance();
    using machine_type = std::remove_reference_t<decltype(machine)>;
    kept.machine = &machine;
    kept.wait = nullptr;
    if constexpr (!machine_type::synchronous)
      kept.wait = [](void* m) { static_cast<machine_type*>(m)->fence(); };
    return begin(kept, info, types(), device_id_of(machine)) ? &kept : nullptr;
  }
  static bool begin(told_launch& launch, const launch_info& info, const launched_types& types,
                    std::uint32_t device);
  static void end(const told_launch& launch);

  told_launch* launch_ = nullptr;
};
using for_scope = launch_scope<&hook_table::begin_parallel_for, &hook_table::end_parallel_for>;
using reduce_scope =
    launch_scope<&hook_table::begin_parallel_reduce, &hook_table::end_parallel_reduce>;
using scan_scope = launch_scope<&hook_table::begin_parallel_scan, &hook_table::end_parallel_scan>;

/// One side of a copy.
struct copy_side {
  std::string_view space;
  const char* label;
  const void* data;
};

/// Tells of a copy while it lasts, if anybody wants to know.
class copy_scope {
 public:
  copy_scope() = default;
  copy_scope(const copy_scope&) = delete;
  copy_scope& operator=(const copy_scope&) = delete;
  ~copy_scope() {
    if (told_) end();
  }
  /// Whether somebody wants to know.
  static bool is_wanted() noexcept {
    return has_listener(hooks.begin_deep_copy) || has_listener(hooks.end_deep_copy);
  }
  /// Tells that it begins.
  void begin(const copy_side& to, const copy_side& from, std::size_t bytes);

 private:
  void end() const;

  bool told_ = false;
};

/// Tells of a fence while it lasts, if anybody wants to know.
class fence_scope {
 public:
  /// Of all instances of a backend.
  fence_scope(std::string_view name, std::uint32_t device) {
    if (is_wanted()) begin(name, device, {});
  }
  /// Of one. `space`: what stands in the name of a fence that has none, "".
  template <class Machine>
  fence_scope(std::string_view name, const Machine& machine, std::string_view space) {
    if (is_wanted()) begin(name, device_id_of(machine), space);
  }
  fence_scope(const fence_scope&) = delete;
  fence_scope& operator=(const fence_scope&) = delete;
  ~fence_scope() {
    if (told_) end();
  }

 private:
  static bool is_wanted() noexcept {
    return has_listener(hooks.begin_fence) || has_listener(hooks.end_fence);
  }
  void begin(std::string_view name, std::uint32_t device, std::string_view space);
  void end() const;

  std::uint64_t handle_ = 0;
  bool told_ = false;
};

/// Waits for the work of a machine, by a fence of the library, and tells of it.
template <class Machine>
void fence(Machine& machine, std::string_view name) {
  const fence_scope told(name, machine, {});
  machine.fence();
}

/// The name of a fence of an instance of the space for which the program gave `name`, maybe "".
std::string name_of_fence(std::string_view name, std::string_view space);

/// An allocation as tools hear of it.
struct told_memory {
  std::string_view space;
  const char* label;
  const void* data;
  std::size_t bytes;
};
/// Tells of a new allocation, and of one that ends; asks the rule for memory first.
void tell_allocated(const told_memory& memory);
void tell_freed(const told_memory& memory);

}  // namespace hpk::seam
