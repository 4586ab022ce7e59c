// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that both files of a program of vectors contain.
#pragma once

#include <hpk/simd.hpp>

using four = hpk::simd<double, 4>;

HPK_NOINLINE inline double sum_of_exp(const four& v) { return hpk::reduce(hpk::exp(v)); }

// Vectors at addresses of every alignment that their type allows.
inline double sum_of_exps() {
  struct {
    char first;
    four v;
  } objects[2];
  double sum = 0;
  for (auto& one : objects) {
    one.v = four(0.0);
    sum += sum_of_exp(one.v);
  }
  return sum;
}

/// Defined in the other file.
double sum_of_exps_of_part();
