// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the workers of a host cut what they share: iterations, rows, bytes. Every share begins
// where its worker's part of the whole does, rounded down to an item. So what different launches,
// fills and copies give a worker differs by an item at most, whatever their items are: a worker
// meets the pages that it touched first.
#pragma once

#include <hpk/base/types.hpp>

#include <cstdint>

namespace hpk::detail {

/// n * rank / parts without overflow: the beginning of share `rank` of n items in `parts` shares,
/// which differ by one item at most. 0 <= rank <= parts < 2^31.
constexpr index_t share_begin(index_t n, index_t rank, index_t parts) noexcept {
  const index_t each = n / parts;
  const auto rest = static_cast<std::uint64_t>((n - each * parts) * rank);
  // Few CPUs divide 64 bits as fast as 32.
  const std::uint64_t more =
      rest <= 0xffff'ffff ? static_cast<std::uint32_t>(rest) / static_cast<std::uint32_t>(parts)
                          : rest / static_cast<std::uint64_t>(parts);
  return each * rank + static_cast<index_t>(more);
}

}  // namespace hpk::detail
