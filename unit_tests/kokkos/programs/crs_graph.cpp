// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The neighbours of the nodes of a grid as a StaticCrsGraph.
#include <Kokkos_Core.hpp>
#include <Kokkos_StaticCrsGraph.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  {
    using graph_type = Kokkos::StaticCrsGraph<int, Kokkos::DefaultExecutionSpace, void, void, int>;
    const int side = 5;
    std::vector<std::vector<int>> neighbours(side * side);
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        auto& row = neighbours[static_cast<std::size_t>(y * side + x)];
        if (y > 0) row.push_back((y - 1) * side + x);
        if (x > 0) row.push_back(y * side + x - 1);
        if (x + 1 < side) row.push_back(y * side + x + 1);
        if (y + 1 < side) row.push_back((y + 1) * side + x);
      }
    }
    graph_type graph = Kokkos::create_staticcrsgraph<graph_type>("grid", neighbours);
    std::printf("%d rows, %d entries, largest %d\n", static_cast<int>(graph.numRows()),
                static_cast<int>(graph.entries.extent(0)), Kokkos::maximum_entry(graph));
    long sum = 0;
    Kokkos::parallel_reduce(
        graph.numRows(),
        KOKKOS_LAMBDA(const int i, long& update) {
          auto row = graph.rowConst(i);
          for (int k = 0; k < row.length; ++k) update += (i + 1) * row(k);
        },
        sum);
    std::printf("sum %ld\n", sum);
    graph.create_block_partitioning(4);
    auto mirror = Kokkos::create_mirror(graph);
    std::printf("blocks:");
    for (std::size_t b = 0; b < mirror.row_block_offsets.extent(0); ++b)
      std::printf(" %d", static_cast<int>(mirror.row_block_offsets(b)));
    std::printf("\nrow 6:");
    auto row = mirror.rowConst(6);
    for (int k = 0; k < row.length; ++k) std::printf(" %d", row.colidx(k));
    std::printf("\n");
    auto sizes = Kokkos::create_staticcrsgraph<graph_type>("sizes", std::vector<int>{3, 0, 2});
    auto view = Kokkos::create_mirror_view(sizes);
    std::printf("row map: %d %d %d %d\n", view.row_map(0), view.row_map(1), view.row_map(2),
                view.row_map(3));
  }
  Kokkos::finalize();
  return 0;
}
