// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hpk::backward: reverses a parallel_scan. Its update holds the joined contributions of all higher
// indices (a postfix, or suffix, scan).
#pragma once

#include <hpk/parallel/fold.hpp>

namespace hpk::detail {

/// Iterations in reverse order.
template <class Iterations>
struct backward_iterations {
  Iterations forward;
};
template <class P>
inline constexpr bool is_backward_v = false;
template <class P>
inline constexpr bool is_backward_v<backward_iterations<P>> = true;

/// The iterations of a pattern, in either direction.
template <class P>
struct either_way {
  using type = P;
  static const P& of(const P& iterations) { return iterations; }
};
template <class P>
struct either_way<backward_iterations<P>> {
  using type = P;
  static const P& of(const backward_iterations<P>& iterations) { return iterations.forward; }
};

/// Adapts a kernel to reversed indices: iteration k calls it with end - 1 - k. User: the functor
/// that F is or was made from. Held: as in point_kernel.
template <class Tag, class I, class F, class User = F, class Held = F>
struct backward_kernel {
  using index_type = I;
  static constexpr bool acts_as_lambda = detail::acts_as_lambda<F>();
  static constexpr bool folds_itself = true;
  static constexpr bool scans_itself = true;

  Held kernel;
  I end;

  /// The functor that supplies init and join.
  HPK_FUNCTION operator const User&() const { return static_cast<const User&>(kernel); }

  HPK_CALLS_EITHER
  template <class... Extra>
  HPK_FUNCTION void operator()(index_t k, Extra&&... extra) const {
    call<Tag>(kernel, index_after(end, -k - 1), static_cast<Extra&&>(extra)...);
  }

  /// The final pass. Counts down in I, so that the compiler sees contiguous loads and stores.
  template <class V>
  HPK_FORCEINLINE void scan(index_t first, index_t last, V& update) const {
    const I lowest = index_after(end, -last);
    for (I i = index_after(end, -first); i > lowest;) {
      --i;
      call<Tag>(kernel, static_cast<I>(i), update, true);
    }
  }

  /// As fold_block does.
  template <class Operations, class... Extra>
  HPK_FORCEINLINE typename Operations::value_type fold(const Operations& operations, index_t first,
                                                       index_t last, Extra... extra) const {
    using value = typename Operations::value_type;
    const I lowest = index_after(end, -last);
    I i = index_after(end, -first);
    if constexpr (Operations::interleave) {
      constexpr int lanes = interleaved_accumulators;
      if (last - first >= 2 * lanes) {
        value sums[lanes];
        for (value& sum : sums) operations.init(sum);
        for (; distance(lowest, i) >= lanes; i = static_cast<I>(i - static_cast<I>(lanes))) {
          HPK_UNROLL_16
          for (int k = 0; k < lanes; ++k)
            call<Tag>(kernel, static_cast<I>(i - static_cast<I>(k + 1)), sums[k], extra...);
        }
        for (int k = 0; i > lowest; ++k) {
          --i;
          call<Tag>(kernel, static_cast<I>(i), sums[k], extra...);
        }
        join_pairwise<lanes>(operations, sums);
        return sums[0];
      }
    }
    value sum;
    operations.init(sum);
    while (i > lowest) {
      --i;
      call<Tag>(kernel, static_cast<I>(i), sum, extra...);
    }
    return sum;
  }
};

}  // namespace hpk::detail

namespace hpk {

/// For parallel_scan: runs `iterations` (a count, a RangePolicy, an MDRangePolicy, a range or an
/// MDRange inside of a team) from the last index to the first. The update then holds the joined
/// contributions of all higher indices. Values join in that order: in join(to, from), `to` belongs
/// to higher indices than `from`.
///
///   hpk::parallel_scan("suffix sums", hpk::backward(n), HPK_LAMBDA(int i, double& sum, bool final)
///                      { sum += x(i); if (final) after(i) = sum; });
///
/// Holds a copy. Only parallel_scan takes it.
HPK_CALLS_EITHER
template <class Iterations>
HPK_FUNCTION constexpr detail::backward_iterations<Iterations> backward(
    const Iterations& iterations) {
  return {iterations};
}

}  // namespace hpk
