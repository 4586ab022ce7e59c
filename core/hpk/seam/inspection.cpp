// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/inspection.hpp>

namespace hpk::seam {

void loop_order_votes::see(const view_facts& view) noexcept {
  if (view.rank < 2 || !view.is_strided || !view.type->on_host) return;
  int begin = 0;
  int end = view.rank - 1;
  while (begin < end && view.extents[begin] <= 1) ++begin;
  while (end > begin && view.extents[end] <= 1) --end;
  if (view.strides[begin] < view.strides[end]) ++first;
  if (view.strides[end] < view.strides[begin]) ++last;
}

}  // namespace hpk::seam
