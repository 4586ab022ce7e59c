// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How host workers divide iterations, rows or bytes among themselves. The share of a worker begins
// at the same fraction of the whole for every launch, fill and copy, rounded down to an item.
// Shares of different launches therefore differ by at most one item, and a worker accesses the
// pages that it touched first.
#pragma once

#include <hpk/base/types.hpp>

#include <cstdint>

namespace hpk::detail {

/// a / b, for numbers that are not negative. Few CPUs divide 64 bits as fast as 32.
constexpr index_t quotient(index_t a, index_t b) noexcept {
  if (static_cast<std::uint64_t>(a | b) <= 0xffff'ffff)
    return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
  return a / b;
}

/// n * rank / parts without overflow: the beginning of share `rank` of n items in `parts` shares,
/// which differ by one item at most. 0 <= rank <= parts < 2^31.
constexpr index_t share_begin(index_t n, index_t rank, index_t parts) noexcept {
  const index_t each = quotient(n, parts);
  const index_t rest = n - each * parts;
  return each * rank + (rest == 0 ? 0 : quotient(rest * rank, parts));
}

}  // namespace hpk::detail
