// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/version.hpp>

#include <hpk/c/hpk.h>

void hpk_c_version(int* major, int* minor) {
  if (major != nullptr) *major = HPK_C_VERSION_MAJOR;
  if (minor != nullptr) *minor = HPK_C_VERSION_MINOR;
}

const char* hpk_version(void) { return hpk::version; }
