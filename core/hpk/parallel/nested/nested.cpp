// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/parallel/nested/nested.hpp>

namespace hpk::detail {

void reject_nested_range(number begin, number end, number highest) {
  text out;
  out << "a loop inside of a team over [" << begin << ", " << end
      << ") does not fit the index type of its body, which ends at " << highest
      << "; let the body take hpk::index_t";
  seam::raise_in_kernel(out.str());
}

}  // namespace hpk::detail
