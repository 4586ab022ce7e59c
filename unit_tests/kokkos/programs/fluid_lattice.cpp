// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lattice Boltzmann fluid (D2Q9) in a channel: collide and stream over two copies of the nine
// populations, the layout of the Views as a template parameter, walls by bounce-back.

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define DIRECTIONS 9

// Direction q as a step (-1, 0 or 1) in x and y; q = 0 rests, q and opposite(q) are a pair.
KOKKOS_INLINE_FUNCTION int step_x(int q) {
  const int steps[DIRECTIONS] = {0, 1, -1, 0, 0, 1, -1, 1, -1};
  return steps[q];
}
KOKKOS_INLINE_FUNCTION int step_y(int q) {
  const int steps[DIRECTIONS] = {0, 0, 0, 1, -1, 1, -1, -1, 1};
  return steps[q];
}
KOKKOS_INLINE_FUNCTION int opposite(int q) {
  return q == 0 ? 0 : (q - 1) / 2 * 2 + 2 - (q - 1) % 2;
}
KOKKOS_INLINE_FUNCTION double weight(int q) { return q == 0 ? 4. / 9 : q < 5 ? 1. / 9 : 1. / 36; }

KOKKOS_INLINE_FUNCTION double equilibrium(int q, double density, double ux, double uy) {
  const double along = 3 * (step_x(q) * ux + step_y(q) * uy);
  return weight(q) * density * (1 + along + 0.5 * along * along - 1.5 * (ux * ux + uy * uy));
}

KOKKOS_INLINE_FUNCTION double start(int q, int i, int j, int nx) {
  return weight(q) * (1 + 0.05 * ((i * 5 + j * 3) % 7) / 7.0 + (i < nx / 2 ? 0.02 : 0.0));
}

// New populations of one cell from old ones: relaxation towards equilibrium and a push along x.
KOKKOS_INLINE_FUNCTION void collide(double (&f)[DIRECTIONS], double relaxation, double push) {
  double density = 0, ux = 0, uy = 0;
  for (int q = 0; q < DIRECTIONS; ++q) {
    density += f[q];
    ux += step_x(q) * f[q];
    uy += step_y(q) * f[q];
  }
  ux = ux / density + push;
  uy = uy / density;
  for (int q = 0; q < DIRECTIONS; ++q)
    f[q] += relaxation * (equilibrium(q, density, ux, uy) - f[q]);
}

template <class Layout, class Device = Kokkos::DefaultExecutionSpace>
class Fluid {
 public:
  typedef typename Device::execution_space execution_space;
  typedef Kokkos::View<double** [DIRECTIONS], Layout, Device> populations;
  typedef Kokkos::MDRangePolicy<execution_space, Kokkos::Rank<2>> cells;

  struct Fill {
    populations f;
    int nx;
    KOKKOS_INLINE_FUNCTION void operator()(int i, int j) const {
      for (int q = 0; q < DIRECTIONS; ++q) f(i, j, q) = start(q, i, j, nx);
    }
  };

  // Pulls the populations from the neighbours (periodic along x, walls along y) and collides.
  struct Step {
    typename populations::const_type from;
    populations to;
    int nx, ny;
    double relaxation, push;
    KOKKOS_INLINE_FUNCTION void operator()(int i, int j) const {
      double f[DIRECTIONS];
      for (int q = 0; q < DIRECTIONS; ++q) {
        const int si = (i - step_x(q) + nx) % nx, sj = j - step_y(q);
        f[q] = sj < 0 || sj >= ny ? from(i, j, opposite(q)) : from(si, sj, q);
      }
      collide(f, relaxation, push);
      for (int q = 0; q < DIRECTIONS; ++q) to(i, j, q) = f[q];
    }
  };

  // Mass and momentum along x in one pass: an array reduction in the old style.
  struct Sums {
    typedef double value_type[];
    typedef typename Device::execution_space execution_space;
    typename populations::const_type f;
    int ny;
    unsigned value_count;
    KOKKOS_INLINE_FUNCTION void operator()(const int k, double sums[]) const {
      for (int q = 0; q < DIRECTIONS; ++q) sums[0] += f(k / ny, k % ny, q);
      for (int q = 0; q < DIRECTIONS; ++q) sums[1] += step_x(q) * f(k / ny, k % ny, q);
    }
    KOKKOS_INLINE_FUNCTION void init(double sums[]) const {
      for (unsigned k = 0; k < value_count; ++k) sums[k] = 0;
    }
    KOKKOS_INLINE_FUNCTION void join(double sums[], const double others[]) const {
      for (unsigned k = 0; k < value_count; ++k) sums[k] += others[k];
    }
  };

  Fluid(int nx, int ny) : nx_(nx), ny_(ny), now_("now", nx, ny), next_("next", nx, ny) {
    Kokkos::parallel_for("fill", cells({{0, 0}}, {{nx, ny}}), Fill{now_, nx});
  }

  void advance(int steps, double relaxation, double push) {
    for (int s = 0; s < steps; ++s) {
      const Step step = {now_, next_, nx_, ny_, relaxation, push};
      Kokkos::parallel_for("step", cells({{0, 0}}, {{nx_, ny_}}), step);
      std::swap(now_, next_);
    }
  }

  void sums(double (&result)[2]) const {
    const Sums functor = {now_, ny_, 2};
    Kokkos::parallel_reduce("sums", nx_ * ny_, functor, result);
  }

  populations now() const { return now_; }

 private:
  int nx_, ny_;
  populations now_, next_;
};

static int failures = 0;

static void check(bool ok, const char* layout, const char* what) {
  if (ok) return;
  std::printf("FAILED: %s, %s\n", layout, what);
  ++failures;
}

static const int nx = 26, ny = 14, steps = 30;
static const double relaxation = 1.2, push = 1e-3;

template <class Layout>
void run(const char* name, const std::vector<double>& expected) {
  Fluid<Layout> fluid(nx, ny);
  double before[2], after[2], expected_sums[2] = {0, 0};
  fluid.sums(before);
  fluid.advance(steps, relaxation, push);
  fluid.sums(after);
  auto f = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), fluid.now());
  double difference = 0;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int q = 0; q < DIRECTIONS; ++q) {
        const double value = expected[(i * ny + j) * DIRECTIONS + q];
        difference = std::fmax(difference, std::abs(f(i, j, q) - value));
        expected_sums[0] += value;
        expected_sums[1] += step_x(q) * value;
      }
  // The same operations on values below one; only fused operations may round differently.
  check(difference < 1e-13, name, "populations");
  // Sums of some 3000 such values in any order.
  check(std::abs(after[0] - expected_sums[0]) < 1e-10, name, "mass");
  check(std::abs(after[1] - expected_sums[1]) < 1e-10, name, "momentum");
  check(std::abs(after[0] - before[0]) < 1e-10, name, "conservation of mass");
  check(after[1] > before[1] + 1.0, name, "the push has set the fluid in motion");

  // One cell of the device, through a subview with this layout's strides.
  auto cell = Kokkos::subview(fluid.now(), nx / 2, ny / 2, Kokkos::ALL());
  double density = 0;
  Kokkos::parallel_reduce(
      "cell", DIRECTIONS, KOKKOS_LAMBDA(const int q, double& sum) { sum += cell(q); }, density);
  double expected_density = 0;
  for (int q = 0; q < DIRECTIONS; ++q) expected_density += f(nx / 2, ny / 2, q);
  check(std::abs(density - expected_density) < 1e-13, name, "density of a cell");
  std::printf("%s: mass %.6f, momentum %.6f, middle %.6f\n", name, after[0], after[1], density);
}

int main(int argc, char* argv[]) {
  std::vector<double> f(nx * ny * DIRECTIONS), to(f.size());
  auto at = [](int i, int j, int q) { return (i * ny + j) * DIRECTIONS + q; };
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int q = 0; q < DIRECTIONS; ++q) f[at(i, j, q)] = start(q, i, j, nx);
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < ny; ++j) {
        double cell[DIRECTIONS];
        for (int q = 0; q < DIRECTIONS; ++q) {
          const int sj = j - step_y(q);
          cell[q] = sj < 0 || sj >= ny ? f[at(i, j, opposite(q))]
                                       : f[at((i - step_x(q) + nx) % nx, sj, q)];
        }
        collide(cell, relaxation, push);
        for (int q = 0; q < DIRECTIONS; ++q) to[at(i, j, q)] = cell[q];
      }
    f.swap(to);
  }

  Kokkos::initialize(argc, argv);
  run<Kokkos::LayoutLeft>("LayoutLeft", f);
  run<Kokkos::LayoutRight>("LayoutRight", f);
  Kokkos::finalize();
  if (failures == 0) std::printf("all checks passed\n");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
