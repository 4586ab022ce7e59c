// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/exact_sum.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace hpk::mpi {

namespace {

constexpr int lanes = 8;

// Adds x to sum without losing bits: the rounding error remains in x (the algorithm TwoSum of D.
// Knuth).
inline void add_exactly(double& sum, double& x) {
  const double before = sum;
  sum = before + x;
  const double moved = sum - before;
  x = (before - (sum - moved)) + (x - moved);
}
inline bool any_left(const double (&x)[lanes]) {
  std::uint64_t bits = 0;
  for (const double each : x) bits |= std::bit_cast<std::uint64_t>(each) << 1;
  return bits != 0;
}

}  // namespace

// Adds most products without rounding error to sums of three doubles each, in lanes that the
// compiler vectorizes. The bits of a product that three doubles can't hold go to the digits at
// once, the sums at the end.
void exact_sum::add_products(const double* x, const double* y, index_t n) {
  constexpr double large = 0x1p990;  // sums of smaller products stay finite
  constexpr index_t fewest = 8 * lanes;
  double high[lanes] = {}, middle[lanes] = {}, low[lanes] = {};
  index_t done = 0;
  for (; n >= fewest && done + lanes <= n; done += lanes) {
    double product[lanes], lost[lanes];
    int small = 0;
    for (int k = 0; k < lanes; ++k) {
      product[k] = x[done + k] * y[done + k];
      small += std::fabs(product[k]) < large ? 1 : 0;  // false for NaN
    }
    if (small != lanes) {
      for (int k = 0; k < lanes; ++k) add_product(x[done + k], y[done + k]);
      continue;
    }
    for (int k = 0; k < lanes; ++k) lost[k] = std::fma(x[done + k], y[done + k], -product[k]);
    for (int k = 0; k < lanes; ++k) {
      add_exactly(high[k], product[k]);
      add_exactly(middle[k], product[k]);
      add_exactly(low[k], product[k]);
      add_exactly(middle[k], lost[k]);
      add_exactly(low[k], lost[k]);
    }
    if (any_left(product) || any_left(lost)) {
      for (int k = 0; k < lanes; ++k) (*this += product[k]) += lost[k];
    }
  }
  for (int k = 0; done > 0 && k < lanes; ++k) ((*this += high[k]) += middle[k]) += low[k];
  for (; done < n; ++done) add_product(x[done], y[done]);
}

double exact_sum::value() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (has_nan_ != 0 || (has_positive_infinity_ != 0 && has_negative_infinity_ != 0))
    return std::numeric_limits<double>::quiet_NaN();
  if (has_positive_infinity_ != 0) return infinity;
  if (has_negative_infinity_ != 0) return -infinity;
  exact_sum sum = *this;
  sum.carry();
  const bool negative = sum.digits_[digit_count - 1] < 0;
  if (negative) {
    for (std::int64_t& digit : sum.digits_) digit = -digit;
    sum.carry();
  }
  int top = digit_count - 1;
  while (top > 0 && sum.digits_[top] == 0) --top;
  // The 64 bits from the highest set bit on, and whether any lower bit is set.
  std::uint64_t first = 0;
  int taken = 0, lowest = 0;
  bool below = false;
  for (int k = top; k >= 0; --k) {
    const auto digit = static_cast<std::uint64_t>(sum.digits_[k]);
    const int width = k == top ? std::bit_width(digit) : 32;
    if (taken == 64) {
      below = below || digit != 0;
      continue;
    }
    const int used = std::min(width, 64 - taken);
    first = used == 64 ? digit : (first << used) | (digit >> (width - used));
    taken += used;
    lowest = 32 * k + (width - used);
    below = below || (used < width && (digit & ((std::uint64_t{1} << (width - used)) - 1)) != 0);
  }
  if (first == 0) return 0.0;
  // More than 53 bits are rounded to 53 here. Fewer bits, as in subnormal results, are exact.
  const int spare = std::bit_width(first) - 53;
  if (spare > 0) {
    const std::uint64_t dropped = first & ((std::uint64_t{1} << spare) - 1);
    const std::uint64_t half = std::uint64_t{1} << (spare - 1);
    first >>= spare;
    lowest += spare;
    if (dropped > half || (dropped == half && (below || (first & 1) != 0))) ++first;
  }
  const double magnitude = std::ldexp(static_cast<double>(first), lowest - 1074);
  return negative ? -magnitude : magnitude;
}

}  // namespace hpk::mpi
