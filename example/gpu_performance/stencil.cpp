// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of heat flow: with a lane for each row, as CPU code divides the work, or for each point.
#include "examples.hpp"

#include <type_traits>

namespace stencil_kernels {

constexpr int n = 1024;

// page: naive
using rows = hpk::View<double**, hpk::LayoutRight>;

void step_naive(const rows& old, const rows& next) {
  hpk::parallel_for(
      "step", hpk::RangePolicy<>(1, n - 1), HPK_LAMBDA(int i) {
        for (int j = 1; j < n - 1; ++j) {
          next(i, j) = 0.5 * old(i, j) + 0.125 * (old(i - 1, j) + old(i + 1, j) +  //
                                                  old(i, j - 1) + old(i, j + 1));
        }
      });
}
// page: end

// page: fast
using grid = hpk::View<double**>;

void step_fast(const grid& old, const grid& next) {
  hpk::parallel_for(
      "step", hpk::MDRangePolicy<hpk::Rank<2>>({1, 1}, {n - 1, n - 1}), HPK_LAMBDA(int i, int j) {
        next(i, j) = 0.5 * old(i, j) + 0.125 * (old(i - 1, j) + old(i + 1, j) +  //
                                                old(i, j - 1) + old(i, j + 1));
      });
}
// page: end

// The grid is i * i + j * j, whose step adds a half inside.
template <class V>
bool steps_right(void (*step)(const V&, const V&)) {
  const V old("old", n, n);
  const V next("next", n, n);
  constexpr bool is_right = std::is_same_v<typename V::array_layout, hpk::LayoutRight>;
  hpk::parallel_for(
      "fill", n * n, HPK_LAMBDA(int k) {
        const int i = is_right ? k / n : k % n;
        const int j = is_right ? k % n : k / n;
        old(i, j) = i * i + j * j;
      });
  step(old, next);
  const auto result = on_host(next);
  for (int i = 1; i < n - 1; ++i) {
    for (int j = 1; j < n - 1; ++j) {
      if (result(i, j) != i * i + j * j + 0.5) return false;
    }
  }
  return true;
}

}  // namespace stencil_kernels

bool stencil(std::string_view version) {
  using namespace stencil_kernels;
  return (!is_wanted(version, "naive") || steps_right(&step_naive)) &&
         (!is_wanted(version, "fast") || steps_right(&step_fast));
}
