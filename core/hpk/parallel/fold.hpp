// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folding of iterations into values, shared by reduce and scan: the fixed blocks of R7, the
// interleaved accumulators inside a block, and the workspace that holds one partial value per
// block.
//
// The documented shape: plan_blocks(n) cuts n iterations into blocks by n alone. In a block of 32
// and more iterations of an arithmetic value with the default += or a built-in reducer, iteration k
// goes to accumulator k % 16; the 16 are joined pairwise (k with k + 8, then + 4, + 2, + 1). Every
// other block is folded in order. Block values are joined in index order. None of it depends on the
// workers.
#pragma once

#include <hpk/parallel/dispatch.hpp>

#include <new>
#include <type_traits>

namespace hpk::detail {

/// One value per block in the launch's workspace. Values with a constructor or destructor live as
/// long as the object.
template <class V, class Machine>
class partial_values {
 public:
  static_assert(alignof(V) <= 64, "hpk: a reduced value may be aligned to 64 bytes at most");
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
  static constexpr bool is_plain =
      std::is_trivially_destructible_v<V> && std::is_trivially_copyable_v<V>;
  void destroy() noexcept {
    if constexpr (!is_plain) {
      while (constructed_ > 0) values_[--constructed_].~V();
    }
  }
  typename Machine::workspace space_;
  V* values_;
  index_t constructed_ = 0;
};

/// Folds the iterations [begin, end) of a block, counted from `origin`, into a value. `extra` is
/// passed to the kernel after the update (a scan passes false).
template <class Tag, class I, class F, class Operations, class... Extra>
HPK_FORCEINLINE_FUNCTION typename Operations::value_type fold_block(const F& kernel,
                                                                    const Operations& operations,
                                                                    I begin, I end,
                                                                    Extra... extra) {
  using value = typename Operations::value_type;
  if constexpr (Operations::interleave) {
    constexpr int lanes = interleaved_accumulators;
    if (end - begin >= static_cast<I>(2 * lanes)) {
      value sums[lanes];
      for (value& sum : sums) operations.init(sum);
      I i = begin;
      for (; end - i >= static_cast<I>(lanes); i = static_cast<I>(i + static_cast<I>(lanes))) {
        HPK_UNROLL_16
        for (int k = 0; k < lanes; ++k)
          call<Tag>(kernel, static_cast<I>(i + static_cast<I>(k)), sums[k], extra...);
      }
      for (int k = 0; i < end; ++i, ++k) call<Tag>(kernel, static_cast<I>(i), sums[k], extra...);
      for (int half = lanes / 2; half > 0; half /= 2) {
        for (int k = 0; k < half; ++k) operations.join(sums[k], sums[k + half]);
      }
      return sums[0];
    }
  }
  value sum;
  operations.init(sum);
  for (I i = begin; i < end; ++i) call<Tag>(kernel, static_cast<I>(i), sum, extra...);
  return sum;
}

/// Folds each block of [first, last) and gives its value to sink(block, value). Out of line, with a
/// restrict-qualified kernel, for the reasons of for_indices.
template <class Tag, class I, class F, class Operations, class Sink, class... Extra>
HPK_NOINLINE void fold_blocks(const F& HPK_RESTRICT kernel, const Operations& operations, I origin,
                              const block_plan& plan, index_t first, index_t last, const Sink& sink,
                              Extra... extra) {
  for (index_t block = first; block < last; ++block) {
    const I begin = index_after(origin, plan.begin(block));
    const I end = index_after(origin, plan.end(block));
    sink(block, fold_block<Tag>(kernel, operations, begin, end, extra...));
  }
}

/// The launch that folds the blocks of a group into their partial values.
template <class Machine, class Tag, class I, class F, class Operations, class... Extra>
struct fold_kernel {
  using value = typename Operations::value_type;
  held_kernel<Machine, F> kernel;
  Operations operations;
  I origin;
  block_plan plan;
  piece_source blocks;
  value* partials;

  template <class Lane>
  void operator()(Lane& lane) const {
    static_assert(Lane::single, "hpk: lanes of wider groups come with the GPU backends");
    blocks.for_each(lane, [this](const piece& p) {
      const auto store = [out = partials](index_t block, value&& v) {
        out[block] = static_cast<value&&>(v);
      };
      fold_blocks<Tag, I, F>(kernel, operations, origin, plan, p.begin, p.end, store, Extra()...);
    });
  }
};

/// Chunk and counter of Schedule<Dynamic> over blocks; the counter lives in a workspace of its own.
template <class Machine, bool Dynamic>
class block_schedule {
 public:
  block_schedule(Machine& machine, const block_plan& plan, index_t groups)
      : counter_(machine, sizeof(index_t)),
        source_(plan.count, Dynamic ? automatic_chunk(plan.count, groups) : 1,
                Dynamic ? static_cast<index_t*>(counter_.data()) : nullptr) {
    if constexpr (Dynamic) machine.fill(counter_.data(), 0, sizeof(index_t));
  }
  const piece_source& source() const noexcept { return source_; }

 private:
  struct none {
    none(Machine&, std::size_t) {}
    void* data() const { return nullptr; }
  };
  std::conditional_t<Dynamic, typename Machine::workspace, none> counter_;
  piece_source source_;
};

}  // namespace hpk::detail
