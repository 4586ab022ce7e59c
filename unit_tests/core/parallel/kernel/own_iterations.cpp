// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that divide a loop run every iteration once, in increasing order, even where a 32-bit
// counter would wrap.
#include <support/spaces.hpp>

#include <hpk/core.hpp>
#include <hpk/parallel/kernel/own_iterations.hpp>

#include <vector>

namespace hpk_test::own_iterations_cases {

struct range_of_lane {
  hpk::index_t n;
  int lane;
  int lanes;
  hpk::index_t size() const { return n; }
  int own_rank() const { return lane; }
  int ranks() const { return lanes; }
};

template <class K>
void expect_each_once(hpk::index_t n, int lanes) {
  std::vector<int> visits(static_cast<std::size_t>(n));
  for (int lane = 0; lane < lanes; ++lane) {
    hpk::index_t before = -1;
    hpk::detail::for_own_iterations<K>(range_of_lane{n, lane, lanes}, [&](auto k) {
      const auto at = static_cast<hpk::index_t>(k);
      EXPECT_GT(at, before);
      EXPECT_EQ(at % lanes, lane);
      before = at;
      ++visits[static_cast<std::size_t>(at)];
    });
  }
  for (const int v : visits) ASSERT_EQ(v, 1) << n << " iterations, " << lanes << " lanes";
}

TEST(OwnIterations, are_each_visited_once) {
  for (const hpk::index_t n : {0, 1, 2, 3, 4, 5, 31, 32, 33, 127, 128, 129, 1000}) {
    for (const int lanes : {1, 2, 3, 4, 8, 31, 32, 33, 100}) {
      expect_each_once<int>(n, lanes);
      expect_each_once<hpk::index_t>(n, lanes);
      expect_each_once<unsigned char>(n < 256 ? n : 255, lanes);
    }
  }
}

// A few lanes of a very large number, so that each loop is short.
TEST(OwnIterations, do_not_wrap_at_the_end_of_32_bits) {
  for (const hpk::index_t n : {0x7fff'fffel, 0x7fff'ffffl, 0x8000'0000l, 0xffff'ffffl}) {
    constexpr int lanes = 1 << 28;
    for (const int lane : {0, 1, lanes - 1}) {
      hpk::index_t expected = lane;
      hpk::detail::for_own_iterations<unsigned>(range_of_lane{n, lane, lanes}, [&](auto k) {
        ASSERT_EQ(static_cast<hpk::index_t>(k), expected);
        expected += lanes;
      });
      EXPECT_GE(expected, n);
      EXPECT_LT(expected - lanes, n);
    }
  }
}

template <class I, class Box>
void expect_points(const Box& shape, int parts) {
  const hpk::index_t n = shape.size();
  std::vector<int> visits(static_cast<std::size_t>(n));
  for (int part = 0; part < parts; ++part) {
    hpk::index_t k = part;
    hpk::detail::for_every_point<I>(shape, part, parts, n, [&](const I* index) {
      hpk::index_t expected[Box::rank];
      shape.unflatten(k, expected);
      for (int r = 0; r < Box::rank; ++r) ASSERT_EQ(hpk::index_t{index[r]}, expected[r]);
      ++visits[static_cast<std::size_t>(k)];
      k += parts;
    });
  }
  for (const int v : visits) ASSERT_EQ(v, 1) << n << " points, " << parts << " lanes";
}

TEST(OwnIterations, visit_each_point_of_a_box_once) {
  using hpk::detail::index_space;
  for (const int parts : {1, 2, 7, 32, 1024}) {
    expect_points<int>(index_space<1, hpk::index_t, true>{{}, {100}}, parts);
    expect_points<signed char>(index_space<2, hpk::index_t, true>{{}, {127, 3}}, parts);
    expect_points<signed char>(index_space<2, hpk::index_t, false>{{}, {127, 127}}, parts);
    expect_points<unsigned char>(index_space<3, hpk::index_t, true>{{}, {1, 255, 2}}, parts);
    expect_points<hpk::index_t>(index_space<3, hpk::index_t, false>{{}, {5, 1, 9}}, parts);
    expect_points<unsigned>(index_space<4, hpk::index_t, true>{{}, {3, 4, 5, 6}}, parts);
    expect_points<int>(index_space<2, hpk::index_t, true>{{}, {0, 9}}, parts);
  }
}

// The first points of a very large box, with a dimension of more than 32 bits.
TEST(OwnIterations, divide_only_the_number_of_a_lane) {
  const hpk::detail::index_space<2, hpk::index_t, true> shape{{}, {2, hpk::index_t{1} << 40}};
  struct found {
    hpk::index_t row, column;
  };
  std::vector<found> points;
  try {
    hpk::detail::for_every_point<hpk::index_t>(shape, 3, 1000, shape.size(),
                                               [&](const hpk::index_t* index) {
                                                 points.push_back({index[0], index[1]});
                                                 if (points.size() == 3) throw 0;
                                               });
  } catch (int) {
  }
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[2].row, 0);
  EXPECT_EQ(points[2].column, 2003);
}

TEST(OwnIterations, have_the_chunks_of_hosts) {
  for (const hpk::index_t n : {0l, 1l, 2l, 7l, 100l, 1000003l, 0xffff'ffffl, 0x1'0000'0000l}) {
    for (const hpk::index_t parts : {1l, 2l, 3l, 32l, 1024l, 0xffff'ffffl, 0x1'0000'0001l}) {
      for (const hpk::index_t rank : {hpk::index_t{0}, n % parts, parts / 2, parts - 1}) {
        const hpk::detail::index_range narrow = hpk::detail::narrow_chunk(n, rank, parts);
        const hpk::detail::index_range wide = hpk::detail::static_chunk(n, rank, parts);
        EXPECT_EQ(narrow.begin, wide.begin) << rank << " of " << parts << " of " << n;
        EXPECT_EQ(narrow.end, wide.end) << rank << " of " << parts << " of " << n;
      }
    }
  }
}

}  // namespace hpk_test::own_iterations_cases
