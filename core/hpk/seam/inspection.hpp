// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a launch learns which loop order suits the Views that a kernel captures: it copies the kernel
// once while this thread inspects, and the copy constructor of each strided View of rank 2 and more
// votes for the dimension in which its elements lie closer together. Facts only, no clock: the same
// kernel over Views of the same layouts always gets the same answer.
#pragma once

#include <hpk/base/types.hpp>
#include <hpk/seam/launch.hpp>

namespace hpk::seam {

/// How many Views favour an order: of loops whose innermost index is the first, or the last.
struct loop_order_votes {
  int first = 0;
  int last = 0;
};

/// Where Views that this thread copies vote, or null: nobody asks.
inline constinit thread_local loop_order_votes* current_votes = nullptr;

/// Whether this thread copies a kernel to inspect it. Ask outside of kernels only.
inline bool inspecting() noexcept { return load_of_thread(current_votes) != nullptr; }

/// Has the Views that are copied by this thread vote, for the lifetime of the object. They take no
/// part in reference counts, and must not outlive it.
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

/// The vote of a mapping: among the dimensions that are longer than 1, the first and the last one
/// are compared. Mappings without strides do not vote. By value, so that no address of a copied
/// View leaves its loop.
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
