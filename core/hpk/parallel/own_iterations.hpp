// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The iterations of one of several lanes or threads that divide a loop, every parts()-th, as
// devices run them.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>

namespace hpk::detail {

/// Calls visit(k) for k = part, part + parts, ... below n, in that order; several calls at a time,
/// so that accesses to memory overlap.
HPK_CALLS_EITHER
template <class Counter, class Visit>
HPK_FORCEINLINE_FUNCTION void for_every(Counter part, Counter parts, Counter n,
                                        const Visit& visit) {
  Counter k = part;
  while (k < n && n - k > 3 * parts) {
    HPK_UNROLL_4
    for (int row = 0; row < 4; ++row) visit(k + static_cast<Counter>(row) * parts);
    k += 4 * parts;
  }
  for (; k < n; k += parts) visit(k);
}
/// The same for the iterations of the calling thread or lane in a range, counted from zero. Counts
/// in 32 bits if the indices K have no more.
HPK_CALLS_EITHER
template <class K, class Range, class Visit>
HPK_FORCEINLINE_FUNCTION void for_own_iterations(const Range& range, const Visit& visit) {
  const index_t n = range.size();
  if constexpr (sizeof(K) <= 4) {
    // Beyond, a counter of 32 bits might wrap.
    if (n <= 0x7fff'ffff) [[likely]] {
      for_every<unsigned>(static_cast<unsigned>(range.part()), static_cast<unsigned>(range.parts()),
                          static_cast<unsigned>(n), visit);
      return;
    }
  }
  for (index_t k = range.part(); k < n; k += range.parts()) visit(k);
}

}  // namespace hpk::detail
