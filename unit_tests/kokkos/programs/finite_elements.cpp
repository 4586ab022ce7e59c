// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hexahedral finite elements: element arrays gathered into a View<double*[8][3]>, a lumped mass and
// a matrix-free Laplace operator scattered to the nodes with atomics.
#include <Kokkos_Core.hpp>

namespace fem {
enum { ElemNodeCount = 8, SpatialDim = 3, QuadCount = 8 };

template <class Scalar, class Device>
struct FixtureMesh {
  using elem_node_type = Kokkos::View<int* [ElemNodeCount], Device>;
  using node_coord_type = Kokkos::View<Scalar* [SpatialDim], Device>;
  using elem_coord_type = Kokkos::View<Scalar* [ElemNodeCount][SpatialDim], Device>;
  using node_value_type = Kokkos::View<Scalar*, Device>;

  static constexpr int nx = 4, ny = 3, nz = 3;
  elem_node_type elem_node_ids;
  node_coord_type node_coords;
  elem_coord_type elem_coords;

  FixtureMesh()
      : elem_node_ids("elem_node_ids", nx * ny * nz),
        node_coords("node_coords", (nx + 1) * (ny + 1) * (nz + 1)),
        elem_coords("elem_coords", nx * ny * nz) {
    static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    auto h_ids = Kokkos::create_mirror_view(elem_node_ids);
    auto h_coords = Kokkos::create_mirror_view(node_coords);
    for (int k = 0, n = 0; k <= nz; ++k)
      for (int j = 0; j <= ny; ++j)
        for (int i = 0; i <= nx; ++i, ++n) {
          const double shift = on_surface(i, j, k) ? 0.0 : ((i * 7 + j * 3 + k * 5) % 5 - 2) / 32.0;
          h_coords(n, 0) = 0.5 * i + shift;
          h_coords(n, 1) = 0.5 * j - shift;
          h_coords(n, 2) = 0.5 * k + shift / 2;
        }
    for (int k = 0, e = 0; k < nz; ++k)
      for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i, ++e)
          for (int c = 0; c < ElemNodeCount; ++c)
            h_ids(e, c) =
                i + corner[c][0] + (nx + 1) * (j + corner[c][1] + (ny + 1) * (k + corner[c][2]));
    Kokkos::deep_copy(elem_node_ids, h_ids);
    Kokkos::deep_copy(node_coords, h_coords);
  }
  bool on_surface(int i, int j, int k) const { return i % nx == 0 || j % ny == 0 || k % nz == 0; }
};

template <class Mesh>
struct Laplace {
  struct TagMass {};
  struct TagApply {};
  double sign[ElemNodeCount][SpatialDim] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                            {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  typename Mesh::elem_node_type elem_node_ids;
  typename Mesh::elem_coord_type elem_coords;
  typename Mesh::node_value_type x, y, mass;

  // gradients of the eight shape functions at point p; returns the determinant of the Jacobian
  KOKKOS_INLINE_FUNCTION double gradients(const int e, const double (&p)[3],
                                          double (&grad)[ElemNodeCount][SpatialDim]) const {
    double dn[ElemNodeCount][SpatialDim], J[3][3] = {}, inv[3][3];
    for (int n = 0; n < ElemNodeCount; ++n) {
      const double f0 = 1 + sign[n][0] * p[0];
      const double f1 = 1 + sign[n][1] * p[1];
      const double f2 = 1 + sign[n][2] * p[2];
      dn[n][0] = 0.125 * sign[n][0] * f1 * f2;
      dn[n][1] = 0.125 * sign[n][1] * f0 * f2;
      dn[n][2] = 0.125 * sign[n][2] * f0 * f1;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) J[r][c] += dn[n][r] * elem_coords(e, n, c);
    }
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) {
        const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
        inv[c][r] = J[r1][c1] * J[r2][c2] - J[r1][c2] * J[r2][c1];
      }
    const double det = J[0][0] * inv[0][0] + J[0][1] * inv[1][0] + J[0][2] * inv[2][0];
    for (int n = 0; n < ElemNodeCount; ++n)
      for (int d = 0; d < SpatialDim; ++d)
        grad[n][d] = (inv[d][0] * dn[n][0] + inv[d][1] * dn[n][1] + inv[d][2] * dn[n][2]) / det;
    return det;
  }
  KOKKOS_INLINE_FUNCTION void operator()(TagMass, const int e, double& volume) const {
    double grad[ElemNodeCount][SpatialDim];
    const double det = gradients(e, {0, 0, 0}, grad);
    for (int n = 0; n < ElemNodeCount; ++n) Kokkos::atomic_add(&mass(elem_node_ids(e, n)), det);
    volume += 8 * det;
  }
  KOKKOS_INLINE_FUNCTION void operator()(const TagApply&, const int e) const {
    double ye[ElemNodeCount] = {}, grad[ElemNodeCount][SpatialDim];
    const double g = 1 / Kokkos::sqrt(3.0);
    for (int q = 0; q < QuadCount; ++q) {
      const double det = gradients(e, {sign[q][0] * g, sign[q][1] * g, sign[q][2] * g}, grad);
      for (int d = 0; d < SpatialDim; ++d) {
        double du = 0;
        for (int n = 0; n < ElemNodeCount; ++n) du += grad[n][d] * x(elem_node_ids(e, n));
        for (int n = 0; n < ElemNodeCount; ++n) ye[n] += det * du * grad[n][d];
      }
    }
    for (int n = 0; n < ElemNodeCount; ++n) Kokkos::atomic_add(&y(elem_node_ids(e, n)), ye[n]);
  }
};
}  // namespace fem

template <class Device>
int driver() {
  using Mesh = fem::FixtureMesh<double, Device>;
  using Operator = fem::Laplace<Mesh>;
  using ES = typename Device::execution_space;
  Mesh mesh;
  const int nelem = mesh.elem_coords.extent(0), nnode = mesh.node_coords.extent(0);
  const auto ids = mesh.elem_node_ids;
  const typename Mesh::node_coord_type::const_type coords = mesh.node_coords;
  const auto elem_coords = mesh.elem_coords;
  Kokkos::parallel_for(
      "gather", Kokkos::RangePolicy<ES>(0, nelem), KOKKOS_LAMBDA(const int ielem) {
        for (int n = 0; n < fem::ElemNodeCount; ++n)
          for (int d = 0; d < fem::SpatialDim; ++d)
            elem_coords(ielem, n, d) = coords(ids(ielem, n), d);
      });
  Operator op;
  op.elem_node_ids = mesh.elem_node_ids;
  op.elem_coords = mesh.elem_coords;
  op.x = typename Mesh::node_value_type("x", nnode);
  op.y = typename Mesh::node_value_type("y", nnode);
  op.mass = typename Mesh::node_value_type("mass", nnode);
  auto h_x = Kokkos::create_mirror_view(op.x);
  auto h_c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.node_coords);
  for (int n = 0; n < nnode; ++n) h_x(n) = 1 + 2 * h_c(n, 0) - 3 * h_c(n, 1) + 0.5 * h_c(n, 2);
  Kokkos::deep_copy(op.x, h_x);
  double volume = 0;
  Kokkos::parallel_reduce("mass", Kokkos::RangePolicy<ES, typename Operator::TagMass>(0, nelem), op,
                          volume);
  Kokkos::parallel_for("apply", Kokkos::RangePolicy<ES, typename Operator::TagApply>(0, nelem), op);
  auto h_y = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), op.y);
  auto h_mass = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), op.mass);
  auto h_ids = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mesh.elem_node_ids);

  // Coordinates are multiples of 1/64, so the masses are exact; the mean edge vectors span a cell.
  std::vector<double> mass(nnode, 0.0);
  for (int e = 0; e < nelem; ++e) {
    double edge[3][3];
    for (int d = 0; d < 3; ++d) {
      auto c = [&](int n) { return h_c(h_ids(e, n), d); };
      edge[0][d] = (c(1) - c(0) + c(2) - c(3) + c(5) - c(4) + c(6) - c(7)) / 8;
      edge[1][d] = (c(3) - c(0) + c(2) - c(1) + c(7) - c(4) + c(6) - c(5)) / 8;
      edge[2][d] = (c(4) - c(0) + c(5) - c(1) + c(6) - c(2) + c(7) - c(3)) / 8;
    }
    const double det = edge[0][0] * (edge[1][1] * edge[2][2] - edge[1][2] * edge[2][1]) -
                       edge[0][1] * (edge[1][0] * edge[2][2] - edge[1][2] * edge[2][0]) +
                       edge[0][2] * (edge[1][0] * edge[2][1] - edge[1][1] * edge[2][0]);
    for (int n = 0; n < 8; ++n) mass[h_ids(e, n)] += det;
  }
  const double h_volume = std::accumulate(mass.begin(), mass.end(), 0.0);
  int bad_mass = 0, bad_interior = 0, n = 0;
  double energy = 0;
  for (int k = 0; k <= mesh.nz; ++k)
    for (int j = 0; j <= mesh.ny; ++j)
      for (int i = 0; i <= mesh.nx; ++i, ++n) {
        bad_mass += h_mass(n) != mass[n];
        // Patch test: the field is linear, its Laplacian vanishes inside except for rounding.
        if (!mesh.on_surface(i, j, k)) bad_interior += !(std::abs(h_y(n)) < 1e-13);
        energy += h_x(n) * h_y(n);
      }
  // The squared gradient 4 + 9 + 1/4 times the volume of the box 2 x 1.5 x 1.5, within rounding.
  const bool good_energy = std::abs(energy - 13.25 * 4.5) < 1e-11;
  if (bad_mass) std::printf("FAILED: lumped mass at %d nodes\n", bad_mass);
  if (volume != h_volume) std::printf("FAILED: volume %.17g, not %.17g\n", volume, h_volume);
  if (bad_interior) std::printf("FAILED: patch test at %d nodes\n", bad_interior);
  if (!good_energy) std::printf("FAILED: energy %.17g\n", energy);
  std::printf("%d elements, %d nodes: volume %.6f energy %.6f\n", nelem, nnode, volume, energy);
  return bad_mass || volume != h_volume || bad_interior || !good_energy;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard scope(argc, argv);
  return driver<Kokkos::DefaultExecutionSpace::device_type>();
}
