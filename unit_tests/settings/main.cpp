// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first file of a program of two. Prints "right" if both files get the same results.
#include "shared.hpp"

#include <cstdio>

int main() {
  const numbers x("x", 1000);
  for (int i = 0; i < 1000; ++i) x(i) = i;
  const bool right = sum(x) == 999000 && sum_of_part(x) == 999000 && twice(x, 7) == 14 &&
                     part_checks_as_it_says(x);
  bool checks = HPK_CHECKS == 0;
  try {
    if (!checks) x(1000) = 1;
  } catch (const hpk::error&) {
    checks = true;
  }
  std::puts(right && checks ? "right" : "wrong");
}
