// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of simd.cpp, each in three forms: with hpk's vectors, as a loop that the compiler may
// vectorise by itself, and as a loop with `omp simd`. All run on the calling thread.
#pragma once

#include <hpk/simd.hpp>

#include <cmath>
#include <cstddef>

namespace bench {

#define BENCH_LOOP __attribute__((noinline))
// The benchmarks are compiled with -fopenmp-simd, with or without OpenMP.
#define BENCH_OMP_SIMD _Pragma("omp simd")
#define BENCH_OMP_SIMD_SUM _Pragma("omp simd reduction(+ : sum)")

// y = a * x + y
template <class T>
BENCH_LOOP void axpy_simd(long n, T a, const T* px, T* py) {
  const auto x = hpk::as_simd_span(px, n);
  const auto y = hpk::as_simd_span(py, n);
  hpk::simd_for<T>(0, n, [=](auto i) { y[i] = a * x[i] + y[i]; });
}
template <class T>
BENCH_LOOP void axpy_auto(long n, T a, const T* x, T* y) {
  for (long i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
template <class T>
BENCH_LOOP void axpy_omp(long n, T a, const T* x, T* y) {
  BENCH_OMP_SIMD
  for (long i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

// the sum of x * y
template <class T>
BENCH_LOOP T dot_simd(long n, const T* px, const T* py) {
  const auto x = hpk::as_simd_span(px, n);
  const auto y = hpk::as_simd_span(py, n);
  return hpk::simd_reduce<T>(0, n, [=](auto i) { return x[i] * y[i]; });
}
template <class T>
BENCH_LOOP T dot_auto(long n, const T* x, const T* y) {
  T sum = 0;
  for (long i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}
template <class T>
BENCH_LOOP T dot_omp(long n, const T* x, const T* y) {
  T sum = 0;
  BENCH_OMP_SIMD_SUM
  for (long i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

// y = sqrt(x) if x is positive, else -x
template <class T>
BENCH_LOOP void root_simd(long n, const T* px, T* py) {
  const auto x = hpk::as_simd_span(px, n);
  const auto y = hpk::as_simd_span(py, n);
  hpk::simd_for<T>(0, n, [=](auto i) {
    const auto v = x[i];
    y[i] = hpk::select(v > 0, hpk::sqrt(v), -v);
  });
}
template <class T>
BENCH_LOOP void root_auto(long n, const T* x, T* y) {
  for (long i = 0; i < n; ++i) y[i] = x[i] > 0 ? std::sqrt(x[i]) : -x[i];
}
template <class T>
BENCH_LOOP void root_omp(long n, const T* x, T* y) {
  BENCH_OMP_SIMD
  for (long i = 0; i < n; ++i) y[i] = x[i] > 0 ? std::sqrt(x[i]) : -x[i];
}

// five-point stencil on a row-major square of m * m, inner points only
template <class T>
BENCH_LOOP void stencil_simd(long m, const T* px, T* py) {
  const auto x = hpk::as_simd_span(px, m * m);
  const auto y = hpk::as_simd_span(py, m * m);
  for (long row = 1; row < m - 1; ++row) {
    hpk::simd_for<T>(row * m + 1, row * m + m - 1, [=](auto i) {
      y[i] = x[i] + T(0.25) * (x[i - m] + x[i - 1] + x[i + 1] + x[i + m] - 4 * x[i]);
    });
  }
}
template <class T>
BENCH_LOOP void stencil_auto(long m, const T* x, T* y) {
  for (long row = 1; row < m - 1; ++row)
    for (long i = row * m + 1; i < row * m + m - 1; ++i)
      y[i] = x[i] + T(0.25) * (x[i - m] + x[i - 1] + x[i + 1] + x[i + m] - 4 * x[i]);
}
template <class T>
BENCH_LOOP void stencil_omp(long m, const T* x, T* y) {
  for (long row = 1; row < m - 1; ++row) {
    BENCH_OMP_SIMD
    for (long i = row * m + 1; i < row * m + m - 1; ++i)
      y[i] = x[i] + T(0.25) * (x[i - m] + x[i - 1] + x[i + 1] + x[i + m] - 4 * x[i]);
  }
}

// y += x[index]
template <class T>
BENCH_LOOP void gather_simd(long n, const int* pindex, const T* px, T* py) {
  const auto x = hpk::as_simd_span(px, n);
  const auto y = hpk::as_simd_span(py, n);
  const auto index = hpk::as_simd_span(pindex, n);
  hpk::simd_for<T>(0, n, [=](auto i) { y[i] += x[index[i]]; });
}
template <class T>
BENCH_LOOP void gather_auto(long n, const int* index, const T* x, T* y) {
  for (long i = 0; i < n; ++i) y[i] += x[index[i]];
}
template <class T>
BENCH_LOOP void gather_omp(long n, const int* index, const T* x, T* y) {
  BENCH_OMP_SIMD
  for (long i = 0; i < n; ++i) y[i] += x[index[i]];
}

// y = f(x), compared with the scalar function of the C library
#define BENCH_FUNCTION(name, ...)                                                               \
  template <class T>                                                                            \
  BENCH_LOOP void name##_simd(long n, const T* px, T* py) {                                     \
    const auto x = hpk::as_simd_span(px, n);                                                    \
    const auto y = hpk::as_simd_span(py, n);                                                    \
    hpk::simd_for<T>(0, n, [=](auto i) { y[i] = hpk::name(x[i] __VA_OPT__(, ) __VA_ARGS__); }); \
  }                                                                                             \
  template <class T>                                                                            \
  BENCH_LOOP void name##_scalar(long n, const T* x, T* y) {                                     \
    for (long i = 0; i < n; ++i) y[i] = std::name(x[i] __VA_OPT__(, ) __VA_ARGS__);             \
  }
BENCH_FUNCTION(exp)
BENCH_FUNCTION(log)
BENCH_FUNCTION(sin)
BENCH_FUNCTION(cos)
BENCH_FUNCTION(pow, T(1.3))
#undef BENCH_FUNCTION

}  // namespace bench
