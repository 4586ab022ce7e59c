// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a symmetric matrix and builds its graph in parallel on the default space: a ScatterView
// counts the lengths of rows, their prefix sums are the row map, then every entry finds its place.
// The degrees are compared with those of a plain loop. Exit code 0: the degrees are equal; 1: they
// differ; 2: the file is wrong.
#include "../conjugate_gradient/matrix_market.hpp"

#include <hpk/containers/scatter_view.hpp>
#include <hpk/containers/static_crs_graph.hpp>

#include <cstdio>
#include <vector>

namespace {

using space = hpk::DefaultExecutionSpace;
using graph_type = hpk::StaticCrsGraph<int, space, void, void, int>;

// Rows and columns of the off-diagonal entries, in the order of the file, on the device.
struct edge_list {
  hpk::View<int*, space> rows;
  hpk::View<int*, space> columns;
  int count;
};

edge_list upload(const matrix_market::matrix& matrix) {
  std::vector<int> rows;
  std::vector<int> columns;
  for (const matrix_market::entry& entry : matrix.entries) {
    if (entry.row == entry.column) continue;
    rows.push_back(entry.row);
    columns.push_back(entry.column);
  }
  using host_view = hpk::View<const int*, hpk::HostSpace, hpk::MemoryTraits<hpk::Unmanaged>>;
  const edge_list edges{hpk::View<int*, space>("rows", rows.size()),
                        hpk::View<int*, space>("columns", rows.size()),
                        static_cast<int>(rows.size())};
  hpk::deep_copy(edges.rows, host_view(rows.data(), rows.size()));
  hpk::deep_copy(edges.columns, host_view(columns.data(), columns.size()));
  return edges;
}

graph_type build(const edge_list& edges, int nodes) {
  // Many edges contribute to the length of one row.
  const hpk::View<int*, space> lengths("lengths", static_cast<std::size_t>(nodes));
  const auto scatter = hpk::create_scatter_view(lengths);
  hpk::parallel_for(
      "count", hpk::RangePolicy<space>(0, edges.count), HPK_LAMBDA(int e) {
        const auto access = scatter.access();
        access(edges.rows(e))++;
      });
  hpk::contribute(lengths, scatter);

  hpk::View<int*, space> row_map;
  const int total = hpk::get_crs_row_map_from_counts(row_map, lengths);
  const hpk::View<int*, space> entries("entries", static_cast<std::size_t>(total));
  const hpk::View<int*, space> taken("taken", static_cast<std::size_t>(nodes));
  hpk::parallel_for(
      "fill", hpk::RangePolicy<space>(0, edges.count), HPK_LAMBDA(int e) {
        const int row = edges.rows(e);
        const int place = row_map(row) + hpk::atomic_fetch_add(&taken(row), 1);
        entries(place) = edges.columns(e);
      });
  const graph_type graph(entries, row_map);
  graph.expect_valid();
  return graph;
}

int run(const char* file) {
  const matrix_market::matrix matrix = matrix_market::read(file);
  matrix_market::expect_symmetric(matrix);
  const edge_list edges = upload(matrix);
  const graph_type graph = build(edges, matrix.rows);

  const hpk::View<int*, space> degrees("degrees", static_cast<std::size_t>(matrix.rows));
  int most = 0;
  hpk::parallel_reduce(
      "degrees", hpk::RangePolicy<space>(0, matrix.rows),
      HPK_LAMBDA(int i, int& update) {
        degrees(i) = graph.rowConst(i).length;
        if (degrees(i) > update) update = degrees(i);
      },
      hpk::Max<int>(most));
  // The order of entries within a row varies from run to run; their sum does not.
  long sum = 0;
  hpk::parallel_reduce(
      "neighbours", hpk::RangePolicy<space>(0, matrix.rows),
      HPK_LAMBDA(int i, long& update) {
        const auto row = graph.rowConst(i);
        for (int k = 0; k < row.length; ++k) update += row(k);
      },
      sum);

  std::vector<int> expected(static_cast<std::size_t>(matrix.rows));
  long expected_sum = 0;
  for (const matrix_market::entry& entry : matrix.entries) {
    if (entry.row == entry.column) continue;
    ++expected[static_cast<std::size_t>(entry.row)];
    expected_sum += entry.column;
  }
  const auto seen = hpk::create_mirror_view_and_copy(hpk::HostSpace(), degrees);
  bool same = sum == expected_sum;
  for (std::size_t i = 0; i < expected.size(); ++i) same = same && seen(i) == expected[i];
  std::printf("%d nodes, %d edges\n", matrix.rows, edges.count / 2);
  std::printf("degrees: at most %d, mean %.3f, sum %d\n", most,
              static_cast<double>(edges.count) / matrix.rows, edges.count);
  std::printf("sum of neighbours: %ld\nsame as by a loop: %s\n", sum, same ? "yes" : "no");
  return same ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const hpk::ScopeGuard guard(argc, argv);
    if (argc != 2) {
      std::fprintf(stderr, "matrix_graph: write one Matrix Market file\n");
      return 2;
    }
    return run(argv[1]);
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "matrix_graph: %s\n", wrong.what());
    return 2;
  }
}
