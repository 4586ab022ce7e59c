// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/runtime/built_in_tools.hpp>
#include <hpk/runtime/compat_layer.hpp>
#include <hpk/runtime/first_use.hpp>
#include <hpk/runtime/option_table.hpp>
#include <hpk/runtime/tool_library.hpp>
#include <hpk/seam/machine.hpp>
#include <hpk/tools/callbacks.hpp>
#include <hpk/tools/started_backends.hpp>
#include <hpk/tools/tuning.hpp>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace hpk::detail {

namespace {

using events = tool_events;

constexpr std::uint64_t interface_version = 20240906;

// The listeners that joined callbacks call. Never destroyed: static Views may be destroyed after
// everything else.
std::vector<events>& listeners() {
  static auto& all = *new std::vector<events>;
  return all;
}

// Returns an array with a handle per listener. Its address is the joint handle.
std::uint64_t* new_handles() { return new std::uint64_t[listeners().size()]{}; }

// Each listener's number of a section, by the joint number of the section.
std::mutex section_guard;
std::vector<std::vector<std::uint32_t>>& sections() {
  static auto& all = *new std::vector<std::vector<std::uint32_t>>;
  return all;
}

// Calls the event of all listeners.
template <auto Event, class Callback>
struct joined_as;
template <auto Event, class... Args>
struct joined_as<Event, void (*)(Args...)> {
  static void call(Args... args) {
    for (const events& one : listeners()) {
      if (one.*Event != nullptr) (one.*Event)(args...);
    }
  }
};
template <auto Event>
struct joined_as<Event, begin_callback> {
  static void call(const char* name, std::uint32_t device, std::uint64_t* handle) {
    std::uint64_t* const handles = new_handles();
    std::size_t k = 0;
    for (const events& one : listeners()) {
      if (one.*Event != nullptr) (one.*Event)(name, device, handles + k);
      ++k;
    }
    *handle = reinterpret_cast<std::uintptr_t>(handles);
  }
};
template <auto Event>
struct joined_as<Event, end_callback> {
  static void call(std::uint64_t handle) {
    const std::unique_ptr<std::uint64_t[]> handles(
        reinterpret_cast<std::uint64_t*>(static_cast<std::uintptr_t>(handle)));
    std::size_t k = 0;
    for (const events& one : listeners()) {
      if (one.*Event != nullptr) (one.*Event)(handles == nullptr ? 0 : handles[k]);
      ++k;
    }
  }
};
template <auto Event>
struct joined_as<Event, create_section_callback> {
  static void call(const char* name, std::uint32_t* id) {
    std::vector<std::uint32_t> ids;
    for (const events& one : listeners()) {
      ids.push_back(0);
      if (one.*Event != nullptr) (one.*Event)(name, &ids.back());
    }
    const std::lock_guard lock(section_guard);
    sections().push_back(std::move(ids));
    *id = static_cast<std::uint32_t>(sections().size() - 1);
  }
};
template <auto Event>
struct joined_as<Event, section_callback> {
  static void call(std::uint32_t id) {
    std::vector<std::uint32_t> ids;
    {
      const std::lock_guard lock(section_guard);
      if (id >= sections().size()) return;
      ids = sections()[id];
    }
    for (std::size_t k = 0; k != ids.size(); ++k) {
      const events& one = listeners()[k];
      if (one.*Event != nullptr) (one.*Event)(ids[k]);
    }
  }
};

// On some machines begin_context has the same type as the end of an event, but takes no handle.
template <>
struct joined_as<&events::begin_tuning_context, begin_context_callback> {
  static void call(std::size_t context) {
    for (const events& one : listeners()) {
      if (one.begin_tuning_context != nullptr) one.begin_tuning_context(context);
    }
  }
};

template <auto Event>
using joined = joined_as<Event, std::remove_reference_t<decltype(std::declval<events&>().*Event)>>;

void fence_all_for_tool(std::uint32_t) { seam::fence_all_backends_for_tool(); }

// Splits a list at separators and drops empty parts.
std::vector<std::string> pieces_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end != 0) pieces.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pieces;
}

bool load(const std::string& path, events& into) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    std::fprintf(stderr, "hpk: the tool %s can't be loaded: %s\n", path.c_str(), dlerror());
    return false;
  }
  bool any = false;
  const auto find = [&]<class Callback>(Callback& callback, const char* function) {
    void* const symbol = dlsym(library, function);
    callback = reinterpret_cast<Callback>(symbol);
    any = any || symbol != nullptr;
  };
#define HPK_DETAIL_FIND(type, member, function) find(into.member, "kokkosp_" #function)
  HPK_DETAIL_TOOL_EVENTS(HPK_DETAIL_FIND);
  HPK_DETAIL_TUNING_EVENTS(HPK_DETAIL_FIND);
#undef HPK_DETAIL_FIND
  if (!any) {
    std::fprintf(stderr, "hpk: the tool %s has none of the functions kokkosp_*\n", path.c_str());
  }
  return any;
}

// Notifies a listener of the beginning. Returns whether launches and regions must be fenced for it:
// `fences`, unless the listener chooses otherwise.
bool begin_one(const events& tool, int sequence, bool fences = true) {
  if (tool.init != nullptr) tool.init(sequence, interface_version, 0, nullptr);
  // Defaults; the tool may change them.
  tool_settings settings{};
  settings.requires_global_fencing = fences;
  if (tool.request_tool_settings != nullptr) tool.request_tool_settings(1, &settings);
  if (tool.provide_tool_programming_interface != nullptr) {
    tool_interface callable{};
    callable.fence = &fence_all_for_tool;
    tool.provide_tool_programming_interface(1, callable);
  }
  return settings.requires_global_fencing;
}

void print_help(const events& tool, const std::string& path, std::string program) {
  if (tool.print_help != nullptr) {
    tool.print_help(program.data());
  } else {
    std::fprintf(stderr, "hpk: the tool %s has no help\n", path.c_str());
  }
}

// Recursive, because a tool may use hpk while it begins or ends.
std::recursive_mutex guard;
bool is_begun = false;
bool has_tools = false;
std::vector<std::string>& loaded() {
  static auto& all = *new std::vector<std::string>;
  return all;
}

void end_listeners() {
  loaded().clear();
  tool_callbacks.may_tune_kernels.store(false, memory_order::relaxed);
  if (const auto finalize = listener(tool_callbacks.finalize)) finalize();
  update_kernel_callbacks();
  tool_callbacks.fences_kernels.store(false, memory_order::relaxed);
  if (!has_tools) return;
  has_tools = false;
  tool_callbacks.times_kernels.store(false, memory_order::relaxed);
  for_each_event([]<auto, auto Callback>() { set_callback(tool_callbacks.*Callback, nullptr); });
}

}  // namespace

events join_events(std::vector<events> all) {
  listeners() = std::move(all);
  if (listeners().size() == 1) return listeners().front();
  events result{};
  for_each_event([&]<auto Event, auto>() {
    for (const events& one : listeners()) {
      if (one.*Event != nullptr) result.*Event = &joined<Event>::call;
    }
  });
  // The end event frees the joint handle, so it must be called even if no listener wants it.
  const auto close = [&result](auto begin, auto end, auto function) {
    if (result.*begin != nullptr) result.*end = function;
  };
  close(&events::begin_parallel_for, &events::end_parallel_for,
        &joined<&events::end_parallel_for>::call);
  close(&events::begin_parallel_reduce, &events::end_parallel_reduce,
        &joined<&events::end_parallel_reduce>::call);
  close(&events::begin_parallel_scan, &events::end_parallel_scan,
        &joined<&events::end_parallel_scan>::call);
  close(&events::begin_fence, &events::end_fence, &joined<&events::end_fence>::call);
  return result;
}

void begin_tools(const tool_request& request) {
  const std::lock_guard lock(guard);
  if (is_begun) return;
  is_begun = true;
  tool_callbacks.may_tune_kernels.store(request.tune_internals, memory_order::relaxed);
  update_kernel_callbacks();
  std::vector<events> all;
  events own{};
  bool has_own = false;
  for_each_event([&]<auto Event, auto Callback>() {
    own.*Event = listener(tool_callbacks.*Callback);
    has_own = has_own || own.*Event != nullptr;
  });
  // Programs of hpk fence where they need it, unless their callbacks request fences. Programs of a
  // compatibility layer expect fences, and may set their callbacks later.
  const bool expects_fences = current_compat_layer() != nullptr && request.profile.empty();
  bool fences = expects_fences && request.libraries.empty();
  if (has_own) {
    all.push_back(own);
    fences = begin_one(own, 0, expects_fences || own.request_tool_settings != nullptr);
  }
  std::vector<std::string> words = {request.program};
  for (std::string& word : pieces_of(request.arguments, " \t")) words.push_back(std::move(word));
  int sequence = 0;
  std::vector<std::string> paths = pieces_of(request.libraries, ";");
  if (request.only_first && !paths.empty()) paths.resize(1);
  for (const std::string& path : paths) {
    events tool{};
    if (!load(path, tool)) continue;
    loaded().push_back(path);
    fences = begin_one(tool, sequence++) || fences;
    declare_variables_to(tool);
    if (request.help) print_help(tool, path, request.program);
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    if (!request.help && tool.parse_args != nullptr)
      tool.parse_args(static_cast<int>(words.size()), argv.data());
    all.push_back(tool);
  }
  tool_callbacks.fences_kernels.store(fences, memory_order::relaxed);
  if (request.help) {
    if (sequence == 0) std::fprintf(stderr, "hpk: no tool is loaded whose help could be printed\n");
    for (const events& tool : all) {
      if (tool.finalize != nullptr) tool.finalize();
    }
    std::exit(EXIT_SUCCESS);
  }
  if (const auto profile = begin_profile(request.profile, request.gpu_model, request.gpu_limits)) {
    all.push_back(profile->events);
    tool_callbacks.times_kernels.store(profile->needs_times, memory_order::relaxed);
    ++sequence;
  }
  if (!request.tune.empty() || !request.tune_use.empty()) {
    all.push_back(begin_tuner(request.tune, request.tune_use));
    declare_variables_to(all.back());
    tool_callbacks.may_tune_kernels.store(true, memory_order::relaxed);
    ++sequence;
  }
  begin_recording({request.hash, request.capture, request.replay}, &end_tools);
  if (sequence == 0) return;
  has_tools = true;
  const events joint = join_events(std::move(all));
  for_each_event(
      [&]<auto Event, auto Callback>() { set_callback(tool_callbacks.*Callback, joint.*Event); });
}

void end_tools() {
  const std::lock_guard lock(guard);
  if (!is_begun) return;
  is_begun = false;
  const bool has_replayed = end_recording();
  end_listeners();
  if (has_replayed) return;
  // Replaces the program's status, which may report success.
  std::fflush(nullptr);
  std::_Exit(2);
}

std::vector<std::string> loaded_tools() {
  const std::lock_guard lock(guard);
  return loaded();
}

void begin_tools() noexcept {
  print_at_exit();
  try {
    tool_request wanted(in_force().values, "hpk");
    const bool is_own = has_listener(tool_callbacks.init) || has_listener(tool_callbacks.finalize);
    if (wanted.is_empty() && !is_own) return;
    wanted.help = false;
    static const bool ends_at_exit = std::atexit([] { end_tools(); }) == 0;
    (void)ends_at_exit;
    begin_tools(wanted);
  } catch (const error& wrong) {
    hpk::abort(wrong.what());
  }
}

}  // namespace hpk::detail
