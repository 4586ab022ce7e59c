// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/parallel/launch/box_tiles.hpp>
#include <hpk/parallel/policies/policy.hpp>

#include <algorithm>
#include <bit>

namespace hpk::detail {

namespace {

// The length, as an exponent of two, that a tile gets along the fastest dimension before other
// dimensions get any points: long enough that lanes access whole cache lines.
constexpr int usual_row = 5;
// The shortest length along the fastest dimension: shorter rows access parts of cache lines.
constexpr int shortest_row = 3;

// Returns the least exponent whose power of two is at least n.
int exponent_of(index_t n) {
  return n <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n) - 1));
}

// Returns the number of points by which tiles of this edge exceed the box.
index_t overhang(index_t extent, int edge) { return -extent & ((index_t{1} << edge) - 1); }

// Returns the largest edge from `least` to `most` whose tiles exceed the box by at most extent / 8
// points more than tiles of edge `least`.
int longest_edge(index_t extent, int least, int most) {
  int edge = std::min(most, exponent_of(extent));
  const index_t fewest = overhang(extent, least);
  while (edge > least && overhang(extent, edge) - fewest > extent / 8) --edge;
  return edge;
}

}  // namespace

void choose_edges(int rank, const index_t* extents, const index_t* requested, int most_lanes,
                  int* edges) noexcept {
  int left = std::bit_width(static_cast<unsigned>(most_lanes)) - 1;
  const auto give = [&](int s, int edge) {
    left -= edge - edges[s];
    edges[s] = edge;
  };
  for (int s = 0; s < rank; ++s) {
    edges[s] = 0;
    if (requested[s] > 0)
      give(s, std::min({left, exponent_of(requested[s]), exponent_of(extents[s])}));
  }
  // First the fastest dimension, then the slower ones, then the remaining lanes.
  const int row = requested[0] > 0 ? 0 : exponent_of(extents[0]);
  for (const bool again : {false, true}) {
    for (int s = 0; s < rank; ++s) {
      if (requested[s] > 0) continue;
      const int least = s == 0 ? std::min({row, shortest_row, left + edges[0]}) : 0;
      const int most = s == 0 && !again ? std::min(left, usual_row) : left + edges[s];
      give(s, std::max(edges[s], longest_edge(extents[s], least, most)));
    }
  }
}

}  // namespace hpk::detail
