// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface for tools. A program marks regions, sections and events, and may set callbacks that
// hpk calls when it launches, copies, allocates, frees or fences. Tools are shared libraries with
// the C interface of Kokkos tools (kokkosp_*); HPK_TOOLS_LIBS names them, and they are loaded when
// the program initializes. Without a tool or callback a launch pays for one load and a branch.
#pragma once

#include <hpk/base/device_type.hpp>
#include <hpk/tools/callbacks.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

/// The interface for tools: regions, sections and events of the program. Programs for older
/// versions of Kokkos call it hpk::Profiling.
namespace hpk::Tools {

/// Whether any tool or callback is set.
bool profileLibraryLoaded() noexcept;

/// Opens a region; popRegion() closes the region that was opened last, on any thread. If a tool
/// requests fences, their errors are thrown here; the region is closed nevertheless.
///@{
void pushRegion(std::string_view name);
void popRegion();
///@}
/// Marks a point in time.
void markEvent(std::string_view name);
/// Reports a fact about the run.
void declareMetadata(std::string_view key, std::string_view value);
/// Sections: periods of time that may overlap. The tool numbers them; without a tool the number is
/// 0.
///@{
void createProfileSection(std::string_view name, std::uint32_t* id);
void startSection(std::uint32_t id);
void stopSection(std::uint32_t id);
void destroyProfileSection(std::uint32_t id);
///@}
/// Reports that the elements of a DualView, or of a similar container, were updated from the other
/// side, or modified. `on_device`: whether on the device side. DualView calls these itself.
///@{
void syncDualView(std::string_view label, const void* data, bool on_device);
void modifyDualView(std::string_view label, const void* data, bool on_device);
///@}

/// A region for the lifetime of the object. Its destructor throws the errors of popRegion(), unless
/// the region is left by an exception.
class [[nodiscard]] ScopedRegion {
 public:
  /// Opens a region, as pushRegion(name).
  [[nodiscard]] explicit ScopedRegion(std::string_view name);
  ~ScopedRegion() noexcept(false);
  ScopedRegion(const ScopedRegion&) = delete;
  ScopedRegion& operator=(const ScopedRegion&) = delete;

 private:
  int exceptions_;  // in flight when the region began
};

/// A section, started and stopped any number of times.
class [[nodiscard]] ProfilingSection {
 public:
  /// Creates a section that is not started; its destructor destroys it.
  [[nodiscard]] explicit ProfilingSection(std::string_view name) {
    createProfileSection(name, &id_);
  }
  ~ProfilingSection() { destroyProfileSection(id_); }
  ProfilingSection(const ProfilingSection&) = delete;
  ProfilingSection& operator=(const ProfilingSection&) = delete;
  /// Starts or stops the section; any number of times, by any thread.
  ///@{
  void start() { startSection(id_); }
  void stop() { stopSection(id_); }
  ///@}

 private:
  std::uint32_t id_ = 0;
};

/// The callbacks and types of the C interface, and tuning.
namespace Experimental {

/// A type of the C interface, under its original name.
///@{
using SpaceHandle = detail::space_handle;
using ToolSettings = detail::tool_settings;
using ToolProgrammingInterface = detail::tool_interface;
using EventSet = detail::tool_events;
using initFunction = detail::init_callback;
using finalizeFunction = detail::plain_callback;
using parseArgsFunction = detail::parse_args_callback;
using printHelpFunction = detail::print_help_callback;
using beginFunction = detail::begin_callback;
using endFunction = detail::end_callback;
using pushFunction = detail::name_callback;
using popFunction = detail::plain_callback;
using allocateDataFunction = detail::memory_callback;
using deallocateDataFunction = detail::memory_callback;
using createProfileSectionFunction = detail::create_section_callback;
using startProfileSectionFunction = detail::section_callback;
using stopProfileSectionFunction = detail::section_callback;
using destroyProfileSectionFunction = detail::section_callback;
using profileEventFunction = detail::name_callback;
using beginDeepCopyFunction = detail::begin_copy_callback;
using endDeepCopyFunction = detail::plain_callback;
using beginFenceFunction = detail::begin_callback;
using endFenceFunction = detail::end_callback;
using dualViewSyncFunction = detail::dual_view_callback;
using dualViewModifyFunction = detail::dual_view_callback;
using declareMetadataFunction = detail::metadata_callback;
using provideToolProgrammingInterfaceFunction = detail::interface_callback;
using requestToolSettingsFunction = detail::settings_callback;
///@}

// Each sets the callback for one kind of event and replaces the previous one, even that of a loaded
// tool; null removes it. Any thread may set callbacks. They are called by the thread that does the
// work, by several at a time, so they must be thread-safe. They must not throw. Their own
// allocations and copies are reported too. A call on another thread may still be running after its
// callback was replaced.

/// Called when the program begins, if set before: by hpk::initialize, or at the first use of a
/// space without initialize; with sequence 0, the version of the interface and no device. The
/// callbacks for settings and the programming interface follow. They must not use the space whose
/// first use calls them. If a program sets the callback for settings, launches and regions are
/// fenced unless that callback requests no fences.
void set_init_callback(initFunction callback) noexcept;
/// Called by hpk::finalize. In a program that does not call finalize: called at its end, if an init
/// or finalize callback was set at the first use of a space.
void set_finalize_callback(finalizeFunction callback) noexcept;
/// Stored for get_callbacks(). hpk calls only the functions of loaded tools to parse arguments and
/// to print help.
///@{
void set_parse_args_callback(parseArgsFunction callback) noexcept;
void set_print_help_callback(printHelpFunction callback) noexcept;
///@}
/// Called after the init callback, with the settings that it may change, or with the functions of
/// hpk that a tool may call.
///@{
void set_request_tool_settings_callback(requestToolSettingsFunction callback) noexcept;
void set_provide_tool_programming_interface_callback(
    provideToolProgrammingInterfaceFunction callback) noexcept;
///@}
/// Called around each launch outside of kernels with its label, or else the types of functor and
/// work tag, and the device; around the kernels that initialise, destroy, fill and copy Views, too.
/// The end is reported when the launch has returned, before a fence for its result.
///@{
void set_begin_parallel_for_callback(beginFunction callback) noexcept;
void set_end_parallel_for_callback(endFunction callback) noexcept;
void set_begin_parallel_reduce_callback(beginFunction callback) noexcept;
void set_end_parallel_reduce_callback(endFunction callback) noexcept;
void set_begin_parallel_scan_callback(beginFunction callback) noexcept;
void set_end_parallel_scan_callback(endFunction callback) noexcept;
///@}
/// Called for the marks of the program.
///@{
void set_push_region_callback(pushFunction callback) noexcept;
void set_pop_region_callback(popFunction callback) noexcept;
void set_create_profile_section_callback(createProfileSectionFunction callback) noexcept;
void set_start_profile_section_callback(startProfileSectionFunction callback) noexcept;
void set_stop_profile_section_callback(stopProfileSectionFunction callback) noexcept;
void set_destroy_profile_section_callback(destroyProfileSectionFunction callback) noexcept;
void set_profile_event_callback(profileEventFunction callback) noexcept;
void set_declare_metadata_callback(declareMetadataFunction callback) noexcept;
///@}
/// Called after Views, hpk::malloc and the buffers of deep_copy have allocated memory.
void set_allocate_data_callback(allocateDataFunction callback) noexcept;
/// Called before memory is freed.
void set_deallocate_data_callback(deallocateDataFunction callback) noexcept;
/// Called before each deep_copy of elements or of a value; a value has the label "Scalar" and the
/// host's space. `bytes`: the bytes written. A copy through buffers is reported once; its buffers
/// are reported as allocations, with separate labels.
void set_begin_deep_copy_callback(beginDeepCopyFunction callback) noexcept;
/// Called after the copy was done, or queued on its instance.
void set_end_deep_copy_callback(endDeepCopyFunction callback) noexcept;
/// Called before the host waits: in fence() of an instance, in the constructor of a View without an
/// instance, after a reduction or scan into a variable, and in hpk::fence() and its callers once
/// for each backend in use. Not for the fences that a tool asks for. The end callback receives the
/// value that this one stores in *handle.
void set_begin_fence_callback(beginFenceFunction callback) noexcept;
/// Called after the host waited, even if the wait failed.
void set_end_fence_callback(endFenceFunction callback) noexcept;
/// Called when a DualView copies from one side to the other, and when a side is marked modified.
///@{
void set_dual_view_sync_callback(dualViewSyncFunction callback) noexcept;
void set_dual_view_modify_callback(dualViewModifyFunction callback) noexcept;
///@}

/// Sets all callbacks at once; returns those that are set.
///@{
void set_callbacks(const EventSet& events) noexcept;
EventSet get_callbacks() noexcept;
///@}
/// Suspends all callbacks until resume_tools(). Calls do not nest.
///@{
void pause_tools() noexcept;
void resume_tools() noexcept;
///@}

/// The fields of a device id. DeviceType: see base/device_type.hpp.
struct ExecutionSpaceIdentifier {
  DeviceType type;            ///< the backend
  std::uint32_t device_id;    ///< the device among those of the backend
  std::uint32_t instance_id;  ///< the instance, counted from 1; 0: all
};
/// The id of an instance as callbacks receive it.
template <class Exec>
std::uint32_t device_id(const Exec& exec) {
  return detail::device_id_of(exec.instance());
}
/// Returns the id that means all instances of a space on its default device.
template <class Exec>
std::uint32_t device_id_root() {
  return Exec().instance().tool_id();
}
/// Splits an id into its fields.
constexpr ExecutionSpaceIdentifier identifier_from_devid(std::uint32_t id) noexcept {
  const std::uint32_t type = id >> 24;
  constexpr auto last = static_cast<std::uint32_t>(DeviceType::Unknown);
  return {static_cast<DeviceType>(type < last ? type : last), (id >> 17) & 0x7f, id & 0x1ffff};
}

}  // namespace Experimental
}  // namespace hpk::Tools

namespace hpk {
/// The name of Tools in older versions of Kokkos.
namespace Profiling = Tools;
}  // namespace hpk
