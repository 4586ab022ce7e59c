// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that both files of the program contain, compiled with the settings of each.
#pragma once

#include <hpk/core.hpp>

using numbers = hpk::View<double*, hpk::HostSpace>;

inline double twice(const numbers& x, int i) { return 2 * x(i); }

struct sum_of_twice {
  numbers x;
  void operator()(int i, double& sum) const { sum += twice(x, i); }
};

inline double sum(const numbers& x) {
  double result = 0;
  const auto exec = hpk::DefaultHostExecutionSpace();
  hpk::parallel_reduce("sum", hpk::RangePolicy(exec, 0, x.extent(0)), sum_of_twice{x}, result);
  return result;
}

/// Functions of the other file: its sum, and whether it rejects indices out of range if and only if
/// it is compiled with checks.
double sum_of_part(const numbers& x);
bool part_checks_as_it_says(const numbers& x);
