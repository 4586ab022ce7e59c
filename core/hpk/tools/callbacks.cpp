// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/seam/graph.hpp>
#include <hpk/seam/guards.hpp>
#include <hpk/seam/machine.hpp>
#include <hpk/tools/callbacks.hpp>
#include <hpk/tools/started_backends.hpp>
#include <hpk/tools/tuning.hpp>

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace hpk::detail {

// Never destroyed, because static Views may be destroyed later.
constinit callback_table tool_callbacks;

namespace {

space_handle handle_of(std::string_view space) noexcept {
  space_handle handle = {};
  std::copy_n(space.data(), std::min(space.size(), sizeof(handle.name) - 1), handle.name);
  return handle;
}

// The prefix that a compatibility layer sets for names of the library's own; null for other names
// and without a layer.
const char* other_prefix(std::string_view name) noexcept {
  return name.starts_with("hpk::") ? seam::guards.tool_prefix.load(memory_order::acquire) : nullptr;
}
// Calls call() with the 0-terminated name that tools receive. Short names are copied to the stack.
template <class Call>
void with_name(std::string_view name, const Call& call) {
  if (const char* const prefix = other_prefix(name))
    return call((std::string(prefix) + std::string(name.substr(5))).c_str());
  char copy[256];
  if (name.size() >= sizeof copy) return call(std::string(name).c_str());
  *std::copy_n(name.data(), name.size(), copy) = '\0';
  call(copy);
}

void notify(memory_callback callback, const memory_event& memory) {
  if (callback == nullptr) return;
  const auto call = [&](const char* label) {
    callback(handle_of(memory.space), label, memory.data, memory.bytes);
  };
  // Labels of the program are passed without a copy.
  if (other_prefix(memory.label) == nullptr) return call(memory.label);
  with_name(memory.label, call);
}

void check_guard(const memory_event& memory, bool ends) {
  const seam::memory_guard guard = seam::guards.memory.load(memory_order::acquire);
  if (guard != nullptr) guard(memory.label, ends);
}

}  // namespace

void notify_allocated(const memory_event& memory) {
  check_guard(memory, false);
  notify(listener(tool_callbacks.allocate_data), memory);
}
void notify_freed(const memory_event& memory) {
  check_guard(memory, true);
  notify(listener(tool_callbacks.deallocate_data), memory);
}

void copy_scope::begin(const copy_side& to, const copy_side& from, std::size_t bytes) {
  begun_ = true;
  if (const auto callback = listener(tool_callbacks.begin_deep_copy)) {
    callback(handle_of(to.space), to.label, to.data, handle_of(from.space), from.label, from.data,
             bytes);
  }
}

void copy_scope::end() const {
  if (const auto callback = listener(tool_callbacks.end_deep_copy)) callback();
}

void update_kernel_callbacks() noexcept {
  const callback_table& h = tool_callbacks;
  const bool any = has_listener(h.begin_parallel_for) || has_listener(h.end_parallel_for) ||
                   has_listener(h.begin_parallel_reduce) || has_listener(h.end_parallel_reduce) ||
                   has_listener(h.begin_parallel_scan) || has_listener(h.end_parallel_scan);
  const bool tunes =
      h.may_tune_kernels.load(memory_order::relaxed) && has_listener(h.request_output_values);
  tool_callbacks.tunes_kernels.store(tunes, memory_order::relaxed);
  tool_callbacks.wants_kernels.store(any || tunes || current_observer() != nullptr,
                                     memory_order::relaxed);
}

std::uint32_t instance_number(std::uint32_t backend, const void* machine) {
  // Most launches of a thread go to the same instance as the previous one.
  static thread_local std::pair<const void*, std::uint32_t> last = {nullptr, 0};
  static thread_local std::uint32_t last_backend = 0;
  if (last.first == machine && last_backend == backend) return last.second;
  static std::mutex guard;
  static auto& known = *new std::vector<std::pair<std::uint32_t, const void*>>;
  const std::lock_guard lock(guard);
  std::uint32_t number = 0;
  for (const auto& [kind, address] : known) {
    number += kind == backend ? 1 : 0;
    if (address == machine && kind == backend) {
      last = {machine, number};
      last_backend = backend;
      return number;
    }
  }
  known.emplace_back(backend, machine);
  return number + 1;
}

void fence_for_tool() {
  if (tool_callbacks.fences_kernels.load(memory_order::relaxed) && !seam::inside_kernel())
    seam::fence_all_backends_for_tool();
}

template <auto Begin, auto End>
bool launch_scope<Begin, End>::begin(observed_launch& state, const launch_event& launch,
                                     std::uint32_t device) {
  if (is_hidden()) return false;
  state.handle = 0;
  state.tuning = 0;
  state.observed = 0;
  state.exceptions = std::uncaught_exceptions();
  if (launch_observer* const observer = current_observer())
    state.observed = observer->begin(launch);
  const auto listening = listener(tool_callbacks.*Begin);
  if (listening == nullptr) return true;
  fence_for_tool();
  const seam::launch_info& info = launch.info;
  const launched_types types = launch.kernel_types({}, nullptr);
  const auto call = [&](const char* name) { listening(name, device, &state.handle); };
  if (!info.pattern.starts_with("parallel_")) {
    text name;
    name << "hpk::" << info.pattern;
    if (!info.label.empty()) name << " [" << info.label << ']';
    with_name((name << types.by).str(), call);
  } else if (!info.label.empty()) {
    with_name(info.label, call);
  } else if (types.tag.empty()) {
    with_name(types.functor, call);
  } else {
    call((text() << types.functor << '/' << types.tag).str().c_str());
  }
  return true;
}

template <auto Begin, auto End>
void launch_scope<Begin, End>::end(const observed_launch& launch) {
  const auto listening = listener(tool_callbacks.*End);
  std::exception_ptr failed;
  try {
    if (listening != nullptr) fence_for_tool();
    // A tuning tool measures the work as well, and an observer reads its results.
    if (launch.wait != nullptr && (launch.tuning != 0 || launch.observed != 0 ||
                                   tool_callbacks.times_kernels.load(memory_order::relaxed)))
      launch.wait(launch.machine);
  } catch (...) {
    failed = std::current_exception();
  }
  if (launch.tuning != 0) end_tuned_launch(launch.tuning);
  if (listening != nullptr) listening(launch.handle);
  const bool fails = std::uncaught_exceptions() > launch.exceptions;
  if (launch_observer* const observer = current_observer(); observer != nullptr && launch.observed)
    observer->end(launch.observed, fails || failed != nullptr);
  if (failed && !fails) std::rethrow_exception(failed);
}

template class launch_scope<&callback_table::begin_parallel_for, &callback_table::end_parallel_for>;
template class launch_scope<&callback_table::begin_parallel_reduce,
                            &callback_table::end_parallel_reduce>;
template class launch_scope<&callback_table::begin_parallel_scan,
                            &callback_table::end_parallel_scan>;

void library_scope::end() const { delete launch_; }

std::string name_of_fence(std::string_view name, std::string_view space) {
  if (!name.empty()) return std::string(name);
  text unnamed;
  if (space.empty()) {
    unnamed << "hpk::fence: Unnamed Global Fence";
  } else {
    unnamed << "hpk::" << space << "::fence: Unnamed Instance Fence";
  }
  return unnamed.str();
}

void fence_scope::begin(std::string_view name, std::uint32_t device, std::string_view space) {
  begun_ = true;
  const auto listening = listener(tool_callbacks.begin_fence);
  if (listening == nullptr) return;
  const auto call = [&](const char* text) { listening(text, device, &handle_); };
  if (!name.empty()) return with_name(name, call);
  with_name(name_of_fence(name, space), call);
}

void fence_scope::end() const {
  if (const auto callback = listener(tool_callbacks.end_fence)) callback(handle_);
}

}  // namespace hpk::detail
