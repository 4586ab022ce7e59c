// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans on machines whose groups have one lane, in one launch. The range is cut into fixed blocks.
// First each block is folded into a value, then these values give the prefix of each block, then
// the final pass runs. A part is a run of neighbouring blocks. Each group folds and scans every
// groups()-th part. It interleaves the final pass over one part with the fold of its next part, so
// that memory is read and written at the same time. The length of a part depends on the number of
// workers; the blocks, and so the bits of the result, do not (rule "same bits").
//
// The prefix of a part needs the values of all earlier parts. Any group may claim a free part and
// fold it, so a group waits only for running groups, never for one that has not started (law L7).
#pragma once

#include <hpk/parallel/launch/fold.hpp>
#include <hpk/parallel/operations/reduce_target.hpp>

namespace hpk::detail {

/// The shortest block of a scan, in iterations. A scan does light work and calls the kernel twice.
inline constexpr index_t shortest_scan_block = 128;
/// The longest block, approximately: several fit a cache for most kernels.
inline constexpr index_t longest_scan_block = 4096;
/// The longest range that forms one block: more blocks would cost more than they save.
inline constexpr index_t longest_plain_scan = 512;
/// The number of blocks whose final passes are interleaved, so that independent additions hide each
/// other's latency.
inline constexpr int scan_chains = 4;
/// The iterations of a part if several groups scan. The elements of a few Views fit the
/// second-level cache, and a part takes much longer than passing on a value.
inline constexpr index_t scan_part_length = 65536;
/// The longest range that fits the caches of a CPU. In longer ranges, folds are interleaved with
/// final passes.
inline constexpr index_t longest_cached_scan = 262144;

/// Returns the number of blocks in a round of one part per group, on machines with uniform memory.
constexpr index_t blocks_of_round(const block_plan& plan, index_t count, index_t groups) noexcept {
  const index_t most = groups * scan_chains * (scan_part_length / plan.length / scan_chains + 1);
  return count < most ? count : most;
}

/// Plans the fixed blocks of a scan, which are documented because they determine the bits. Up to
/// 512 iterations: one block. Otherwise the blocks of a reduction that folds in order, but of 128
/// to 4096 iterations each. Lengths that are multiples of 256 get 16 more, because interleaved
/// blocks would otherwise compete for a few cache sets.
constexpr block_plan plan_scan_blocks(index_t n) noexcept {
  block_plan plan = plan_blocks(n, n <= longest_plain_scan ? n : shortest_scan_block);
  if (plan.length == n) return plan;
  if (plan.length > longest_scan_block) plan.length = longest_scan_block;
  if (plan.length % 256 == 0) plan.length += interleaved_accumulators;
  return plan;
}

/// Calls the kernel for the iterations [first, last), in order, and updates `update`. Out of line
/// and with a restrict-qualified kernel for the reasons given at for_indices.
template <class Tag, class F, class Walk, class V>
HPK_NOINLINE void scan_indices(const F& HPK_RESTRICT kernel, const Walk& walk, index_t first,
                               index_t last, V& update) {
  kernel_in_loop<F> loop_kernel = in_loop(kernel);
  V running = static_cast<V&&>(update);
  constexpr bool final = true;
  walk.template each<Tag>(loop_kernel, first, last, running, final);
  update = static_cast<V&&>(running);
}

/// Whether blocks are interleaved: the operations must allow interleaved accumulators of numbers,
/// and the walk must be over a range, where the index of an iteration is computed at once.
template <class Walk, class Operations>
inline constexpr bool interleaves_scan = folds_interleaved<Operations, bool> && Walk::is_range;

/// Runs the interleaved final pass over scan_chains neighbouring blocks of `length` iterations,
/// from a cursor on. `prefixes` holds the prefix of each block. Returns the prefix after the last
/// block. (If all updates were stored back, g++ would vectorise pairs of chains and unpack them in
/// every iteration.) If an iteration throws, the earlier blocks are finished first, so that the
/// lowest failing index is reported (rule "errors from kernels").
template <class Tag, class F, class Order, class I, class V>
HPK_NOINLINE V scan_in_chains(const F& HPK_RESTRICT kernel, Order, I begin, I length,
                              const V* prefixes) {
  kernel_in_loop<F> loop_kernel = in_loop(kernel);
  V running[scan_chains];
  for (int k = 0; k < scan_chains; ++k) running[k] = prefixes[k];
  I i = 0;
  int chain = 0;
  const auto at = [&](int k) {
    return Order::ahead(Order::skip(begin, static_cast<I>(static_cast<I>(k) * length)), i);
  };
  try {
    for (; i < length; ++i) {
      HPK_UNROLL_16
      for (chain = 0; chain < scan_chains; ++chain)
        call<Tag>(loop_kernel, at(chain), running[chain], true);
    }
  } catch (...) {
    const I failed_at = i;
    const int before = chain;
    for (int k = 0; k < before; ++k) {
      for (i = static_cast<I>(failed_at + 1); i < length; ++i)
        call<Tag>(loop_kernel, at(k), running[k], true);
    }
    throw;
  }
  return running[scan_chains - 1];
}

/// Runs the final pass over the block of `length` iterations that starts at `begin`, interleaved
/// with the fold of the block that starts at `ahead`, so that memory is read and written at the
/// same time. The pass updates `update`. Returns the folded value, with the bits of fold_block;
/// `length` must be a multiple of the number of accumulators. If the kernel throws, sets `folding`
/// to whether the fold called it.
template <class Tag, class F, class Order, class Operations, class I,
          class V = typename Operations::value_type>
HPK_NOINLINE V scan_beside_fold(const F& HPK_RESTRICT kernel, Order, const Operations& operations,
                                I begin, I ahead, I length, V& update, bool& folding) {
  constexpr int accumulators = interleaved_accumulators;
  kernel_in_loop<F> loop_kernel = in_loop(kernel);
  V running = update;
  V sums[accumulators];
  for (V& sum : sums) operations.init(sum);
  bool in_fold = false;
  try {
    const I end = Order::skip(begin, length);
    for (I i = begin; Order::is_before(i, end); i = Order::skip(i, static_cast<I>(accumulators))) {
      in_fold = false;
      for (int k = 0; k < accumulators; ++k)
        call<Tag>(loop_kernel, Order::ahead(i, static_cast<I>(k)), running, true);
      in_fold = true;
      const I next = static_cast<I>(ahead + (i - begin));
      HPK_UNROLL_16
      for (int k = 0; k < accumulators; ++k)
        call<Tag>(loop_kernel, Order::ahead(next, static_cast<I>(k)), sums[k], false);
    }
  } catch (...) {
    folding = in_fold;
    throw;
  }
  join_pairwise<accumulators>(operations, sums);
  update = running;
  return sums[0];
}

/// The work of a group on blocks: folds and final passes.
template <class Machine, class Tag, class Walk, class F, class Operations, class Result>
struct scan_work {
  using value = typename Operations::value_type;
  kernel_storage<Machine, F> kernel;
  Walk walk;
  Operations operations;
  block_plan plan;
  index_t count;  ///< blocks
  Result* result;

  /// Folds the blocks [first, last) and stores the value of each in *slot(block). Skips the last
  /// block of the scan, whose value no prefix needs.
  template <class Slot>
  void fold(index_t first, index_t last, const Slot& slot) const {
    if (last == count) --last;
    if (first >= last) return;
    const auto store = [&slot](index_t block, value&& v) {
      *slot(block) = static_cast<value&&>(v);
    };
    fold_blocks<Tag, F>(kernel, walk, operations, plan, first, last, store, false);
  }

  /// Runs the final pass over `blocks`. `before` is the prefix of the first block, and becomes the
  /// prefix after the last. Interleaves folds of the blocks `ahead` where possible; `ahead` becomes
  /// the blocks that are not folded yet.
  template <class Slot>
  void pass(const index_range& blocks, index_range& ahead, value& before, const Slot& slot,
            bool& folding) const {
    const auto next_prefix = [&](index_t block) {
      value prefix = before;
      if (block + 1 < count) operations.join(before, *slot(block));
      return prefix;
    };
    index_t block = blocks.begin;
    if constexpr (interleaves_scan<Walk, Operations>) {
      using I = typename Walk::index_type;
      constexpr typename Walk::order order;
      const auto cursor = [this](index_t b) { return walk.cursor(plan.begin(b)); };
      // Only whole blocks are interleaved; the last block of the range may be shorter.
      const index_t whole = plan.n / plan.length;
      const auto length = static_cast<I>(plan.length);
      // nvcc 13 would parse `ahead.begin <` as the template hpk::begin.
      for (; block < blocks.end && ahead.end > ahead.begin && whole > ahead.begin; ++block) {
        value update = next_prefix(block);
        *slot(ahead.begin) = scan_beside_fold<Tag, F>(kernel, order, operations, cursor(block),
                                                      cursor(ahead.begin), length, update, folding);
        ++ahead.begin;
      }
      if constexpr (!Operations::exact) {
        for (; blocks.end - block >= scan_chains && block + scan_chains <= whole;
             block += scan_chains) {
          value prefixes[scan_chains];
          for (int k = 0; k < scan_chains; ++k) prefixes[k] = next_prefix(block + k);
          value last = scan_in_chains<Tag, F>(kernel, order, cursor(block), length, prefixes);
          if (block + scan_chains == count) send(last);
        }
      }
    }
    for (; block < blocks.end; ++block) {
      value update = next_prefix(block);
      scan_indices<Tag, F>(kernel, walk, plan.begin(block), plan.end(block), update);
      if (block + 1 == count) send(update);
    }
  }

  void send(value& total) const {
    if (result != nullptr) *result = static_cast<Result>(total);
  }
};

/// The state of a part's value.
enum class part_state : int { free, claimed, known, failed };

/// Spins in the first rounds of waiting for a part that another thread folds, and yields in later
/// ones.
void wait_for_part(unsigned round) noexcept;

/// A scan by several groups.
template <class Work>
struct scan_kernel {
  using value = typename Work::value;
  Work work;
  index_t chunk;  ///< number of blocks of a round
  index_t parts;
  value* values;       ///< values of the blocks
  part_state* states;  ///< states of the parts

  template <class Lane>
  void operator()(Lane& lane) const {
    static_assert(Lane::single,
                  "hpk: this kernel body is for machines with one lane for each group");
    value before;  // the join of all blocks below part `reached`
    work.operations.init(before);
    index_t reached = 0;
    if (claim(lane.group())) fold_part(lane, lane.group());
    for (index_t part = lane.group(); part < parts; part += lane.groups()) {
      // The last parts may be empty.
      const index_range own_blocks = blocks_of(lane, part);
      if (own_blocks.begin == own_blocks.end) return;
      for (; reached < part; ++reached) {
        // The group that folded the failed part reports the error. The remaining parts here have
        // higher indices.
        if (!settle(lane, reached)) return;
        const index_range blocks = blocks_of(lane, reached);
        for (index_t b = blocks.begin; b < blocks.end; ++b) work.operations.join(before, values[b]);
      }
      if (!settle(lane, part)) return;
      reached = part + 1;
      // The final pass, which turns `before` into the prefix after the part. In long ranges it is
      // interleaved with the fold of the group's next part.
      const index_t next = part + lane.groups();
      const bool beside = work.plan.n > longest_cached_scan && next < parts && claim(next);
      const index_range next_blocks = beside ? blocks_of(lane, next) : index_range{0, 0};
      index_range ahead = next_blocks;
      bool folding = false;
      lane.at(own_blocks.begin);
      try {
        work.pass(own_blocks, ahead, before, slot(), folding);
        folding = true;
        if (beside) work.fold(ahead.begin, ahead.end, slot());
      } catch (...) {
        if (beside) {
          if (folding) lane.at(next_blocks.begin);
          state(next).store(folding ? part_state::failed : part_state::free, memory_order::release);
        }
        throw;
      }
      if (beside) state(next).store(part_state::known, memory_order::release);
    }
  }

 private:
  word_ref<part_state> state(index_t part) const { return word_ref<part_state>(states[part]); }
  bool claim(index_t part) const {
    part_state expected = part_state::free;
    return state(part).compare_exchange(expected, part_state::claimed, memory_order::acquire);
  }
  template <class Lane>
  index_range blocks_of(const Lane& lane, index_t part) const {
    const index_t first = part / lane.groups() * chunk;
    const index_t last = work.count - first < chunk ? work.count : first + chunk;
    const block_plan round{work.plan.end(last - 1) - work.plan.begin(first), work.plan.length};
    const index_range p = worker_blocks(round, part % lane.groups(), lane.groups(), 0);
    return {first + p.begin, first + p.end};
  }
  auto slot() const {
    return [this](index_t block) { return values + block; };
  }

  // Waits until the values of a part are known, or folds the part if it is free. Returns false if
  // the fold failed.
  template <class Lane>
  bool settle(Lane& lane, index_t part) const {
    for (unsigned round = 0;; ++round) {
      const part_state seen = state(part).load(memory_order::acquire);
      if (seen == part_state::known) return true;
      if (seen == part_state::failed) return false;
      if (seen == part_state::free) {
        if (!claim(part)) continue;
        fold_part(lane, part);
        return true;
      }
      wait_for_part(round);
    }
  }

  // Folds a part that this group has claimed.
  template <class Lane>
  void fold_part(Lane& lane, index_t part) const {
    const index_range blocks = blocks_of(lane, part);
    lane.at(blocks.begin);
    try {
      work.fold(blocks.begin, blocks.end, slot());
    } catch (...) {
      state(part).store(part_state::failed, memory_order::release);
      throw;
    }
    state(part).store(part_state::known, memory_order::release);
  }
};

/// A scan by one group, a few blocks at a time, so that the final pass finds their data in a cache.
template <class Work>
struct single_scan_kernel {
  using value = typename Work::value;
  Work work;

  template <class Lane>
  void operator()(Lane& lane) const {
    static_assert(Lane::single,
                  "hpk: this kernel body is for machines with one lane for each group");
    lane.at(0);
    // The values of the blocks in the final pass and of equally many blocks that are folded ahead.
    constexpr index_t slots = 2 * scan_chains;
    value values[slots];
    const auto slot = [&values](index_t block) { return values + block % slots; };
    const auto from = [this](index_t first) {
      const index_t left = work.count - first;
      return index_range{first, first + (left < scan_chains ? left : scan_chains)};
    };
    value before;
    work.operations.init(before);
    bool folding = false;
    const bool beside = work.plan.n > longest_cached_scan;
    index_range blocks = from(0);
    work.fold(blocks.begin, blocks.end, slot);
    while (blocks.begin < blocks.end) {
      const index_range next = from(blocks.end);
      index_range ahead = beside ? next : index_range{next.begin, next.begin};
      work.pass(blocks, ahead, before, slot, folding);
      work.fold(ahead.begin, next.end, slot);
      blocks = next;
    }
  }
};

/// A scan by one group in a single pass: of one block, or of exact values, whose bits do not depend
/// on blocks.
template <class Machine, class Tag, class Walk, class F, class Operations, class Result>
struct plain_scan_kernel {
  using value = typename Operations::value_type;
  kernel_storage<Machine, F> kernel;
  Walk walk;
  Operations operations;
  index_t n;
  Result* result;

  template <class Lane>
  void operator()(Lane& lane) const {
    static_assert(Lane::single,
                  "hpk: this kernel body is for machines with one lane for each group");
    lane.at(0);
    value total;
    operations.init(total);
    scan_indices<Tag, F>(kernel, walk, 0, n, total);
    if (result != nullptr) *result = static_cast<Result>(total);
  }
};

}  // namespace hpk::detail
