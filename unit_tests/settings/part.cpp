// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second file of the program.
#include "shared.hpp"

double sum_of_part(const numbers& x) { return sum(x); }

bool part_checks_as_it_says(const numbers& x) {
  if (HPK_CHECKS == 0) return true;
  try {
    return x(static_cast<int>(x.extent(0))) < 0;
  } catch (const hpk::error&) {
    return true;
  }
}

// For a program that loads this file as a plugin.
extern "C" double sum_of_three() {
  const numbers x("x", 3);
  hpk::deep_copy(x, 1.0);
  return sum_of_part(x);
}
