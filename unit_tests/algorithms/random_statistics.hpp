// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statistics of random numbers, each as a number of standard deviations from the expectation for
// perfect random numbers. Tests have fixed seeds, so they always pass or always fail. Sound
// generators stay within the limit of 6 standard deviations (two of 1e9 seeds would fail).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace random_statistics {

inline constexpr double limit = 6;

/// Returns the deviation of chi^2 of the counts from its mean, approximately normally distributed
/// (E. B. Wilson, M. M. Hilferty, 1931). `shares` are the expected fractions; if empty, all are
/// equal.
inline double chi_square(const std::vector<double>& counts, std::vector<double> shares = {}) {
  double all = 0;
  for (const double count : counts) all += count;
  if (shares.empty()) shares.assign(counts.size(), 1.0 / static_cast<double>(counts.size()));
  double sum = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const double expected = all * shares[k];
    EXPECT_GE(expected, 5) << "too few for chi^2: " << k;
    sum += (counts[k] - expected) * (counts[k] - expected) / expected;
  }
  const double v = 2.0 / (9.0 * (static_cast<double>(counts.size()) - 1));
  return (std::cbrt(sum / (static_cast<double>(counts.size()) - 1)) - (1 - v)) / std::sqrt(v);
}

/// Returns the Kolmogorov-Smirnov distance between numbers and a distribution, in standard
/// deviations, from the one-sided probability 2 exp(-2 n D^2).
template <class Distribution>
double kolmogorov_smirnov(std::vector<double> numbers, const Distribution& below) {
  std::sort(numbers.begin(), numbers.end());
  const auto n = static_cast<double>(numbers.size());
  double distance = 0;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const double p = below(numbers[k]);
    distance =
        std::max({distance, p - static_cast<double>(k) / n, static_cast<double>(k + 1) / n - p});
  }
  // exp(-x^2 / 2) bounds the tail of a normal distribution.
  return 2 * distance * std::sqrt(n);
}

/// Returns the correlation of numbers with the numbers `lag` later.
inline double serial_correlation(const std::vector<double>& numbers, std::size_t lag) {
  double mean = 0;
  for (const double x : numbers) mean += x;
  mean /= static_cast<double>(numbers.size());
  double variance = 0;
  double product = 0;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    variance += (numbers[k] - mean) * (numbers[k] - mean);
    if (k + lag < numbers.size()) product += (numbers[k] - mean) * (numbers[k + lag] - mean);
  }
  return product / variance * std::sqrt(static_cast<double>(numbers.size()));
}

/// Returns the deviation of the mean from its expectation.
inline double mean_error(const std::vector<double>& numbers, double mean, double deviation) {
  double sum = 0;
  for (const double x : numbers) sum += x - mean;
  return sum / deviation / std::sqrt(static_cast<double>(numbers.size()));
}

/// Expects uniform numbers from [0, 1), each independent of earlier ones.
inline void expect_uniform(const std::vector<double>& numbers) {
  EXPECT_LT(kolmogorov_smirnov(numbers, [](double x) { return x; }), limit);
  EXPECT_LT(std::abs(mean_error(numbers, 0.5, std::sqrt(1.0 / 12))), limit);
  for (const std::size_t lag : {1u, 2u, 3u, 4u, 7u, 8u, 16u, 32u, 128u})
    EXPECT_LT(std::abs(serial_correlation(numbers, lag)), limit) << lag;
  // Pairs in the unit square.
  std::vector<double> counts(256);
  for (std::size_t k = 0; k + 1 < numbers.size(); k += 2)
    ++counts[static_cast<std::size_t>(numbers[k] * 16) * 16 +
             static_cast<std::size_t>(numbers[k + 1] * 16)];
  EXPECT_LT(std::abs(chi_square(counts)), limit);
}

/// Expects as many zero bits as one bits, and neighbouring bits that are equal half of the time.
template <class Word>
void expect_fair_bits(const std::vector<Word>& words) {
  constexpr int bits = 8 * sizeof(Word);
  for (int b = 0; b < bits; ++b) {
    double ones = 0;
    double changes = 0;
    double next = 0;
    for (std::size_t k = 0; k < words.size(); ++k) {
      ones += static_cast<double>(words[k] >> b & 1);
      changes += static_cast<double>((words[k] >> b ^ words[k] >> (b + 1) % bits) & 1);
      if (k > 0) next += static_cast<double>((words[k] >> b ^ words[k - 1] >> b) & 1);
    }
    const auto n = static_cast<double>(words.size());
    for (const double count : {ones, changes, next})
      EXPECT_LT(std::abs(2 * count - n) / std::sqrt(n), limit) << "bit " << b;
  }
}

}  // namespace random_statistics
