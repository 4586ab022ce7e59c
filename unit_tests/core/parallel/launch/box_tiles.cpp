// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of boxes: one lane for every point, for all extents, bounds, index types and requests.
// Tiles fit the box and the request.
#include <hpk/parallel/launch/box_tiles.hpp>

#include <support/spaces.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace parallel_box_tiles_test {
namespace {

using hpk::index_t;
using hpk::detail::index_space;
using hpk::detail::tile_edges;
using hpk::detail::tile_map;

// A lane of a group, as kernels see it.
struct one_lane {
  index_t group_;
  int lane_;
  index_t group() const { return group_; }
  int lane_index() const { return lane_; }
};

struct asked_lanes {
  int most = 256;
  index_t parts = hpk::detail::most_groups;
};

// Runs all lanes of all launches over a box, and checks that each point was visited once.
template <class Box, bool LastTile>
void expect_each_point_once(const Box& shape, const std::vector<index_t>& asked, asked_lanes how) {
  constexpr int n = Box::rank;
  using I = typename Box::index_type;
  std::vector<int> visits(static_cast<std::size_t>(shape.size()));
  const auto note = [&](auto... is) {
    static_assert((std::is_same_v<decltype(is), I> && ...));
    const I index[] = {is...};
    std::uint64_t number = 0;
    for (int r = 0; r < n; ++r) {
      const std::uint64_t at =
          static_cast<std::uint64_t>(index[r]) - static_cast<std::uint64_t>(shape.lower[r]);
      ASSERT_LT(at, static_cast<std::uint64_t>(shape.extent[r]));
      number = number * static_cast<std::uint64_t>(shape.extent[r]) + at;
    }
    ++visits[number];
  };
  const tile_edges<n> edges = hpk::detail::plan_tiles(shape, asked.data(), how.most);
  EXPECT_LE(edges.lanes(), how.most);
  const hpk::seam::launch_info launch{.pattern = "test", .label = {}, .where = {}};
  const hpk::seam::kernel_scope inside(launch);
  hpk::detail::for_parts(shape, edges, how.parts, [&](const Box& part, index_t tiles) {
    EXPECT_LE(tiles, how.parts);
    const hpk::detail::for_tiles_kernel<void, Box, LastTile, decltype(note)> body{
        note, tile_map<Box, LastTile>(part, edges)};
    for (index_t group = 0; group < tiles; ++group) {
      for (int lane = 0; lane < edges.lanes(); ++lane) {
        one_lane self{group, lane};
        body(self);
      }
    }
  });
  std::size_t wrong = 0;
  for (const int v : visits) wrong += v != 1;
  EXPECT_EQ(wrong, 0u);
}

template <int N, class I>
void expect_all_orders(const std::vector<index_t>& lower, const std::vector<index_t>& extent,
                       const std::vector<index_t>& asked, asked_lanes how = {}) {
  testing::Message text;
  for (int r = 0; r < N; ++r)
    text << " [" << lower[std::size_t(r)] << " +" << extent[std::size_t(r)] << ", tile "
         << asked[std::size_t(r)] << ")";
  SCOPED_TRACE(text << ", " << how.most << " lanes");
  index_space<N, I, false> first;
  index_space<N, I, true> last;
  for (int r = 0; r < N; ++r) {
    first.lower[r] = last.lower[r] = lower[std::size_t(r)];
    first.extent[r] = last.extent[r] = extent[std::size_t(r)];
  }
  expect_each_point_once<index_space<N, I, false>, false>(first, asked, how);
  expect_each_point_once<index_space<N, I, false>, true>(first, asked, how);
  expect_each_point_once<index_space<N, I, true>, true>(last, asked, how);
  expect_each_point_once<index_space<N, I, true>, false>(last, asked, how);
}

template <int N>
std::vector<index_t> all(index_t value) {
  return std::vector<index_t>(N, value);
}

TEST(BoxTiles, have_a_lane_for_every_point_in_every_rank) {
  const std::vector<index_t> extents = {7, 3, 1, 5, 2, 1, 3, 2};
  const std::vector<index_t> lower = {-3, 5, -1, 0, 100, -7, 2, 1};
  const std::vector<index_t> tiles = {4, 0, 2, 3, 1, 8, 0, 1};
  [&]<int... Ns>(std::integer_sequence<int, Ns...>) {
    const auto run = [&]<int N>(std::integral_constant<int, N>) {
      for (const int most : {1, 32, 64, 96, 256, 1024}) {
        expect_all_orders<N, int>(lower, extents, all<8>(0), {most});
        expect_all_orders<N, std::int64_t>(lower, extents, tiles, {most});
      }
    };
    (run(std::integral_constant<int, Ns + 1>()), ...);
  }(std::make_integer_sequence<int, 8>());
}

TEST(BoxTiles, have_a_lane_for_every_point_of_odd_boxes) {
  for (const index_t n : {1, 2, 3, 31, 32, 33, 255, 256, 257, 1000, 100003})
    expect_all_orders<1, int>({-5}, {n}, {0});
  for (const index_t n : {1, 3, 8, 31, 33, 100, 3000}) {
    for (const index_t m : {1, 2, 3, 9, 33, 129}) {
      expect_all_orders<2, int>({-50, 7}, {n, m}, {0, 0});
      expect_all_orders<2, unsigned>({0, 7}, {n, m}, {16, 16});
      expect_all_orders<2, short>({-50, 7}, {n, m}, {0, 7});
    }
  }
  for (const index_t n : {1, 3, 40}) {
    for (const index_t m : {1, 5, 33}) {
      expect_all_orders<3, int>({-1, -2, -3}, {n, m, 12}, {0, 0, 0});
      expect_all_orders<3, std::int64_t>({-1, -2, -3}, {n, m, 12}, {1, 1, 1});
      expect_all_orders<3, int>({-1, -2, -3}, {n, m, 12}, {64, 64, 64});
      expect_all_orders<3, int>({-1, -2, -3}, {n, m, 12}, {0, 0, 1000000});
    }
  }
}

template <class I>
void expect_limits() {
  constexpr index_t low = std::numeric_limits<I>::min();
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<I>::max());
  constexpr auto high =
      static_cast<index_t>(most < std::uint64_t(std::numeric_limits<index_t>::max())
                               ? most
                               : std::uint64_t(std::numeric_limits<index_t>::max()));
  for (const index_t n : {1, 3, 33, 120}) {
    expect_all_orders<1, I>({low}, {n}, {0});
    expect_all_orders<1, I>({high - n}, {n}, {0});
    expect_all_orders<2, I>({high - n, low}, {n, 5}, {0, 0});
    expect_all_orders<2, I>({low, high - 5}, {n, 5}, {16, 16});
    expect_all_orders<2, I>({high - 5 - 900 % n, 1}, {5, n}, {0, 0});
  }
}
TEST(BoxTiles, end_at_the_limits_of_index_types) {
  expect_limits<signed char>();
  expect_limits<unsigned char>();
  expect_limits<short>();
  expect_limits<unsigned short>();
  expect_limits<int>();
  expect_limits<unsigned>();
  expect_limits<std::int64_t>();
  expect_limits<std::uint64_t>();
  // From the lowest to the highest value of the index type.
  expect_all_orders<1, signed char>({-128}, {255}, {0});
  expect_all_orders<2, unsigned short>({0, 0}, {65535, 3}, {0, 0});
}

// A launch has a limited number of tiles, so a larger box is divided.
TEST(BoxTiles, are_cut_into_launches) {
  for (const index_t parts : {1, 2, 7, 64}) {
    expect_all_orders<1, int>({-5}, {3000}, {0}, {64, parts});
    expect_all_orders<2, int>({-5, 3}, {100, 77}, {0, 0}, {64, parts});
    expect_all_orders<3, std::int64_t>({-5, 3, 0}, {40, 7, 33}, {4, 4, 4}, {64, parts});
  }
  // Boxes that are too large to run: the parts cover all points with few enough tiles each.
  const auto expect_parts = [](index_t n, index_t m, index_t least_parts) {
    index_space<2, std::int64_t, true> shape{{-7, 11}, {n, m}};
    const index_t asked[] = {0, 0};
    const auto edges = hpk::detail::plan_tiles(shape, asked, 256);
    std::uint64_t points = 0;
    index_t launches = 0;
    hpk::detail::for_parts(shape, edges, hpk::detail::most_groups,
                           [&](const auto& part, index_t tiles) {
                             ++launches;
                             points += static_cast<std::uint64_t>(part.size());
                             EXPECT_LE(tiles, hpk::detail::most_groups);
                             EXPECT_GE(part.lower[0], -7);
                             EXPECT_LE(part.lower[1] + part.extent[1], 11 + m);
                           });
    EXPECT_EQ(points, static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(m));
    EXPECT_EQ(launches, least_parts);
  };
  constexpr index_t one = 1;
  expect_parts(one << 15, one << 15, 1);
  expect_parts(100'000'000, 30, 1);
  expect_parts(30, 100'000'000, 1);
  expect_parts(one << 20, one << 20, 3);
  expect_parts(1, one << 40, 3);
}

std::vector<int> edges_of(std::vector<index_t> extents, std::vector<index_t> asked = {},
                          int most = 256) {
  const int rank = static_cast<int>(extents.size());
  asked.resize(extents.size());
  std::vector<int> edges(extents.size());
  hpk::detail::choose_edges(rank, extents.data(), asked.data(), most, edges.data());
  for (int& e : edges) e = 1 << e;
  return edges;
}
using sizes = std::vector<int>;

TEST(BoxTiles, suit_the_box) {
  EXPECT_EQ(edges_of({100000}), (sizes{256}));
  EXPECT_EQ(edges_of({8192, 8192}), (sizes{32, 8}));
  EXPECT_EQ(edges_of({8190, 8190}), (sizes{32, 8}));
  EXPECT_EQ(edges_of({382, 382, 382}), (sizes{32, 8, 1}));
  EXPECT_EQ(edges_of({382, 382, 382}, {}, 64), (sizes{32, 2, 1}));
  EXPECT_EQ(edges_of({1, 1, 1000}), (sizes{1, 1, 256}));
  EXPECT_EQ(edges_of({5, 1}), (sizes{8, 1}));
  // Few lanes have no point, but rows keep at least eight points.
  EXPECT_EQ(edges_of({1000000, 3}), (sizes{256, 1}));
  EXPECT_EQ(edges_of({1000000, 2}), (sizes{128, 2}));
  EXPECT_EQ(edges_of({3, 1000, 1000}), (sizes{4, 64, 1}));
  EXPECT_EQ(edges_of({33, 1000}), (sizes{8, 32}));
  EXPECT_EQ(edges_of({100, 1000}), (sizes{16, 16}));
  EXPECT_EQ(edges_of({4, 4, 4, 1000}), (sizes{4, 4, 4, 4}));
  // Even with the largest extents.
  constexpr index_t most = std::numeric_limits<index_t>::max();
  EXPECT_EQ(edges_of({most, 1}), (sizes{256, 1}));
}

TEST(BoxTiles, are_those_that_were_asked_for) {
  EXPECT_EQ(edges_of({1000, 1000}, {16, 16}), (sizes{16, 16}));
  EXPECT_EQ(edges_of({1000, 1000}, {8, 4}), (sizes{8, 4}));
  EXPECT_EQ(edges_of({1000, 1000}, {1, 64}), (sizes{1, 64}));
  EXPECT_EQ(edges_of({1000, 1000}, {30, 5}), (sizes{32, 8}));
  // Requests are limited by the number of lanes and of points.
  EXPECT_EQ(edges_of({1000, 1000}, {64, 64}), (sizes{64, 4}));
  EXPECT_EQ(edges_of({1000, 1000}, {64, 16}, 1024), (sizes{64, 16}));
  EXPECT_EQ(edges_of({6, 1000}, {32, 8}), (sizes{8, 8}));
  EXPECT_EQ(edges_of({1000, 1000}, {std::numeric_limits<index_t>::max(), 2}), (sizes{256, 1}));
  // A dimension without a request gets the remaining lanes.
  EXPECT_EQ(edges_of({1000, 1000, 1000}, {0, 0, 4}), (sizes{32, 2, 4}));
  EXPECT_EQ(edges_of({1000, 1000, 1000}, {64, 0, 0}), (sizes{64, 4, 1}));
}

TEST(BoxTiles, have_more_lanes_than_usual_only_if_asked_for) {
  hpk::seam::machine_properties machine;
  machine.preferred_lanes = 256;
  machine.largest_lanes = 1024;
  const index_t none[] = {0, 0};
  const index_t some[] = {0, 32};
  using hpk::detail::most_tile_lanes;
  EXPECT_EQ(most_tile_lanes(machine, 2, none, 2048), 256);
  EXPECT_EQ(most_tile_lanes(machine, 2, none, 96), 96);
  EXPECT_EQ(most_tile_lanes(machine, 2, some, 2048), 1024);
  EXPECT_EQ(most_tile_lanes(machine, 2, some, 512), 512);
}

template <class Exec>
class TilesOn : public testing::Test {};
TYPED_TEST_SUITE(TilesOn, hpk_test::spaces, hpk_test::space_names);

// Through the public call, with requests, limits on lanes, and bounds of every kind.
template <class Policy, class Exec>
void expect_visits(const Policy& policy, int points) {
  const hpk::View<int*, Exec, hpk::MemoryTraits<hpk::Atomic>> seen("seen", 4096);
  const index_t i0 = policy.lower(0);
  const index_t j0 = policy.lower(1);
  hpk::parallel_for(
      policy, HPK_LAMBDA(index_t i, index_t j) { seen((i - i0) * 64 + (j - j0)) += 1; });
  const auto host = hpk_test::on_host(seen);
  int found = 0;
  for (int k = 0; k < 4096; ++k) {
    const bool inside =
        k / 64 < policy.upper(0) - policy.lower(0) && k % 64 < policy.upper(1) - policy.lower(1);
    ASSERT_EQ(host(k), inside ? 1 : 0) << k / 64 << ", " << k % 64;
    found += host(k);
  }
  EXPECT_EQ(found, points);
}
HPK_TYPED_TEST(TilesOn, every_space_visit_each_point_once) {
  using hpk::LaunchBounds;
  using hpk::MDRangePolicy;
  using hpk::Rank;
  constexpr index_t far = std::numeric_limits<index_t>::max();
  const auto run = [](auto policy, int points) {
    expect_visits<decltype(policy), TypeParam>(policy, points);
  };
  for (const index_t tile : {0, 1, 3, 16, 100000}) {
    run(MDRangePolicy<TypeParam, Rank<2>>({0, 0}, {64, 64}, {tile, tile}), 4096);
    run(MDRangePolicy<TypeParam, Rank<2>>({-9, 5}, {3, 22}, {tile, 0L}), 12 * 17);
    run(MDRangePolicy<TypeParam, Rank<2>>({far - 9, -far}, {far, 22 - far}, {0L, tile}), 9 * 22);
    run(MDRangePolicy<TypeParam, Rank<2>, LaunchBounds<96, 2>>({0, 1}, {33, 64}, {tile, tile}),
        33 * 63);
    run(MDRangePolicy<TypeParam, Rank<2>, LaunchBounds<1024>>({0, 1}, {33, 64}, {tile, tile}),
        33 * 63);
    run(MDRangePolicy<TypeParam, Rank<2>, LaunchBounds<1>>({0, 1}, {3, 7}, {tile, tile}), 3 * 6);
  }
  run(MDRangePolicy<TypeParam, Rank<2>>({4, 4}, {4, 60}), 0);
}

}  // namespace
}  // namespace parallel_box_tiles_test
