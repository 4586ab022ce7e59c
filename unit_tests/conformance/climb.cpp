// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the conformance ladder on every enabled space. Prints for each step the number of checks,
// the broken laws, and what it does not test on this space. Does not need GoogleTest, which GPU
// machines may lack. The exit code is 1 if a law is broken.
#include <conformance/conformance.hpp>
#include <hpk/core.hpp>

#include <cstdio>

namespace {

template <class Exec>
bool climb() {
  bool well = true;
  try {
    hpk_conformance::climb_all(Exec(), [&](const auto& step, const auto& found) {
      std::printf("%s %s: %d checks\n", Exec::name(), step.name, found.checks());
      for (const std::string& what : found.left_out())
        std::printf("%s %s: not tested: %s\n", Exec::name(), step.name, what.c_str());
      for (const std::string& broken : found.list()) {
        std::printf("%s %s: broken: %s\n", Exec::name(), step.name, broken.c_str());
        well = false;
      }
      std::fflush(stdout);  // in case the next step ends the program
    });
  } catch (const std::exception& caught) {
    std::printf("%s: %s\n", Exec::name(), caught.what());
    return false;
  }
  if (well) std::printf("%s: all laws hold\n", Exec::name());
  return well;
}

template <class... Execs>
bool climb_all(hpk::detail::type_list<Execs...>) {
  return (climb<Execs>() & ... & true);
}

}  // namespace

int main() { return climb_all(hpk::detail::enabled_spaces{}) ? 0 : 1; }
