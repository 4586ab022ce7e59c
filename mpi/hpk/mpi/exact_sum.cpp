// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/exact_sum.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace hpk::mpi {

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
  // The first 64 bits from the highest one on, and whether there are others below.
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
  // Of numbers above 2^53, to 53 bits by hand; those below the normal ones are exact.
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
