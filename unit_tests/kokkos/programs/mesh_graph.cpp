// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An unstructured mesh of triangles: loops over faces and nodes, and the cells around nodes as a
// graph. Views are forward-declared, as in headers that use only the macros of Kokkos.

// ---- mesh_fwd.hpp: no Kokkos header at all
#include <type_traits>
namespace Kokkos {
template <class DataType, class... Properties>
class View;
}

namespace mesh {
template <class... P>
long sum_of(const Kokkos::View<long*, P...>& values);

template <class ViewType>
struct is_list : std::false_type {};
template <class T, class... P>
struct is_list<Kokkos::View<T*, P...>> : std::true_type {};
}  // namespace mesh

// ---- mesh_point.hpp: the macros only
#include <Kokkos_Macros.hpp>

#if !defined(KOKKOS_INLINE_FUNCTION) || !defined(KOKKOS_VERSION)
#error "Kokkos_Macros.hpp brings the macros"
#endif

namespace mesh {
struct Point {
  long x, y;
  KOKKOS_INLINE_FUNCTION friend Point operator-(const Point& a, const Point& b) {
    return {a.x - b.x, a.y - b.y};
  }
  KOKKOS_INLINE_FUNCTION friend long cross(const Point& a, const Point& b) {
    return a.x * b.y - a.y * b.x;
  }
};
}  // namespace mesh

// ---- mesh.cpp
#include <Kokkos_Core.hpp>

namespace mesh {
using Space = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<int>>;

template <class... P>
long sum_of(const Kokkos::View<long*, P...>& values) {
  long total = 0;
  Kokkos::parallel_reduce(
      "mesh::sum_of", values.size(),
      KOKKOS_LAMBDA(const std::size_t i, long& update) { update += values(i); }, total);
  return total;
}

struct Mesh {
  int ncells, nnodes, nfaces = 0;
  Kokkos::View<Point*> nodes;
  Kokkos::View<int* [3]> cell_nodes;
  Kokkos::View<int* [4]> faces;  // two nodes, the cells to the left and right; -1: none

  explicit Mesh(int n)
      : ncells(2 * n * n),
        nnodes((n + 1) * (n + 1)),
        nodes("nodes", nnodes),
        cell_nodes("cell_nodes", ncells) {
    auto h_nodes = create_mirror_view(nodes);
    auto h_cells = create_mirror_view(cell_nodes);
    for (int k = 0; k < nnodes; ++k) {
      const int i = k % (n + 1), j = k / (n + 1);
      const int bend = i % n != 0 && j % n != 0 ? (3 * i + 5 * j) % 4 : 0;
      h_nodes(k) = {16L * i + bend, 16L * j - bend};
    }
    std::map<std::pair<int, int>, std::array<int, 2>> left_right;
    for (int c = 0; c < ncells; ++c) {
      const int a = c / 2 % n + (n + 1) * (c / 2 / n);
      const int corner[2][3] = {{a, a + 1, a + n + 2}, {a, a + n + 2, a + n + 1}};
      for (int k = 0; k < 3; ++k) {
        h_cells(c, k) = corner[c % 2][k];
        const int from = corner[c % 2][k], to = corner[c % 2][(k + 1) % 3];
        auto where = left_right.try_emplace(std::minmax({from, to}), std::array{-1, -1}).first;
        where->second[from < to ? 0 : 1] = c;
      }
    }
    nfaces = static_cast<int>(left_right.size());
    faces = Kokkos::View<int* [4]>("faces", nfaces);
    auto h_faces = create_mirror_view(faces);
    int f = 0;
    for (const auto& [ends, cells] : left_right) {
      h_faces(f, 0) = ends.first, h_faces(f, 1) = ends.second;
      h_faces(f, 2) = cells[0], h_faces(f, 3) = cells[1], ++f;
    }
    deep_copy(nodes, h_nodes);
    deep_copy(cell_nodes, h_cells);
    deep_copy(faces, h_faces);
  }
};

// Twice the area of each cell from its faces alone (Green), scattered with atomics.
Kokkos::View<long*> areas_by_faces(const Mesh& mesh) {
  Kokkos::View<long*> area("area", mesh.ncells);
  Kokkos::parallel_for(
      "mesh::faces", Policy(0, mesh.nfaces), KOKKOS_LAMBDA(int f) {
        const long flux = cross(mesh.nodes(mesh.faces(f, 0)), mesh.nodes(mesh.faces(f, 1)));
        if (mesh.faces(f, 2) >= 0) Kokkos::atomic_add(&area(mesh.faces(f, 2)), flux);
        if (mesh.faces(f, 3) >= 0) Kokkos::atomic_sub(&area(mesh.faces(f, 3)), flux);
      });
  return area;
}

// The cells around each node, as offsets and entries; the entries of a node are in no order.
void cells_of_nodes(const Mesh& mesh, Kokkos::View<int*>& offsets, Kokkos::View<int*>& entries) {
  Kokkos::realloc(offsets, mesh.nnodes + 1);
  Kokkos::realloc(entries, 3 * mesh.ncells);
  Kokkos::View<int*> fill("fill", mesh.nnodes);
  const auto offset = offsets, entry = entries;
  Kokkos::parallel_for(
      "mesh::count", Policy(0, mesh.ncells), KOKKOS_LAMBDA(int c) {
        for (int k = 0; k < 3; ++k) Kokkos::atomic_inc(&offset(mesh.cell_nodes(c, k)));
      });
  Kokkos::parallel_scan(
      "mesh::offsets", Policy(0, mesh.nnodes + 1), KOKKOS_LAMBDA(int n, int& upd, bool last) {
        const int count = offset(n);
        if (last) offset(n) = upd;
        upd += count;
      });
  Kokkos::parallel_for(
      "mesh::fill", Policy(0, mesh.ncells), KOKKOS_LAMBDA(int c) {
        for (int k = 0; k < 3; ++k) {
          const int n = mesh.cell_nodes(c, k);
          entry(offset(n) + Kokkos::atomic_fetch_add(&fill(n), 1)) = c;
        }
      });
}
}  // namespace mesh

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  int failed = 0;
  {
    const int n = 9;
    mesh::Mesh mesh(n);
    static_assert(mesh::is_list<decltype(mesh.nodes)>() && !mesh::is_list<decltype(mesh.faces)>());
    auto area = mesh::areas_by_faces(mesh);
    auto h_area = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), area);
    auto h_cells = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.cell_nodes);
    auto h_nodes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.nodes);
    for (int c = 0; c < mesh.ncells; ++c) {
      const auto a = h_nodes(h_cells(c, 0)), b = h_nodes(h_cells(c, 1)), d = h_nodes(h_cells(c, 2));
      if (h_area(c) != cross(b - a, d - a))
        failed = 1, std::cout << "FAILED: area of " << c << "\n";
    }
    const long total = mesh::sum_of(area);
    if (total != 2L * 16 * n * 16 * n) failed = 1, std::cout << "FAILED: area " << total << "\n";

    Kokkos::View<int*> offsets, entries;
    mesh::cells_of_nodes(mesh, offsets, entries);
    auto h_off = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), offsets);
    auto h_ent = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entries);
    std::vector<std::set<int>> around(mesh.nnodes);
    for (int c = 0; c < 3 * mesh.ncells; ++c) around[h_cells(c / 3, c % 3)].insert(c / 3);
    for (int k = 0; k < mesh.nnodes; ++k)
      if (std::set<int>(&h_ent(h_off(k)), &h_ent(h_off(k)) + (h_off(k + 1) - h_off(k))) !=
          around[k])
        failed = 1, std::cout << "FAILED: cells around node " << k << "\n";

    int most = 0;
    Kokkos::parallel_reduce(
        "most", mesh.nnodes,
        KOKKOS_LAMBDA(int k, int& upd) { upd = Kokkos::max(upd, offsets(k + 1) - offsets(k)); },
        Kokkos::Max<int>(most));
    if (most != 6) failed = 1, std::cout << "FAILED: " << most << " cells around a node\n";
    std::cout << mesh.nfaces << " faces, twice the area " << total << ", up to " << most
              << " cells around a node\n";
  }
  Kokkos::finalize();
  return failed;
}
