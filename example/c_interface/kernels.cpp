// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel for a program in C.
#include <hpk/core.hpp>

#include <hpk/c/view.hpp>

extern "C" hpk_status smooth(const hpk_view* next, const hpk_view* now) {
  return hpk::call_from_c([&] {
    const auto to = hpk::from_c<hpk::View<double*, hpk::HostSpace>>(next);
    const auto from = hpk::from_c<hpk::View<const double*, hpk::HostSpace>>(now);
    const int last = to.extent_int(0) - 1;
    hpk::parallel_for(
        "smooth", hpk::RangePolicy<hpk::DefaultHostExecutionSpace>(0, last + 1), HPK_LAMBDA(int i) {
          const int left = i == 0 ? 0 : i - 1;
          const int right = i == last ? last : i + 1;
          to(i) = (from(left) + from(i) + from(right)) / 3;
        });
  });
}
