// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gpu_checks [NAME]: small programs, each for one thing that may fail on a GPU and in no other
// test, with sizes for a GPU. Without a name it lists them, with a name it runs that check. Each
// check needs a separate process, since a failing kernel breaks the device for its process. Exit
// codes: 0 passed, 1 failed, 2 no such check, 3 no device. Does not need GoogleTest. All test runs
// execute the checks on Emu with small sizes.
#include <checks.hpp>

#include <cstdarg>
#include <cstdio>
#include <string_view>

namespace gpu_checks {
namespace {

struct check {
  std::string_view name;
  void (*run)();
};

constexpr check checks[] = {
    {"device", device},
    {"for_loop", for_loop},
    {"many_iterations", many_iterations},
    {"large_functors", large_functors},
    {"folds", folds},
    {"team_folds", team_folds},
    {"tiles", tiles},
    {"scratch", scratch},
    {"atomics", atomics},
    {"atomics_of_16_bytes", atomics_of_16_bytes},
    {"messages_between_teams", messages_between_teams},
    {"map", map},
    {"instances", instances},
    {"many_launches", many_launches},
    {"null_stream", null_stream},
    {"graph", graph},
    {"graph_while_freeing", graph_while_freeing},
    {"managed_memory", managed_memory},
    {"pinned_memory", pinned_memory},
    {"out_of_memory", out_of_memory},
    {"view_after_main", view_after_main},
    {"error_of_kernel", error_of_kernel},
    {"error_in_instance", error_in_instance},
    {"error_in_guard", error_in_guard},
    {"error_in_global_fence", error_in_global_fence},
};

int failures = 0;

bool has_device() {
  try {
    space().fence();
    return true;
  } catch (const hpk::error& caught) {
    std::printf("%s\n", caught.what());
    return false;
  }
}

int run(const check& one) {
  if (hpk::num_devices() == 0 && !has_device()) return 3;
  const hpk::Timer timer;
  try {
    one.run();
  } catch (const std::exception& caught) {
    fail("it ended with an exception: %s", caught.what());
  }
  std::printf("%.*s: %s, %.2f s\n", static_cast<int>(one.name.size()), one.name.data(),
              failures == 0 ? "right" : "WRONG", timer.seconds());
  return failures == 0 ? 0 : 1;
}

}  // namespace

void fail(const char* format, ...) {
  ++failures;
  std::va_list arguments;
  va_start(arguments, format);
  std::printf("  ");
  std::vprintf(format, arguments);
  std::printf("\n");
  va_end(arguments);
  std::fflush(stdout);
}

}  // namespace gpu_checks

int main(int argc, char** argv) {
  if (argc < 2) {
    for (const gpu_checks::check& one : gpu_checks::checks)
      std::printf("%.*s\n", static_cast<int>(one.name.size()), one.name.data());
    return 0;
  }
  for (const gpu_checks::check& one : gpu_checks::checks)
    if (one.name == argv[1]) return gpu_checks::run(one);
  std::fprintf(stderr, "gpu_checks: there is no check '%s'; gpu_checks lists them\n", argv[1]);
  return 2;
}
