// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program compiled with -ffast-math: the compiler assumes that no number is infinite or NaN, and
// joins additions in any order. Reductions, some of which start from infinities, scans and
// functions must give the same results as without the flag.
#include <support/spaces.hpp>

#include <cmath>
#include <limits>

#ifndef __FAST_MATH__
#error "compile this file with -ffast-math"
#endif

namespace fast_math_test {

template <class Exec>
class FastMath : public testing::Test {};
TYPED_TEST_SUITE(FastMath, hpk_test::spaces, hpk_test::space_names);

constexpr int n = 10000;

HPK_TYPED_TEST(FastMath, reductions_begin_with_what_changes_nothing) {
  using location = hpk::MinMaxLoc<double, int>;
  for (const double sign : {1.0, -1.0}) {
    double least = 0, most = 0, sum = 0;
    typename location::value_type where{};
    const hpk::RangePolicy<TypeParam> all(0, n);
    hpk::parallel_reduce(
        all,
        HPK_LAMBDA(int i, double& low, double& high, double& s) {
          const double x = sign * (5 + i % 100 * 0.25);
          if (x < low) low = x;
          if (x > high) high = x;
          s += x;
        },
        hpk::Min<double>(least), hpk::Max<double>(most), sum);
    EXPECT_EQ(least, sign > 0 ? 5.0 : -29.75);
    EXPECT_EQ(most, sign > 0 ? 29.75 : -5.0);
    EXPECT_EQ(sum, sign * n * 17.375);
    hpk::parallel_reduce(
        all,
        HPK_LAMBDA(int i, typename location::value_type& found) {
          const double x = sign * (i == 77 ? 1 : i == 99 ? 50 : 7);
          if (x < found.min_val) found.min_val = x, found.min_loc = i;
          if (x > found.max_val) found.max_val = x, found.max_loc = i;
        },
        location(where));
    EXPECT_EQ(where.min_loc, sign > 0 ? 77 : 99);
    EXPECT_EQ(where.max_loc, sign > 0 ? 99 : 77);
    EXPECT_EQ(where.min_val, sign > 0 ? 1.0 : -50.0);
    EXPECT_EQ(where.max_val, sign > 0 ? 50.0 : -1.0);
  }
}

HPK_TYPED_TEST(FastMath, no_iterations_leave_the_identity) {
  double least = 0, most = 0;
  hpk::parallel_reduce(hpk::RangePolicy<TypeParam>(0, 0), HPK_LAMBDA(int, double&, double&){},
                       hpk::Min<double>(least), hpk::Max<double>(most));
  // Not isinf(), which the compiler replaces by false.
  EXPECT_GE(least, std::numeric_limits<double>::max());
  EXPECT_LE(most, std::numeric_limits<double>::lowest());
}

HPK_TYPED_TEST(FastMath, scans_and_functions) {
  const hpk::View<double*, TypeParam> before("before", n);
  double total = 0;
  hpk::parallel_scan(
      hpk::RangePolicy<TypeParam>(0, n),
      HPK_LAMBDA(int i, double& sum, bool final) {
        if (final) before(i) = sum;
        sum += hpk::sqrt(i % 4 * 4.0) * hpk::abs(hpk::complex<double>(3, i % 2 == 0 ? 4 : -4));
      },
      total);
  const auto found = hpk_test::on_host(before);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    ASSERT_NEAR(found(i), expected, 1e-9 * n);
    expected += std::sqrt(i % 4 * 4.0) * 5;
  }
  EXPECT_NEAR(total, expected, 1e-9 * n);
}

}  // namespace fast_math_test
