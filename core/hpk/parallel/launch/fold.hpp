// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds iterations into values, for reductions and scans: the fixed blocks (rule "same bits"), the
// interleaved accumulators, and the workspace of partial values.
//
// The tree of joins of a reduction: reduce_shape.hpp. Scans plan their own blocks (block_scan.hpp),
// whose values fold_block computes.
#pragma once

#include <hpk/parallel/launch/dispatch.hpp>
#include <hpk/parallel/operations/result_values.hpp>

#include <exception>
#include <new>
#include <type_traits>

namespace hpk::detail {

/// The partial values of a launch, in its workspace. Values that need a constructor or destructor
/// exist as long as this object.
template <class V, class Machine>
class partial_values {
 public:
  static_assert(alignof(V) <= 64, "hpk: a reduced value may be aligned to 64 bytes at most");
  /// Allocates `parts` times `each` values. Throws hpk::error with the name of the launch if there
  /// are too many or no memory is left.
  partial_values(Machine& machine, index_t parts, index_t each, const seam::launch_info& info) try
      : partial_values(machine, count_values(parts, each, sizeof(V), info)) {
  } catch (const std::bad_alloc&) {
    reject_value_memory(parts, each, sizeof(V), info);
  }
  /// For use inside of a kernel. Throws std::bad_alloc if there is no memory.
  partial_values(Machine& machine, index_t count)
      : space_(machine, static_cast<std::size_t>(count) * sizeof(V)),
        values_(static_cast<V*>(space_.data())) {
    if constexpr (!is_plain) {
      try {
        for (; constructed_ < count; ++constructed_) ::new (values_ + constructed_) V();
      } catch (...) {
        destroy();
        throw;
      }
    }
  }
  ~partial_values() { destroy(); }
  partial_values(const partial_values&) = delete;
  partial_values& operator=(const partial_values&) = delete;
  V* data() const noexcept { return values_; }

 private:
  // The host can't construct objects in GPU memory.
  static constexpr bool is_plain =
      std::is_trivially_destructible_v<V> &&
      (std::is_trivially_copyable_v<V> || !std::remove_reference_t<Machine>::runs_on_host);
  void destroy() noexcept {
    if constexpr (!is_plain) {
      while (constructed_ > 0) values_[--constructed_].~V();
    }
  }
  typename Machine::workspace space_;
  V* values_;
  index_t constructed_ = 0;
};

/// Joins values pairwise into the first: k with k + Count/2, then + Count/4, ..., + 1.
HPK_CALLS_EITHER
template <int Count, class Operations, class Values>
HPK_FORCEINLINE_FUNCTION void join_pairwise(const Operations& operations, Values& values) {
  // Loops of constant length vectorise.
  constexpr int half = Count / 2;
  for (int k = 0; k < half; ++k) operations.join(values[k], values[k + half]);
  if constexpr (half > 1) join_pairwise<half>(operations, values);
}

/// Folds the iterations of a short range that belong to the accumulators [first, last) into
/// sums[first], ..., sums[last - 1]. If the kernel throws, `reached` is the failing iteration.
template <class Tag, class I, class F, class Operations>
HPK_FORCEINLINE void fold_short_range(const F& HPK_RESTRICT kernel, const Operations& operations,
                                      I origin, int n, int first, int last,
                                      typename Operations::value_type* HPK_RESTRICT sums,
                                      index_t& reached) {
  kernel_in_loop<F> loop_kernel = in_loop(kernel);
  for (int k = first; k < last; ++k) operations.init(sums[k]);
  int row = 0;
  int k = first;
  try {
    for (; row < n; row += short_range_accumulators) {
      const I begin = index_after(origin, row);
      const int end = n - row < last ? n - row : last;
      for (k = first; k < end; ++k)
        call<Tag>(loop_kernel, static_cast<I>(begin + static_cast<I>(k)), sums[k]);
    }
  } catch (...) {
    reached = row + k;
    throw;
  }
}

/// Returns the value of a whole short range. Out of line for the reasons given at for_indices.
template <class Tag, class I, class F, class Operations>
HPK_NOINLINE typename Operations::value_type fold_whole_short_range(const F& HPK_RESTRICT kernel,
                                                                    const Operations& operations,
                                                                    I origin, int n) {
  kernel_in_loop<F> loop_kernel = in_loop(kernel);
  constexpr I all = short_range_accumulators;
  typename Operations::value_type sums[short_range_accumulators];
  I row = origin;
  int left = n - short_range_accumulators;  // not an I: a narrow one can't count all iterations
  for (I k = 0; k < all; ++k) {
    operations.init(sums[k]);
    call<Tag>(loop_kernel, static_cast<I>(row + k), sums[k]);
  }
  row = static_cast<I>(row + all);
  for (; left >= short_range_accumulators; left -= short_range_accumulators) {
    for (I k = 0; k < all; ++k) call<Tag>(loop_kernel, static_cast<I>(row + k), sums[k]);
    row = static_cast<I>(row + all);
  }
  const I rest = static_cast<I>(left);
  for (I k = 0; k < rest; ++k) call<Tag>(loop_kernel, static_cast<I>(row + k), sums[k]);
  join_pairwise<short_range_accumulators>(operations, sums);
  return sums[0];
}

/// Folds every Step-th iteration from the cursor `i` on into a value, up to the cursor `end`.
HPK_CALLS_EITHER
template <int Step, class Tag, bool Backward = false, class I, class F, class V>
HPK_FORCEINLINE_FUNCTION void fold_strided(const F& kernel, I i, I end, V& sum) {
  using order = index_order<I, Backward>;
  // Unrolled, so that several memory accesses are in flight.
  for (; order::count(i, end) > 3 * Step; i = order::skip(i, static_cast<I>(4 * Step))) {
    HPK_UNROLL_4
    for (int row = 0; row < 4; ++row)
      call<Tag>(kernel, order::ahead(i, static_cast<I>(row * Step)), sum);
    if (order::count(i, end) <= 4 * Step) return;
  }
  for (;; i = order::skip(i, static_cast<I>(Step))) {
    call<Tag>(kernel, order::ahead(i, 0), sum);
    if (order::count(i, end) <= Step) return;
  }
}

/// Folds a long block of objects on a host. Out of line, so that a small loop folds short blocks.
template <class Tag, bool Backward, class I, class F, class Operations>
HPK_NOINLINE typename Operations::value_type fold_objects(const F& HPK_RESTRICT kernel,
                                                          const Operations& operations, I begin,
                                                          I end);

/// Folds a block, the iterations between two cursors, into a value. `extra` is passed to the kernel
/// after the update (a scan passes false). Whole: true if fold_objects calls it.
HPK_CALLS_EITHER
template <class Tag, bool Backward = false, bool Whole = false, class I, class F, class Operations,
          class... Extra>
HPK_FORCEINLINE_FUNCTION typename Operations::value_type fold_block(const F& kernel,
                                                                    const Operations& operations,
                                                                    I begin, I end,
                                                                    Extra... extra) {
  using value = typename Operations::value_type;
  using order = index_order<I, Backward>;
  if constexpr (folds_interleaved<Operations, Extra...>) {
    constexpr int accumulators = accumulators_of<value>;
    if (order::count(begin, end) >= interleaved_from<value, interleaved_from_of_range>) {
      if constexpr (accumulation<value>::is_object && !Whole) {
        HPK_IF_ON_HOST((return fold_objects<Tag, Backward>(kernel, operations, begin, end);))
      }
      accumulators_t<value, accumulators> sums;
      for (int k = 0; k < accumulators; ++k) operations.init(sums[k]);
      I i = begin;
      for (; order::count(i, end) >= accumulators;
           i = order::skip(i, static_cast<I>(accumulators))) {
        HPK_UNROLL_16
        for (int k = 0; k < accumulators; ++k)
          call<Tag>(kernel, order::ahead(i, static_cast<I>(k)), sums[k], extra...);
      }
      for (int k = 0; order::is_before(i, end); i = order::skip(i, 1), ++k)
        call<Tag>(kernel, order::ahead(i, 0), sums[k], extra...);
      join_pairwise<accumulators>(operations, sums);
      return static_cast<first_of<value, decltype(sums)>>(sums[0]);
    }
  }
  value sum;
  operations.init(sum);
  for (I i = begin; order::is_before(i, end); i = order::skip(i, 1))
    call<Tag>(kernel, order::ahead(i, 0), sum, extra...);
  return sum;
}

template <class Tag, bool Backward, class I, class F, class Operations>
typename Operations::value_type fold_objects(const F& HPK_RESTRICT kernel,
                                             const Operations& operations, I begin, I end) {
  kernel_in_loop<F> loop_kernel = in_loop(kernel);
  return fold_block<Tag, Backward, true>(loop_kernel, operations, begin, end);
}

/// Folds each block of [first, last) and passes its value to sink(block, value). Out of line, with
/// a restrict-qualified kernel, for the reasons given at for_indices.
template <class Tag, class F, class Walk, class Operations, class Sink, class... Extra>
HPK_NOINLINE void fold_blocks(const F& HPK_RESTRICT kernel, Walk walk, const Operations& operations,
                              const block_plan& plan, index_t first, index_t last, const Sink& sink,
                              Extra... extra) {
  kernel_in_loop<F> loop_kernel = in_loop(kernel);
  for (index_t block = first; block < last; ++block) {
    sink(block, walk.template fold<Tag>(loop_kernel, operations, plan.begin(block), plan.end(block),
                                        extra...));
  }
}

}  // namespace hpk::detail
