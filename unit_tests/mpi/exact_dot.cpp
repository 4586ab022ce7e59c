// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exact_dot: exact, rounded once, the same bits on any number of ranks and workers.
#include <hpk/mpi/distribution.hpp>
#include <hpk/mpi/exact_dot.hpp>

#include "support.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace exact_dot_test {
namespace {

using namespace mpi_test;
using hpk::mpi::exact_dot;
using hpk::mpi::exact_sum;

double product_sum(const std::vector<std::pair<double, double>>& factors) {
  exact_sum sum;
  for (const auto& [x, y] : factors) sum.add_product(x, y);
  return sum.value();
}

constexpr double tiny = std::numeric_limits<double>::denorm_min();
constexpr double large = std::numeric_limits<double>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(ExactProducts, are_not_rounded) {
  const double x = std::ldexp(1.0, 27) + 1;  // x * x needs 55 bits
  EXPECT_EQ(product_sum({{x, x}, {-std::ldexp(1.0, 27), std::ldexp(1.0, 27) + 2}}), 1.0);
  EXPECT_EQ(product_sum({{0.1, 0.1}, {-0.1, 0.1}}), 0.0);
  EXPECT_EQ(product_sum({{1e200, 1e100}, {3.0, 7.0}, {-1e100, 1e200}}), 21.0);
  EXPECT_EQ(product_sum({{large, 1.0}, {tiny, 1.0}, {-1.0, large}}), tiny);
}
TEST(ExactProducts, that_are_too_small_or_too_large) {
  EXPECT_EQ(product_sum({{tiny, 0.25}, {tiny, 0.25}, {tiny, 0.25}, {tiny, 0.25}}), 0.0);
  EXPECT_EQ(product_sum({{large, 2.0}, {1.0, 1.0}}), infinity);
  EXPECT_TRUE(std::isnan(product_sum({{large, -2.0}, {infinity, 1.0}})));
  EXPECT_TRUE(std::isnan(product_sum({{0.0, infinity}})));
}

// Many products together, some of which do not fit into the double sums used for most.
TEST(ExactProducts, of_many_numbers_are_those_of_each) {
  std::mt19937_64 random(11);
  const auto number = [&](int exponents) {
    const double mantissa = std::ldexp(static_cast<double>(random() >> 11), -53) - 0.5;
    const int spread = static_cast<int>(random() % static_cast<std::uint64_t>(exponents));
    return std::ldexp(mantissa, spread - exponents / 2);
  };
  for (const int exponents : {1, 20, 60, 200, 1000, 2000}) {
    for (const std::size_t n : {0, 1, 7, 63, 64, 65, 200, 3000}) {
      std::vector<double> x, y;
      exact_sum expected;
      // Nearly all products cancel, so that the rest has bits of all magnitudes.
      for (std::size_t k = 0; k < n; ++k) {
        const bool cancels = k >= n / 2 && k % 50 != 0;
        x.push_back(cancels ? -x[k - n / 2] : number(exponents));
        y.push_back(cancels ? y[k - n / 2] : std::ldexp(number(exponents), k % 50 ? 0 : -200));
        expected.add_product(x.back(), y.back());
      }
      exact_sum sum;
      sum.add_products(x.data(), y.data(), static_cast<hpk::index_t>(n));
      if (std::isnan(expected.value())) {
        EXPECT_TRUE(std::isnan(sum.value())) << n;
      } else {
        EXPECT_EQ(sum.value(), expected.value()) << n << ' ' << exponents;
      }
    }
  }
  for (const double odd : {infinity, -infinity, std::nan(""), large}) {
    std::vector<double> x(100, 1.0), y(100, 2.0);
    x[70] = odd;
    exact_sum sum, expected;
    sum.add_products(x.data(), y.data(), 100);
    for (std::size_t k = 0; k < 100; ++k) expected.add_product(x[k], y[k]);
    EXPECT_TRUE(sum.value() == expected.value() || (std::isnan(odd) && std::isnan(sum.value())));
  }
}

template <class Exec>
class ExactDot : public testing::Test {};
TYPED_TEST_SUITE(ExactDot, hpk_test::spaces, hpk_test::space_names);

template <class Exec, class T>
hpk::View<T*, Exec> make_part(const std::vector<T>& whole, const hpk::mpi::Distribution& parts) {
  const hpk::View<T*, Exec> view("x", static_cast<std::size_t>(parts.count()));
  hpk::deep_copy(view,
                 hpk::View<const T*, hpk::HostSpace>(whole.data() + parts.begin(), view.extent(0)));
  return view;
}
// Products of very different magnitudes, most of which cancel.
template <class Exec, class T>
void expect_same_bits(const Exec& exec, int n, int exponents) {
  std::mt19937_64 random(static_cast<std::uint64_t>(n));
  const auto number = [&] {
    const double mantissa = static_cast<double>(random() >> 11) - std::ldexp(1.0, 52);
    const int spread = static_cast<int>(random() % static_cast<std::uint64_t>(exponents));
    return static_cast<T>(std::ldexp(mantissa, spread - exponents / 2 - 52));
  };
  std::vector<T> x, y;
  exact_sum expected;
  for (int k = 0; k < n; ++k) {
    const bool cancels = k % 2 == 1 && k % 7 != 0;
    x.push_back(cancels ? -x.back() : number());
    y.push_back(cancels ? y.back() : number());
    expected.add_product(x.back(), y.back());
  }
  const hpk::mpi::Distribution parts(world(), n);
  const auto mine = make_part<Exec>(x, parts), other = make_part<Exec>(y, parts);
  hpk::fence();
  EXPECT_EQ(exact_dot(world(), exec, mine, other), expected.value());
}
HPK_TYPED_TEST(ExactDot, has_the_same_bits_for_every_number_of_ranks) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {0, 1, 3, 1000, 20000}) {
      expect_same_bits<TypeParam, double>(exec, n, 200);
      expect_same_bits<TypeParam, double>(exec, n, 900);
      expect_same_bits<TypeParam, float>(exec, n, 60);
    }
  }
}
HPK_TYPED_TEST(ExactDot, follows_an_instance) {
  const TypeParam exec = hpk_test::new_instance<TypeParam>();
  const hpk::View<double*, TypeParam> x("x", 1000), y("y", 1000);
  hpk::fence();
  hpk::deep_copy(exec, x, 2.0);
  hpk::deep_copy(exec, y, 3.0);
  EXPECT_EQ(exact_dot(world(), exec, x, y), 6000.0 * world().size());
}
HPK_TYPED_TEST(ExactDot, of_different_lengths_is_an_error) {
  const Communicator all = world();
  const hpk::View<double*, TypeParam> x("x", 3);
  const bool is_wrong = !all.checks_messages() || all.rank() == all.size() - 1;
  const hpk::View<double*, TypeParam> y("second", is_wrong ? 4 : 3);
  hpk_test::expect_error([&] { exact_dot(all, TypeParam(), x, y); },
                         {"hpk::mpi::exact_dot: View \"x\" of 3 elements",
                          "the other View, \"second\", has 4 elements"});
}

}  // namespace
}  // namespace exact_dot_test
