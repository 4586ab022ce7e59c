// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exact_sum: sums of floating point numbers without rounding. Neither the order of the numbers nor
// their division among ranks and workers changes a bit of the result.
//
// The sum is a fixed-point number as wide as the exponent range of double (a long accumulator after
// U. Kulisch), in digits of 32 bits, each in a 64-bit integer. A number is added to three digits at
// most; carries are propagated only when a digit could overflow.
#pragma once

#include <hpk/core.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace hpk::mpi {

/// The exact sum of doubles, and of products of two doubles. 568 bytes; trivially copyable. Kernels
/// on hosts and Emu use it as the update of a reduction:
///
///     hpk::mpi::exact_sum total;
///     hpk::parallel_reduce(
///         n, HPK_LAMBDA(int i, hpk::mpi::exact_sum& sum) { sum += x(i); }, total);
///     hpk::mpi::allreduce(comm, hpk::Sum(total));
///     const double result = total.value();
///
/// value() is the exact sum, rounded once to the nearest double. Infinities and NaNs give the
/// result that a floating point sum gives in any order.
class exact_sum {
 public:
  HPK_DEFAULTED_FUNCTION constexpr exact_sum() = default;

  /// Adds a number.
  HPK_FUNCTION exact_sum& operator+=(double x) {
    const auto bits = bit_cast<std::uint64_t>(x);
    const auto exponent = static_cast<int>((bits >> 52) & 0x7ff);
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    const bool negative = (bits >> 63) != 0;
    if (exponent == 0x7ff) return add_special(mantissa != 0, negative);
    // Subnormal numbers have the exponent of the smallest normal numbers.
    const int position = exponent == 0 ? 0 : exponent - 1;
    if (exponent != 0) mantissa |= std::uint64_t{1} << 52;
    const int digit = position / 32;
    const int shift = position % 32;
    const std::uint64_t low = mantissa << shift;
    const std::uint64_t high = shift == 0 ? 0 : mantissa >> (64 - shift);
    const auto d0 = static_cast<std::int64_t>(low & 0xffffffff);
    const auto d1 = static_cast<std::int64_t>(low >> 32);
    const auto d2 = static_cast<std::int64_t>(high);
    const std::int64_t sign = negative ? -1 : 1;
    digits_[digit] += sign * d0;
    digits_[digit + 1] += sign * d1;
    digits_[digit + 2] += sign * d2;
    if (++additions_ == most_additions) carry();
    return *this;
  }
  /// Adds x * y exactly: the rounded product and its rounding error. A product with bits below
  /// 2^-1074 is rounded to a multiple of 2^-1074. A product above the largest double counts as
  /// infinite.
  HPK_FUNCTION exact_sum& add_product(double x, double y) {
    const double product = x * y;
    *this += product;
    const bool is_finite = (bit_cast<std::uint64_t>(product) >> 52 & 0x7ff) != 0x7ff;
    if (is_finite) *this += hpk::fma(x, y, -product);
    return *this;
  }
  /// Adds x[i] * y[i] for 0 <= i < n with the same result as add_product, three to ten times as
  /// fast. Host code only.
  void add_products(const double* x, const double* y, index_t n);
  /// Adds another sum.
  HPK_FUNCTION exact_sum& operator+=(const exact_sum& other) {
    if (additions_ + other.additions_ >= most_additions) {
      exact_sum carried = other;
      carried.carry();
      carry();
      return add_digits(carried);
    }
    return add_digits(other);
  }

  /// Returns the sum, rounded to the nearest double, ties to even.
  double value() const;

 private:
  // Bit 0 has the value 2^-1074, the smallest subnormal number; the largest double ends at bit
  // 2097. Two more digits hold larger sums and the sign.
  static constexpr int digit_count = 2098 / 32 + 3;
  static constexpr std::int64_t most_additions = std::int64_t{1} << 30;

  HPK_FUNCTION exact_sum& add_special(bool nan, bool negative) {
    if (nan) {
      has_nan_ = 1;
    } else if (negative) {
      has_negative_infinity_ = 1;
    } else {
      has_positive_infinity_ = 1;
    }
    return *this;
  }
  HPK_FUNCTION exact_sum& add_digits(const exact_sum& other) {
    for (int k = 0; k < digit_count; ++k) digits_[k] += other.digits_[k];
    additions_ += other.additions_;
    has_nan_ |= other.has_nan_;
    has_positive_infinity_ |= other.has_positive_infinity_;
    has_negative_infinity_ |= other.has_negative_infinity_;
    return *this;
  }
  // Propagates carries: all digits except the last one, which has the sign, are in [0, 2^32)
  // afterwards.
  HPK_FUNCTION void carry() {
    std::int64_t moved = 0;
    for (int k = 0; k < digit_count - 1; ++k) {
      const std::int64_t all = digits_[k] + moved;
      moved = all >> 32;
      digits_[k] = all & 0xffffffff;
    }
    digits_[digit_count - 1] += moved;
    additions_ = 1;
  }

  std::int64_t digits_[digit_count] = {};
  std::int64_t additions_ = 0;
  std::int32_t has_nan_ = 0;
  std::int32_t has_positive_infinity_ = 0;
  std::int32_t has_negative_infinity_ = 0;
  [[maybe_unused]] std::int32_t unused_ = 0;
};

}  // namespace hpk::mpi

/// The identity of sums: 0.
template <>
struct hpk::reduction_identity<hpk::mpi::exact_sum> {
  HPK_FUNCTION static constexpr hpk::mpi::exact_sum sum() { return {}; }  ///< 0
};
