// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/parallel/mdrange_policy.hpp>

namespace hpk::detail {

void reject_box_order(int dimension, number begin, number end, const std::source_location& where) {
  raise((text() << "hpk::MDRangePolicy: in dimension " << dimension << " the upper bound " << end
                << " is below the lower bound " << begin)
            .str(),
        where);
}

void reject_box_conversion(int dimension, number begin, number end, number lowest, number highest,
                           const std::source_location& where) {
  raise((text() << "hpk::MDRangePolicy: in dimension " << dimension << " the bounds [" << begin
                << ", " << end << ") do not fit the index type, which goes from " << lowest
                << " to " << highest << "; write another IndexType<...>")
            .str(),
        where);
}

void reject_box_size(const std::source_location& where) {
  raise("hpk::MDRangePolicy: the box has more points than a signed 64-bit integer counts", where);
}

void reject_tile(int dimension, number size, const std::source_location& where) {
  raise((text() << "hpk::MDRangePolicy: in dimension " << dimension << " a tile of " << size
                << " points is more than 64 bits hold")
            .str(),
        where);
}

}  // namespace hpk::detail
