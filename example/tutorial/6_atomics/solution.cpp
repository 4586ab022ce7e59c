// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 6 of the tutorial, solved: atomic operations and ScatterView.
#include <hpk/containers/scatter_view.hpp>
#include <hpk/core.hpp>

#include "../check.hpp"

int main() {
  const int n = 1000;
  hpk::View<int*> digit("digit", n);
  hpk::parallel_for("last digits of squares", n, HPK_LAMBDA(int i) { digit(i) = i * i % 10; });
  hpk::View<int*> count("count", 10);
  hpk::View<double*> sum("sum", 10);

  hpk::parallel_for("count", n, HPK_LAMBDA(int i) { hpk::atomic_inc(&count(digit(i))); });

  const auto scatter = hpk::create_scatter_view(sum);
  hpk::parallel_for(
      "sum", n, HPK_LAMBDA(int i) {
        const auto to = scatter.access();
        to(digit(i)) += 0.5 * i;
      });
  hpk::contribute(sum, scatter);

  tutorial::Check check;
  check.expect("count(0)", tutorial::element(count, 0), 100);
  check.expect("count(3)", tutorial::element(count, 3), 0);
  check.expect("count(9)", tutorial::element(count, 9), 200);
  check.expect("sum(0)", tutorial::element(sum, 0), 24750);
  check.expect("sum(9)", tutorial::element(sum, 9), 50000);
  return check.verdict();
}
