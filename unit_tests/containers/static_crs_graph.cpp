// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/static_crs_graph.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using host_graph = hpk::StaticCrsGraph<int, hpk::LayoutLeft, hpk::HostSpace, void, short>;
static_assert(std::is_same_v<host_graph::size_type, short> &&
              std::is_same_v<host_graph::array_layout, hpk::LayoutLeft> &&
              std::is_same_v<host_graph::row_map_type::value_type, const short>);

using lists = std::vector<std::vector<int>>;

lists some_rows(int n) {
  lists rows(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i * 7 % 5; ++k)
      rows[static_cast<std::size_t>(i)].push_back((i + 3 * k) % n);
  }
  return rows;
}

template <class G>
lists rows_in(const G& graph) {
  const auto mirror = hpk::create_mirror(graph);
  lists rows;
  for (std::size_t i = 0; i < static_cast<std::size_t>(mirror.numRows()); ++i) {
    const auto row = mirror.rowConst(static_cast<long>(i));
    rows.emplace_back();
    for (int k = 0; k < row.length; ++k) {
      rows.back().push_back(row.colidx(k));
      EXPECT_EQ(row(k), row.colidx(k));
    }
  }
  return rows;
}

template <class Exec>
class StaticGraph : public testing::Test {
 public:
  using type = hpk::StaticCrsGraph<int, Exec, void, void, int>;
};
TYPED_TEST_SUITE(StaticGraph, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(StaticGraph, is_made_from_lists_and_read_in_kernels) {
  using graph_type = typename TestFixture::type;
  for (const int n : {0, 1, 2, 37, 2000}) {
    const auto rows = some_rows(n);
    const auto graph = hpk::create_staticcrsgraph<graph_type>("graph", rows);
    EXPECT_EQ(graph.numRows(), n);
    EXPECT_EQ(graph.entries.label(), "graph");
    EXPECT_EQ(rows_in(graph), rows);
    graph.expect_valid();
    const hpk::View<long*, TypeParam> sums("sums", static_cast<std::size_t>(n));
    hpk::parallel_for(
        hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
          const auto row = graph.rowConst(i);
          for (int k = 0; k < row.length; ++k) sums(i) += row(k) + row.colidx(k);
        });
    const auto got = hpk_test::on_host(sums);
    int most = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      long sum = 0;
      for (const int entry : rows[i]) {
        sum += 2 * entry;
        most = std::max(most, entry);
      }
      ASSERT_EQ(got(i), sum);
    }
    EXPECT_EQ(hpk::maximum_entry(graph), most);
  }
  EXPECT_EQ(hpk::maximum_entry(hpk::create_staticcrsgraph<graph_type>("g", lists{{-5, -3}})), -3);
}

HPK_TYPED_TEST(StaticGraph, has_mirrors_and_comes_from_others) {
  using graph_type = typename TestFixture::type;
  const auto lengths =
      hpk::create_staticcrsgraph<graph_type>("graph", std::vector<unsigned>{2, 0, 1});
  EXPECT_EQ(rows_in(lengths), (lists{{0, 0}, {}, {0}}));
  const auto mirror = hpk::create_mirror_view(lengths);
  mirror.entries(1) = 7;
  hpk::deep_copy(lengths.entries, mirror.entries);
  EXPECT_EQ(rows_in(lengths), (lists{{0, 7}, {}, {0}}));
  EXPECT_EQ(rows_in(hpk::create_mirror(TypeParam(), lengths)), (lists{{0, 7}, {}, {0}}));
  EXPECT_EQ(rows_in(hpk::create_mirror_view(hpk::HostSpace(), lengths)), (lists{{0, 7}, {}, {0}}));
  const auto there = hpk::create_mirror_view_and_copy(TypeParam(), mirror, "there");
  EXPECT_EQ(rows_in(there), (lists{{0, 7}, {}, {0}}));
  EXPECT_EQ(hpk::create_mirror_view_and_copy(TypeParam(), lengths).entries.data(),
            lengths.entries.data());
  EXPECT_EQ(lengths.label(), "graph");
  const graph_type wrapped(lengths.entries, lengths.row_map);
  EXPECT_EQ(wrapped.entries.data(), lengths.entries.data());
  hpk::View<int*, TypeParam> counts("counts", 3);
  hpk::deep_copy(counts, 2);
  hpk::Crs<int, TypeParam, void, int> crs;
  hpk::get_crs_row_map_from_counts(crs.row_map, counts);
  crs.entries = decltype(crs.entries)("entries", 6);
  EXPECT_EQ(rows_in(graph_type(crs)), (lists{{0, 0}, {0, 0}, {0, 0}}));
  const graph_type none;
  EXPECT_EQ(none.numRows(), 0);
  EXPECT_FALSE(none.is_allocated());
  EXPECT_TRUE(lengths.is_allocated());
}

HPK_TYPED_TEST(StaticGraph, divides_rows_into_blocks_of_equal_cost) {
  using graph_type = typename TestFixture::type;
  const auto rows = some_rows(1000);
  auto graph = hpk::create_staticcrsgraph<graph_type>("graph", rows);
  for (const int blocks : {1, 3, 16}) {
    graph.create_block_partitioning(blocks);
    const auto offsets = hpk::create_mirror(graph).row_block_offsets;
    ASSERT_EQ(offsets.extent(0), static_cast<std::size_t>(blocks) + 1);
    EXPECT_EQ(offsets(0), 0);
    EXPECT_EQ(offsets(static_cast<std::size_t>(blocks)), 1000);
    const double share = (2000 + 4 * 1000.0) / blocks;
    for (int b = 0; b < blocks; ++b) {
      double cost = 0;
      for (int i = offsets(b); i < offsets(b + 1); ++i)
        cost += 4 + static_cast<double>(rows[static_cast<std::size_t>(i)].size());
      EXPECT_NEAR(cost, share, 9) << b;
    }
  }
  graph_type none;
  none.create_block_partitioning(2, 1);
  EXPECT_EQ(none.row_block_offsets.extent(0), 3u);
  hpk_test::expect_error([&] { graph.create_block_partitioning(0); },
                         {"\"graph\": create_block_partitioning(0)", "static_crs_graph.cpp"});
}

HPK_TYPED_TEST(StaticGraph, says_what_is_wrong_with_a_row_map) {
  using graph_type = typename TestFixture::type;
  const hpk::View<int*, TypeParam> map("map", 4);
  const hpk::View<int*, TypeParam> entries("entries", 5);
  const auto set = [&](std::vector<int> values) {
    const auto mirror = hpk::create_mirror_view(map);
    for (std::size_t i = 0; i < 4; ++i) mirror(i) = values[i];
    hpk::deep_copy(map, mirror);
    return graph_type(entries, map);
  };
  set({0, 2, 2, 5}).expect_valid();
  hpk_test::expect_error(
      [&] { set({0, 3, 2, 5}).expect_valid(); },
      {"\"entries\": the row map is wrong at 1", "entries, 5", "static_crs_graph.cpp"});
  hpk_test::expect_error([&] { set({0, 1, 2, 6}).expect_valid(); }, {"wrong at 3"});
  hpk_test::expect_error([&] { set({-1, 1, 2, 5}).expect_valid(); }, {"wrong at 0"});
  hpk_test::expect_error(
      [] { hpk::create_staticcrsgraph<graph_type>("bad", std::vector<int>{1, -1}); },
      {"\"bad\": the row map is wrong at 1"});
  using narrow = hpk::StaticCrsGraph<int, TypeParam, void, void, signed char>;
  hpk_test::expect_error(
      [] { hpk::create_staticcrsgraph<narrow>("bad", std::vector<int>{100, 99}); },
      {"\"bad\": 199 entries are more than its SizeType counts"});
}

TEST(StaticGraphOnHost, names_rows_and_entries_that_are_outside) {
  if (HPK_CHECKS == 0) GTEST_SKIP() << "only in builds that check";
  const auto graph = hpk::create_staticcrsgraph<host_graph>("graph", lists{{1}, {}});
  hpk_test::expect_error([&] { graph.rowConst(2); }, {"row 2 is outside of its 2 rows"});
  hpk_test::expect_error([&] { graph.rowConst(0).colidx(1); },
                         {"entry 1 is outside of its row of 1 entries"});
}

TEST(StaticGraphOnHost, is_a_vector_of_vectors) {
  std::mt19937 random(4);
  for (int sequence = 0; sequence < 10'000; ++sequence) {
    lists rows(random() % 5);
    for (auto& row : rows) {
      row.resize(random() % 4);
      for (int& entry : row) entry = static_cast<int>(random() % 9);
    }
    ASSERT_EQ(rows_in(hpk::create_staticcrsgraph<host_graph>("graph", rows)), rows);
  }
}

}  // namespace
