// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Molecular dynamics of Lennard-Jones atoms as in large codes: atoms in DualViews that grow by a
// factor, a sorter and its bins as members that are filled later, neighbour lists that are rebuilt
// if they overflow, forces of half lists through a ScatterView.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_Sort.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

typedef Kokkos::DefaultExecutionSpace device_type;
typedef Kokkos::DefaultHostExecutionSpace host_type;
typedef Kokkos::DualView<double* [3], Kokkos::LayoutRight, device_type> tdual_x;
typedef Kokkos::DualView<int*, device_type> tdual_int;
typedef Kokkos::DualView<int, device_type> tdual_int_scalar;
typedef tdual_x::t_dev x_array;
typedef Kokkos::View<const double* [3], Kokkos::LayoutRight, device_type> x_array_const;
typedef Kokkos::View<int**, device_type> neighbor_array;

constexpr double cutoff = 2.0, skin = 0.3, dt = 0.004;

// Force over distance of a pair at the squared distance r2; its energy is zero at the cutoff.
KOKKOS_INLINE_FUNCTION double pair_force(const double r2, double& energy) {
  const double s2 = 1.0 / r2, s6 = s2 * s2 * s2;
  const double c2 = 1.0 / (cutoff * cutoff), c6 = c2 * c2 * c2;
  energy = 4.0 * (s6 * s6 - s6) - 4.0 * (c6 * c6 - c6);
  return 24.0 * s2 * (2.0 * s6 * s6 - s6);
}

KOKKOS_INLINE_FUNCTION double nearest(const double d, const double box) {
  return d > 0.5 * box ? d - box : d < -0.5 * box ? d + box : d;
}

class AtomVec {
 public:
  tdual_x k_x, k_v, k_f;
  tdual_int k_id;
  int nlocal = 0, nmax = 0;

  void grow(const int n) {
    if (n <= nmax) return;
    nmax = static_cast<int>(n * 1.1);
    k_x.resize(n * 1.1);
    Kokkos::resize(k_v, n * 1.1);
    k_f = tdual_x("atom:f", n * 1.1);
    Kokkos::resize(k_id, n * 1.1);
    k_x.sync<host_type>();
    k_v.sync<host_type>();
    k_id.sync<host_type>();
  }
  void add(const double x, const double y, const double z) {
    grow(nlocal + 1);
    const double at[3] = {x, y, z};
    for (int d = 0; d < 3; ++d) {
      k_x.h_view(nlocal, d) = at[d];
      k_v.h_view(nlocal, d) = ((nlocal * 7 + d * 13) % 17 - 8) * 0.1;
    }
    k_id.h_view(nlocal) = nlocal;
    ++nlocal;
    k_x.modify<host_type>();
    k_v.modify<host_type>();
    k_id.modify<host_type>();
  }
};

// The atoms in the order of their bins.
class Binning {
 public:
  typedef Kokkos::BinOp3D<x_array_const> binop_type;
  typedef Kokkos::BinSort<x_array_const, binop_type> sorter_type;
  int nbins = 0;

  void sort(AtomVec& atom, const double box) {
    nbins = static_cast<int>(box / (cutoff + skin));
    int n[3] = {nbins, nbins, nbins};
    double low[3] = {0, 0, 0}, high[3] = {box, box, box};
    const x_array x = atom.k_x.view<device_type>(), v = atom.k_v.view<device_type>();
    const auto id = atom.k_id.view<device_type>();
    binop = binop_type(n, low, high);
    sorter = sorter_type(x_array_const(x), 0, atom.nlocal, binop, false);
    sorter.create_permute_vector();
    sorter.sort(x, 0, atom.nlocal);
    sorter.sort(v, 0, atom.nlocal);
    sorter.sort(id, 0, atom.nlocal);
    atom.k_x.modify<device_type>();
    atom.k_v.modify<device_type>();
    atom.k_id.modify<device_type>();
  }
  sorter_type::bin_count_type count() const { return sorter.get_bin_count(); }
  sorter_type::offset_type offset() const { return sorter.get_bin_offsets(); }

 private:
  sorter_type sorter;
  binop_type binop;
};

class NeighborHalf {
 public:
  struct TagBuild {};
  tdual_int_scalar k_resize, k_most;
  Kokkos::View<int*, device_type> numneigh;
  neighbor_array neighbors;
  x_array_const x;
  Binning::sorter_type::bin_count_type count;
  Binning::sorter_type::offset_type offset;
  int maxneighs = 10, rebuilt = 0, nbins = 0;
  double box = 0;

  NeighborHalf() : k_resize("neighbor:resize"), k_most("neighbor:most") {}

  void build(const AtomVec& atom, const Binning& bins, const double box_) {
    box = box_;
    nbins = bins.nbins;
    x = atom.k_x.view<device_type>();
    count = bins.count();
    offset = bins.offset();
    if (numneigh.extent_int(0) < atom.nlocal) Kokkos::realloc(numneigh, atom.nlocal * 1.2);
    do {
      Kokkos::realloc(neighbors, atom.nlocal * 1.1, maxneighs);
      k_resize.h_view() = 0;
      k_most.h_view() = 0;
      k_resize.modify<host_type>();
      k_most.modify<host_type>();
      k_resize.sync<device_type>();
      k_most.sync<device_type>();
      Kokkos::parallel_for("build", Kokkos::RangePolicy<device_type, TagBuild>(0, atom.nlocal),
                           *this);
      k_resize.modify<device_type>();
      k_most.modify<device_type>();
      k_resize.sync<host_type>();
      k_most.sync<host_type>();
      if (k_resize.h_view()) {
        maxneighs = static_cast<int>(k_most.h_view() * 1.2);
        ++rebuilt;
      }
    } while (k_resize.h_view());
  }

  KOKKOS_FUNCTION void operator()(TagBuild, const int i) const {
    int n = 0, at[3];
    for (int d = 0; d < 3; ++d) at[d] = static_cast<int>(nbins / box * x(i, d));
    for (int k = 0; k < 27; ++k) {
      const int bx = (at[0] + k / 9 + nbins - 1) % nbins;
      const int by = (at[1] + k / 3 % 3 + nbins - 1) % nbins;
      const int bz = (at[2] + k % 3 + nbins - 1) % nbins;
      const int bin = (bx * nbins + by) * nbins + bz;
      const int first = static_cast<int>(offset(bin)), last = first + static_cast<int>(count(bin));
      for (int j = first; j < last; ++j) {
        if (j <= i) continue;
        double r2 = 0;
        for (int d = 0; d < 3; ++d) {
          const double delta = nearest(x(i, d) - x(j, d), box);
          r2 += delta * delta;
        }
        if (r2 > (cutoff + skin) * (cutoff + skin)) continue;
        if (n < maxneighs) neighbors(i, n) = j;
        ++n;
      }
    }
    numneigh(i) = n;
    if (n > maxneighs) {
      Kokkos::atomic_store(&k_resize.d_view(), 1);
      Kokkos::atomic_max(&k_most.d_view(), n);
    }
  }
};

double compute_forces(const AtomVec& atom, const NeighborHalf& list) {
  const x_array_const x = atom.k_x.view<device_type>();
  const x_array f = atom.k_f.view<device_type>();
  const auto numneigh = list.numneigh;
  const auto neighbors = list.neighbors;
  const double box = list.box;
  Kokkos::deep_copy(f, 0.0);
  auto dup_f = Kokkos::Experimental::create_scatter_view(f);
  double energy = 0;
  Kokkos::parallel_reduce(
      "force", Kokkos::RangePolicy<device_type>(0, atom.nlocal),
      KOKKOS_LAMBDA(const int i, double& sum) {
        auto a_f = dup_f.access();
        for (int k = 0; k < numneigh(i); ++k) {
          const int j = neighbors(i, k);
          double delta[3], r2 = 0, e = 0;
          for (int d = 0; d < 3; ++d) {
            delta[d] = nearest(x(i, d) - x(j, d), box);
            r2 += delta[d] * delta[d];
          }
          if (r2 > cutoff * cutoff) continue;
          const double force = pair_force(r2, e);
          sum += e;
          for (int d = 0; d < 3; ++d) {
            a_f(i, d) += force * delta[d];
            a_f(j, d) -= force * delta[d];
          }
        }
      },
      energy);
  Kokkos::Experimental::contribute(f, dup_f);
  return energy;
}

void integrate(const AtomVec& atom, const double box, const bool move) {
  const x_array x = atom.k_x.view<device_type>(), v = atom.k_v.view<device_type>(),
                f = atom.k_f.view<device_type>();
  Kokkos::parallel_for(
      "integrate", atom.nlocal, KOKKOS_LAMBDA(const int i) {
        for (int d = 0; d < 3; ++d) {
          v(i, d) += 0.5 * dt * f(i, d);
          if (!move) continue;
          x(i, d) += dt * v(i, d);
          if (x(i, d) < 0) x(i, d) += box;
          if (x(i, d) >= box) x(i, d) -= box;
        }
      });
}

// All pairs in plain loops: writes the forces into f, returns the potential energy.
double all_pairs(const std::vector<double>& x, std::vector<double>& f, const double box) {
  double energy = 0;
  f.assign(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); i += 3)
    for (std::size_t j = i + 3; j < x.size(); j += 3) {
      double delta[3], r2 = 0, e = 0;
      for (int d = 0; d < 3; ++d) {
        delta[d] = nearest(x[i + d] - x[j + d], box);
        r2 += delta[d] * delta[d];
      }
      if (r2 > cutoff * cutoff) continue;
      const double force = pair_force(r2, e);
      energy += e;
      for (int d = 0; d < 3; ++d) f[i + d] += force * delta[d], f[j + d] -= force * delta[d];
    }
  return energy;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  const int cells = 5, steps = 12;
  const double a = std::cbrt(4 / 0.8442), box = cells * a;
  AtomVec atom;
  for (int c = 0; c < 4 * cells * cells * cells; ++c) {
    const int x = c / 4 / cells / cells, y = c / 4 / cells % cells, z = c / 4 % cells, k = c % 4;
    atom.add(a * (x + (k == 1 || k == 2 ? 0.5 : 0)), a * (y + (k == 1 || k == 3 ? 0.5 : 0)),
             a * (z + (k == 2 || k == 3 ? 0.5 : 0)));
  }
  std::vector<double> x(3 * atom.nlocal), v(x.size()), f;
  for (int i = 0; i < atom.nlocal; ++i)
    for (int d = 0; d < 3; ++d)
      x[3 * i + d] = atom.k_x.h_view(i, d), v[3 * i + d] = atom.k_v.h_view(i, d);
  all_pairs(x, f, box);
  double expected = 0;
  for (int s = 0; s < steps; ++s) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      v[k] += 0.5 * dt * f[k];
      x[k] += dt * v[k];
      x[k] += x[k] < 0 ? box : x[k] >= box ? -box : 0;
    }
    expected = all_pairs(x, f, box);
    for (std::size_t k = 0; k < x.size(); ++k) v[k] += 0.5 * dt * f[k];
  }

  Binning bins;
  NeighborHalf list;
  double energy = 0;
  atom.k_x.sync<device_type>();
  atom.k_v.sync<device_type>();
  atom.k_id.sync<device_type>();
  for (int s = 0; s < steps; ++s) {
    if (s % 6 == 0) {
      bins.sort(atom, box);
      list.build(atom, bins, box);
      compute_forces(atom, list);  // sorting has moved the atoms, not their forces
    }
    integrate(atom, box, true);
    energy = compute_forces(atom, list);
    integrate(atom, box, false);
  }
  atom.k_x.modify<device_type>();
  atom.k_x.sync<host_type>();
  atom.k_id.sync<host_type>();
  double worst = 0;
  for (int i = 0; i < atom.nlocal; ++i)
    for (int d = 0; d < 3; ++d)
      worst = std::fmax(
          worst, std::fabs(nearest(atom.k_x.h_view(i, d) - x[3 * atom.k_id.h_view(i) + d], box)));
  std::printf("%d atoms, %d bins, lists built again: %d\n", atom.nlocal, bins.nbins, list.rebuilt);
  std::printf("energy per atom %.5f, expected %.5f\n", energy / atom.nlocal,
              expected / atom.nlocal);
  std::printf("positions %s\n", worst < 1e-8 ? "agree" : "differ");
  std::printf("room for more %s, some workers %s\n",
              atom.k_x.extent_int(0) > atom.nlocal ? "ok" : "missing",
              device_type::concurrency() > 0 ? "ok" : "missing");
  return worst < 1e-8 ? 0 : 1;
}
