// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/file_settings.hpp>
#include <hpk/runtime/configuration.hpp>
#include <hpk/runtime/first_use.hpp>
#include <hpk/runtime/option_table.hpp>
#include <hpk/seam/guards.hpp>

#include <cstdio>
#include <cstdlib>

namespace hpk::detail {

namespace {

enum class phase { not_asked, watched, printed, over };
constinit atomic_word<phase> now{phase::not_asked};

void print_once();
void before_launch(const std::source_location& /*where*/) { print_once(); }
void at_memory(const char* /*label*/, bool /*ends*/) { print_once(); }

// Removes only its own guards: a compatibility layer may have set others in the meantime.
void stop_watching() noexcept {
  seam::launch_guard launch = &before_launch;
  seam::guards.launch.compare_exchange(launch, nullptr, memory_order::acq_rel);
  seam::memory_guard memory = &at_memory;
  seam::guards.memory.compare_exchange(memory, nullptr, memory_order::acq_rel);
}

void print_once() {
  stop_watching();
  phase before = phase::watched;
  if (!now.compare_exchange(before, phase::printed, memory_order::acq_rel)) return;
  const run_settings values = in_force().values;
  if (values.print_configuration) print_as_asked(values.prints_json);
}

}  // namespace

void print_at_exit() noexcept {
  if (now.load(memory_order::acquire) != phase::watched) return;
  static const bool registered = std::atexit(&print_once) == 0;
  (void)registered;
}

bool end_first_use() noexcept {
  stop_watching();
  return now.exchange(phase::over, memory_order::acq_rel) == phase::printed;
}

void print_as_asked(bool as_json) {
  const std::string text =
      configuration(as_json ? configuration_format::json : configuration_format::text);
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

// Runs before static objects of the program allocate.
HPK_DETAIL_BEFORE_MAIN(watch_first_use) {
  if (std::getenv("HPK_PRINT_CONFIGURATION") == nullptr) return;
  now.store(phase::watched, memory_order::release);
  seam::guards.launch.store(&before_launch, memory_order::release);
  seam::guards.memory.store(&at_memory, memory_order::release);
}

}  // namespace hpk::detail
