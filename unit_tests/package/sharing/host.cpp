// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// host shared|static LIBRARY NAME LIBRARY NAME: loads both libraries as Python loads its modules.
// The program itself does not use hpk.
#include <dlfcn.h>

#include "part.hpp"

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  part parts[2];
  for (int k = 0; k < 2; ++k) {
    void* const library = dlopen(argv[2 + 2 * k], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      std::printf("%s\n", dlerror());
      return 2;
    }
    parts[k] = reinterpret_cast<part (*)()>(dlsym(library, argv[3 + 2 * k]))();
  }
  return use(parts[0], parts[1], std::strcmp(argv[1], "shared") == 0);
}
