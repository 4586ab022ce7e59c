// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mistake that works on a CPU and that Emu finds: host code reads memory of the device.
#include <hpk/core.hpp>

#include <cstdio>

int main() {
  hpk::View<double*> u("u", 1000);
  hpk::parallel_for("fill", 1000, HPK_LAMBDA(int i) { u(i) = i; });
  std::printf("%g\n", u(999));
}
