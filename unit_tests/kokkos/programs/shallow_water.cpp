// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shallow water on a torus by a lattice of nine velocities: populations as View<double*[9]>,
// velocities of the lattice as rows of an array type, copies between element types that are only
// assignable, atomic parts of Views, DualViews by value, and fences of the space.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

#include <cmath>
#include <cstdio>
#include <type_traits>
#include <vector>

using exec_space = Kokkos::DefaultExecutionSpace;
using host_space = Kokkos::DefaultHostExecutionSpace;
constexpr int Q = 9, nx = 32, ny = 20;
constexpr double gravity = 0.1, tau = 0.8;

using populations = Kokkos::View<double* [9]>;
using row = double[3];  // depth and both momenta
using moments = Kokkos::View<row*>;
static_assert(moments::rank() == 2 && std::is_same_v<moments::value_type, double>);
using step_type = int[2];
using velocities = Kokkos::View<step_type*>;

// The element of a gauge: metres, in a class to which numbers can be assigned.
struct Level {
  float metres = -1;
  KOKKOS_DEFAULTED_FUNCTION Level() = default;
  KOKKOS_FUNCTION Level& operator=(const double value) {
    metres = static_cast<float>(value);
    return *this;
  }
};

// The depth at the start: a hump on still water.
KOKKOS_INLINE_FUNCTION double start_depth(const int x, const int y) {
  const int r2 = (x - 12) * (x - 12) + (y - 8) * (y - 8);
  return r2 < 25 ? 1.2 - 0.008 * r2 : 1.0;
}

// The equilibrium of a direction with the velocity e at depth h and momentum (hu, hv).
KOKKOS_INLINE_FUNCTION double equilibrium(const int ex, const int ey, const double h,
                                          const double hu, const double hv) {
  const double u = hu / h, v = hv / h, eu = ex * u + ey * v, uu = u * u + v * v;
  if (ex == 0 && ey == 0) return h - 5 * gravity * h * h / 6 - 2 * h * uu / 3;
  const double weight = ex * ey == 0 ? 1.0 : 0.25;
  return weight * (gravity * h * h / 6 + h * eu / 3 + h * eu * eu / 2 - h * uu / 6);
}

class Lattice {
 public:
  populations f, next;
  moments m;
  velocities e;
  int nx_, ny_;

  Lattice(const int width, const int height)
      : f("f", width * height),
        next("next", width * height),
        m("moments", width * height),
        e("e", Q),
        nx_(width),
        ny_(height) {
    const auto host = Kokkos::create_mirror_view(e);
    for (int q = 0; q < Q; ++q) host(q, 0) = q % 3 - 1, host(q, 1) = q / 3 - 1;
    Kokkos::deep_copy(e, host);
  }

  void start() const {
    const auto lattice = *this;
    Kokkos::parallel_for(
        "start", nx_ * ny_, KOKKOS_LAMBDA(const int c) {
          const double h = start_depth(c % lattice.nx_, c / lattice.nx_);
          for (int q = 0; q < Q; ++q)
            lattice.f(c, q) = equilibrium(lattice.e(q, 0), lattice.e(q, 1), h, 0, 0);
        });
    exec_space().fence();
  }

  // Moves and collides; each cell pulls the populations that arrive.
  void step() {
    const auto lattice = *this;
    Kokkos::parallel_for(
        "step", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {nx_, ny_}),
        KOKKOS_LAMBDA(const int x, const int y) {
          const int n0 = lattice.nx_, n1 = lattice.ny_, at = x + n0 * y;
          double in[Q], sum[3] = {0, 0, 0};
          for (int q = 0; q < Q; ++q) {
            const int ex = lattice.e(q, 0), ey = lattice.e(q, 1);
            in[q] = lattice.f((x - ex + n0) % n0 + n0 * ((y - ey + n1) % n1), q);
            sum[0] += in[q];
            sum[1] += ex * in[q];
            sum[2] += ey * in[q];
          }
          for (int q = 0; q < Q; ++q) {
            const double to = equilibrium(lattice.e(q, 0), lattice.e(q, 1), sum[0], sum[1], sum[2]);
            lattice.next(at, q) = in[q] + (to - in[q]) / tau;
          }
          for (int k = 0; k < 3; ++k) lattice.m(at, k) = sum[k];
        });
    Kokkos::kokkos_swap(f, next);
  }
};

// Columns of cells are added up through an atomic part of the View of sums.
static Kokkos::View<double**> sums_of_columns(const Lattice& lattice) {
  Kokkos::View<double**> sums("sums", 3, lattice.nx_);
  const auto m = lattice.m;
  const int n = lattice.nx_;
  for (int k = 0; k < 3; ++k) {
    auto of = Kokkos::subview<Kokkos::MemoryTraits<Kokkos::Atomic>>(sums, k, Kokkos::ALL);
    static_assert(decltype(of)::rank() == 1);
    Kokkos::parallel_for(
        "columns", m.extent(0), KOKKOS_LAMBDA(const int c) { of(c % n) += m(c, k); });
  }
  exec_space().fence("sums");
  return sums;
}

// Gauges: a DualView whose sides are selected by space or by the type of View, and returned by
// value.
class Gauges {
 public:
  using dual_type = Kokkos::DualView<double*>;
  dual_type depth;
  Kokkos::View<Level*> levels;

  explicit Gauges(const int n) : depth("depth at gauges", n), levels("levels", n) {}

  void read(const Lattice& lattice) {
    using view_type = decltype(depth.view<exec_space>());
    static_assert(!std::is_reference_v<view_type>, "a View, not a reference");
    const view_type d = depth.view<exec_space>();
    const auto m = lattice.m;
    const int n = lattice.nx_;
    Kokkos::parallel_for(
        "gauges", d.extent(0), KOKKOS_LAMBDA(const int i) { d(i) = m(3 * i + n * i, 0); });
    depth.modify<dual_type::t_dev>();
    depth.sync<dual_type::t_host>();
    Kokkos::deep_copy(levels, d);  // assigns doubles to Levels
  }
  double mean() {
    const auto h = depth.view<host_space::memory_space>();
    double sum = 0;
    for (int i = 0; i < h.extent_int(0); ++i) sum += h(i);
    return sum / h.extent_int(0);
  }
};

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  int failures = 0;
  {
    auto check = [&](const char* what, const double error) {
      if (error < 1e-12) return;
      std::printf("FAILED: %s differs by %g\n", what, error);
      ++failures;
    };
    const int steps = 30;
    // The same in plain loops.
    std::vector<double> f(nx * ny * Q), next(f.size()), m(nx * ny * 3);
    for (int c = 0; c < nx * ny; ++c)
      for (int q = 0; q < Q; ++q)
        f[c * Q + q] = equilibrium(q % 3 - 1, q / 3 - 1, start_depth(c % nx, c / nx), 0, 0);
    for (int s = 0; s < steps; ++s) {
      for (int c = 0; c < nx * ny; ++c) {
        double in[Q], sum[3] = {0, 0, 0};
        for (int q = 0; q < Q; ++q) {
          const int ex = q % 3 - 1, ey = q / 3 - 1;
          in[q] = f[((c % nx - ex + nx) % nx + nx * ((c / nx - ey + ny) % ny)) * Q + q];
          sum[0] += in[q], sum[1] += ex * in[q], sum[2] += ey * in[q];
        }
        for (int q = 0; q < Q; ++q)
          next[c * Q + q] =
              in[q] + (equilibrium(q % 3 - 1, q / 3 - 1, sum[0], sum[1], sum[2]) - in[q]) / tau;
        for (int k = 0; k < 3; ++k) m[3 * c + k] = sum[k];
      }
      f.swap(next);
    }

    Lattice lattice(nx, ny);
    lattice.start();
    Gauges gauges(8);
    gauges.levels = Kokkos::View<Level*>("levels again", 8);
    for (int s = 0; s < steps; ++s) lattice.step();
    gauges.read(lattice);

    const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lattice.m);
    const auto level = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), gauges.levels);
    double error = 0, volume = 0, most = 0, energy = 0, mean = 0;
    for (int c = 0; c < nx * ny; ++c) {
      for (int k = 0; k < 3; ++k) error = std::fmax(error, std::fabs(found(c, k) - m[3 * c + k]));
      volume += found(c, 0);
      most = std::fmax(most, found(c, 0));
      energy += 0.5 * (found(c, 1) * found(c, 1) + found(c, 2) * found(c, 2)) / found(c, 0);
    }
    check("moments", error);
    const auto sums =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums_of_columns(lattice));
    error = 0;
    for (int x = 0; x < nx; ++x)
      for (int k = 0; k < 3; ++k) {
        double sum = 0;
        for (int y = 0; y < ny; ++y) sum += m[3 * (x + nx * y) + k];
        error = std::fmax(error, std::fabs(sums(k, x) - sum) / 10);
      }
    check("sums of columns", error);
    error = 0;
    for (int i = 0; i < 8; ++i) {
      const double expected = m[3 * (3 * i + nx * i)];
      mean += expected / 8;
      check("level", level(i).metres == static_cast<float>(found(3 * i + nx * i, 0)) ? 0 : 1);
      error = std::fmax(error, std::fabs(gauges.depth.view_host()(i) - expected));
    }
    check("gauges", error);
    check("mean of the gauges", std::fabs(gauges.mean() - mean));
    std::printf("volume %.6f, highest %.5f, energy %.6f\n", volume, most, energy);
    std::printf("shape of the moments: %d x %d\n", lattice.m.extent_int(0),
                lattice.m.extent_int(1));
  }
  Kokkos::finalize();
  if (failures == 0) std::printf("all checks passed\n");
  return failures;
}
