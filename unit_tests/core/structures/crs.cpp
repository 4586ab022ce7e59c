// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares Crs and the functions that build one with loops on the host.
#include <hpk/structures/crs.hpp>

#include <support/spaces.hpp>

#include <numeric>
#include <type_traits>
#include <vector>

namespace view_crs_test {
namespace {

static_assert(std::is_same_v<hpk::Crs<int, hpk::DefaultExecutionSpace>::size_type,
                             hpk::View<int*, hpk::DefaultExecutionSpace>::size_type>);
using of_host = hpk::Crs<int, hpk::LayoutLeft, hpk::HostSpace, short>;
static_assert(std::is_same_v<of_host::size_type, short> &&
              std::is_same_v<of_host::array_layout, hpk::LayoutLeft> &&
              std::is_same_v<of_host::memory_space, hpk::HostSpace> &&
              std::is_same_v<of_host::data_type, int>);

// Row i has (7 * i) % 5 entries: i, i + 1, ... modulo n. In rows of several entries the last two
// are equal.
struct rows_of {
  int n;
  HPK_FUNCTION static int count(int i) { return (7 * i) % 5; }
  HPK_FUNCTION int entry(int i, int k) const {
    return (i + (k > 0 && k == count(i) - 1 ? k - 1 : k)) % n;
  }
  template <class S>
  HPK_FUNCTION int operator()(S row, int* to) const {
    const int i = static_cast<int>(row);
    if (to != nullptr) {
      for (int k = 0; k < count(i); ++k) to[k] = entry(i, k);
    }
    return count(i);
  }
  std::vector<std::vector<int>> rows() const {
    std::vector<std::vector<int>> all(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < count(i); ++k) all[static_cast<std::size_t>(i)].push_back(entry(i, k));
    }
    return all;
  }
};

template <class Graph>
std::vector<std::vector<int>> rows_in(const Graph& graph) {
  const auto map = hpk_test::on_host(graph.row_map);
  const auto entries = hpk_test::on_host(graph.entries);
  std::vector<std::vector<int>> all(static_cast<std::size_t>(graph.numRows()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (auto k = map(i); k < map(i + 1); ++k) all[i].push_back(entries(k));
  }
  return all;
}

constexpr int sizes[] = {0, 1, 2, 5, 37, 1000, 20'000};

template <class Exec>
class CrsGraph : public testing::Test {
 public:
  using graph = hpk::Crs<int, Exec>;
};
TYPED_TEST_SUITE(CrsGraph, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(CrsGraph, has_no_rows_at_first) {
  const typename TestFixture::graph empty;
  EXPECT_EQ(empty.numRows(), 0u);
  const typename TestFixture::graph copy = empty;
  EXPECT_EQ(copy.entries.extent(0), 0u);
}

HPK_TYPED_TEST(CrsGraph, is_counted_and_filled_by_a_functor) {
  for (const int n : sizes) {
    typename TestFixture::graph graph;
    const rows_of fill{n};
    hpk::count_and_fill_crs(graph, static_cast<std::size_t>(n), fill);
    EXPECT_EQ(graph.numRows(), static_cast<std::size_t>(n));
    ASSERT_EQ(rows_in(graph), fill.rows());
    const typename TestFixture::graph same(graph.row_map, graph.entries);
    EXPECT_EQ(same.entries.data(), graph.entries.data());
  }
}

HPK_TYPED_TEST(CrsGraph, counts_and_row_maps_are_those_of_loops) {
  for (const int n : sizes) {
    typename TestFixture::graph graph;
    const rows_of fill{n};
    hpk::count_and_fill_crs(graph, static_cast<std::size_t>(n), fill);
    hpk::View<int*, TypeParam> counts;
    hpk::get_crs_transpose_counts(counts, graph);
    EXPECT_EQ(counts.label(), "transpose_counts");
    std::vector<int> wanted(static_cast<std::size_t>(n));
    for (const auto& row : fill.rows()) {
      for (const int entry : row) ++wanted[static_cast<std::size_t>(entry)];
    }
    hpk::View<long*, TypeParam> map;
    const long total = hpk::get_crs_row_map_from_counts(map, counts, "my map");
    EXPECT_EQ(map.label(), "my map");
    EXPECT_EQ(total, std::accumulate(wanted.begin(), wanted.end(), 0L));
    const auto seen = hpk_test::on_host(counts);
    const auto sums = hpk_test::on_host(map);
    ASSERT_EQ(seen.extent(0), wanted.size());
    ASSERT_EQ(sums.extent(0), wanted.size() + 1);
    long sum = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      ASSERT_EQ(seen(i), wanted[i]);
      ASSERT_EQ(sums(i), sum);
      sum += wanted[i];
    }
    EXPECT_EQ(sums(wanted.size()), total);
  }
}

HPK_TYPED_TEST(CrsGraph, is_transposed_with_rows_in_order) {
  for (const int n : sizes) {
    typename TestFixture::graph graph;
    const rows_of fill{n};
    hpk::count_and_fill_crs(graph, static_cast<std::size_t>(n), fill);
    std::vector<std::vector<int>> wanted(static_cast<std::size_t>(n));
    const auto rows = fill.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const int entry : rows[i])
        wanted[static_cast<std::size_t>(entry)].push_back(static_cast<int>(i));
    }
    typename TestFixture::graph turned;
    hpk::transpose_crs(turned, graph);
    ASSERT_EQ(rows_in(turned), wanted);
  }
}

// All entries end up in one row, which must be sorted although it is long.
struct star {
  int n;
  HPK_FUNCTION int operator()(std::size_t i, int* to) const {
    if (to != nullptr) *to = 3;
    return i % 2 == 0 ? 1 : 0;
  }
};

HPK_TYPED_TEST(CrsGraph, is_transposed_with_long_rows) {
  constexpr int n = 30'001;
  typename TestFixture::graph graph;
  hpk::count_and_fill_crs(graph, n, star{n});
  hpk::transpose_crs(graph, graph);
  const auto rows = rows_in(graph);
  ASSERT_EQ(rows[3].size(), 15'001u);
  for (std::size_t k = 0; k < rows[3].size(); ++k) ASSERT_EQ(rows[3][k], static_cast<int>(2 * k));
  EXPECT_TRUE(rows[0].empty() && rows[30'000].empty());
}

struct seventy {
  HPK_FUNCTION int operator()(std::size_t, int* to) const {
    if (to != nullptr)
      for (int k = 0; k < 70; ++k) to[k] = k;
    return 70;
  }
};
struct many_in_row_5 {
  HPK_FUNCTION int operator()(std::size_t i, int*) const { return i == 5 ? 70'000 : 0; }
};
struct fewer_than_none {
  HPK_FUNCTION int operator()(std::size_t, int*) const { return -1; }
};

template <class Exec>
class CrsOnHost : public testing::Test {};
TYPED_TEST_SUITE(CrsOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(CrsOnHost, names_more_entries_than_its_size_type_counts) {
  using graph = hpk::Crs<int, TypeParam, void, unsigned short>;
  graph g;
  hpk::count_and_fill_crs(g, 936, seventy());
  EXPECT_EQ(g.entries.extent(0), 65'520u);
  const std::string whole =
      hpk_test::error_of([&] { hpk::count_and_fill_crs(g, 1000, seventy()); });
  EXPECT_TRUE(hpk_test::contains(whole, "70000 entries, but its SizeType counts from 0 to 65535"));
  const std::string row =
      hpk_test::error_of([&] { hpk::count_and_fill_crs(g, 10, many_in_row_5()); });
  EXPECT_TRUE(hpk_test::contains(row, "70000 entries, but its SizeType"));
  const std::string none =
      hpk_test::error_of([&] { hpk::count_and_fill_crs(g, 10, fewer_than_none()); });
  EXPECT_TRUE(hpk_test::contains(none, "-1 entries"));
}

}  // namespace
}  // namespace view_crs_test
