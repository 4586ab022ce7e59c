// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans of every length around a warp, a group and a grid, and of 2^26 elements.
#include <checks.hpp>

#include <cmath>

namespace gpu_checks {
namespace {

using hpk::index_t;

// Returns the sum of the first n elements; element i is i % 5.
double sum_of(index_t n) {
  const auto rest = static_cast<double>(n % 5);
  return static_cast<double>(n / 5) * 10 + rest * (rest - 1) / 2;
}

// Allows for the rounding of floats.
template <class T>
void expect_near(const char* what, index_t n, T found, double expected) {
  if (std::abs(static_cast<double>(found) - expected) <= 1e-5 * expected) return;
  fail("%s of %lld elements of %zu bytes is %.9g, not %.9g", what, static_cast<long long>(n),
       sizeof(T), static_cast<double>(found), expected);
}

template <class T>
void check_reductions(const hpk::View<T*, space>& view, index_t n) {
  const auto indices = range(n);
  T sum = 77;
  hpk::parallel_reduce(indices, HPK_LAMBDA(index_t i, T & s) { s += view(i); }, sum);
  expect_near("the sum", n, sum, sum_of(n));
  if (n == 0) return;
  T largest = 0;
  hpk::parallel_reduce(
      indices, HPK_LAMBDA(index_t i, T & s) { s = view(i) > s ? view(i) : s; },
      hpk::Max<T>(largest));
  expect_near("the maximum", n, largest, static_cast<double>(n > 4 ? 4 : n - 1));
}

template <class T>
void check_scan(const hpk::View<T*, space>& view, index_t n) {
  const hpk::View<T*, space> prefix("prefix", static_cast<std::size_t>(n));
  T total = 0;
  hpk::parallel_scan(
      range(n),
      HPK_LAMBDA(index_t i, T & s, bool final) {
        s += view(i);
        if (final) prefix(i) = s;
      },
      total);
  expect_near("the total of the scan", n, total, sum_of(n));
  for (const index_t i : {index_t{0}, n / 2, n - 1}) {
    if (n == 0) return;
    T found = 0;
    hpk::deep_copy(found, hpk::subview(prefix, i));
    expect_near("a prefix", i + 1, found, sum_of(i + 1));
  }
}

template <class T>
void folds_of() {
  for (const index_t n :
       {index_t{0}, index_t{1}, index_t{31}, index_t{33}, index_t{255}, index_t{257}, index_t{1025},
        on_gpu(index_t{1'000'003}, index_t{5003}), on_gpu(index_t{1} << 26, index_t{1} << 12)}) {
    const hpk::View<T*, space> view("view", static_cast<std::size_t>(n));
    hpk::parallel_for(range(n), HPK_LAMBDA(index_t i) { view(i) = static_cast<T>(i % 5); });
    check_reductions<T>(view, n);
    check_scan<T>(view, n);
  }
}

}  // namespace

void folds() {
  folds_of<double>();
  folds_of<float>();
  folds_of<int>();
  folds_of<long>();
}

}  // namespace gpu_checks
