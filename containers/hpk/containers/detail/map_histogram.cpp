// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/detail/map_histogram.hpp>

#include <ostream>

namespace hpk::detail {

void print_map_bins(std::ostream& out, const std::uint64_t* bins) {
  out << bins[0];
  for (int k = 1; k != map_bins; ++k) out << ", " << bins[k];
  out << '\n';
}

}  // namespace hpk::detail
