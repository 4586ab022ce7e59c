// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports from kernels by ErrorReporter, under its older and newer names.
#include <Kokkos_Core.hpp>
#include <Kokkos_ErrorReporter.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

struct Negative {
  int row;
  double value;
};

template <class Reporter>
struct CheckRows {
  Kokkos::View<double*> values;
  Reporter errors;
  KOKKOS_INLINE_FUNCTION void operator()(const int i) const {
    if (values(i) < 0) errors.add_report(i, Negative{10 * i, values(i)});
  }
};

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  {
    using reporter = Kokkos::Experimental::ErrorReporter<Negative>;
    Kokkos::View<double*> values("values", 100);
    Kokkos::parallel_for(100, KOKKOS_LAMBDA(const int i) { values(i) = i % 10 == 3 ? -i : i; });
    reporter errors("negative values", 20);
    Kokkos::parallel_for("check", 100, CheckRows<reporter>{values, errors});
    std::printf("%d of %d reports, %d attempts, full: %d\n", errors.num_reports(),
                errors.capacity(), errors.num_report_attempts(), errors.full() ? 1 : 0);
    auto [ids, reports] = errors.get_reports();
    std::vector<int> order(ids);
    std::sort(order.begin(), order.end());
    for (const int id : order) {
      const auto k = std::find(ids.begin(), ids.end(), id) - ids.begin();
      std::printf("  %d: row %d has %g\n", id, reports[k].row, reports[k].value);
    }
    errors.resize(5);
    std::printf("%d of %d\n", errors.getNumReports(), errors.getCapacity());
    errors.clear();
    Kokkos::parallel_for("check", 100, CheckRows<reporter>{values, errors});
    std::vector<int> some_ids;
    std::vector<Negative> some;
    errors.getReports(some_ids, some);
    std::printf("%zu kept, %d attempts\n", some.size(), errors.getNumReportAttempts());
  }
  Kokkos::finalize();
  return 0;
}
