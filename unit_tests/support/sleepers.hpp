// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds out whether the other threads of the process sleep, by Linux's records; sleeping threads
// use no processor.
#pragma once

#include <support/wait.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <system_error>

#include <unistd.h>

namespace hpk_test {

// Returns how often each other thread has gone to sleep, or nothing while one is awake.
inline std::optional<std::map<std::string, std::string>> sleeps_of_others() {
  std::map<std::string, std::string> sleeps;
  std::error_code none;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", none)) {
    const std::string id = task.path().filename();
    if (id == std::to_string(gettid())) continue;
    std::ifstream status(task.path() / "status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("State:") && line.find("S (") == line.npos) return std::nullopt;
      if (line.starts_with("voluntary_ctxt_switches:")) sleeps[id] = line;
    }
  }
  return sleeps;
}

/// Waits until all other threads of the process sleep and stay asleep. Returns false if one of them
/// never sleeps.
inline bool wait_until_others_sleep() {
  return wait_until([] {
    const auto before = sleeps_of_others();
    let_others_run();
    return before && sleeps_of_others() == before;
  });
}

}  // namespace hpk_test
