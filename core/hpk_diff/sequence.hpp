// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds which launches of two threads correspond. Where the sequences differ, it looks for the
// nearest place from which they go on alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hpk_diff {

/// Says what must agree in two launches that correspond.
struct token {
  std::uint32_t kernel = 0;  ///< the same number for the same kernel in both runs
  bool is_own = false;       ///< of hpk itself: one run may have it alone
  std::uint64_t nth = 0;     ///< 0 where only the order counts

  bool operator==(const token&) const = default;
};

/// Names launches that only one run has. Between two gaps, the launches correspond one to one.
struct gap {
  std::size_t a = 0, b = 0;
  std::size_t count_a = 0, count_b = 0;
  bool is_own = false;  ///< all are of hpk itself
  bool goes_on = true;  ///< the runs go on alike behind it
};

/// Finds the gaps between two sequences, in order; looks ahead as far as 1000 launches.
std::vector<gap> find_gaps(std::span<const token> a, std::span<const token> b);

}  // namespace hpk_diff
