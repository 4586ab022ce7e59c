// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/offset_range.hpp>

#include <hpk/containers/offset_view.hpp>

#include <support/spaces.hpp>

#include <string>
#include <utility>

namespace offset_range_test {
namespace {

using hpk::OffsetView;
using hpk_test::expect_error;

TEST(OffsetRange, is_made_of_pairs_that_include_the_last_index) {
  const std::pair<int, int> range(-1, 3);
  const hpk::pair<long, long> other(2, 4);
  const hpk::index_list_type list = {1, 2};
  const hpk::IndexRange array = {{0, 1}};
  const OffsetView<double****, hpk::HostSpace> a(std::string("a"), range, other, list, array);
  EXPECT_EQ(a.extent(0), 5u);
  EXPECT_EQ(a.extent(1), 3u);
  EXPECT_EQ(a.extent(2), 2u);
  EXPECT_EQ(a.end(3), 2);
  const std::size_t n = 4;
  const OffsetView<double**, hpk::HostSpace> b("b", {0u, n}, {range.first, range.second});
  EXPECT_EQ(b.end(0), 5);
  const OffsetView<double**, hpk::HostSpace> c("c", hpk::inclusive_range(-1, 1),
                                               hpk::half_open_range(-1, 1));
  EXPECT_EQ(c.extent(0), 3u);
  EXPECT_EQ(c.extent(1), 2u);
  const OffsetView<double*, hpk::HostSpace> empty("empty", {7, 6});
  EXPECT_EQ(empty.size(), 0u);
  EXPECT_EQ(empty.begin(0), empty.end(0));
  const OffsetView<double*, hpk::HostSpace> none("none", hpk::half_open_range(7, 7));
  EXPECT_EQ(none.size(), 0u);
  // Fixed extents, all ranks, properties and layouts.
  const OffsetView<int* [3], hpk::HostSpace> fixed("fixed", {1, 2}, {-1, 1});
  EXPECT_EQ(&fixed(1, -1), fixed.data());
  const OffsetView<int********, hpk::HostSpace> eight("eight", {1, 1}, {2, 2}, {3, 3}, {4, 5},
                                                      {5, 5}, {6, 6}, {7, 7}, {-8, -7});
  eight(1, 2, 3, 5, 5, 6, 7, -8) = 4;
  EXPECT_EQ(eight.view()(0, 0, 0, 1, 0, 0, 0, 0), 4);
  const OffsetView<int**, hpk::LayoutLeft, hpk::HostSpace> laid(
      hpk::view_alloc("laid", hpk::WithoutInitializing), hpk::LayoutLeft(2, 3), {-1, -2});
  EXPECT_EQ(&laid(0, -2), laid.data() + 1);
  EXPECT_EQ(laid.label(), "laid");
  const OffsetView<int, hpk::HostSpace> zero("zero");
  zero() = 3;
  EXPECT_EQ(zero.begin(0), hpk::invalid_offset);
  EXPECT_EQ(a.end(4), hpk::invalid_offset);
  EXPECT_EQ(rank(a), 4u);
  const OffsetView<double*, hpk::HostSpace> absent;
  EXPECT_FALSE(absent.is_allocated());
}

TEST(OffsetRange, that_is_wrong_is_named_with_label_and_dimension) {
  using ints = OffsetView<int**, hpk::HostSpace>;
  expect_error([] { const ints b("b", {0, 1}); },
               {"hpk::OffsetView \"b\"", "1 ranges", "rank 2", "offset_range.cpp"});
  expect_error([] { const ints b("b", {0, 1}, {0, 1}, {0, 1}); }, {"3 ranges", "rank 2"});
  expect_error([] { const ints b("b", {0, 1}, {5, 3}); },
               {"\"b\"", "dimension 1", "{5, 3}", "half_open_range", "offset_range.cpp"});
  expect_error([] { const ints b("b", {0, 1}, hpk::half_open_range(5, 4)); },
               {"dimension 1", "[5, 4)"});
  expect_error([] { const ints b("b", {0, 1}, {INT64_MIN, INT64_MAX - 1}); }, {"dimension 1"});
  expect_error([] { const ints b("b", {0, 1}, {0, INT64_MAX}); }, {"dimension 1"});
}

TEST(OffsetRange, says_what_it_is) {
  constexpr hpk::offset_range pair = {-1, 4};
  static_assert(pair.first() == -1 && pair.last() == 4 && !pair.is_half_open());
  static_assert(hpk::inclusive_range(2, 3).last() == 3);
  static_assert(hpk::half_open_range(2, 3).is_half_open());
  static_assert(hpk::offset_range().is_absent());
  static_assert(hpk::offset_range(hpk::invalid_index_range).is_absent());
  static_assert(hpk::offset_range(hpk::invalid_offset, hpk::invalid_offset).is_absent());
  static_assert(!pair.is_absent());
}

}  // namespace
}  // namespace offset_range_test
