// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of short arrays of run-time length on machines of many lanes, in one launch.
//
// Ranges and boxes are cut into at most 512 blocks of at least 512 iterations, or of at least the
// chunk size. A block has up to 256 arrays, as many as fit 32 KiB of scratch. If fewer than 32 fit,
// the reduction uses arrays in memory (reduce_array.hpp). Each 32 arrays share a segment of the
// block: iteration k of a row of the segment is folded into array k % 32. If joins do not commute,
// or over boxes with shorter rows, each array has a separate segment. The arrays of a block are
// joined by neighbours.
//
// The last group joins the arrays of blocks: by neighbours if the program defines the join, or if
// += does not commute. Otherwise each of 32 rows, or fewer, joins every 32nd block in order, and
// the rows are joined by neighbours.
#pragma once

#include <hpk/parallel/operations/array_operations.hpp>
#include <hpk/parallel/patterns/lane_reduce.hpp>

namespace hpk::detail {

/// The number of arrays of a segment.
inline constexpr int arrays_of_segment = 32;
/// The most blocks of a reduction of short arrays, and the fewest iterations of a block.
inline constexpr index_t most_array_blocks = 512;
inline constexpr index_t shortest_array_block = 512;

/// Returns the distance, in elements, of arrays in scratch: odd, so that lanes use different banks
/// of shared memory.
HPK_INLINE_FUNCTION constexpr int array_stride(int length) { return length | 1; }

/// Returns the number of arrays of a block, a power of two; 0 if too few fit the scratch of a
/// group.
template <class T>
constexpr int arrays_of_block(index_t length) noexcept {
  if (length > static_cast<index_t>(scratch_of_values / sizeof(T))) return 0;
  const auto bytes = static_cast<std::size_t>(array_stride(static_cast<int>(length))) * sizeof(T);
  int count = usual_lanes;
  while (count >= arrays_of_segment && static_cast<std::size_t>(count) * bytes > scratch_of_values)
    count /= 2;
  return count < arrays_of_segment ? 0 : count;
}

/// Joins `count` arrays by neighbours into the first; `stride`: their distance in elements. Every
/// lane of a group calls it, and sees the values of the others afterwards.
HPK_CALLS_EITHER
template <class Lane, class Operations, class T>
HPK_INLINE_FUNCTION void join_arrays(Lane& lane, const Operations& operations, T* arrays, int count,
                                     index_t stride) {
  const auto length = operations.length();
  lane.barrier();
  for (int reach = 1; reach < count; reach *= 2) {
    const int pairs = (count - reach - 1) / (2 * reach) + 1;
    const auto first = [&](index_t pair) { return arrays + 2 * reach * pair * stride; };
    if constexpr (Operations::own_join) {
      for (int pair = lane.lane_index(); pair < pairs; pair += lane.lanes())
        operations.join(first(pair), first(pair) + reach * stride);
    } else if (length < lane.lanes()) {
      // Lanes divide both pairs and elements, or elements only.
      const auto each = static_cast<unsigned>(length);
      const unsigned all = static_cast<unsigned>(pairs) * each;
      for (auto k = static_cast<unsigned>(lane.lane_index()); k < all;
           k += static_cast<unsigned>(lane.lanes())) {
        T* const to = first(k / each) + k % each;
        *to += to[reach * stride];
      }
    } else {
      for (int pair = 0; pair < pairs; ++pair) {
        T* const to = first(pair);
        for (index_t e = lane.lane_index(); e < length; e += lane.lanes())
          to[e] += to[reach * stride + e];
      }
    }
    lane.barrier();
  }
}

/// Folds blocks of iterations into arrays, and joins them.
template <class Tag, class Walk, class F, class Operations, class T, class E>
struct lane_array_kernel {
  static constexpr int most_lanes = usual_lanes;
  static constexpr bool no_large_scratch = true;
  F kernel;
  Operations operations;
  Walk walk;
  block_plan plan;
  int count;   ///< number of blocks
  int values;  ///< number of arrays of a block
  T* arrays;   ///< arrays of all blocks
  unsigned* counter;
  array_place<E> result;

  static constexpr std::size_t scratch_bytes(index_t length, int values) noexcept {
    return flag_offset<T>(values * array_stride(static_cast<int>(length))) + sizeof(int);
  }
  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const Operations bound_operations = operations.of(kernel);
    const int length = static_cast<int>(bound_operations.length());
    const int stride = array_stride(length);
    const index_t block = lane.group();
    T* const own = value_scratch<T>(lane);
    for (int v = lane.lane_index(); v < values; v += lane.lanes()) {
      bound_operations.init(own + v * stride);
      if (block < count) fold(lane, plan.begin(block), plan.end(block), v, own + v * stride);
    }
    join_arrays(lane, bound_operations, own, values, stride);
    for (int e = lane.lane_index(); e < length; e += lane.lanes())
      arrays[block * length + e] = own[e];
    auto* const flag = reinterpret_cast<int*>(lane.scratch(0) + flag_offset<T>(values * stride));
    if (is_last_group(lane, counter, flag)) finish(lane, bound_operations, own);
  }

 private:
  /// Folds the iterations of array v of the block [begin, end).
  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FORCEINLINE_FUNCTION void fold(const Lane& lane, index_t begin, index_t end, int v,
                                     T* array) const {
    bool strided = !Operations::joins_in_order;
    if constexpr (!Walk::is_range) strided = strided && walk.row() >= arrays_of_segment;
    const int each = strided ? arrays_of_segment : 1;
    const index_t segments = values / each;
    const index_t share = (end - begin + segments - 1) / segments;
    const index_t first = begin + v / each * share;
    if (first >= end) return;
    const index_t last = end - first < share ? end : first + share;
    decltype(auto) called = kernel_of(lane, kernel);
    if constexpr (!Operations::joins_in_order) {
      if (strided) {
        walk.template strided<arrays_of_segment, Tag>(called, first, last, v % each, array);
        return;
      }
    }
    if constexpr (!Walk::is_range || Operations::joins_in_order)
      walk.template each<Tag>(called, first, last, array);
  }
  /// Joins the arrays of all blocks by one group, applies final and stores the result.
  HPK_CALLS_EITHER
  template <class Lane>
  HPK_INLINE_FUNCTION void finish(Lane& lane, const Operations& bound_operations, T* own) const {
    const int length = static_cast<int>(bound_operations.length());
    const int blocks = count == 0 ? 1 : count;
    T* total = arrays;
    if constexpr (Operations::own_join || Operations::joins_in_order) {
      join_arrays(lane, bound_operations, arrays, blocks, length);
    } else {
      int rows = arrays_of_segment;
      while (rows > blocks) rows /= 2;
      total = own;
      const int stride = array_stride(length);
      for (int k = lane.lane_index(); k < rows * length; k += lane.lanes()) {
        const int row = k / length;
        const int e = k % length;
        T sum = arrays[row * length + e];
        HPK_UNROLL_4
        for (int block = row + rows; block < blocks; block += rows)
          sum += arrays[block * length + e];
        own[row * stride + e] = sum;
      }
      join_arrays(lane, bound_operations, own, rows, stride);
    }
    if (lane.lane_index() != 0) return;
    bound_operations.final(total);
    result.store(total, length);
  }
};

/// Calls launch(place) for a launch that stores the elements of a result contiguously at `place`,
/// and copies them to the result.
template <class Machine, class E, class Launch>
void send_array(Machine& machine, const array_place<E>& result, index_t length,
                const Launch& launch) {
  static_assert(std::is_trivially_copyable_v<E>,
                "hpk: on a GPU the result of a reduction must be trivially copyable");
  const typename Machine::workspace memory(machine, static_cast<std::size_t>(length) * sizeof(E));
  const auto there = static_cast<E*>(result.where == nullptr ? nullptr : memory.data());
  launch(array_place<E>{there, length, 1, false});
  if (result.where == nullptr) return;
  if (result.stride == 1) {
    machine.copy(result.where, there, static_cast<std::size_t>(length) * sizeof(E));
  } else {
    for (index_t k = 0; k < length; ++k)
      machine.copy(result.where + k * result.stride, there + k, sizeof(E));
  }
}

/// Runs a reduction of arrays whose blocks have `values` arrays in the scratch of a group.
template <class Tag, class T, class Machine, class F, class Operations, class Walk, class E>
void run_lane_arrays(Machine& machine, const F& kernel, const Operations& operations,
                     const Walk& walk, index_t n, index_t chunk, int values,
                     const array_place<E>& result, const seam::launch_info& info) {
  const index_t length = operations.length();
  const index_t least = chunk == 0 ? shortest_array_block : chunk;
  const index_t share = n / most_array_blocks + (n % most_array_blocks != 0);
  const block_plan plan{n, share < least ? least : share};
  const index_t count = plan.count();
  const index_t groups = count == 0 ? 1 : count;
  const partial_values<T, Machine> arrays(machine, groups, length, info);
  const zeroed_words<Machine> counter(machine, sizeof(unsigned));
  using body = lane_array_kernel<Tag, Walk, F, Operations, T, E>;
  const int most = machine.properties().folding_lanes;
  send_array(machine, result, length, [&](const array_place<E>& there) {
    machine.launch({.groups = groups,
                    .lanes = values < most ? values : most,
                    .scratch = {body::scratch_bytes(length, values), 0}},
                   body{kernel, operations, walk, plan, static_cast<int>(count), values,
                        arrays.data(), counter.data(), there},
                   info);
  });
}

}  // namespace hpk::detail
