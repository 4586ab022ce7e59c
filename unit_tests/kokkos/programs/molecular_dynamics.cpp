// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lennard-Jones particles in a periodic box: neighbour lists built by cells, forces from half
// lists with atomics and from full lists without; structs of Views and a lambda of a class.

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

using x_type = Kokkos::View<double* [3]>;
using list_type = Kokkos::View<int**>;
using count_type = Kokkos::View<int*>;
constexpr double cutoff = 2.0;
constexpr int most_in_cell = 48, most_neighbours = 128;

KOKKOS_INLINE_FUNCTION double nearest(double d, double box) {
  return d > 0.5 * box ? d - box : d < -0.5 * box ? d + box : d;
}

// Force over distance of a pair at the squared distance r2, and its energy (zero at the cutoff).
KOKKOS_INLINE_FUNCTION double pair_force(double r2, double& energy) {
  const double s2 = 1.0 / r2, s6 = s2 * s2 * s2;
  const double c2 = 1.0 / (cutoff * cutoff), c6 = c2 * c2 * c2;
  energy = 4.0 * (s6 * s6 - s6) - 4.0 * (c6 * c6 - c6);
  return 24.0 * s2 * (2.0 * s6 * s6 - s6);
}

struct System {
  int n;
  double box;
  x_type x, f;
};

// The vector from j to the nearest image of i, and its squared length.
KOKKOS_INLINE_FUNCTION double distance(const System& s, int i, int j, double* delta) {
  for (int d = 0; d < 3; ++d) delta[d] = nearest(s.x(i, d) - s.x(j, d), s.box);
  return delta[0] * delta[0] + delta[1] * delta[1] + delta[2] * delta[2];
}

// Lists of the particles within the cutoff: with the later ones only (half) or with all (full).
class Neighbours {
 public:
  count_type count;
  list_type list;
  bool half;

  Neighbours(const System& s, bool half_)
      : count("neighbours of", s.n), list("neighbours", s.n, most_neighbours), half(half_), s_(s) {
    build();
  }

  void build() {
    const int side = static_cast<int>(s_.box / cutoff);
    const double scale = side / s_.box;
    const count_type in_cell("in cell", side * side * side), cell_of("cell of", s_.n);
    const list_type members("members", side * side * side, most_in_cell);
    Kokkos::parallel_for(
        "bin", s_.n, KOKKOS_CLASS_LAMBDA(const int i) {
          int cell = 0;
          for (int d = 0; d < 3; ++d)
            cell = cell * side + Kokkos::min(static_cast<int>(s_.x(i, d) * scale), side - 1);
          cell_of(i) = cell;
          const int place = Kokkos::atomic_fetch_add(&in_cell(cell), 1);
          if (place >= most_in_cell) Kokkos::abort("too many particles in a cell");
          members(cell, place) = i;
        });
    Kokkos::parallel_for(
        "list", s_.n, KOKKOS_CLASS_LAMBDA(const int i) {
          const int cell = cell_of(i);
          const int cx = cell / (side * side), cy = cell / side % side, cz = cell % side;
          for (int k = 0; k < 27; ++k) {
            const int ox = (cx + k / 9 - 1 + side) % side;
            const int oy = (cy + k / 3 % 3 - 1 + side) % side;
            const int oz = (cz + k % 3 - 1 + side) % side;
            const int c = (ox * side + oy) * side + oz;
            for (int m = 0; m < in_cell(c); ++m) add_if_near(i, members(c, m));
          }
        });
  }

  KOKKOS_FUNCTION void add_if_near(int i, int j) const {
    if (j == i || (half && j < i)) return;
    double delta[3];
    if (distance(s_, i, j, delta) >= cutoff * cutoff) return;
    if (count(i) >= most_neighbours) Kokkos::abort("too many neighbours");
    list(i, count(i)++) = j;
  }

 private:
  System s_;
};

// Both kinds of lists with one class; the tag chooses the operator.
class Force {
 public:
  struct Half {};
  struct Full {};

  Force(const System& s, const Neighbours& neighbours) : s_(s), neighbours_(neighbours) {}

  double compute() const {
    Kokkos::deep_copy(s_.f, 0.0);
    double energy = 0;
    Kokkos::RangePolicy<Half> half(0, s_.n);
    Kokkos::RangePolicy<Full> full(0, s_.n);
    if (neighbours_.half) Kokkos::parallel_reduce("half lists", half, *this, energy);
    if (!neighbours_.half) Kokkos::parallel_reduce("full lists", full, *this, energy);
    return energy;
  }

  KOKKOS_INLINE_FUNCTION void operator()(Half, const int i, double& energy) const {
    double own[3] = {0, 0, 0};
    for (int k = 0; k < neighbours_.count(i); ++k) {
      const int j = neighbours_.list(i, k);
      double delta[3], pair_energy = 0;
      const double force = pair_force(distance(s_, i, j, delta), pair_energy);
      energy += pair_energy;
      for (int d = 0; d < 3; ++d) {
        own[d] += force * delta[d];
        Kokkos::atomic_add(&s_.f(j, d), -force * delta[d]);
      }
    }
    for (int d = 0; d < 3; ++d) Kokkos::atomic_add(&s_.f(i, d), own[d]);
  }

  KOKKOS_INLINE_FUNCTION void operator()(Full, const int i, double& energy) const {
    for (int k = 0; k < neighbours_.count(i); ++k) {
      double delta[3], pair_energy = 0;
      const double force = pair_force(distance(s_, i, neighbours_.list(i, k), delta), pair_energy);
      energy += 0.5 * pair_energy;
      for (int d = 0; d < 3; ++d) s_.f(i, d) += force * delta[d];
    }
  }

 private:
  System s_;
  Neighbours neighbours_;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  const int side = 8;  // a simple cubic lattice, jittered
  const double spacing = 1.1;
  System s = {side * side * side, side * spacing, {}, {}};
  s.x = x_type("x", s.n);
  s.f = x_type("f", s.n);
  auto x = Kokkos::create_mirror_view(s.x);
  unsigned seed = 12345;
  for (int i = 0; i < s.n; ++i) {
    const int place[3] = {i / (side * side), i / side % side, i % side};
    for (int d = 0; d < 3; ++d, seed = seed * 1664525u + 1013904223u)
      x(i, d) = spacing * (place[d] + 0.5) + 0.1 * ((seed >> 8) / 16777216.0 - 0.5);
  }
  Kokkos::deep_copy(s.x, x);

  std::vector<double> force(3 * s.n, 0.0);
  double energy = 0;
  int pairs = 0;
  for (int i = 0; i < s.n; ++i) {
    for (int j = i + 1; j < s.n; ++j) {
      double delta[3], pair_energy = 0;
      for (int d = 0; d < 3; ++d) delta[d] = nearest(x(i, d) - x(j, d), s.box);
      const double r2 = delta[0] * delta[0] + delta[1] * delta[1] + delta[2] * delta[2];
      if (r2 >= cutoff * cutoff) continue;
      const double f = pair_force(r2, pair_energy);
      energy += pair_energy;
      ++pairs;
      for (int d = 0; d < 3; ++d) {
        force[3 * i + d] += f * delta[d];
        force[3 * j + d] -= f * delta[d];
      }
    }
  }

  bool ok = true;
  auto check = [&ok](bool passed, const char* what) {
    if (!passed) std::printf("FAILED: %s\n", what);
    ok &= passed;
  };
  for (const bool half : {true, false}) {
    const Neighbours neighbours(s, half);
    const double found = Force(s, neighbours).compute();
    auto f = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), s.f);
    auto count = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), neighbours.count);
    int listed = 0;
    double difference = 0;
    for (int i = 0; i < s.n; ++i) {
      listed += count(i);
      for (int d = 0; d < 3; ++d)
        difference = std::fmax(difference, std::abs(f(i, d) - force[3 * i + d]));
    }
    check(listed == (half ? pairs : 2 * pairs), "number of neighbours");
    // Sums of 50 terms up to 30 and 7000 up to 1, in any order: 1000 times their rounding.
    check(difference < 1e-9, half ? "forces of half lists" : "forces of full lists");
    check(std::abs(found - energy) < 1e-8, half ? "energy, half" : "energy, full");
    std::printf("%s lists: %d neighbours, energy %.6f\n", half ? "half" : "full", listed, found);
  }
  if (ok) std::printf("all checks passed\n");
  return ok ? 0 : 1;
}
