// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The price of a European call option by Monte Carlo, on every enabled space in turn, compared with
// the formula of Black and Scholes. Path i draws from index i of a counter-based generator, so
// every space computes the same paths. Exit code 0: all prices agree with the formula and with each
// other; 1: they don't; 2: wrong call, with a message of one line.
#include <hpk/algorithms/random.hpp>
#include <hpk/core.hpp>

#include "command_line.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

namespace {

constexpr const char* usage = R"(usage: option_price [flags]

Prices the right to buy a share in a year, and compares with the formula of Black and Scholes.

  --paths N       prices of the share that are drawn, 1000 to 1000000000   (default 4000000)
  --seed N        another seed, other paths                               (default 1)
  --strike X      the price at which the share may be bought, 1 to 1000   (default 105)
  --help          print this text and exit
  --hpk-help      print the flags of hpk and exit

Columns: workers of the space; milliseconds; the price and its standard error; how many standard
errors it is away from the answer.
)";

struct arguments {
  bool help = false;
  std::int64_t paths = 0;
  std::uint64_t seed = 0;
  double strike = 0;
};

arguments read_arguments(int argc, char* argv[]) {
  example::command_line line(argc, argv);
  arguments result;
  result.help = line.take_switch("--help");
  result.paths = line.take_number<std::int64_t>("--paths", 1000, 1000000000, 4000000);
  result.seed = line.take_number<std::uint64_t>("--seed", 0, ~std::uint64_t{0}, 1);
  result.strike = line.take_number<double>("--strike", 1, 1000, 105);
  for (const std::string& operand : line.take_operands()) {
    throw example::usage_error("'" + operand + "' is not understood; --help says more");
  }
  return result;
}

/// A share and an option on it; time is in years.
struct option {
  double spot = 100;
  double strike = 105;
  double rate = 0.03;
  double volatility = 0.2;
  double maturity = 1;

  /// Returns the discounted payoff if the logarithm of the share moves by `z` standard deviations.
  HPK_FUNCTION double value(double z) const {
    const double drift = (rate - 0.5 * volatility * volatility) * maturity;
    const double share = spot * hpk::exp(drift + volatility * hpk::sqrt(maturity) * z);
    return hpk::exp(-rate * maturity) * hpk::fmax(share - strike, 0.0);
  }
};

/// F. Black, M. Scholes, The pricing of options and corporate liabilities (1973).
double black_scholes(const option& o) {
  const auto below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  const double spread = o.volatility * std::sqrt(o.maturity);
  const double d =
      (std::log(o.spot / o.strike) + (o.rate + 0.5 * o.volatility * o.volatility) * o.maturity) /
      spread;
  return o.spot * below(d) - o.strike * std::exp(-o.rate * o.maturity) * below(d - spread);
}

struct estimate {
  double price = 0;
  double error = 0;
};

/// Returns the mean over all paths and its standard error.
template <class Space>
estimate simulate(const Space& space, const option& o, const arguments& given) {
  const hpk::CounterRandom<> random(given.seed);
  double sum = 0;
  double squares = 0;
  hpk::parallel_reduce(
      "paths", hpk::RangePolicy<Space>(space, 0, given.paths),
      HPK_LAMBDA(std::int64_t i, double& s, double& q) {
        const double value = o.value(random.at(static_cast<std::uint64_t>(i)).normal());
        s += value;
        q += value * value;
      },
      sum, squares);
  const auto n = static_cast<double>(given.paths);
  const double mean = sum / n;
  return {mean, std::sqrt((squares / n - mean * mean) / (n - 1))};
}

int run_everywhere(const arguments& given) {
  option o;
  o.strike = given.strike;
  const double answer = black_scholes(o);
  std::printf("%lld paths, Black-Scholes: %.6f\n\n%-10s %7s %9s %12s %10s %8s\n",
              static_cast<long long>(given.paths), answer, "space", "workers", "ms", "price",
              "error", "sigmas");
  bool right = true;
  bool same = true;
  std::string first;
  hpk::for_each_space([&](auto space) {
    const hpk::Timer timer;
    const estimate found = simulate(space, o, given);
    const double milliseconds = timer.seconds() * 1e3;
    const double sigmas = found.error > 0 ? (found.price - answer) / found.error : 0;
    char digits[64];
    std::snprintf(digits, sizeof digits, "%.9f %.9f", found.price, found.error);
    std::printf("%-10s %7d %9.1f %12.9f %10.6f %8.2f\n", space.name(), space.concurrency(),
                milliseconds, found.price, found.error, sigmas);
    right = right && std::abs(sigmas) < 5;
    if (first.empty()) first = digits;
    same = same && first == digits;
  });
  std::printf("\nwithin 5 standard errors: %s\nsame digits on all spaces: %s\n",
              right ? "yes" : "no", same ? "yes" : "no");
  return right && same ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const hpk::ScopeGuard scope(argc, argv);
    const arguments given = read_arguments(argc, argv);
    if (given.help) {
      std::fputs(usage, stdout);
      return 0;
    }
    return run_everywhere(given);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "option_price: %s\n", problem.what());
    return 2;
  }
}
