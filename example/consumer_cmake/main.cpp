// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest program that uses hpk as a library: the sum of the squares below 1000, computed in
// the default execution space. The package tests build it in every way in which a project can use
// hpk.
#include <hpk/core.hpp>

#include <cstdio>

int main() {
  long sum = 0;
  hpk::parallel_reduce("squares", 1000, [](long i, long& partial) { partial += i * i; }, sum);
  std::printf("sum of squares below 1000: %ld\n", sum);
  return sum == 332833500 ? 0 : 1;
}
