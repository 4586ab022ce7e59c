// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first file of a program of vectors. Prints "right" if both files get the same results.
#include "simd.hpp"

#include <cstdio>

int main() { std::puts(sum_of_exps() == 8 && sum_of_exps_of_part() == 8 ? "right" : "wrong"); }
