// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has every enabled space climb the ladder and prints the laws it breaks; needs no GoogleTest,
// which machines with a GPU may lack. Exit code 1 when a law is broken.
#include <conformance/conformance.hpp>
#include <hpk/core.hpp>

#include <cstdio>

namespace {

template <class Exec>
bool climb() {
  try {
    bool well = true;
    for (const std::string& broken : hpk_conformance::run_all<Exec>()) {
      std::printf("%s: %s\n", Exec::name(), broken.c_str());
      well = false;
    }
    if (well) std::printf("%s: all laws hold\n", Exec::name());
    return well;
  } catch (const std::exception& caught) {
    std::printf("%s: %s\n", Exec::name(), caught.what());
    return false;
  }
}

template <class... Execs>
bool climb_all(hpk::detail::type_list<Execs...>) {
  return (climb<Execs>() & ... & true);
}

}  // namespace

int main() { return climb_all(hpk::detail::enabled_spaces{}) ? 0 : 1; }
