// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over vectors in closures, as in kernels. simd_code.py checks that there are no calls and no
// spilled registers, and that the widest registers are used.
#include <hpk/simd.hpp>

namespace {
// Calls a kernel as patterns do: through a copy of the closure whose address is known.
template <class F>
inline void run(long n, const F& kernel) {
  const F copy = kernel;
  for (long k = 0; k < n; ++k) copy(k);
}
}  // namespace

void closure_axpy_double(long blocks, long n, double a, const double* px, double* py) {
  const auto x = hpk::as_simd_span(px, n);
  const auto y = hpk::as_simd_span(py, n);
  run(blocks, [=](long) { hpk::simd_for<double>(0, n, [=](auto i) { y[i] = a * x[i] + y[i]; }); });
}

void closure_axpy_float(long blocks, long n, float a, const float* px, float* py) {
  const auto x = hpk::as_simd_span(px, n);
  const auto y = hpk::as_simd_span(py, n);
  run(blocks, [=](long) { hpk::simd_for<float>(0, n, [=](auto i) { y[i] = a * x[i] + y[i]; }); });
}

void closure_condition(long n, const double* px, double* py) {
  const auto x = hpk::as_simd_span(px, n);
  const auto y = hpk::as_simd_span(py, n);
  hpk::simd_for<double>(0, n, [=](auto i) {
    auto v = hpk::select(x[i] > 0, x[i], 1);
    hpk::where(v > 2, v) *= 0.5;
    y[i] = hpk::max(v, y[i]);
  });
}

void pointers_axpy(long n, double a, const double* x, double* y) {
  using V = hpk::simd<double>;
  const auto kernel = [=](long i) { hpk::unchecked_store(a * V(x + i) + V(y + i), y + i); };
  for (long i = 0; i + V::size() <= n; i += V::size()) kernel(i);
}

double closure_dot(long n, const double* px, const double* py) {
  const auto x = hpk::as_simd_span(px, n);
  const auto y = hpk::as_simd_span(py, n);
  return hpk::simd_reduce<double>(0, n, [=](auto i) { return x[i] * y[i]; });
}
