// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The statistics of all generators: uniform numbers, independent of earlier numbers and of other
// streams, states, seeds and indices.
#include <hpk/algorithms/random.hpp>

#include <algorithms/random_statistics.hpp>
#include <support/spaces.hpp>

#include <cstdint>
#include <vector>

namespace random_test {
namespace {

using random_statistics::expect_fair_bits;
using random_statistics::expect_uniform;

constexpr int samples = 20000;

template <class Generator>
void expect_sound(Generator g) {
  std::vector<double> numbers;
  std::vector<std::uint64_t> words;
  std::vector<std::uint32_t> halves;
  for (int k = 0; k < samples; ++k) numbers.push_back(g.drand());
  expect_uniform(numbers);
  numbers.clear();
  for (int k = 0; k < samples; ++k) numbers.push_back(static_cast<double>(g.frand()));
  expect_uniform(numbers);
  for (int k = 0; k < samples / 4; ++k) words.push_back(g.urand64());
  expect_fair_bits(words);
  for (int k = 0; k < samples / 4; ++k) halves.push_back(g.urand());
  expect_fair_bits(halves);
}

// The first number of each of many generators: neighbours must be independent.
template <class Make>
void expect_independent(const Make& make) {
  std::vector<double> numbers;
  std::vector<std::uint64_t> words;
  for (int k = 0; k < samples; ++k) {
    auto g = make(static_cast<std::uint64_t>(k));
    numbers.push_back(g.drand());
    words.push_back(g.urand64());
  }
  expect_uniform(numbers);
  words.resize(samples / 4);
  expect_fair_bits(words);
}

TEST(Random, generators_of_states_are_uniform) {
  expect_sound(hpk::Random_XorShift64<>(1));
  expect_sound(hpk::Random_XorShift1024<>(1));
  expect_sound(hpk::Random_SFC64<>(1));
  expect_independent([](std::uint64_t k) { return hpk::Random_SFC64<>(k); });
  expect_independent([](std::uint64_t k) { return hpk::Random_XorShift64<>(k); });
  expect_independent([](std::uint64_t k) { return hpk::Random_XorShift1024<>(k << 20); });
}

template <class Algorithm>
void expect_sound_counters() {
  using random = hpk::CounterRandom<Algorithm>;
  expect_sound(random(1).at(0));
  expect_independent([](std::uint64_t k) { return random(1).at(k); });
  expect_independent([](std::uint64_t k) { return random(1, k).at(5); });
  expect_independent([](std::uint64_t k) { return random(k).at(5); });
  expect_independent([](std::uint64_t k) { return random(k << 32).at(5); });
}
TEST(Random, philox_is_uniform) { expect_sound_counters<hpk::Philox>(); }
TEST(Random, threefry_is_uniform) {
  expect_sound_counters<hpk::Threefry>();
  expect_sound_counters<hpk::Threefry2x64<20>>();
}

// Checks that these tests can fail, with fewer rounds and with a poor generator.
TEST(Random, statistics_see_what_is_not_random) {
  std::vector<double> numbers;
  std::vector<std::uint64_t> words;
  for (std::uint64_t k = 0; k < samples; ++k) {
    auto g = hpk::CounterRandom<hpk::Philox4x32<2>>(1).at(k);
    numbers.push_back(g.drand());
    words.push_back(g.urand64());
  }
  double worst = 0;
  for (const std::size_t lag : {1u, 2u, 3u, 4u})
    worst = std::max(worst, std::abs(random_statistics::serial_correlation(numbers, lag)));
  EXPECT_GT(worst, random_statistics::limit);
  for (double& x : numbers) x *= x;
  EXPECT_GT(random_statistics::kolmogorov_smirnov(numbers, [](double x) { return x; }), 6);
  EXPECT_GT(random_statistics::chi_square({100, 100, 200}), 6);
}

// Pools and fill_random combined.
template <class Exec>
class RandomOnSpaces : public testing::Test {};
TYPED_TEST_SUITE(RandomOnSpaces, hpk_test::spaces, hpk_test::space_names);

template <class Exec, class Pool>
void expect_uniform_states(const Pool& pool) {
  const hpk::View<double* [8], hpk::LayoutRight, Exec> drawn("drawn", 4000);
  const auto n = pool.size();
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(hpk::index_t i) {
        auto g = pool.get_state(i);
        for (int k = 0; k < 8; ++k) drawn(i, k) = g.drand();
        pool.free_state(g);
      });
  const auto host = hpk_test::on_host(drawn);
  std::vector<double> numbers;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 8; ++k) numbers.push_back(host(i, k));
  }
  expect_uniform(numbers);
}
HPK_TYPED_TEST(RandomOnSpaces, states_of_pools_are_independent) {
  expect_uniform_states<TypeParam>(hpk::Random_XorShift64_Pool<TypeParam>(3, 4000));
  expect_uniform_states<TypeParam>(hpk::Random_XorShift1024_Pool<TypeParam>(3, 4000));
  expect_uniform_states<TypeParam>(hpk::Random_Philox_Pool<TypeParam>(3, 4000));
}

HPK_TYPED_TEST(RandomOnSpaces, fills_are_uniform) {
  const hpk::View<double*, TypeParam> view("view", samples);
  const auto expect = [&](const auto& random) {
    for (int round = 0; round < 2; ++round) {
      hpk::fill_random(view, random, 2.0, 4.0);
      const auto host = hpk_test::on_host(view);
      std::vector<double> numbers;
      for (int i = 0; i < samples; ++i) numbers.push_back((host(i) - 2) / 2);
      expect_uniform(numbers);
    }
  };
  expect(hpk::CounterRandom<>(4));
  expect(hpk::CounterRandom<hpk::Threefry>(4));
  expect(hpk::Random_XorShift64_Pool<TypeParam>(4));
  expect(hpk::Random_XorShift1024_Pool<TypeParam>(4));
  expect(hpk::Random_Threefry_Pool<TypeParam>(4));
  expect(hpk::Random_SFC64_Pool<TypeParam>(4));
}

}  // namespace
}  // namespace random_test
