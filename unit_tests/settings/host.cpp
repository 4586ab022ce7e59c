// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that uses hpk and loads a plugin that also uses it: host PLUGIN.
#include "shared.hpp"

#include <dlfcn.h>

#include <cstdio>

int main(int, char* argv[]) {
  const numbers x("x", 3);
  hpk::deep_copy(x, 1.0);
  if (sum(x) != 6) return 1;
  void* const plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) return std::puts(dlerror()), 1;
  const auto of_plugin = reinterpret_cast<double (*)()>(dlsym(plugin, "sum_of_three"));
  std::puts(of_plugin() == 6 ? "right" : "wrong");
}
