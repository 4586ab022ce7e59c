// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/backends.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/runtime/built_in_tools.hpp>
#include <hpk/runtime/compat_layer.hpp>
#include <hpk/runtime/configuration.hpp>
#include <hpk/runtime/first_use.hpp>
#include <hpk/runtime/initialize.hpp>
#include <hpk/runtime/option_table.hpp>
#include <hpk/runtime/tool_library.hpp>
#include <hpk/runtime/tools.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace hpk {

namespace {

enum class phase { untouched, initialized, finalized };

struct hook {
  void* object;
  void (*call)(void*);
  void (*destroy)(void*) noexcept;
};

std::mutex guard;
std::atomic<phase> now{phase::untouched};

// Never destroyed: static objects may push hooks.
std::vector<hook>& hooks() {
  static auto& all = *new std::vector<hook>;
  return all;
}

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

void notify_layer(detail::compat_event event) {
  if (const detail::compat_layer* l = detail::current_compat_layer(); l != nullptr)
    l->notify(event);
}

// Checked before the command line is changed, and again under the lock.
void expect_startable() {
  seam::expect_outside_kernel("hpk::initialize");
  if (now == phase::initialized) {
    detail::raise(
        "hpk::initialize: called twice; ask hpk::is_initialized(), or call finalize first");
  }
}

// Reports the configuration to tools, one "key: value" line at a time.
void declare_configuration() {
  if (!detail::has_listener(detail::tool_callbacks.declare_metadata)) return;
  const std::string text = configuration();
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto colon = line.find(": ");
    const auto first = line.find_first_not_of(' ');
    if (colon != std::string_view::npos)
      Tools::declareMetadata(line.substr(first, colon - first), line.substr(colon + 2));
  }
}

void start(const detail::effective_settings& settings, const char* program) {
  const std::lock_guard lock(guard);
  expect_startable();
  const bool printed = detail::end_first_use();
  detail::put_in_force(settings);
  try {
    detail::begin_tools(detail::tool_request(settings.values, program));
    detail::for_each_type(detail::enabled_spaces{}, [&](auto space) {
      seam::machine<typename decltype(space)::type>::start(settings.values.backend);
    });
  } catch (...) {
    detail::end_tools();
    detail::reset_in_force();
    throw;
  }
  now = phase::initialized;
  detail::print_warnings(settings);
  if (settings.values.print_configuration && !printed)
    detail::print_as_asked(settings.values.prints_json);
  declare_configuration();
}

template <class Machine>
int count_devices() noexcept {
  if constexpr (seam::has_device_count<Machine>) {
    return Machine::device_count();
  } else {
    return -1;
  }
}

template <class Exec>
int number_of_device() noexcept {
  if constexpr (seam::has_device_number<seam::machine<Exec>>) {
    return count_devices<seam::machine<Exec>>() == 0 ? -1 : Exec().instance().device();
  } else {
    return -1;
  }
}

}  // namespace

void initialize(int& argc, char* argv[]) {
  notify_layer(detail::compat_event::initialize);
  expect_startable();
  detail::effective_settings settings = detail::read_settings({});
  detail::read_command_line(settings, argc, argv);
  if (settings.values.help) {
    print(detail::help_text(settings));
    std::exit(EXIT_SUCCESS);
  }
  start(settings, argc > 0 ? argv[0] : "hpk");
  detail::run_replay();
}

void initialize(const InitializationSettings& given) {
  notify_layer(detail::compat_event::initialize);
  start(detail::read_settings(given), "hpk");
  detail::run_replay();
}

void finalize() {
  seam::expect_outside_kernel("hpk::finalize");
  notify_layer(detail::compat_event::finalize);
  if (now != phase::initialized) {
    detail::raise("hpk::finalize: hpk is not initialized; call hpk::initialize first, or neither");
  }
  // A device failure must not prevent hpk from ending.
  try {
    fence("hpk::finalize");
  } catch (const error& e) {
    std::fprintf(stderr, "hpk::finalize: %s\n", e.what());
  }
  for (;;) {
    hook last;
    {
      const std::lock_guard lock(guard);
      if (hooks().empty()) break;
      last = hooks().back();
      hooks().pop_back();
    }
    // The hook is destroyed even if it throws.
    struct ending {
      hook h;
      ~ending() { h.destroy(h.object); }
    } const end{last};
    try {
      last.call(last.object);
    } catch (...) {
      notify_layer(detail::compat_event::hook_threw);
      throw;
    }
  }
  detail::end_tools();
  const std::lock_guard lock(guard);
  detail::for_each_type(detail::enabled_spaces{},
                        [](auto space) { seam::machine<typename decltype(space)::type>::stop(); });
  detail::reset_in_force();
  now = phase::finalized;
}

void ScopeGuard::notify() { notify_layer(detail::compat_event::guard_begins); }
ScopeGuard::~ScopeGuard() {
  if (is_initialized()) {
    finalize();
  } else {
    notify_layer(detail::compat_event::guard_ends_late);
  }
}

bool is_initialized() noexcept { return now == phase::initialized; }
bool is_finalized() noexcept { return now == phase::finalized; }

int num_threads() { return DefaultHostExecutionSpace().concurrency(); }
int num_devices() noexcept { return count_devices<seam::machine<DefaultExecutionSpace>>(); }
int device_id() noexcept { return number_of_device<DefaultExecutionSpace>(); }
bool tune_internals() { return detail::in_force().values.tune_internals; }
bool show_warnings() { return !detail::in_force().values.backend.disable_warnings; }

namespace detail {
void push_hook(void* object, void (*call)(void*), void (*destroy)(void*) noexcept) {
  const std::lock_guard lock(guard);
  hooks().push_back({object, call, destroy});
}
}  // namespace detail

}  // namespace hpk
