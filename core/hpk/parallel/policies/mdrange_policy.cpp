// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/parallel/policies/mdrange_policy.hpp>
#include <hpk/seam/guards.hpp>

#include <limits>

namespace hpk::detail {

namespace {

[[noreturn]] void reject_conversion(int dimension, number begin, number end, number lowest,
                                    number highest, const std::source_location& where) {
  raise((text() << "hpk::MDRangePolicy: in dimension " << dimension << " the bounds [" << begin
                << ", " << end << ") do not fit the index type, which goes from " << lowest
                << " to " << highest << "; write another IndexType<...>")
            .str(),
        where);
}

constexpr auto largest = static_cast<unsigned long long>(std::numeric_limits<index_t>::max());

bool is_below(number a, number b) {
  if (a.negative != b.negative) return a.negative;
  return a.negative ? a.magnitude > b.magnitude : a.magnitude < b.magnitude;
}
bool is_within(number n, number lowest, number highest) {
  return !is_below(n, lowest) && !is_below(highest, n);
}
index_t value_of(number n) {
  return static_cast<index_t>(n.negative ? 0 - n.magnitude : n.magnitude);
}

}  // namespace

void set_bounds(int rank, const number* lower, const number* upper, number lowest, number highest,
                index_t* lower_out, index_t* upper_out, const std::source_location& where) {
  // Bounds are stored as index_t, so they must fit it for any index type of the kernel.
  if (highest.magnitude > largest) highest.magnitude = largest;
  for (int r = 0; r < rank; ++r) {
    if (!is_within(lower[r], lowest, highest) || !is_within(upper[r], lowest, highest))
      reject_conversion(r, lower[r], upper[r], lowest, highest, where);
    const bool reversed = is_below(upper[r], lower[r]);
    if (reversed && !seam::reversed_is_empty()) {
      raise((text() << "hpk::MDRangePolicy: in dimension " << r << " the upper bound " << upper[r]
                    << " is below the lower bound " << lower[r])
                .str(),
            where);
    }
    lower_out[r] = value_of(lower[r]);
    upper_out[r] = value_of(reversed ? lower[r] : upper[r]);
  }
  unsigned long long points = 1;
  bool too_many = false;
  for (int r = 0; r < rank; ++r) {
    const auto extent = static_cast<unsigned long long>(upper_out[r]) -
                        static_cast<unsigned long long>(lower_out[r]);
    if (extent == 0) return;
    too_many = too_many || points > largest / extent;
    points *= extent;
  }
  if (too_many) {
    raise("hpk::MDRangePolicy: the MDRange has more iterations than a signed 64-bit integer counts",
          where);
  }
}

void set_tiles(int rank, const number* tile, index_t* out, const std::source_location& where) {
  for (int r = 0; r < rank; ++r) {
    if (!tile[r].negative && tile[r].magnitude > largest) {
      raise((text() << "hpk::MDRangePolicy: in dimension " << r << " a tile of " << tile[r]
                    << " iterations is more than 64 bits hold")
                .str(),
            where);
    }
    out[r] = tile[r].negative ? 0 : value_of(tile[r]);
  }
}

}  // namespace hpk::detail
