// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exact_sum: exact, rounded once, the same bits for every order and division.
#include <hpk/mpi/exact_sum.hpp>

#include "support.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace exact_sum_test {
namespace {

using namespace mpi_test;
using hpk::mpi::exact_sum;

double sum_of(const std::vector<double>& numbers) {
  exact_sum sum;
  for (const double x : numbers) sum += x;
  return sum.value();
}

constexpr double tiny = std::numeric_limits<double>::denorm_min();
constexpr double small = std::numeric_limits<double>::min();
constexpr double large = std::numeric_limits<double>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(ExactSum, is_exact) {
  EXPECT_EQ(sum_of({}), 0.0);
  EXPECT_EQ(sum_of({1e100, 1.0, -1e100}), 1.0);
  EXPECT_EQ(sum_of({large, tiny, -large}), tiny);
  EXPECT_EQ(sum_of({large, large, -large}), large);
  EXPECT_EQ(sum_of({large, large}), infinity);
  EXPECT_EQ(sum_of({-large, -large}), -infinity);
  for (const double x :
       {0.0, tiny, -tiny, small, small - tiny, 1.0, -1.5, 0.1, large, -large, 3e-310})
    EXPECT_EQ(sum_of({x}), x) << x;
  EXPECT_EQ(sum_of({tiny, tiny, tiny}), 3 * tiny);
  EXPECT_EQ(sum_of({-1.0, tiny}), -1.0);
}
TEST(ExactSum, rounds_once_ties_to_even) {
  const double half_of_last = std::ldexp(1.0, -53);
  EXPECT_EQ(sum_of({1.0, half_of_last}), 1.0);
  EXPECT_EQ(sum_of({1.0, half_of_last, tiny}), std::nextafter(1.0, 2.0));
  EXPECT_EQ(sum_of({1.0, half_of_last, half_of_last}), std::nextafter(1.0, 2.0));
  EXPECT_EQ(sum_of({std::nextafter(1.0, 2.0), half_of_last}), 1.0 + 4 * half_of_last);
  EXPECT_EQ(sum_of({std::nextafter(2.0, 1.0), half_of_last}), 2.0);
}
TEST(ExactSum, of_infinities_and_nan) {
  EXPECT_EQ(sum_of({infinity, 1.0}), infinity);
  EXPECT_EQ(sum_of({-infinity, large}), -infinity);
  EXPECT_TRUE(std::isnan(sum_of({infinity, -infinity})));
  EXPECT_TRUE(std::isnan(sum_of({std::nan(""), 1.0})));
}

// Compares with sums of 128-bit integers, for numbers with few bits.
TEST(ExactSum, agrees_with_integers) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    __int128 expected = 0;
    std::vector<double> numbers;
    for (int k = 0; k < 100; ++k) {
      const auto mantissa = static_cast<std::int64_t>(random() >> 11) - (std::int64_t{1} << 52);
      const int shift = static_cast<int>(random() % 60);
      expected += static_cast<__int128>(mantissa) << shift;
      numbers.push_back(std::ldexp(static_cast<double>(mantissa), shift));
    }
    EXPECT_EQ(sum_of(numbers), static_cast<double>(expected));
  }
}

template <class Exec>
class ExactSumIn : public testing::Test {};
TYPED_TEST_SUITE(ExactSumIn, hpk_test::spaces, hpk_test::space_names);

// 10,000 numbers of very different magnitudes, divided among the ranks.
HPK_TYPED_TEST(ExactSumIn, kernels_has_the_same_bits_for_every_number_of_ranks) {
  const Communicator all = world();
  constexpr int n = 10000;
  std::mt19937_64 random(3);
  std::vector<double> numbers;
  for (int k = 0; k < n; ++k) {
    const double mantissa = static_cast<double>(random() >> 11) - std::ldexp(1.0, 52);
    numbers.push_back(std::ldexp(mantissa, static_cast<int>(random() % 300) - 150));
  }
  const int begin = n * all.rank() / all.size(), end = n * (all.rank() + 1) / all.size();
  const hpk::View<double*, TypeParam> x("x", n);
  hpk::deep_copy(x, hpk::View<const double*, hpk::HostSpace>(numbers.data(), n));
  exact_sum total;
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(begin, end), HPK_LAMBDA(int i, exact_sum& sum) { sum += x(i); },
      total);
  hpk::mpi::allreduce(all, hpk::Sum(total));
  EXPECT_EQ(total.value(), sum_of(numbers));
  std::reverse(numbers.begin(), numbers.end());
  EXPECT_EQ(total.value(), sum_of(numbers));
}

}  // namespace
}  // namespace exact_sum_test
