// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views, layouts and complex numbers for the debugger, which prints them when stop() is called.
#include <hpk/core.hpp>

void stop() {}

int main() {
  const hpk::View<int**, hpk::LayoutRight, hpk::HostSpace> grid("grid", 2, 3);
  for (int i = 0; i < 6; ++i) grid(i / 3, i % 3) = 10 * i;
  const auto column = hpk::subview(grid, hpk::ALL, 1);
  const hpk::View<double* [2], hpk::LayoutLeft, hpk::HostSpace> left("left", 3);
  left(2, 1) = 0.5;
  const hpk::View<short**, hpk::LayoutLeft, hpk::HostSpace> padded(
      hpk::view_alloc("padded", hpk::AllowPadding), 33, 2);
  padded(0, 1) = 7;
  const hpk::View<long[2][2], hpk::LayoutRight, hpk::HostSpace> fixed("fixed");
  fixed(1, 0) = 5;
  const hpk::View<float*, hpk::HostSpace> none;
  const auto layout = column.layout();
  const hpk::LayoutLeft rows = padded.layout();
  char letter = 'x';
  const hpk::View<char, hpk::HostSpace> wrapped(&letter);
  const hpk::complex<double> number(1.5, -2);
  const hpk::View<hpk::complex<float>*, hpk::LayoutRight, hpk::HostSpace> numbers("numbers", 2);
  numbers(1) = number;
  stop();
  return none.use_count() + (wrapped() == 'x' ? 0 : 1) +
         static_cast<int>(layout.dimension[7] != rows.dimension[7]);
}
