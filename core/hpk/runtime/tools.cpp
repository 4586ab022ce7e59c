// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/runtime/tool_library.hpp>
#include <hpk/runtime/tools.hpp>
#include <hpk/runtime/tuning.hpp>

#include <exception>
#include <mutex>
#include <string>

namespace hpk::Tools {

using detail::listener;
using detail::set_callback;
using detail::tool_callbacks;

bool profileLibraryLoaded() noexcept {
  bool any = false;
  detail::for_each_event(
      [&]<auto, auto Callback>() { any = any || detail::has_listener(tool_callbacks.*Callback); });
  return any;
}

void pushRegion(std::string_view name) {
  if (const auto callback = listener(tool_callbacks.push_region)) {
    detail::fence_for_tool();
    callback(std::string(name).c_str());
  }
  if (detail::launch_observer* const observer = detail::find_observer())
    observer->begin_region(name);
}
void popRegion() {
  if (detail::launch_observer* const observer = detail::find_observer()) observer->end_region();
  if (const auto callback = listener(tool_callbacks.pop_region)) {
    std::exception_ptr failed;
    try {
      detail::fence_for_tool();
    } catch (...) {
      failed = std::current_exception();
    }
    callback();
    if (failed) std::rethrow_exception(failed);
  }
}
ScopedRegion::ScopedRegion(std::string_view name) : exceptions_(std::uncaught_exceptions()) {
  pushRegion(name);
}
ScopedRegion::~ScopedRegion() noexcept(false) {
  try {
    popRegion();
  } catch (...) {
    if (std::uncaught_exceptions() <= exceptions_) throw;
  }
}
void markEvent(std::string_view name) {
  if (const auto callback = listener(tool_callbacks.profile_event))
    callback(std::string(name).c_str());
}
void declareMetadata(std::string_view key, std::string_view value) {
  if (const auto callback = listener(tool_callbacks.declare_metadata))
    callback(std::string(key).c_str(), std::string(value).c_str());
}
void createProfileSection(std::string_view name, std::uint32_t* id) {
  *id = 0;
  if (const auto callback = listener(tool_callbacks.create_profile_section))
    callback(std::string(name).c_str(), id);
}
void startSection(std::uint32_t id) {
  if (const auto callback = listener(tool_callbacks.start_profile_section)) callback(id);
}
void stopSection(std::uint32_t id) {
  if (const auto callback = listener(tool_callbacks.stop_profile_section)) callback(id);
}
void destroyProfileSection(std::uint32_t id) {
  if (const auto callback = listener(tool_callbacks.destroy_profile_section)) callback(id);
}
void syncDualView(std::string_view label, const void* data, bool on_device) {
  if (const auto callback = listener(tool_callbacks.sync_dual_view))
    callback(std::string(label).c_str(), data, on_device);
}
void modifyDualView(std::string_view label, const void* data, bool on_device) {
  if (const auto callback = listener(tool_callbacks.modify_dual_view))
    callback(std::string(label).c_str(), data, on_device);
}

namespace Experimental {

// Defines the function that sets a callback, given its name and its member of the tables.
#define HPK_DETAIL_SETTER(name, member)                                      \
  void set_##name##_callback(decltype(EventSet::member) callback) noexcept { \
    set_callback(tool_callbacks.member, callback);                           \
  }
HPK_DETAIL_SETTER(init, init)
HPK_DETAIL_SETTER(finalize, finalize)
HPK_DETAIL_SETTER(parse_args, parse_args)
HPK_DETAIL_SETTER(print_help, print_help)
HPK_DETAIL_SETTER(request_tool_settings, request_tool_settings)
HPK_DETAIL_SETTER(provide_tool_programming_interface, provide_tool_programming_interface)
HPK_DETAIL_SETTER(begin_parallel_for, begin_parallel_for)
HPK_DETAIL_SETTER(end_parallel_for, end_parallel_for)
HPK_DETAIL_SETTER(begin_parallel_reduce, begin_parallel_reduce)
HPK_DETAIL_SETTER(end_parallel_reduce, end_parallel_reduce)
HPK_DETAIL_SETTER(begin_parallel_scan, begin_parallel_scan)
HPK_DETAIL_SETTER(end_parallel_scan, end_parallel_scan)
HPK_DETAIL_SETTER(push_region, push_region)
HPK_DETAIL_SETTER(pop_region, pop_region)
HPK_DETAIL_SETTER(create_profile_section, create_profile_section)
HPK_DETAIL_SETTER(start_profile_section, start_profile_section)
HPK_DETAIL_SETTER(stop_profile_section, stop_profile_section)
HPK_DETAIL_SETTER(destroy_profile_section, destroy_profile_section)
HPK_DETAIL_SETTER(profile_event, profile_event)
HPK_DETAIL_SETTER(declare_metadata, declare_metadata)
HPK_DETAIL_SETTER(allocate_data, allocate_data)
HPK_DETAIL_SETTER(deallocate_data, deallocate_data)
HPK_DETAIL_SETTER(begin_deep_copy, begin_deep_copy)
HPK_DETAIL_SETTER(end_deep_copy, end_deep_copy)
HPK_DETAIL_SETTER(begin_fence, begin_fence)
HPK_DETAIL_SETTER(end_fence, end_fence)
HPK_DETAIL_SETTER(dual_view_sync, sync_dual_view)
HPK_DETAIL_SETTER(dual_view_modify, modify_dual_view)
HPK_DETAIL_SETTER(declare_output_type, declare_output_type)
HPK_DETAIL_SETTER(declare_input_type, declare_input_type)
HPK_DETAIL_SETTER(request_output_values, request_output_values)
HPK_DETAIL_SETTER(begin_context, begin_tuning_context)
HPK_DETAIL_SETTER(end_context, end_tuning_context)
HPK_DETAIL_SETTER(declare_optimization_goal, declare_optimization_goal)
#undef HPK_DETAIL_SETTER

void set_callbacks(const EventSet& set) noexcept {
  detail::for_each_event(
      [&]<auto Event, auto Callback>() { set_callback(tool_callbacks.*Callback, set.*Event); });
}

EventSet get_callbacks() noexcept {
  EventSet set{};
  detail::for_each_event(
      [&]<auto Event, auto Callback>() { set.*Event = listener(tool_callbacks.*Callback); });
  return set;
}

static std::mutex guard;
static bool is_paused = false;
static EventSet paused_callbacks{};

void pause_tools() noexcept {
  const std::lock_guard lock(guard);
  if (is_paused) return;
  is_paused = true;
  paused_callbacks = get_callbacks();
  set_callbacks({});
}

void resume_tools() noexcept {
  const std::lock_guard lock(guard);
  if (!is_paused) return;
  is_paused = false;
  set_callbacks(paused_callbacks);
}

}  // namespace Experimental
}  // namespace hpk::Tools
