// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions in which simd_code.py must find a fault: each breaks one of the rules that simd.cpp
// follows.
#include <hpk/simd.hpp>

double unknown(double x);

void closure_calls(long n, double* py) {
  const auto y = hpk::as_simd_span(py, n);
  hpk::simd_for<double>(0, n, [=](auto i) { y[i] = y[i] + unknown(1); });
}

void closure_spills(long n, double* py) {
  const auto y = hpk::as_simd_span(py, n);
  hpk::simd_for<double>(0, n, [=](auto i) {
    const volatile auto on_the_stack = y.size();
    y[i] = y[i] + static_cast<double>(on_the_stack);
  });
}

void pointers_reread(long n, double* const volatile* py) {
  using V = hpk::simd<double>;
  for (long i = 0; i + V::size() <= n; i += V::size()) {
    double* const y = *py;
    hpk::unchecked_store(V(y + i) + 1, y + i);
  }
}

void pointers_narrow(long n, double* y) {
  for (long i = 0; i < n; ++i) y[i] = y[i] / 3;
}
