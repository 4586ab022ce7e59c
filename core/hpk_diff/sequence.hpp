// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds which launches of two threads correspond. Where the sequences differ, finds the nearest
// place from which they agree again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hpk_diff {

/// The properties that two corresponding launches share.
struct token {
  std::uint32_t kernel = 0;  ///< equal kernels of both runs have the same number
  bool is_own = false;       ///< a launch of hpk itself, which only one run may have
  std::uint64_t nth = 0;     ///< 0 if only the order counts

  bool operator==(const token&) const = default;
};

/// Launches that only one run has. Between two gaps, launches correspond one to one.
struct gap {
  std::size_t a = 0, b = 0;
  std::size_t count_a = 0, count_b = 0;
  bool is_own = false;  ///< all launches belong to hpk itself
  bool goes_on = true;  ///< the runs agree after the gap
};

/// Returns the gaps between two sequences, in order. Looks at most 1000 launches ahead.
std::vector<gap> find_gaps(std::span<const token> a, std::span<const token> b);

}  // namespace hpk_diff
