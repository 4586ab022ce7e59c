// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// program PLUGIN...: loads each plugin, calls its sum twice, and unloads it.
#include <dlfcn.h>

#include <cstdio>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    void* plugin = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    const auto sum = reinterpret_cast<long (*)(long)>(dlsym(plugin, "plugin_sum"));
    if (sum == nullptr) return 1;
    for (int again = 0; again < 2; ++again)
      std::printf("sum of squares below 1000: %ld\n", sum(1000));
    if (dlclose(plugin) != 0) return 1;
  }
}
