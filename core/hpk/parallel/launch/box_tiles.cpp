// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/parallel/launch/box_tiles.hpp>
#include <hpk/parallel/policies/policy.hpp>

#include <algorithm>
#include <bit>

namespace hpk::detail {

namespace {

// Along the fastest dimension a tile has this many points, if the box has them, before other
// dimensions get any: enough that lanes access whole lines.
constexpr int usual_row = 5;
// Shorter rows access parts of lines.
constexpr int shortest_row = 3;

// The least exponent whose power of two is at least n.
int exponent_of(index_t n) {
  return n <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n) - 1));
}

// Points that tiles of an edge have behind the end of the box.
index_t overhang(index_t extent, int edge) { return -extent & ((index_t{1} << edge) - 1); }

// The largest edge from `least` to `most` with at most an eighth more points than one of `least`.
int longest_edge(index_t extent, int least, int most) {
  int edge = std::min(most, exponent_of(extent));
  const index_t fewest = overhang(extent, least);
  while (edge > least && overhang(extent, edge) - fewest > extent / 8) --edge;
  return edge;
}

}  // namespace

void choose_edges(int rank, const index_t* extents, const index_t* asked, int most_lanes,
                  int* edges) noexcept {
  int left = std::bit_width(static_cast<unsigned>(most_lanes)) - 1;
  const auto give = [&](int s, int edge) {
    left -= edge - edges[s];
    edges[s] = edge;
  };
  for (int s = 0; s < rank; ++s) {
    edges[s] = 0;
    if (asked[s] > 0) give(s, std::min({left, exponent_of(asked[s]), exponent_of(extents[s])}));
  }
  // First a row, then the slower dimensions, then what lanes are left.
  const int row = asked[0] > 0 ? 0 : exponent_of(extents[0]);
  for (const bool again : {false, true}) {
    for (int s = 0; s < rank; ++s) {
      if (asked[s] > 0) continue;
      const int least = s == 0 ? std::min({row, shortest_row, left + edges[0]}) : 0;
      const int most = s == 0 && !again ? std::min(left, usual_row) : left + edges[s];
      give(s, std::max(edges[s], longest_edge(extents[s], least, most)));
    }
  }
}

}  // namespace hpk::detail
