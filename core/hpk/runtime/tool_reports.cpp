// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/runtime/option_table.hpp>
#include <hpk/runtime/tool_library.hpp>
#include <hpk/runtime/tool_reports.hpp>
#include <hpk/tools/callbacks.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace hpk::Tools {

using Experimental::SpaceHandle;

using detail::callback_table;
using detail::listener;
using detail::tool_callbacks;

namespace {

template <auto Event>
void begin_kernel(std::string_view name, std::uint32_t device, std::uint64_t* handle) {
  *handle = 0;
  const auto callback = listener(tool_callbacks.*Event);
  if (callback == nullptr) return;
  detail::fence_for_tool();
  callback(std::string(name).c_str(), device, handle);
}
template <auto Event>
void end_kernel(std::uint64_t handle) {
  const auto callback = listener(tool_callbacks.*Event);
  if (callback == nullptr) return;
  detail::fence_for_tool();
  callback(handle);
}

void begin(const detail::run_settings& values, std::string program) {
  detail::begin_tools(detail::tool_request(values, std::move(program)));
}

}  // namespace

void initialize(const std::string& library) {
  detail::run_settings values;
  values.tools_libs = library;
  values.only_first_tool = true;
  begin(values, "hpk");
}
void initialize(int argc, char* argv[]) {
  detail::effective_settings settings = detail::read_settings({});
  // Reads a copy: hpk::initialize must still find the flags on the command line.
  std::vector<char*> words(argv, argv + argc);
  words.push_back(nullptr);
  detail::read_command_line(settings, argc, words.data());
  begin(settings.values, argc > 0 ? argv[0] : "hpk");
}
void finalize() { detail::end_tools(); }

SpaceHandle make_space_handle(std::string_view space) noexcept {
  SpaceHandle handle = {};
  std::copy_n(space.data(), std::min(space.size(), sizeof handle.name - 1), handle.name);
  return handle;
}

void beginParallelFor(std::string_view name, std::uint32_t device, std::uint64_t* handle) {
  begin_kernel<&callback_table::begin_parallel_for>(name, device, handle);
}
void endParallelFor(std::uint64_t handle) { end_kernel<&callback_table::end_parallel_for>(handle); }
void beginParallelReduce(std::string_view name, std::uint32_t device, std::uint64_t* handle) {
  begin_kernel<&callback_table::begin_parallel_reduce>(name, device, handle);
}
void endParallelReduce(std::uint64_t handle) {
  end_kernel<&callback_table::end_parallel_reduce>(handle);
}
void beginParallelScan(std::string_view name, std::uint32_t device, std::uint64_t* handle) {
  begin_kernel<&callback_table::begin_parallel_scan>(name, device, handle);
}
void endParallelScan(std::uint64_t handle) {
  end_kernel<&callback_table::end_parallel_scan>(handle);
}
void beginFence(std::string_view name, std::uint32_t device, std::uint64_t* handle) {
  *handle = 0;
  if (const auto callback = listener(tool_callbacks.begin_fence))
    callback(std::string(name).c_str(), device, handle);
}
void endFence(std::uint64_t handle) {
  if (const auto callback = listener(tool_callbacks.end_fence)) callback(handle);
}
void beginDeepCopy(SpaceHandle to, std::string_view to_label, const void* to_data, SpaceHandle from,
                   std::string_view from_label, const void* from_data, std::uint64_t bytes) {
  if (const auto callback = listener(tool_callbacks.begin_deep_copy)) {
    callback(to, std::string(to_label).c_str(), to_data, from, std::string(from_label).c_str(),
             from_data, bytes);
  }
}
void endDeepCopy() {
  if (const auto callback = listener(tool_callbacks.end_deep_copy)) callback();
}
void allocateData(SpaceHandle space, std::string_view label, const void* data,
                  std::uint64_t bytes) {
  if (const auto callback = listener(tool_callbacks.allocate_data))
    callback(space, std::string(label).c_str(), data, bytes);
}
void deallocateData(SpaceHandle space, std::string_view label, const void* data,
                    std::uint64_t bytes) {
  if (const auto callback = listener(tool_callbacks.deallocate_data))
    callback(space, std::string(label).c_str(), data, bytes);
}

}  // namespace hpk::Tools
