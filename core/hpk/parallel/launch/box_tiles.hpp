// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// parallel_for over an MDRange on machines that give each lane one iteration: each group runs a
// tile of the box, each lane one point of it. Edges of tiles are powers of two, so that a lane
// finds its point by shifts. The tile follows from the group's number, computed once for all lanes.
#pragma once

#include <hpk/parallel/kernel/divisor.hpp>
#include <hpk/parallel/launch/index_space.hpp>
#include <hpk/parallel/launch/lanes.hpp>

#include <limits>

namespace hpk::detail {

/// Chooses the edges of tiles, as exponents of two, for a box whose dimensions are ordered from the
/// fastest to the slowest. The product is at most `most_lanes`. `requested`: sizes that the program
/// or a tool requests; 0 leaves the choice to hpk. Requests are rounded up to powers of two; if
/// there are too few lanes, the slower dimensions get less. By default: 32 points of the fastest
/// dimension, or a number that leaves few lanes without a point.
void choose_edges(int rank, const index_t* extents, const index_t* requested, int most_lanes,
                  int* edges) noexcept;

/// The box of a walk, and the requested sizes of tiles. LastTile: tiles that are neighbours in the
/// order of groups differ in the last index, else in the first.
template <class Space, bool LastTile>
struct tiled_walk {
  static constexpr int rank = Space::rank;
  Space shape;
  index_t requested[std::size_t{rank}];
};

/// The edges of the tiles of a launch, as exponents of two.
template <int N>
struct tile_edges {
  int exponent[std::size_t{N}];

  int lanes() const noexcept {
    int sum = 0;
    for (int r = 0; r < N; ++r) sum += exponent[r];
    return 1 << sum;
  }
  /// Returns the number of tiles along dimension r.
  index_t count(int r, index_t extent) const noexcept {
    return extent == 0 ? 0 : ((extent - 1) >> exponent[r]) + 1;
  }
};

/// Plans the tiles of a box for indices of type Space::index_type.
template <class Space>
tile_edges<Space::rank> plan_tiles(const Space& shape, const index_t* requested, int most_lanes) {
  constexpr int n = Space::rank;
  using I = typename Space::index_type;
  index_t extents[std::size_t{n}];
  index_t wanted[std::size_t{n}];
  for (int s = 0; s < n; ++s) {
    const int r = Space::slow(n - 1 - s);
    extents[s] = shape.extent[r];
    wanted[s] = requested[r];
    // A lane compares its index with the upper bound, so the indices of a tile that extends beyond
    // the bound must not wrap.
    constexpr auto highest = std::numeric_limits<computed_index<I>>::max();
    const auto upper =
        static_cast<std::uint64_t>(shape.lower[r]) + static_cast<std::uint64_t>(shape.extent[r]);
    if (static_cast<std::uint64_t>(highest) - upper < 1024) wanted[s] = 1;
  }
  int edges[std::size_t{n}];
  choose_edges(n, extents, wanted, most_lanes, edges);
  tile_edges<n> found;
  for (int s = 0; s < n; ++s) found.exponent[Space::slow(n - 1 - s)] = edges[s];
  return found;
}

/// Computes the point of a lane, for at most most_groups tiles.
template <class Space, bool LastTile>
struct tile_map {
  static constexpr int rank = Space::rank;
  using I = typename Space::index_type;
  using wide = computed_index<I>;
  using bits = std::make_unsigned_t<wide>;

  divisor counts[std::size_t{rank}];  ///< tiles along each dimension
  wide lower[std::size_t{rank}];
  wide upper[std::size_t{rank}];
  std::uint32_t edge[std::size_t{rank}];
  std::uint32_t mask[std::size_t{rank}];   ///< edge - 1
  std::uint32_t shift[std::size_t{rank}];  ///< position of a dimension's bits in the lane's index

  /// For a box of at most most_groups tiles.
  tile_map(const Space& shape, const tile_edges<rank>& edges) {
    std::uint32_t below = 0;
    for (int s = 0; s < rank; ++s) {
      const int r = fast(s);
      counts[r] = divisor(static_cast<std::uint32_t>(edges.count(r, shape.extent[r])));
      lower[r] = static_cast<wide>(shape.lower[r]);
      upper[r] =
          static_cast<wide>(static_cast<bits>(lower[r]) + static_cast<bits>(shape.extent[r]));
      edge[r] = std::uint32_t{1} << edges.exponent[r];
      mask[r] = edge[r] - 1;
      shift[r] = below;
      below += static_cast<std::uint32_t>(edges.exponent[r]);
    }
  }
  /// Stores the indices of the point; returns false if the point is outside of the box.
  HPK_FORCEINLINE_FUNCTION bool find(std::uint32_t tile, std::uint32_t lane,
                                     I (&index)[std::size_t{rank}]) const {
    std::uint32_t at[std::size_t{rank}];
    HPK_UNROLL_16
    for (int s = 0; s < rank - 1; ++s) {
      const int r = LastTile ? rank - 1 - s : s;
      at[r] = counts[r].split(tile);
    }
    at[LastTile ? 0 : rank - 1] = tile;
    bool inside = true;
    HPK_UNROLL_16
    for (int s = 0; s < rank; ++s) {
      const int r = fast(s);
      std::uint32_t offset = s == 0 ? lane : lane >> shift[r];
      if (s != rank - 1) offset &= mask[r];
      const bits begin = static_cast<bits>(at[r]) * edge[r] + static_cast<bits>(lower[r]);
      const auto found = static_cast<wide>(begin + offset);
      inside = inside && found < upper[r];
      index[r] = static_cast<I>(found);
    }
    return inside;
  }

 private:
  /// The dimension that is the s-th fastest.
  static HPK_INLINE_FUNCTION constexpr int fast(int s) { return Space::slow(rank - 1 - s); }
};

/// The body of a parallel_for over the tiles of a box.
template <class Tag, class Space, bool LastTile, class F, class Bounds = LaunchBounds<>>
struct for_tiles_kernel {
  using limits = launch_limits<Bounds, usual_lanes>;
  static constexpr int most_lanes = limits::most_lanes;
  static constexpr int least_groups = limits::least_groups;
  static constexpr bool no_large_scratch = true;
  F kernel;
  tile_map<Space, LastTile> tiles;

  HPK_CALLS_EITHER
  template <class Lane>
  HPK_FUNCTION void operator()(Lane& lane) const {
    constexpr auto all = std::make_index_sequence<static_cast<std::size_t>(Space::rank)>();
    typename Space::index_type index[std::size_t{Space::rank}];
    if (tiles.find(static_cast<std::uint32_t>(lane.group()),
                   static_cast<std::uint32_t>(lane.lane_index()), index))
      call_at<Tag, Space>(kernel, index, index[Space::fastest], all);
  }
};

/// Divides a box that is not empty into parts of at most `most` tiles, and calls visit(part, tiles)
/// for each part.
template <class Space, class Visit>
void for_parts(const Space& shape, const tile_edges<Space::rank>& edges, index_t most,
               const Visit& visit) {
  constexpr int n = Space::rank;
  index_t size[std::size_t{n}];  // size of a part, in points
  index_t room = most;
  for (int s = n - 1; s >= 0; --s) {
    const int r = Space::slow(s);
    const index_t count = edges.count(r, shape.extent[r]);
    const index_t taken = count < room ? count : room;
    room /= taken;
    size[r] = taken == count ? shape.extent[r] : taken << edges.exponent[r];
  }
  index_t done[std::size_t{n}] = {};
  for (int r = 0; r < n;) {
    Space part;
    index_t tiles = 1;
    for (int d = 0; d < n; ++d) {
      const index_t left = shape.extent[d] - done[d];
      part.lower[d] = shape.lower[d] + done[d];
      part.extent[d] = left < size[d] ? left : size[d];
      tiles *= edges.count(d, part.extent[d]);
    }
    visit(part, tiles);
    for (r = 0; r < n; ++r) {
      if (shape.extent[r] - done[r] > size[r]) {
        done[r] += size[r];
        break;
      }
      done[r] = 0;
    }
  }
}

/// Returns the most lanes of a group that runs a tile, for a kernel with at most `most_lanes`: the
/// machine's maximum if a tile size is requested, else the number that the machine prefers.
inline int most_tile_lanes(const seam::machine_properties& machine, int rank,
                           const index_t* requested, int most_lanes) noexcept {
  bool any = false;
  for (int r = 0; r < rank; ++r) any = any || requested[r] > 0;
  const int lanes = any ? machine.largest_lanes : machine.preferred_lanes;
  return lanes < most_lanes ? lanes : most_lanes;
}

/// Launches a kernel over the n points of a box.
template <class Tag, class Bounds, class Space, bool LastTile, class Machine, class F>
void launch_lanes(Machine& machine, const F& kernel, const tiled_walk<Space, LastTile>& walk,
                  index_t n, const seam::launch_info& info) {
  if (n == 0) return;
  using body = for_tiles_kernel<Tag, Space, LastTile, F, Bounds>;
  const auto edges = plan_tiles(
      walk.shape, walk.requested,
      most_tile_lanes(machine.properties(), Space::rank, walk.requested, body::most_lanes));
  for_parts(walk.shape, edges, most_groups, [&](const Space& part, index_t tiles) {
    machine.launch({.groups = tiles, .lanes = edges.lanes()},
                   body{kernel, tile_map<Space, LastTile>(part, edges)}, info);
  });
}

}  // namespace hpk::detail
