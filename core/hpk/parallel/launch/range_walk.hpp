// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks: how patterns run the iterations of a policy. A walk numbers the iterations from 0 and can
// run any chunk [first, last) of them. Patterns see a policy only through its walk.
// walk_of<Policy>, specialised next to each walk, makes the walk of a launch.
//
//   walk.each<Tag>(kernel, first, last, extra...)              calls the kernel, in order
//   walk.fold<Tag>(kernel, operations, first, last, extra...)  a value, joined as documented
//   walk.call<Tag>(kernel, k, extra...)                        one iteration
//   Walk::is_range                                             indices follow one another
//
// Walks of reductions also have
//
//   walk.row()                                                 the length of a row; 0: one row;
//                                                              no_segments: blocks have no segments
//
// and those whose blocks have segments (reduce_shape.hpp)
//
//   walk.strided<Step, Tag>(kernel, first, last, k, sum)       iterations k, k + Step, ... of each
//                                                              row
//   Walk::interleaved_from                                     segments of fewer iterations for
//                                                              each accumulator of numbers are
//                                                              folded in order
//
// This file has the walk of ranges, in either direction: loops that vectorise.
#pragma once

#include <hpk/parallel/launch/dispatch.hpp>
#include <hpk/parallel/launch/fold.hpp>

namespace hpk::detail {

/// Plans the walk of a launch. find<F, Rest...>(policy, kernel, info, observed) returns an object
/// with the `walk`, its number of iterations `n` and the number of iterations `before` it
/// (usable_margin), for a kernel F that takes Rest after its indices.
/// find_for<F>(...) is for parallel_for; its groups divide `items`. `observed`: null if no tool
/// observes the launch.
template <class Policy>
struct walk_of;

/// A walk and its number of iterations.
template <class Walk>
struct walk_plan {
  Walk walk;
  index_t n;           ///< iterations
  index_t items;       ///< the work items that groups divide: iterations or tiles
  index_t before = 0;  ///< for usable_margin()
};

/// The walk through a range whose indices are of type I.
template <class I, bool Backward = false>
struct range_walk : index_order<I, Backward> {
  using index_type = I;
  using order = index_order<I, Backward>;
  static constexpr bool is_range = true;

  I origin;  ///< the first index; for a backward walk, one above its first

  HPK_INLINE_FUNCTION constexpr explicit range_walk(I first) : origin(first) {}

  /// Returns the cursor of iteration k.
  HPK_INLINE_FUNCTION constexpr I cursor(index_t k) const {
    return index_after(origin, Backward ? -k : k);
  }
  HPK_CALLS_EITHER
  template <class Tag, class F, class... Extra>
  HPK_FORCEINLINE_FUNCTION void call(const F& kernel, index_t k, Extra&&... extra) const {
    detail::call<Tag>(kernel, order::ahead(cursor(k), 0), static_cast<Extra&&>(extra)...);
  }
  HPK_CALLS_EITHER
  template <class Tag, class F, class... Extra>
  HPK_FORCEINLINE_FUNCTION void each(const F& kernel, index_t first, index_t last,
                                     Extra&&... extra) const {
    const I end = cursor(last);
    if constexpr (Backward) {
      for (I i = cursor(first); i > end;) {
        --i;
        detail::call<Tag>(kernel, static_cast<I>(i), extra...);
      }
    } else {
      HPK_UNROLL_LOOP
      for (I i = cursor(first); i < end; ++i)
        detail::call<Tag>(kernel, static_cast<I>(i), extra...);
    }
  }
  static constexpr index_t interleaved_from = interleaved_from_of_range;
  static constexpr index_t row() noexcept { return 0; }
  HPK_CALLS_EITHER
  template <int Step, class Tag, class F, class V>
  HPK_FORCEINLINE_FUNCTION void strided(const F& kernel, index_t first, index_t last, int k,
                                        V& sum) const {
    if (last - first <= k) return;
    fold_strided<Step, Tag, Backward>(kernel, cursor(first + k), cursor(last), sum);
  }
  template <class Tag, class F, class Operations, class... Extra>
  HPK_FORCEINLINE typename Operations::value_type fold(const F& kernel,
                                                       const Operations& operations, index_t first,
                                                       index_t last, Extra... extra) const {
    return fold_block<Tag, Backward>(kernel, operations, cursor(first), cursor(last), extra...);
  }
};

template <class Policy>
  requires is_range_policy_v<Policy>
struct walk_of<Policy> {
  template <class F, class... Rest>
  HPK_FORCEINLINE static auto find(const Policy& policy, const F&, const seam::launch_info& info,
                                   observed_launch*) {
    using index = typename Policy::index_type;
    using P = index_parameter_t<0, 1, index, F, typename Policy::work_tag, Rest...>;
    using I = counter_t<P, index>;
    const index_t n = count_iterations<P>(policy, info);
    return walk_plan<range_walk<I>>{range_walk<I>(static_cast<I>(policy.begin())), n, n,
                                    static_cast<index_t>(policy.begin())};
  }
  template <class F>
  HPK_FORCEINLINE static auto find_for(const Policy& policy, const F& kernel,
                                       const seam::launch_info& info, observed_launch* observed) {
    return find<F>(policy, kernel, info, observed);
  }
};

/// Returns the walk from the last iteration to the first.
template <class I>
range_walk<I, true> reversed_walk(const range_walk<I>& walk, index_t n) {
  return range_walk<I, true>(walk.cursor(n));
}

/// Calls the kernel for the iterations [first, last) of a walk. Out of line and with a
/// restrict-qualified kernel, so that captured values stay in registers and the vectoriser sees a
/// plain loop.
HPK_CALLS_EITHER
template <class Tag, class F, class Walk>
HPK_FUNCTION HPK_NOINLINE void for_indices(const F& HPK_RESTRICT kernel, const Walk& walk,
                                           index_t first, index_t last) {
  kernel_in_loop<F> loop_kernel = in_loop(kernel);
  walk.template each<Tag>(loop_kernel, first, last);
}

}  // namespace hpk::detail
