// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions: function objects that turn the bits of any generator into numbers. Kernels capture
// them by value:
//   const hpk::PoissonDistribution hits(3.5);
//   ... auto generator = random.at(i); n(i) = hits(generator);
// They store nothing between calls, so their numbers depend only on the generator.
#pragma once

#include <hpk/algorithms/random_draw.hpp>

#include <hpk/core.hpp>
#include <hpk/math.hpp>
#include <hpk/numbers.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <source_location>
#include <span>

namespace hpk::detail {

/// Throws hpk::error for an invalid parameter of a distribution.
[[noreturn]] void reject_parameter(const char* distribution, double value, const char* wanted);

HPK_INLINE_FUNCTION void expect_parameter(bool good, [[maybe_unused]] const char* distribution,
                                          [[maybe_unused]] double value,
                                          [[maybe_unused]] const char* wanted) {
  if (good) return;
  HPK_IF_ON_HOST((reject_parameter(distribution, value, wanted);))
  HPK_IF_ON_DEVICE((hpk::abort("a distribution of random numbers has a parameter out of range");))
}

/// One column of an alias table. A draw from column k gives k with probability `keep`, else
/// `other`.
struct alias_column {
  double keep = 1;
  index_t other = 0;
};
/// Fills an alias table from weights. Throws hpk::error unless all weights are finite and not
/// negative, and at least one is positive.
void build_alias_table(std::span<const double> weights, alias_column* table,
                       const std::source_location& where);

/// Returns the logarithm of the probability that a Poisson variable with this mean is k, for means
/// of 10 and more. It uses the deviance of C. Loader (Fast and accurate computation of binomial
/// probabilities, 2000) to avoid cancellation if mean and k are large.
HPK_INLINE_FUNCTION double log_poisson(double k, double mean) {
  if (k < 10) {
    double factorial = 1;
    for (double j = 2; j <= k; ++j) factorial *= j;
    return k * math::log(mean) - mean - math::log(factorial);
  }
  const double d = (k - mean) / mean;
  const double deviance = mean * ((1 + d) * math::log1p(d) - d);
  const double inverse = 1 / k;
  const double square = inverse * inverse;
  // Stirling's series for log k!.
  const double rest =
      inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
  return -deviance - 0.5 * math::log(2 * numbers::pi * k) - rest;
}

}  // namespace hpk::detail

namespace hpk {

/// Uniformly distributed numbers of type T from [begin, end): hpk::rand as an object. The bits are
/// the same on every space. T is a type that hpk::rand supports.
template <class T>
class UniformDistribution {
 public:
  using result_type = T;  ///< Type of a number.
  /// Makes the distribution of a range. Integers need begin < end.
  HPK_FUNCTION UniformDistribution(const T& begin, const T& end) : begin_(begin), end_(end) {}
  /// Draws a number with hpk::rand<Generator, T>.
  template <class Generator>
  HPK_FUNCTION T operator()(Generator& generator) const {
    return rand<Generator, T>::draw(generator, begin_, end_);
  }

 private:
  T begin_;
  T end_;
};

/// The normal distribution. Computes each number from one draw of 64 bits, by the inverse of the
/// distribution: M. J. Wichura, Algorithm AS 241, Applied Statistics 37 (1988).
class NormalDistribution {
 public:
  using result_type = double;  ///< Type of a number.
  /// Throws hpk::error if the standard deviation is negative or a parameter is not finite.
  HPK_FUNCTION explicit NormalDistribution(double mean = 0, double standard_deviation = 1)
      : mean_(mean), deviation_(standard_deviation) {
    detail::expect_parameter(mean - mean == 0, "NormalDistribution", mean, "a finite mean");
    detail::expect_parameter(
        standard_deviation >= 0 && standard_deviation - standard_deviation == 0,
        "NormalDistribution", standard_deviation, "a finite standard deviation of 0 or more");
  }
  /// Draws a number, at most 8.2 standard deviations from the mean.
  template <class Generator>
  HPK_FUNCTION double operator()(Generator& generator) const {
    return generator.normal(mean_, deviation_);
  }

 private:
  double mean_;
  double deviation_;
};

/// The exponential distribution: times between events that occur `rate` times per unit of time.
/// Computed by its inverse.
class ExponentialDistribution {
 public:
  using result_type = double;  ///< Type of a number.
  /// Throws hpk::error unless the rate is positive and finite.
  HPK_FUNCTION explicit ExponentialDistribution(double rate = 1) : scale_(1 / rate) {
    detail::expect_parameter(rate > 0 && rate - rate == 0, "ExponentialDistribution", rate,
                             "a finite rate above 0");
  }
  /// Returns a number from [0, 37 / rate).
  template <class Generator>
  HPK_FUNCTION double operator()(Generator& generator) const {
    // 1 - drand() is in (0, 1], exactly.
    return -math::log(1.0 - generator.drand()) * scale_;
  }

 private:
  double scale_;
};

/// The Poisson distribution: the number of events if `mean` events are expected. Means below 10 use
/// its inverse and one draw. Larger means use W. Hoermann, The transformed rejection method for
/// generating Poisson random variables, Insurance: Mathematics and Economics 12 (1993), about 2.3
/// draws.
class PoissonDistribution {
 public:
  using result_type = std::int64_t;  ///< Type of a number.
  /// Throws hpk::error unless 0 <= mean <= 2^52.
  HPK_FUNCTION explicit PoissonDistribution(double mean = 1) : mean_(mean) {
    detail::expect_parameter(mean >= 0 && mean <= 0x1p52, "PoissonDistribution", mean,
                             "a mean from 0 to 2^52");
    if (mean < switch_at) {
      none_ = math::exp(-mean);
    } else {
      b_ = 0.931 + 2.53 * math::sqrt(mean);
      a_ = -0.059 + 0.02483 * b_;
    }
  }
  /// Draws a number of events, 0 or more.
  template <class Generator>
  HPK_FUNCTION std::int64_t operator()(Generator& generator) const {
    return mean_ < switch_at ? by_inverse(generator) : by_rejection(generator);
  }

 private:
  static constexpr double switch_at = 10;

  template <class Generator>
  HPK_FUNCTION std::int64_t by_inverse(Generator& generator) const {
    double rest = generator.drand();
    double probability = none_;
    std::int64_t k = 0;
    // probability > 0 ends the loop if rounding errors leave `rest` too large.
    while (rest >= probability && probability > 0) {
      rest -= probability;
      ++k;
      probability *= mean_ / static_cast<double>(k);
    }
    return k;
  }
  template <class Generator>
  HPK_FUNCTION std::int64_t by_rejection(Generator& generator) const {
    const double inverse_alpha = 1.1239 + 1.1328 / (b_ - 3.4);
    const double quick = 0.9277 - 3.6224 / (b_ - 2);
    for (;;) {
      const double u = generator.drand() - 0.5;
      const double v = 1.0 - generator.drand();
      const double us = 0.5 - math::fabs(u);
      const double k = math::floor((2 * a_ / us + b_) * u + mean_ + 0.43);
      if (us >= 0.07 && v <= quick) return static_cast<std::int64_t>(k);
      // us may be 0, and k infinite.
      if (!(k >= 0) || k > 0x1p62 || (us < 0.013 && v > us)) continue;
      if (math::log(v * inverse_alpha / (a_ / (us * us) + b_)) <= detail::log_poisson(k, mean_))
        return static_cast<std::int64_t>(k);
    }
  }

  double mean_;
  double none_ = 0;  // the probability of 0
  double a_ = 0;
  double b_ = 0;
};

/// True with the given probability.
class BernoulliDistribution {
 public:
  using result_type = bool;  ///< Type of a number.
  /// Throws hpk::error unless 0 <= probability <= 1.
  HPK_FUNCTION explicit BernoulliDistribution(double probability = 0.5)
      : probability_(probability) {
    detail::expect_parameter(probability >= 0 && probability <= 1, "BernoulliDistribution",
                             probability, "a probability from 0 to 1");
  }
  /// Draws true or false from 64 bits.
  template <class Generator>
  HPK_FUNCTION bool operator()(Generator& generator) const {
    return generator.drand() < probability_;
  }

 private:
  double probability_;
};

/// Integers from 0 to n - 1 with probabilities proportional to n weights. Uses an alias table in
/// the memory of Device, with one access per number for any number of weights: A. J. Walker (1977).
/// The host builds the table as in M. D. Vose, A linear algorithm for generating random numbers
/// with a given distribution, IEEE Transactions on Software Engineering 17 (1991). Copies share the
/// table.
template <class Device = DefaultExecutionSpace>
class DiscreteDistribution {
 public:
  /// Type of a number, and the Device that holds the table.
  ///@{
  using result_type = index_t;
  using device_type = typename Device::device_type;
  ///@}

  /// Makes a distribution from weights in host memory, with any sum. Throws hpk::error if a weight
  /// is negative or not finite, or if none is positive.
  ///@{
  explicit DiscreteDistribution(std::span<const double> weights,
                                const std::source_location& where = std::source_location::current())
      : table_(view_alloc("hpk::DiscreteDistribution", WithoutInitializing), weights.size()) {
    const auto host = create_mirror_view(table_);
    detail::build_alias_table(weights, host.data(), where);
    deep_copy(table_, host);
  }
  DiscreteDistribution(std::initializer_list<double> weights,
                       const std::source_location& where = std::source_location::current())
      : DiscreteDistribution(std::span<const double>(weights.begin(), weights.size()), where) {}
  ///@}

  /// Returns the number of weights.
  HPK_FUNCTION index_t size() const { return static_cast<index_t>(table_.extent(0)); }
  /// Draws an integer from [0, size()) on a space that can access the memory of Device.
  template <class Generator>
  HPK_FUNCTION index_t operator()(Generator& generator) const {
    const auto k = static_cast<index_t>(generator.urand64(table_.extent(0)));
    const detail::alias_column column = table_(k);
    return generator.drand() < column.keep ? k : column.other;
  }

 private:
  View<detail::alias_column*, Device> table_;
};

/// Points on the unit sphere, uniform by area: z and the longitude are uniform (Archimedes).
template <class T = double>
class UnitSphereDistribution {
 public:
  using result_type = Array<T, 3>;  ///< A point: x, y, z.
  /// Draws a point.
  template <class Generator>
  HPK_FUNCTION result_type operator()(Generator& generator) const {
    const double z = generator.drand(-1.0, 1.0);
    const double longitude = generator.drand(2 * numbers::pi);
    const double radius = math::sqrt((1 - z) * (1 + z));
    return {static_cast<T>(radius * math::cos(longitude)),
            static_cast<T>(radius * math::sin(longitude)), static_cast<T>(z)};
  }
};

/// Points in the unit disk, uniform by area.
template <class T = double>
class UnitDiskDistribution {
 public:
  using result_type = Array<T, 2>;  ///< A point: x, y.
  /// Draws a point.
  template <class Generator>
  HPK_FUNCTION result_type operator()(Generator& generator) const {
    const double radius = math::sqrt(generator.drand());
    const double angle = generator.drand(2 * numbers::pi);
    return {static_cast<T>(radius * math::cos(angle)), static_cast<T>(radius * math::sin(angle))};
  }
};

}  // namespace hpk
