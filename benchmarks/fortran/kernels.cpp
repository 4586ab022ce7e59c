// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same little work in a function of HPK_FORTRAN and in one for bind(C) that is written by hand.
#include <hpk/fortran.hpp>

namespace {
template <class T>
using matrix = hpk::View<T, hpk::LayoutLeft, hpk::HostSpace>;
}

HPK_FORTRAN(first_element, (matrix<double**> to, matrix<const double**> from, double factor)) {
  to(0, 0) += factor * from(0, 0);
}

extern "C" void hpk_bench_by_hand(double* to, const double* from, int, double factor) {
  to[0] += factor * from[0];
}
