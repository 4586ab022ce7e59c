// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws of every type: the limits of ranges, the uniformity of all integers, normal numbers.
#include <hpk/algorithms/random_counter.hpp>
#include <hpk/algorithms/random_draw.hpp>
#include <hpk/algorithms/random_engine.hpp>

#include <algorithms/random_statistics.hpp>
#include <support/spaces.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <map>
#include <type_traits>
#include <vector>

namespace random_draw_test {
namespace {

using generator = hpk::Random_XorShift64<>;
using hpk::Experimental::bhalf_t;
using hpk::Experimental::half_t;
using random_statistics::chi_square;

// Generators whose next 64 bits are all ones, or 1. The states result from running the step
// backwards.
generator of_ones() { return generator::from_state(0xa8d395be4b19cce8u); }
generator of_one() { return generator::from_state(0x98d76a164d99a710u); }

TEST(RandomDraw, bits_at_the_limits) {
  EXPECT_EQ(of_ones().urand64(), generator::MAX_URAND64);
  EXPECT_EQ(of_ones().urand(), generator::MAX_URAND);
  EXPECT_EQ(of_ones().rand(), generator::MAX_RAND);
  EXPECT_EQ(of_ones().rand64(), generator::MAX_RAND64);
  EXPECT_EQ(of_one().urand64(), 1u);
  EXPECT_EQ(of_one().urand(), 0u);
  EXPECT_EQ(of_one().rand64(), 0);
  EXPECT_EQ(generator::MAX_RAND, std::numeric_limits<int>::max());
  EXPECT_EQ(generator::MAX_RAND64, std::numeric_limits<std::int64_t>::max());
}

TEST(RandomDraw, ranges_of_integers_reach_their_limits) {
  EXPECT_EQ(of_ones().urand(10), 9u);
  EXPECT_EQ(of_ones().urand(5, 10), 9u);
  EXPECT_EQ(of_ones().urand64(1000), 999u);
  EXPECT_EQ(of_ones().rand(-7, -3), -4);
  EXPECT_EQ(of_ones().rand64(-7, 8), 7);
  constexpr int low = std::numeric_limits<int>::min();
  constexpr int high = std::numeric_limits<int>::max();
  EXPECT_EQ(of_ones().rand(low, high), high - 1);
  constexpr std::int64_t low64 = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(of_ones().rand64(low64, 5), 4);
  // Ranges of one value always give that value.
  generator g(5);
  for (int k = 0; k < 100; ++k) {
    EXPECT_EQ(g.urand(1), 0u);
    EXPECT_EQ(g.rand(-1, 0), -1);
    EXPECT_EQ(g.rand64(77, 78), 77);
    const int wide = g.rand(low, high);
    EXPECT_LT(wide, high);
  }
}

TEST(RandomDraw, integers_come_equally_often) {
  generator g(1);
  // A bias of 2^32 mod range would be 1 in 3 here.
  constexpr std::uint32_t range = 3u << 30;
  std::vector<double> thirds(3);
  std::vector<double> sevenths(7);
  std::vector<double> signed_ones(11);
  std::vector<double> wide(3);
  for (int k = 0; k < 20000; ++k) {
    ++thirds[g.urand(range) >> 30];
    ++sevenths[g.urand(7)];
    ++signed_ones[static_cast<std::size_t>(g.rand(-5, 6) + 5)];
    ++wide[g.urand64(std::uint64_t{3} << 62) >> 62];
  }
  for (const auto& counts : {thirds, sevenths, signed_ones, wide})
    EXPECT_LT(std::abs(chi_square(counts)), random_statistics::limit);
}

#if HPK_CHECKS
TEST(RandomDraw, rejects_ranges_without_an_integer) {
  using hpk_test::expect_error;
  generator g(1);
  expect_error([&] { g.urand(0); }, {"urand(0, 0)", "no integer", "write an end above the begin"});
  expect_error([&] { g.urand(5, 3); }, {"urand(5, 3)"});
  expect_error([&] { g.urand64(3, 3); }, {"urand64(3, 3)"});
  expect_error([&] { g.rand(-4); }, {"rand(0, -4)"});
  expect_error([&] { g.rand64(0, -1); }, {"rand64(0, -1)"});
}
#endif

template <class F, class Draw>
void expect_real(F begin, F end, const Draw& draw) {
  generator ones = of_ones();
  generator zeros = of_one();
  const F high = draw(ones, begin, end);
  EXPECT_LT(high, end);
  EXPECT_GE(high, begin);
  EXPECT_EQ(draw(zeros, begin, end), begin);
  generator g(3);
  for (int k = 0; k < 50; ++k) {
    const F x = draw(g, begin, end);
    EXPECT_GE(x, begin);
    EXPECT_LT(x, end);
  }
}

TEST(RandomDraw, real_numbers_reach_begin_and_never_end) {
  EXPECT_EQ(of_ones().drand(), 1 - 0x1p-53);
  EXPECT_EQ(of_ones().frand(), 1 - 0x1p-24f);
  EXPECT_EQ(of_one().drand(), 0);
  const auto drand = [](generator& g, double a, double b) { return g.drand(a, b); };
  const auto frand = [](generator& g, float a, float b) { return g.frand(a, b); };
  constexpr double most = std::numeric_limits<double>::max();
  constexpr float most_float = std::numeric_limits<float>::max();
  expect_real(0.0, 1.0, drand);
  expect_real(0.0, 0.1, drand);
  expect_real(1.0, 1 + 0x1p-52, drand);
  expect_real(1e16, 1e16 + 6, drand);
  expect_real(-most, most, drand);
  expect_real(-3.0, -2.9, drand);
  expect_real(0.0, std::numeric_limits<double>::denorm_min(), drand);
  expect_real(0.0f, 0.1f, frand);
  expect_real(16777216.0f, 16777220.0f, frand);
  expect_real(-most_float, most_float, frand);
  EXPECT_EQ(of_ones().drand(2.5, 2.5), 2.5);
  // A reversed range starts at its begin, too.
  EXPECT_EQ(of_one().drand(2.0, 1.0), 2.0);
  EXPECT_GT(of_ones().drand(2.0, 1.0), 1.0);
  EXPECT_GT(of_ones().frand(-3.0f), -3.0f);
  // Half-way.
  double sum = 0;
  generator g(9);
  for (int k = 0; k < 10000; ++k) sum += g.drand(-most, most) / most;
  EXPECT_LT(std::abs(sum) / 100 * std::sqrt(3), random_statistics::limit);
}

template <class T>
void expect_half() {
  const auto draw = [](generator& g, float a, float b) {
    return static_cast<float>(hpk::rand<generator, T>::draw(g, T(a), T(b)));
  };
  expect_real(0.0f, 1.0f, draw);
  expect_real(-1.0f, 1.0f, draw);
  expect_real(-2.0f, -1.0f, draw);
  expect_real(1.0f, 1.0f + static_cast<float>(std::numeric_limits<T>::epsilon()), draw);
  expect_real(-static_cast<float>(std::numeric_limits<T>::denorm_min()), 0.0f, draw);
  EXPECT_GT(static_cast<float>(T(of_ones().frand(1.0f, -1.0f))), -1.1f);
  generator ones = of_ones();
  EXPECT_GT(draw(ones, 1.0f, -1.0f), -1.0f);
  generator g(2);
  EXPECT_LT(static_cast<float>(hpk::rand<generator, T>::draw(g)), 1.0f);
  EXPECT_LT(static_cast<float>(hpk::rand<generator, T>::draw(g, T(0.5f))), 0.5f);
  EXPECT_EQ(static_cast<float>(hpk::rand<generator, T>::max()), 1.0f);
}
TEST(RandomDraw, halves_reach_begin_and_never_end) {
  expect_half<half_t>();
  expect_half<bhalf_t>();
}

// Draws every type of integer from 0 to max(), and from [begin, end).
template <class T>
void expect_integers() {
  using rand = hpk::rand<generator, T>;
  static_assert(std::is_same_v<decltype(rand::max()), T>);
  EXPECT_EQ(rand::max(), std::numeric_limits<T>::max());
  generator ones = of_ones();
  generator zeros = of_one();
  EXPECT_EQ(rand::draw(ones), rand::max());
  // All 64 bits of the 1 are left in one type.
  EXPECT_EQ(rand::draw(zeros), T(std::numeric_limits<T>::digits == 64 ? 1 : 0));
  generator g(1);
  if constexpr (!std::is_same_v<T, bool>) {
    std::map<T, int> seen;
    for (int k = 0; k < 1000; ++k) ++seen[rand::draw(g, T(3), T(10))];
    EXPECT_EQ(seen.size(), 7u);
    EXPECT_EQ(seen.begin()->first, T(3));
    EXPECT_EQ(seen.rbegin()->first, T(9));
    for (int k = 0; k < 100; ++k) {
      EXPECT_LT(rand::draw(g, T(10)), T(10));
      EXPECT_GE(rand::draw(g), T(0));
    }
    ones = of_ones();
    constexpr T lowest = std::numeric_limits<T>::min();
    EXPECT_EQ(rand::draw(ones, lowest, rand::max()), T(rand::max() - 1));
  } else {
    int both[2] = {0, 0};
    for (int k = 0; k < 100; ++k) ++both[rand::draw(g) ? 1 : 0];
    EXPECT_GT(both[0], 20);
    EXPECT_GT(both[1], 20);
  }
}
TEST(RandomDraw, integers_of_every_type) {
  expect_integers<bool>();
  expect_integers<char>();
  expect_integers<signed char>();
  expect_integers<unsigned char>();
  expect_integers<short>();
  expect_integers<unsigned short>();
  expect_integers<int>();
  expect_integers<unsigned>();
  expect_integers<long>();
  expect_integers<unsigned long>();
  expect_integers<long long>();
  expect_integers<unsigned long long>();
}

TEST(RandomDraw, complex_numbers_part_by_part) {
  using rand = hpk::rand<generator, hpk::complex<double>>;
  generator a(4);
  generator b(4);
  const auto z = rand::draw(a, {1, 10}, {2, 20});
  EXPECT_EQ(z.real(), b.drand(1, 2));
  EXPECT_EQ(z.imag(), b.drand(10, 20));
  const auto unit = rand::draw(a);
  EXPECT_EQ(unit.real(), b.drand());
  EXPECT_EQ(unit.imag(), b.drand());
  const auto small = rand::draw(a, {1, 0.5});
  EXPECT_EQ(small.real(), b.drand(1));
  EXPECT_EQ(small.imag(), b.drand(0.5));
  EXPECT_EQ(rand::max(), hpk::complex<double>(1, 1));
  using rand_float = hpk::rand<generator, hpk::complex<float>>;
  const auto w = rand_float::draw(a, {1, 10}, {2, 20});
  EXPECT_EQ(w.real(), b.frand(1, 2));
  EXPECT_EQ(w.imag(), b.frand(10, 20));
  EXPECT_EQ((hpk::rand<generator, float>::max()), 1.0f);
  EXPECT_EQ((hpk::rand<generator, double>::draw(a, 3.0, 5.0)), b.drand(3, 5));
}

TEST(RandomDraw, normal_numbers) {
  generator g(11);
  std::vector<double> numbers;
  std::vector<double> squares;
  for (int k = 0; k < 20000; ++k) {
    numbers.push_back(g.normal());
    squares.push_back(numbers.back() * numbers.back());
  }
  EXPECT_LT(random_statistics::kolmogorov_smirnov(
                numbers, [](double x) { return std::erfc(-x / std::sqrt(2)) / 2; }),
            random_statistics::limit);
  EXPECT_LT(std::abs(random_statistics::mean_error(numbers, 0, 1)), random_statistics::limit);
  EXPECT_LT(std::abs(random_statistics::mean_error(squares, 1, std::sqrt(2))),
            random_statistics::limit);
  EXPECT_LT(std::abs(random_statistics::serial_correlation(numbers, 1)), random_statistics::limit);
  // The extremes are finite and symmetric.
  EXPECT_NEAR(of_ones().normal(), 8.2095, 1e-4);
  EXPECT_NEAR(of_one().normal(), -8.2095, 1e-4);
  generator a(6);
  generator b(6);
  EXPECT_EQ(a.normal(3), std::fma(1, b.normal(), 3));
  EXPECT_EQ(a.normal(-2, 0.5), std::fma(0.5, b.normal(), -2));
}

// The quantiles found in tables, through the inverse of the distribution of the same double.
TEST(RandomDraw, normal_numbers_are_quantiles) {
  for (int k = 0; k < 2000; ++k) {
    generator a(static_cast<std::uint64_t>(k));
    generator b(static_cast<std::uint64_t>(k));
    const double p = (static_cast<double>(b.urand64() >> 12) + 0.5) * 0x1p-52;
    const double x = a.normal();
    EXPECT_NEAR(std::erfc(-x / std::sqrt(2)) / 2, p, 4e-16 + 4e-15 * p) << p;
  }
}

}  // namespace

/// A user-defined type.
struct die {
  int eyes = 0;
};

}  // namespace random_draw_test

template <class Generator>
struct hpk::rand<Generator, random_draw_test::die> {
  using die = random_draw_test::die;
  HPK_FUNCTION static die max() { return {6}; }
  HPK_FUNCTION static die draw(Generator& g) { return {g.rand(1, 7)}; }
};

namespace random_draw_test {
namespace {

TEST(RandomDraw, may_be_specialized) {
  generator g(1);
  std::vector<double> counts(6);
  for (int k = 0; k < 6000; ++k)
    ++counts[static_cast<std::size_t>(hpk::rand<generator, die>::draw(g).eyes - 1)];
  EXPECT_LT(std::abs(chi_square(counts)), random_statistics::limit);
}

template <class Exec>
class RandomDrawInKernels : public testing::Test {};
TYPED_TEST_SUITE(RandomDrawInKernels, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(RandomDrawInKernels, are_the_same_as_on_the_host) {
  constexpr int kinds = 12;
  const hpk::View<double[kinds], TypeParam> got("got");
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 1), HPK_LAMBDA(int) {
        using kernel_generator = hpk::Random_XorShift64<TypeParam>;
        kernel_generator g(77);
        int k = 0;
        got(k++) = g.rand(-1000, 1000);
        got(k++) = static_cast<double>(g.rand64(-1000, 1000));
        got(k++) = g.urand(12345);
        got(k++) = static_cast<double>(g.urand64(12345));
        got(k++) = g.frand(1, 9);
        got(k++) = g.drand(1, 9);
        got(k++) = g.drand(-1e308, 1e308);
        got(k++) = static_cast<double>(hpk::rand<kernel_generator, half_t>::draw(g));
        got(k++) = static_cast<double>(hpk::rand<kernel_generator, short>::draw(g, 5, 500));
        got(k++) = hpk::rand<kernel_generator, hpk::complex<double>>::draw(g).imag();
        got(k++) = g.normal(10, 2);
        got(k++) = hpk::rand<kernel_generator, die>::draw(g).eyes;
      });
  const auto host = hpk_test::on_host(got);
  generator g(77);
  const double expected[kinds] = {static_cast<double>(g.rand(-1000, 1000)),
                                  static_cast<double>(g.rand64(-1000, 1000)),
                                  static_cast<double>(g.urand(12345)),
                                  static_cast<double>(g.urand64(12345)),
                                  static_cast<double>(g.frand(1, 9)),
                                  g.drand(1, 9),
                                  g.drand(-1e308, 1e308),
                                  static_cast<double>(hpk::rand<generator, half_t>::draw(g)),
                                  static_cast<double>(hpk::rand<generator, short>::draw(g, 5, 500)),
                                  hpk::rand<generator, hpk::complex<double>>::draw(g).imag(),
                                  g.normal(10, 2),
                                  static_cast<double>(hpk::rand<generator, die>::draw(g).eyes)};
  for (int k = 0; k < kinds; ++k) {
    // Logarithms may differ in the last place.
    if (k == 10) {
      EXPECT_NEAR(host(k), expected[k], 1e-14);
    } else {
      EXPECT_EQ(host(k), expected[k]) << k;
    }
  }
}

}  // namespace
}  // namespace random_draw_test
