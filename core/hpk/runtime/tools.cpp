// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/runtime/tool_library.hpp>
#include <hpk/runtime/tools.hpp>

#include <exception>
#include <mutex>
#include <string>

namespace hpk::Tools {

using seam::listener;
using seam::set_callback;
using seam::tool_callbacks;

bool profileLibraryLoaded() noexcept {
  bool any = false;
  seam::for_each_event(
      [&]<auto, auto Callback>() { any = any || seam::has_listener(tool_callbacks.*Callback); });
  return any;
}

void pushRegion(std::string_view name) {
  if (const auto callback = listener(tool_callbacks.push_region)) {
    seam::fence_for_tool();
    callback(std::string(name).c_str());
  }
  if (seam::launch_observer* const observer = seam::find_observer()) observer->begin_region(name);
}
void popRegion() {
  if (seam::launch_observer* const observer = seam::find_observer()) observer->end_region();
  if (const auto callback = listener(tool_callbacks.pop_region)) {
    std::exception_ptr failed;
    try {
      seam::fence_for_tool();
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

void set_init_callback(initFunction callback) noexcept {
  set_callback(tool_callbacks.init, callback);
}
void set_finalize_callback(finalizeFunction callback) noexcept {
  set_callback(tool_callbacks.finalize, callback);
}
void set_parse_args_callback(parseArgsFunction callback) noexcept {
  set_callback(tool_callbacks.parse_args, callback);
}
void set_print_help_callback(printHelpFunction callback) noexcept {
  set_callback(tool_callbacks.print_help, callback);
}
void set_request_tool_settings_callback(requestToolSettingsFunction callback) noexcept {
  set_callback(tool_callbacks.request_tool_settings, callback);
}
void set_provide_tool_programming_interface_callback(
    provideToolProgrammingInterfaceFunction callback) noexcept {
  set_callback(tool_callbacks.provide_tool_programming_interface, callback);
}
void set_begin_parallel_for_callback(beginFunction callback) noexcept {
  set_callback(tool_callbacks.begin_parallel_for, callback);
}
void set_end_parallel_for_callback(endFunction callback) noexcept {
  set_callback(tool_callbacks.end_parallel_for, callback);
}
void set_begin_parallel_reduce_callback(beginFunction callback) noexcept {
  set_callback(tool_callbacks.begin_parallel_reduce, callback);
}
void set_end_parallel_reduce_callback(endFunction callback) noexcept {
  set_callback(tool_callbacks.end_parallel_reduce, callback);
}
void set_begin_parallel_scan_callback(beginFunction callback) noexcept {
  set_callback(tool_callbacks.begin_parallel_scan, callback);
}
void set_end_parallel_scan_callback(endFunction callback) noexcept {
  set_callback(tool_callbacks.end_parallel_scan, callback);
}
void set_push_region_callback(pushFunction callback) noexcept {
  set_callback(tool_callbacks.push_region, callback);
}
void set_pop_region_callback(popFunction callback) noexcept {
  set_callback(tool_callbacks.pop_region, callback);
}
void set_create_profile_section_callback(createProfileSectionFunction callback) noexcept {
  set_callback(tool_callbacks.create_profile_section, callback);
}
void set_start_profile_section_callback(startProfileSectionFunction callback) noexcept {
  set_callback(tool_callbacks.start_profile_section, callback);
}
void set_stop_profile_section_callback(stopProfileSectionFunction callback) noexcept {
  set_callback(tool_callbacks.stop_profile_section, callback);
}
void set_destroy_profile_section_callback(destroyProfileSectionFunction callback) noexcept {
  set_callback(tool_callbacks.destroy_profile_section, callback);
}
void set_profile_event_callback(profileEventFunction callback) noexcept {
  set_callback(tool_callbacks.profile_event, callback);
}
void set_declare_metadata_callback(declareMetadataFunction callback) noexcept {
  set_callback(tool_callbacks.declare_metadata, callback);
}
void set_allocate_data_callback(allocateDataFunction callback) noexcept {
  set_callback(tool_callbacks.allocate_data, callback);
}
void set_deallocate_data_callback(deallocateDataFunction callback) noexcept {
  set_callback(tool_callbacks.deallocate_data, callback);
}
void set_begin_deep_copy_callback(beginDeepCopyFunction callback) noexcept {
  set_callback(tool_callbacks.begin_deep_copy, callback);
}
void set_end_deep_copy_callback(endDeepCopyFunction callback) noexcept {
  set_callback(tool_callbacks.end_deep_copy, callback);
}
void set_begin_fence_callback(beginFenceFunction callback) noexcept {
  set_callback(tool_callbacks.begin_fence, callback);
}
void set_end_fence_callback(endFenceFunction callback) noexcept {
  set_callback(tool_callbacks.end_fence, callback);
}
void set_dual_view_sync_callback(dualViewSyncFunction callback) noexcept {
  set_callback(tool_callbacks.sync_dual_view, callback);
}
void set_dual_view_modify_callback(dualViewModifyFunction callback) noexcept {
  set_callback(tool_callbacks.modify_dual_view, callback);
}

void set_callbacks(const EventSet& set) noexcept {
  seam::for_each_event(
      [&]<auto Event, auto Callback>() { set_callback(tool_callbacks.*Callback, set.*Event); });
}

EventSet get_callbacks() noexcept {
  EventSet set{};
  seam::for_each_event(
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
