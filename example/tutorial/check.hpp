// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the programs of the tutorial check themselves: they print their results, and for wrong ones
// what they should be, and return 1 if one is wrong.
#pragma once

#include <hpk/core.hpp>

#include <cmath>
#include <cstdio>

namespace tutorial {

/// One element of a View of any memory space, copied to the host.
template <class View, class... Indices>
double element(const View& view, Indices... indices) {
  typename View::non_const_value_type value;
  hpk::deep_copy(value, hpk::subview(view, indices...));
  return static_cast<double>(value);
}

/// Collects results.
class Check {
 public:
  /// Prints a result. It is wrong if it differs from `wanted` by more than rounding.
  void expect(const char* what, double found, double wanted) {
    const bool right = std::abs(found - wanted) <= 1e-9 * std::abs(wanted);
    std::printf(right ? "%s = %g\n" : "%s = %g, but it should be %g\n", what, found, wanted);
    if (!right) solved_ = false;
  }

  /// Prints the verdict and returns the exit code of the program.
  int verdict() const {
    std::puts(solved_ ? "solved" : "not solved yet");
    return solved_ ? 0 : 1;
  }

 private:
  bool solved_ = true;
};

}  // namespace tutorial
