// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/bin_ops.hpp>

#include <support/spaces.hpp>

namespace {

// The bins of single keys. The tests of BinSort cover sorting.
TEST(BinOps, keys_on_borders) {
  const hpk::View<float* [3], hpk::HostSpace> points("points", 3);
  points(0, 0) = points(0, 1) = points(0, 2) = 1;
  points(2, 1) = 1.5f;
  const int bins[3] = {2, 3, 4};
  const float low[3] = {0, 0, 0};
  const float high[3] = {1, 1, 1};
  const hpk::BinOp3D<hpk::View<float* [3], hpk::HostSpace>> op(bins, low, high);
  EXPECT_EQ(op.bin(points, 0), 23);  // the upper corner is in the last bin
  EXPECT_EQ(op.bin(points, 1), 0);
  EXPECT_EQ(op.bin(points, 2), -1);  // outside
  EXPECT_TRUE(op(points, 1, 0));
  EXPECT_FALSE(op(points, 0, 1));
  EXPECT_FALSE(op(points, 0, 0));
  const hpk::View<int*, hpk::HostSpace> numbers("numbers", 2);
  numbers(0) = 99;
  numbers(1) = 100;
  const hpk::BinOp1D<hpk::View<int*, hpk::HostSpace>> line(10, 0, 100);
  EXPECT_EQ(line.bin(numbers, 0), 9);
  EXPECT_EQ(line.bin(numbers, 1), 10);
  EXPECT_TRUE(line(numbers, 0, 1));
  const hpk::View<double*, hpk::HostSpace> outside("outside", 3);
  outside(0) = -0.001;
  outside(1) = std::numeric_limits<double>::quiet_NaN();
  outside(2) = 1e300;
  const hpk::BinOp1D<hpk::View<double*, hpk::HostSpace>> unit(10, 0.0, 1.0);
  EXPECT_EQ(unit.bin(outside, 0), -1);
  EXPECT_EQ(unit.bin(outside, 1), -1);
  EXPECT_GE(unit.bin(outside, 2), unit.max_bins());
}

TEST(BinOps, limits_that_are_none) {
  using op = hpk::BinOp1D<hpk::View<double*, hpk::HostSpace>>;
  constexpr double inf = std::numeric_limits<double>::infinity();
  hpk_test::expect_error([&] { op(3, 0.0, inf); }, {"hpk::BinOp1D", "finite limits"});
  hpk_test::expect_error([&] { op(3, std::numeric_limits<double>::quiet_NaN(), 1.0); },
                         {"hpk::BinOp1D"});
  const int bins[3] = {2, 0, 4};
  const double low[3] = {0, 0, 0};
  using op3 = hpk::BinOp3D<hpk::View<double* [3], hpk::HostSpace>>;
  hpk_test::expect_error([&] { op3(bins, low, low); }, {"hpk::BinOp3D: there are 0 bins"});
}

}  // namespace
