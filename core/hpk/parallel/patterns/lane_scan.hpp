// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans on machines of many lanes, in one launch. Each group scans one tile: it calls the kernel
// for each iteration, joins the contributions, gets the contribution of all earlier tiles
// (tile_prefix.hpp), and makes the final calls while the elements of the tile are still in a cache.
// In a tile every lane joins consecutive iterations, so that joins stay in index order, and
// group_exclusive_scan joins the lanes. But neighbouring lanes compute neighbouring iterations, so
// that they access neighbouring elements; the values move between lanes through scratch. Values
// that are too large for scratch stay on the lane that joins them.
//
// The order of joins depends only on the number of iterations and the type of the value, on
// machines whose groups have equally many lanes. The total is the update after the last index.
#pragma once

#include <hpk/parallel/patterns/lane_reduce.hpp>
#include <hpk/parallel/patterns/tile_prefix.hpp>

namespace hpk::detail {

/// How the lanes of a group scan values V.
template <class V>
struct tile_shape {
  /// Whether values move between lanes through scratch.
  static constexpr bool staged = std::is_trivially_copyable_v<V> && sizeof(V) <= 16;
  /// The iterations of each lane. Staged: odd, so that lanes that join at the same time use
  /// different banks of shared memory, and few enough for scratch of 36 KiB, which fits six times
  /// into a multiprocessor of an H100.
  static constexpr index_t each = !staged ? 16 : sizeof(V) <= 8 ? 17 : 9;
  /// The number of iterations that a lane computes, and of loads that it has in flight, at a time.
  static constexpr int batch = each == 17 ? 17 : 9;
};

/// Plans the tiles of a scan by groups of `lanes`.
template <class V>
constexpr block_plan plan_tiles(index_t n, int lanes) noexcept {
  return n <= 0 ? block_plan{0, 1} : block_plan{n, lanes * tile_shape<V>::each};
}

template <class V, int Most>
inline constexpr int constant_lanes = folding_lanes<V>(Most);
/// Returns the number of lanes of the calling group, a constant if the machine's number is one. Not
/// for large values, whose loops should not be unrolled.
HPK_CALLS_EITHER
template <class V, class Lane>
HPK_INLINE_FUNCTION int tile_lanes(Lane& lane) {
  if constexpr (is_shuffled<V> && requires { Lane::folding_lanes; }) {
    return constant_lanes<V, Lane::folding_lanes>;
  } else {
    return lane.lanes();
  }
}

/// The scratch of a group of `lanes`.
template <class V>
struct tile_scratch {
  V* lanes;       ///< one value per lane
  V* iterations;  ///< staged: one value per iteration
  index_t* word;
  V* prefix;  ///< prefix of the tile

  static HPK_INLINE_FUNCTION constexpr std::size_t values_bytes(int lanes) noexcept {
    const int each = tile_shape<V>::staged ? 1 + static_cast<int>(tile_shape<V>::each) : 1;
    return (value_scratch_bytes<V>(lanes * each) + 15) / 16 * 16;
  }
  static constexpr std::size_t bytes(int lanes) noexcept { return values_bytes(lanes) + 2 * 16; }
  HPK_CALLS_EITHER
  template <class Lane>
  static HPK_INLINE_FUNCTION tile_scratch of(Lane& lane, int lanes) {
    V* const values = value_scratch<V>(lane);
    std::byte* const rest = lane.scratch(0) + values_bytes(lanes);
    // If values are not shuffled, tile_board::prefix() leaves the first lane's value unused.
    return {values, values + lanes, reinterpret_cast<index_t*>(rest),
            is_shuffled<V> ? reinterpret_cast<V*>(rest + 16) : values};
  }
};

/// Scans one tile.
template <class Tag, class Walk, class F, class Operations, class Result>
struct lane_scan_kernel {
  using value = typename Operations::value_type;
  using shape = tile_shape<value>;
  static constexpr int most_lanes = usual_lanes;
  static constexpr bool no_large_scratch = true;
  F kernel;
  Operations operations;
  Walk walk;
  block_plan plan;
  tile_board<value> board;
  result_slot<Result> result;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    const Operations bound_operations = operations.of(kernel);
    const int lanes = tile_lanes<value>(lane);
    const tile_scratch<value> scratch = tile_scratch<value>::of(lane, lanes);
    const index_t tile = board.draw(lane, scratch.word);
    const index_t begin = plan.begin(tile);
    const int count = static_cast<int>(plan.end(tile) - begin);
    // The iterations that this lane joins, counted from the beginning of the tile.
    const index_range p = lane_chunk(0, count, shape::each, lane.lane_index());
    const int first = static_cast<int>(p.begin);
    const int last = static_cast<int>(p.end);
    value sum;
    bound_operations.init(sum);
    if constexpr (shape::staged) {
      each_of_lane(lane, lanes, count,
                   contribution{*this, bound_operations, scratch.iterations, begin});
      lane.barrier();
      HPK_UNROLL_4
      for (int k = first; k < last; ++k) bound_operations.join(sum, scratch.iterations[k]);
    } else {
      for (int k = first; k < last; ++k) walk.template call<Tag>(kernel, begin + k, sum, false);
    }
    value total;
    group_exclusive_scan(lane, lanes, bound_operations, sum, total, scratch.lanes);
    value update;
    bound_operations.init(update);
    if (board.has_others()) {
      update = board.prefix(lane, lanes, bound_operations, tile, total, scratch.lanes);
      if (lane.lane_index() == 0) *scratch.prefix = update;
      lane.barrier();
      update = *scratch.prefix;
    }
    bound_operations.join(update, sum);
    if constexpr (shape::staged) {
      HPK_UNROLL_4
      for (int k = first; k < last; ++k) {
        const value here = scratch.iterations[k];
        scratch.iterations[k] = update;
        bound_operations.join(update, here);
      }
      lane.barrier();
      each_of_lane(lane, lanes, count, final_call{*this, scratch.iterations, begin});
    } else {
      for (int k = first; k < last; ++k) walk.template call<Tag>(kernel, begin + k, update, true);
    }
    // The lane of the last iteration stores the result, or lane 0 if there are no iterations.
    if (begin + last == plan.n && (first < last || lane.lane_index() == 0)) result.store(update);
  }

 private:
  // Calls visit(length, k, lanes) for the iterations k, k + lanes, ... of the tile that the lane
  // computes, `length` of them at a time.
  HPK_CALLS_EITHER
  template <class Lane, class Visit>
  HPK_FORCEINLINE_FUNCTION static void each_of_lane(Lane& lane, int lanes, int count,
                                                    const Visit& visit) {
    const int me = lane.lane_index();
    if (count == lanes * static_cast<int>(shape::each)) [[likely]] {
      HPK_ROLLED_ON_DEVICE
      for (int k = me; k < count; k += shape::batch * lanes)
        visit(constant<shape::batch>(), k, lanes);
    } else {
      HPK_ROLLED_ON_DEVICE
      for (int k = me; k < count; k += lanes) visit(constant<1>(), k, lanes);
    }
  }
  template <int Length>
  using constant = std::integral_constant<int, Length>;

  // Functors, because nvcc restricts lambdas.
  struct contribution {
    const lane_scan_kernel& all;
    const Operations& operations;
    value* iterations;
    index_t begin;
    HPK_CALLS_EITHER
    template <int Length>
    HPK_FORCEINLINE_FUNCTION void operator()(constant<Length>, int k, int lanes) const {
      value values[std::size_t{Length}];
      HPK_UNROLL_16
      for (int row = 0; row < Length; ++row) {
        operations.init(values[row]);
        all.walk.template call<Tag>(all.kernel, begin + k + row * lanes, values[row], false);
      }
      HPK_UNROLL_16
      for (int row = 0; row < Length; ++row) iterations[k + row * lanes] = values[row];
    }
  };
  struct final_call {
    const lane_scan_kernel& all;
    value* iterations;
    index_t begin;
    HPK_CALLS_EITHER
    template <int Length>
    HPK_FORCEINLINE_FUNCTION void operator()(constant<Length>, int k, int lanes) const {
      HPK_UNROLL_16
      for (int row = 0; row < Length; ++row) {
        value update = iterations[k + row * lanes];
        all.walk.template call<Tag>(all.kernel, begin + k + row * lanes, update, true);
      }
    }
  };
};

/// Runs a scan on a machine of many lanes.
template <class Tag, class Machine, class F, class Operations, class Result, class Walk>
void run_lane_scan(Machine& machine, const F& kernel, const Operations& operations, Result* result,
                   const Walk& walk, index_t n, const seam::launch_info& info) {
  using value = typename Operations::value_type;
  static_assert(is_passed_as_bytes<value>,
                "hpk::parallel_scan: on a GPU the value must be copyable as bytes; give it no "
                "destructor and no virtual function");
  using board_type = tile_board<value>;
  const int lanes = folding_lanes<value>(machine.properties().folding_lanes);
  const block_plan plan = plan_tiles<value>(n, lanes);
  // An empty range is one empty tile, whose total is the identity.
  const index_t tiles = n == 0 ? 1 : plan.count();
  const auto launch = [&](const board_type& board) {
    send_result(machine, result, [&](const auto& slot) {
      using body = lane_scan_kernel<Tag, Walk, F, Operations, Result>;
      machine.launch(
          {.groups = tiles, .lanes = lanes, .scratch = {tile_scratch<value>::bytes(lanes), 0}},
          body{kernel, operations, walk, plan, board, slot}, info);
    });
  };
  if (tiles == 1) {
    launch({});
  } else {
    using slot = typename board_type::slot;
    const partial_values<slot, Machine> memory(machine, board_type::slots(tiles), 1, info);
    machine.fill(memory.data(), 0,
                 static_cast<std::size_t>(board_type::slots(tiles)) * sizeof(slot));
    launch(board_type::in(memory.data(), tiles));
  }
}

}  // namespace hpk::detail
