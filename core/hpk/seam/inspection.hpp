// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a launch chooses the loop order that suits the Views of a kernel: it copies the kernel once
// while this thread inspects, and the copy constructor of each strided View of rank 2 or higher
// votes for the dimension with the smaller stride. Nothing is timed, so the same kernel over Views
// of the same layouts always gets the same order.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/types.hpp>
#include <hpk/seam/launch.hpp>

namespace hpk::seam {

/// How many Views favour each loop order: innermost over the first index, or over the last.
struct loop_order_votes {
  int first = 0;
  int last = 0;
};

/// Receives the votes of Views that this thread copies; null when no launch inspects.
extern HPK_EXPORT constinit thread_local loop_order_votes* current_votes;

/// Whether this thread copies a kernel to inspect it. Call outside of kernels only.
inline bool inspecting() noexcept { return load_of_thread(current_votes) != nullptr; }

/// Makes the Views that this thread copies vote, for the lifetime of the object. The copies are not
/// reference-counted and must not outlive it.
class inspection_scope {
 public:
  explicit inspection_scope(loop_order_votes& votes) noexcept
      : outer_(load_of_thread(current_votes)) {
    store_of_thread(current_votes, &votes);
  }
  ~inspection_scope() { store_of_thread(current_votes, outer_); }
  inspection_scope(const inspection_scope&) = delete;
  inspection_scope& operator=(const inspection_scope&) = delete;

 private:
  outside_kernel_scope outside_;
  loop_order_votes* outer_;
};

/// Casts the vote of a mapping by comparing the strides of the first and the last dimension among
/// those longer than 1. Mappings without strides do not vote. Passed by value, so that the address
/// of a copied View does not escape from its loop.
template <class Mapping>
void vote_for_loop_order([[maybe_unused]] Mapping mapping) noexcept {
  if constexpr (requires { mapping.stride(0); }) {
    int first = 0;
    int last = Mapping::rank - 1;
    while (first < last && mapping.extent(first) <= 1) ++first;
    while (last > first && mapping.extent(last) <= 1) --last;
    if (first == last) return;
    loop_order_votes& votes = *load_of_thread(current_votes);
    if (mapping.stride(first) < mapping.stride(last)) ++votes.first;
    if (mapping.stride(last) < mapping.stride(first)) ++votes.last;
  }
}

}  // namespace hpk::seam
