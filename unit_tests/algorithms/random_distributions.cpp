// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions: statistics, limits, rejected parameters, and the same numbers in kernels.
#include <hpk/algorithms/random_counter.hpp>
#include <hpk/algorithms/random_distributions.hpp>
#include <hpk/algorithms/random_engine.hpp>

#include <algorithms/random_statistics.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace random_distributions_test {
namespace {

using hpk_test::expect_error;
using random_statistics::chi_square;
using random_statistics::kolmogorov_smirnov;
using random_statistics::limit;
using random_statistics::mean_error;
using random_statistics::serial_correlation;

constexpr int samples = 20000;

static_assert(std::is_trivially_copyable_v<hpk::PoissonDistribution>);
static_assert(std::is_same_v<hpk::UniformDistribution<short>::result_type, short>);

template <class Distribution>
std::vector<double> draw(const Distribution& distribution, std::uint64_t seed) {
  auto g = hpk::CounterRandom<>(seed).at(0);
  std::vector<double> numbers;
  for (int k = 0; k < samples; ++k) numbers.push_back(static_cast<double>(distribution(g)));
  return numbers;
}

TEST(RandomDistributions, uniform) {
  const auto reals = draw(hpk::UniformDistribution<double>(-2, 6), 1);
  EXPECT_LT(kolmogorov_smirnov(reals, [](double x) { return (x + 2) / 8; }), limit);
  std::vector<double> counts(9);
  for (const double x : draw(hpk::UniformDistribution<int>(-4, 5), 1))
    ++counts[static_cast<std::size_t>(x + 4)];
  EXPECT_LT(std::abs(chi_square(counts)), limit);
}

TEST(RandomDistributions, normal) {
  const auto numbers = draw(hpk::NormalDistribution(5, 3), 2);
  EXPECT_LT(kolmogorov_smirnov(numbers,
                               [](double x) { return std::erfc(-(x - 5) / 3 / std::sqrt(2)) / 2; }),
            limit);
  EXPECT_LT(std::abs(mean_error(numbers, 5, 3)), limit);
  EXPECT_LT(std::abs(serial_correlation(numbers, 1)), limit);
  for (const double x : draw(hpk::NormalDistribution(5, 0), 2)) ASSERT_EQ(x, 5);
  expect_error([] { hpk::NormalDistribution(0, -1); },
               {"hpk::NormalDistribution: -1", "standard deviation of 0 or more"});
  expect_error([] { hpk::NormalDistribution(std::nan("")); }, {"a finite mean"});
}

TEST(RandomDistributions, exponential) {
  const auto numbers = draw(hpk::ExponentialDistribution(4), 3);
  EXPECT_LT(kolmogorov_smirnov(numbers, [](double x) { return 1 - std::exp(-4 * x); }), limit);
  EXPECT_LT(std::abs(mean_error(numbers, 0.25, 0.25)), limit);
  // All bits set: the largest number, and it is finite.
  auto ones = hpk::Random_XorShift64<>::from_state(0xa8d395be4b19cce8u);
  EXPECT_NEAR(hpk::ExponentialDistribution()(ones), 53 * std::log(2), 1e-9);
  expect_error([] { hpk::ExponentialDistribution(0); },
               {"hpk::ExponentialDistribution: 0", "a finite rate above 0"});
  constexpr double infinity = std::numeric_limits<double>::infinity();
  expect_error([] { static_cast<void>(hpk::ExponentialDistribution(infinity)); },
               {"a finite rate"});
}

// Compares counts of k with the probabilities; the tails count together.
void expect_poisson(double mean, std::uint64_t seed) {
  SCOPED_TRACE(mean);
  const auto numbers = draw(hpk::PoissonDistribution(mean), seed);
  EXPECT_LT(std::abs(mean_error(numbers, mean, std::sqrt(mean))), limit);
  std::vector<double> squares;
  for (const double k : numbers) squares.push_back((k - mean) * (k - mean));
  // The variance of (k - m)^2 is m + 2 m^2.
  EXPECT_LT(std::abs(mean_error(squares, mean, std::sqrt(mean + 2 * mean * mean))), limit);
  EXPECT_LT(std::abs(serial_correlation(numbers, 1)), limit);
  const auto probability = [mean](double k) {
    return std::exp(k * std::log(mean) - mean - std::lgamma(k + 1));
  };
  double low = 0;
  double first = 0;
  while (low + probability(first) < 100.0 / samples) low += probability(first++);
  std::vector<double> shares = {low + probability(first)};
  double sum = shares[0];
  double k = first;
  while (1 - sum - probability(k + 1) > 100.0 / samples) {
    shares.push_back(probability(++k));
    sum += shares.back();
  }
  shares.push_back(1 - sum);
  std::vector<double> counts(shares.size());
  for (const double x : numbers) {
    const double place = std::clamp(x - first, 0.0, static_cast<double>(counts.size() - 1));
    ++counts[static_cast<std::size_t>(place)];
  }
  EXPECT_GE(counts.size(), 2u);
  EXPECT_LT(std::abs(chi_square(counts, shares)), limit);
}
TEST(RandomDistributions, poisson) {
  expect_poisson(0.3, 1);
  expect_poisson(9.99, 2);
  expect_poisson(10, 3);
  expect_poisson(42.5, 4);
  expect_poisson(300, 5);
  for (const double x : draw(hpk::PoissonDistribution(0), 2)) ASSERT_EQ(x, 0);
  // Means for which k! overflows: nearly normal.
  for (const double mean : {1e6, 1e15}) {
    const auto numbers = draw(hpk::PoissonDistribution(mean), 6);
    EXPECT_LT(
        kolmogorov_smirnov(
            numbers, [mean](double k) { return std::erfc(-(k - mean) / std::sqrt(2 * mean)) / 2; }),
        limit);
  }
  expect_error([] { hpk::PoissonDistribution(-0.5); },
               {"hpk::PoissonDistribution: -0.5", "a mean from 0 to 2^52"});
  expect_error([] { hpk::PoissonDistribution(1e16); }, {"1e+16"});
}

TEST(RandomDistributions, bernoulli) {
  double count = 0;
  for (const double x : draw(hpk::BernoulliDistribution(0.3), 7)) count += x;
  EXPECT_LT(std::abs(count - 0.3 * samples) / std::sqrt(0.21 * samples), limit);
  for (const double x : draw(hpk::BernoulliDistribution(1), 7)) ASSERT_EQ(x, 1);
  for (const double x : draw(hpk::BernoulliDistribution(0), 7)) ASSERT_EQ(x, 0);
  expect_error([] { hpk::BernoulliDistribution(1.5); },
               {"hpk::BernoulliDistribution: 1.5", "a probability from 0 to 1"});
}

using HostDiscrete = hpk::DiscreteDistribution<hpk::DefaultHostExecutionSpace>;

void expect_discrete(const std::vector<double>& weights) {
  const HostDiscrete distribution(weights);
  EXPECT_EQ(distribution.size(), static_cast<hpk::index_t>(weights.size()));
  std::vector<double> counts(weights.size());
  for (const double k : draw(distribution, 8)) ++counts[static_cast<std::size_t>(k)];
  double all = 0;
  for (const double weight : weights) all += weight / 1e3;
  std::vector<double> seen;
  std::vector<double> shares;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0) {
      EXPECT_EQ(counts[k], 0) << k;
    } else {
      seen.push_back(counts[k]);
      shares.push_back(weights[k] / 1e3 / all);
    }
  }
  if (seen.size() > 1) {
    EXPECT_LT(std::abs(chi_square(seen, shares)), limit);
  }
}
TEST(RandomDistributions, discrete) {
  expect_discrete({2.5});
  expect_discrete({1, 2, 3, 4});
  expect_discrete({0, 0, 1, 0});
  expect_discrete({1, 0, 100, 0.5, 0, 30, 3});
  expect_discrete({1e308, 1e308, 0.5e308});
  std::vector<double> many(100);
  for (std::size_t k = 0; k < many.size(); ++k) many[k] = 1 + static_cast<double>(k * k % 17);
  expect_discrete(many);
  expect_error(
      [] { HostDiscrete({}); },
      {"hpk::DiscreteDistribution: none of 0 weights is positive", "random_distributions"});
  expect_error([] { HostDiscrete({0, 0}); }, {"none of 2 weights"});
  expect_error([] { HostDiscrete({1, -2, 3}); }, {"weight 1 of 3 is -2", "finite weights"});
  expect_error([] { HostDiscrete({1, 2, std::nan("")}); }, {"weight 2 of 3 is nan"});
}

TEST(RandomDistributions, sphere_and_disk) {
  auto g = hpk::CounterRandom<hpk::Threefry>(9).at(0);
  std::vector<double> axes[3];
  std::vector<double> areas;
  std::vector<double> angles;
  for (int k = 0; k < samples; ++k) {
    const auto p = hpk::UnitSphereDistribution<>()(g);
    ASSERT_NEAR(p[0] * p[0] + p[1] * p[1] + p[2] * p[2], 1, 1e-14);
    for (int d = 0; d < 3; ++d) axes[d].push_back(p[d]);
    const auto q = hpk::UnitDiskDistribution<float>()(g);
    areas.push_back(std::pow(static_cast<double>(q[0]), 2) +
                    std::pow(static_cast<double>(q[1]), 2));
    angles.push_back(std::atan2(q[1], q[0]));
  }
  // Each coordinate of a point of the sphere is uniform.
  for (const auto& axis : axes)
    EXPECT_LT(kolmogorov_smirnov(axis, [](double x) { return (x + 1) / 2; }), limit);
  EXPECT_LT(kolmogorov_smirnov(areas, [](double x) { return x; }), limit);
  EXPECT_LT(kolmogorov_smirnov(angles, [](double x) { return x / (2 * std::acos(-1.0)) + 0.5; }),
            limit);
}

template <class Exec>
class RandomDistributionsInKernels : public testing::Test {};
TYPED_TEST_SUITE(RandomDistributionsInKernels, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(RandomDistributionsInKernels, give_the_same_everywhere) {
  constexpr int n = 500;
  const hpk::CounterRandom<> random(10);
  const hpk::UniformDistribution<int> dice(1, 7);
  const hpk::NormalDistribution normal(1, 2);
  const hpk::ExponentialDistribution wait(3);
  const hpk::PoissonDistribution few(3.5);
  const hpk::PoissonDistribution many(50);
  const hpk::BernoulliDistribution coin;
  const hpk::DiscreteDistribution<TypeParam> choice({1, 2, 0, 4});
  const HostDiscrete choice_on_host({1, 2, 0, 4});
  const hpk::View<double* [10], hpk::LayoutRight, TypeParam> got("got", n);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        auto g = random.at(static_cast<std::uint64_t>(i));
        got(i, 0) = dice(g);
        got(i, 1) = static_cast<double>(few(g));
        got(i, 2) = static_cast<double>(many(g));
        got(i, 3) = coin(g) ? 1 : 0;
        got(i, 4) = static_cast<double>(choice(g));
        got(i, 5) = normal(g);
        got(i, 6) = wait(g);
        got(i, 7) = hpk::UnitSphereDistribution<>()(g)[0];
        got(i, 8) = hpk::UnitDiskDistribution<>()(g)[1];
        got(i, 9) = g.drand();
      });
  const auto host = hpk_test::on_host(got);
  for (int i = 0; i < n; ++i) {
    auto g = random.at(static_cast<std::uint64_t>(i));
    ASSERT_EQ(host(i, 0), dice(g)) << i;
    ASSERT_EQ(host(i, 1), static_cast<double>(few(g))) << i;
    ASSERT_EQ(host(i, 2), static_cast<double>(many(g))) << i;
    ASSERT_EQ(host(i, 3), coin(g) ? 1 : 0) << i;
    ASSERT_EQ(host(i, 4), static_cast<double>(choice_on_host(g))) << i;
    // Mathematical functions of a GPU may differ in the last digits.
    ASSERT_NEAR(host(i, 5), normal(g), 1e-13) << i;
    ASSERT_NEAR(host(i, 6), wait(g), 1e-13) << i;
    ASSERT_NEAR(host(i, 7), hpk::UnitSphereDistribution<>()(g)[0], 1e-14) << i;
    ASSERT_NEAR(host(i, 8), hpk::UnitDiskDistribution<>()(g)[1], 1e-14) << i;
    ASSERT_EQ(host(i, 9), g.drand()) << i;
  }
}

}  // namespace
}  // namespace random_distributions_test
