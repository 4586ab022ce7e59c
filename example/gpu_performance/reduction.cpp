// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum, by atomic additions to one element or by parallel_reduce.
#include "examples.hpp"

namespace reduction_kernels {

using values_view = hpk::View<double*>;
constexpr int n = 1 << 20;

double sum_naive(const values_view& values) {
  // page: naive
  const hpk::View<double> sum("sum");
  hpk::parallel_for("sum", n, HPK_LAMBDA(int i) { hpk::atomic_add(&sum(), values(i)); });
  double result = 0;
  hpk::deep_copy(result, sum);
  // page: end
  return result;
}

double sum_fast(const values_view& values) {
  // page: fast
  double result = 0;
  hpk::parallel_reduce("sum", n, HPK_LAMBDA(int i, double& sum) { sum += values(i); }, result);
  // page: end
  return result;
}

}  // namespace reduction_kernels

bool reduction(std::string_view version) {
  using namespace reduction_kernels;
  const values_view values("values", n);
  hpk::parallel_for("fill", n, HPK_LAMBDA(int i) { values(i) = i % 4; });
  const double expected = 1.5 * n;
  return (!is_wanted(version, "naive") || sum_naive(values) == expected) &&
         (!is_wanted(version, "fast") || sum_fast(values) == expected);
}
