// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The callbacks of a tool, as Kokkos' C tool interface defines them: the function types, and the
// table of all of them, whose layout is part of that interface.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hpk::classes {

/// The name of a memory space in a callback, 0-terminated and truncated to 63 characters.
struct space_handle {
  char name[64];  ///< "Host", "Cuda", ...
};
/// A device, as passed to init; hpk passes none.
struct tool_device {
  std::size_t deviceID;  ///< never set
};
/// What a tool may request before the program begins.
struct tool_settings {
  bool requires_global_fencing;  ///< whether launches and regions are fenced
  bool padding[255];             ///< reserved
};
/// The functions that a tool may call.
struct tool_interface {
  void (*fence)(std::uint32_t device);  ///< waits for all work, whatever the device
  void (*padding[31])();                ///< reserved
};

/// Memory was allocated or is about to be freed: its space, label, address and bytes.
using memory_callback = void (*)(space_handle, const char* label, const void* data,
                                 std::uint64_t bytes);
/// A copy begins: space, label and address of destination and source, and the bytes written.
using begin_copy_callback = void (*)(space_handle to, const char* to_label, const void* to_data,
                                     space_handle from, const char* from_label,
                                     const void* from_data, std::uint64_t bytes);
/// A kernel is launched or a fence begins: its name and device id (tool_id()). The value stored in
/// *handle is passed to the end callback.
using begin_callback = void (*)(const char* name, std::uint32_t device, std::uint64_t* handle);
/// The launch has returned, or the work that the fence waited for is done.
using end_callback = void (*)(std::uint64_t handle);
/// An event with a name, and one without.
///@{
using name_callback = void (*)(const char* name);
using plain_callback = void (*)();
///@}
/// A section is created: the tool stores its number, which later events of the section have.
///@{
using create_section_callback = void (*)(const char* name, std::uint32_t* id);
using section_callback = void (*)(std::uint32_t id);
///@}
/// A DualView was synchronised or marked modified. `on_device` tells which side.
using dual_view_callback = void (*)(const char* label, const void* data, bool on_device);
/// A fact about the program: a line of configuration(), or an argument of declareMetadata().
using metadata_callback = void (*)(const char* key, const char* value);
/// The program begins; `sequence` numbers the tools. hpk passes no devices.
using init_callback = void (*)(int sequence, std::uint64_t version, std::uint32_t devices,
                               tool_device* device);
/// The arguments of a tool, and a request to print which it takes.
///@{
using parse_args_callback = void (*)(int argc, char** argv);
using print_help_callback = void (*)(char* program);
///@}
/// The functions that the tool may call, and settings that it may change; `count` is 1.
///@{
using interface_callback = void (*)(std::uint32_t count, tool_interface);
using settings_callback = void (*)(std::uint32_t count, tool_settings*);
///@}

// For tuning tools, see tuning_types.hpp.
struct variable_info;
struct variable_value;
struct optimization_goal;
/// A variable was declared: its name and number.
using declare_variable_callback = void (*)(const char* name, std::size_t id, variable_info*);
/// Requests the outputs of a context: passes its inputs, and outputs that hold the defaults.
using request_values_callback = void (*)(std::size_t context, std::size_t inputs,
                                         const variable_value* input, std::size_t outputs,
                                         variable_value* output);
/// A context begins.
using begin_context_callback = void (*)(std::size_t context);
/// A context ends: passes the value to be optimised.
using end_context_callback = void (*)(std::size_t context, variable_value);
/// A context has a goal.
using declare_goal_callback = void (*)(std::size_t context, optimization_goal);

// The events in the order of the C interface: type of the callback, member of the tables, and the
// function that a tool defines, without the prefix "kokkosp_".
#define HPK_DETAIL_TOOL_EVENTS(event)                                             \
  event(init_callback, init, init_library);                                       \
  event(plain_callback, finalize, finalize_library);                              \
  event(parse_args_callback, parse_args, parse_args);                             \
  event(print_help_callback, print_help, print_help);                             \
  event(begin_callback, begin_parallel_for, begin_parallel_for);                  \
  event(end_callback, end_parallel_for, end_parallel_for);                        \
  event(begin_callback, begin_parallel_reduce, begin_parallel_reduce);            \
  event(end_callback, end_parallel_reduce, end_parallel_reduce);                  \
  event(begin_callback, begin_parallel_scan, begin_parallel_scan);                \
  event(end_callback, end_parallel_scan, end_parallel_scan);                      \
  event(name_callback, push_region, push_profile_region);                         \
  event(plain_callback, pop_region, pop_profile_region);                          \
  event(memory_callback, allocate_data, allocate_data);                           \
  event(memory_callback, deallocate_data, deallocate_data);                       \
  event(create_section_callback, create_profile_section, create_profile_section); \
  event(section_callback, start_profile_section, start_profile_section);          \
  event(section_callback, stop_profile_section, stop_profile_section);            \
  event(section_callback, destroy_profile_section, destroy_profile_section);      \
  event(name_callback, profile_event, profile_event);                             \
  event(begin_copy_callback, begin_deep_copy, begin_deep_copy);                   \
  event(plain_callback, end_deep_copy, end_deep_copy);                            \
  event(begin_callback, begin_fence, begin_fence);                                \
  event(end_callback, end_fence, end_fence);                                      \
  event(dual_view_callback, sync_dual_view, dual_view_sync);                      \
  event(dual_view_callback, modify_dual_view, dual_view_modify);                  \
  event(metadata_callback, declare_metadata, declare_metadata);                   \
  event(interface_callback, provide_tool_programming_interface,                   \
        provide_tool_programming_interface);                                      \
  event(settings_callback, request_tool_settings, request_tool_settings)
#define HPK_DETAIL_TUNING_EVENTS(event)                                       \
  event(declare_variable_callback, declare_output_type, declare_output_type); \
  event(declare_variable_callback, declare_input_type, declare_input_type);   \
  event(request_values_callback, request_output_values, request_values);      \
  event(begin_context_callback, begin_tuning_context, begin_context);         \
  event(end_context_callback, end_tuning_context, end_context);               \
  event(declare_goal_callback, declare_optimization_goal, declare_optimization_goal)

/// All callbacks of a tool; null for callbacks that the tool lacks. The C interface defines the
/// members, their order and the reserved space.
struct tool_events {
#define HPK_DETAIL_MEMBER(type, member, function) type member
  /// Called at the events of the same name; see set_init_callback() and its like.
  ///@{
  HPK_DETAIL_TOOL_EVENTS(HPK_DETAIL_MEMBER);
  void (*reserved[9])();
  HPK_DETAIL_TUNING_EVENTS(HPK_DETAIL_MEMBER);
  void (*more_reserved[232])();
  ///@}
#undef HPK_DETAIL_MEMBER
};
static_assert(sizeof(tool_events) == 275 * sizeof(void (*)()));

}  // namespace hpk::classes

namespace hpk::detail {
using classes::begin_callback;
using classes::begin_context_callback;
using classes::begin_copy_callback;
using classes::create_section_callback;
using classes::declare_goal_callback;
using classes::declare_variable_callback;
using classes::dual_view_callback;
using classes::end_callback;
using classes::end_context_callback;
using classes::init_callback;
using classes::interface_callback;
using classes::memory_callback;
using classes::metadata_callback;
using classes::name_callback;
using classes::optimization_goal;
using classes::parse_args_callback;
using classes::plain_callback;
using classes::print_help_callback;
using classes::request_values_callback;
using classes::section_callback;
using classes::settings_callback;
using classes::space_handle;
using classes::tool_device;
using classes::tool_events;
using classes::tool_interface;
using classes::tool_settings;
using classes::variable_info;
using classes::variable_value;
}  // namespace hpk::detail
