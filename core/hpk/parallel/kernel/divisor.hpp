// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division by a number that the host knows before the launch. Devices multiply instead, which takes
// a fraction of the time (T. Granlund, P. Montgomery, Division by invariant integers using
// multiplication, 1994; rounded down as A. Robison, N-bit unsigned division via N-bit multiply-add,
// 2005).
#pragma once

#include <hpk/base/macros.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace hpk::detail {

/// A divisor from 1 to 2^31, for dividends below 2^31.
class divisor {
 public:
  constexpr divisor() noexcept : divisor(1) {}
  constexpr explicit divisor(std::uint32_t by) noexcept
      : minus_(0 - by), shift_(static_cast<std::uint32_t>(std::bit_width(by)) - 1) {
    // 2^shift <= by < 2^(shift + 1), so the factor has 32 bits and its highest bit is set.
    factor_ = static_cast<std::uint32_t>(((std::uint64_t{1} << (32 + shift_)) - 1) / by);
  }

  HPK_FORCEINLINE_FUNCTION constexpr std::uint32_t value() const noexcept { return 0 - minus_; }
  HPK_FORCEINLINE_FUNCTION constexpr std::uint32_t quotient(std::uint32_t n) const noexcept {
    return static_cast<std::uint32_t>((std::uint64_t{n + 1} * factor_) >> 32) >> shift_;
  }
  /// Replaces n by its quotient; returns the remainder.
  HPK_FORCEINLINE_FUNCTION constexpr std::uint32_t split(std::uint32_t& n) const noexcept {
    const std::uint32_t before = n;
    n = quotient(before);
    return before + n * minus_;
  }

 private:
  template <int N>
  friend class divisors;
  HPK_FORCEINLINE_FUNCTION constexpr divisor(std::uint32_t factor, std::uint32_t minus,
                                             std::uint32_t shift) noexcept
      : factor_(factor), minus_(minus), shift_(shift) {}

  std::uint32_t factor_;
  std::uint32_t minus_;  ///< minus the divisor, which saves devices a negation
  std::uint32_t shift_;
};

/// N divisors, stored as one array for each member of divisor.
template <int N>
class divisors {
 public:
  constexpr divisors() noexcept {
    for (int k = 0; k < N; ++k) set(k, divisor());
  }
  constexpr void set(int k, divisor by) noexcept {
    factors_[k] = by.factor_;
    minus_[k] = by.minus_;
    shifts_[k] = by.shift_;
  }
  HPK_FORCEINLINE_FUNCTION constexpr divisor operator[](int k) const noexcept {
    return {factors_[k], minus_[k], shifts_[k]};
  }

 private:
  std::uint32_t factors_[std::size_t{N}] = {};
  std::uint32_t minus_[std::size_t{N}] = {};
  std::uint32_t shifts_[std::size_t{N}] = {};
};

}  // namespace hpk::detail
