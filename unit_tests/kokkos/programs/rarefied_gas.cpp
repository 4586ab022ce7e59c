// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rarefied gas by direct simulation: particles of several species move, collide and are created
// in a box of cells. Arrays grow by factors, so sizes are floating-point numbers, and so are
// indices read from a file; random numbers come from a pool.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>
#include <Kokkos_Random.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

using device_type = Kokkos::DefaultExecutionSpace;
using pool_type = Kokkos::Random_XorShift64_Pool<device_type>;
constexpr double delta = 1.1, box = 1.0;

struct OnePart {
  double x[3], v[3];
  int species, cell;
};
using particle_view = Kokkos::View<OnePart*, device_type>;

class Particles {
 public:
  particle_view particles;
  Kokkos::View<double**, device_type> custom;  // per particle: the number of collisions, energy
  int nlocal = 0;

  explicit Particles(const float first)
      : particles("particles", first), custom("custom", first, 2) {}

  int room() const { return particles.extent_int(0); }
  // Grows by the factor, or to the required number.
  void grow(const int more) {
    if (nlocal + more <= room()) return;
    Kokkos::resize(particles, (nlocal + more) * delta);
    Kokkos::resize(Kokkos::WithoutInitializing, custom, (nlocal + more) * delta, 2);
  }
};

class Cells {
 public:
  int side;
  double maxcount = 4.0;
  Kokkos::View<int*, device_type> count;
  Kokkos::View<int**, device_type> plist;
  int retries = 0;

  explicit Cells(const int side_)
      : side(side_),
        count("cell:count", std::pow(side_, 3)),
        plist("cell:plist", std::pow(side_, 3), maxcount) {}

  // Lists of the particles of each cell; if one overflows, they grow by the factor.
  void sort(const Particles& p) {
    const auto particles = p.particles;
    for (;;) {
      const auto n = count;
      const auto list = plist;
      const int s = side;
      int most = 0;
      Kokkos::deep_copy(n, 0);
      Kokkos::parallel_for(
          "sort", p.nlocal, KOKKOS_LAMBDA(const int i) {
            OnePart& part = particles(i);
            int cell = 0;
            for (int d = 0; d < 3; ++d)
              cell = cell * s + Kokkos::min(s - 1, static_cast<int>(part.x[d] / box * s));
            part.cell = cell;
            const int at = Kokkos::atomic_fetch_add(&n(cell), 1);
            if (at < list.extent_int(1)) list(cell, at) = i;
          });
      Kokkos::parallel_reduce(
          "most", n.extent(0), KOKKOS_LAMBDA(const int c, int& m) { m = Kokkos::max(m, n(c)); },
          Kokkos::Max<int>(most));
      if (most <= plist.extent_int(1)) return;
      maxcount = most * delta;
      Kokkos::realloc(plist, count.extent(0), maxcount);
      ++retries;
    }
  }
};

// Velocities of a Maxwell distribution, random places.
void create(Particles& p, const int n, const int species, const pool_type& pool) {
  p.grow(n);
  const auto particles = p.particles;
  const auto custom = p.custom;
  const int first = p.nlocal;
  Kokkos::parallel_for(
      "create", Kokkos::RangePolicy<device_type>(first, first + n), KOKKOS_LAMBDA(const int i) {
        auto random = pool.get_state();
        OnePart& part = particles(i);
        for (int d = 0; d < 3; ++d) {
          part.x[d] = random.drand(0.0, box);
          part.v[d] = random.normal(0.0, 1.0);
        }
        part.species = species;
        custom(i, 0) = custom(i, 1) = 0;
        pool.free_state(random);
      });
  p.nlocal += n;
}

void move(const Particles& p, const double dt) {
  const auto particles = p.particles;
  Kokkos::parallel_for(
      "move", p.nlocal, KOKKOS_LAMBDA(const int i) {
        OnePart& part = particles(i);
        for (int d = 0; d < 3; ++d) {  // walls reflect
          part.x[d] += dt * part.v[d];
          while (part.x[d] < 0 || part.x[d] > box) {
            part.x[d] = part.x[d] < 0 ? -part.x[d] : 2 * box - part.x[d];
            part.v[d] = -part.v[d];
          }
        }
      });
}

// Pairs of a cell scatter in a random direction; total momentum and energy are conserved.
int collide(const Particles& p, const Cells& cells, const pool_type& pool) {
  const auto particles = p.particles;
  const auto custom = p.custom;
  const auto count = cells.count;
  const auto plist = cells.plist;
  int collisions = 0;
  Kokkos::parallel_reduce(
      "collide", count.extent(0),
      KOKKOS_LAMBDA(const int c, int& sum) {
        if (count(c) < 2) return;
        auto random = pool.get_state();
        for (int k = 0; k < count(c) / 2; ++k) {
          const int i = plist(c, random.urand(count(c))), j = plist(c, random.urand(count(c)));
          if (i == j) continue;
          OnePart &a = particles(i), &b = particles(j);
          double speed2 = 0, mean[3];
          for (int d = 0; d < 3; ++d) {
            mean[d] = 0.5 * (a.v[d] + b.v[d]);
            speed2 += (a.v[d] - b.v[d]) * (a.v[d] - b.v[d]);
          }
          const double z = random.drand(-1.0, 1.0);
          const double phi = random.drand(2 * Kokkos::numbers::pi), r = Kokkos::sqrt(1 - z * z);
          const double to[3] = {r * Kokkos::cos(phi), r * Kokkos::sin(phi), z};
          for (int d = 0; d < 3; ++d) {
            a.v[d] = mean[d] + 0.5 * Kokkos::sqrt(speed2) * to[d];
            b.v[d] = mean[d] - 0.5 * Kokkos::sqrt(speed2) * to[d];
          }
          custom(i, 0) += 1;
          custom(j, 0) += 1;
          ++sum;
        }
        pool.free_state(random);
      },
      collisions);
  return collisions;
}

double energy_of(const Particles& p) {
  const auto particles = p.particles;
  const auto custom = p.custom;
  double energy = 0;
  Kokkos::parallel_reduce(
      "energy", p.nlocal,
      KOKKOS_LAMBDA(const int i, double& sum) {
        custom(i, 1) = 0;
        for (int d = 0; d < 3; ++d) custom(i, 1) += 0.5 * particles(i).v[d] * particles(i).v[d];
        sum += custom(i, 1);
      },
      energy);
  return energy;
}

// Gathers by floating-point indices, as in a column of a table of doubles.
int gather(const int n) {
  Kokkos::View<double*, device_type> ids("ids", n * 1.0), values("values", 1.5f * n),
      gathered("gathered", n);
  Kokkos::parallel_for(
      "ids", n, KOKKOS_LAMBDA(const int i) {
        ids(i) = (i * 7 + 3) % n;
        values(i) = 0.5 * i;
      });
  Kokkos::parallel_for("gather", n, KOKKOS_LAMBDA(const int i) { gathered(i) = values(ids(i)); });
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), gathered);
  int wrong = values.extent_int(0) == n + n / 2 ? 0 : 1;
  for (int i = 0; i < n; ++i) wrong += host(i) == 0.5 * ((i * 7 + 3) % n) ? 0 : 1;
  return wrong;
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  int failures = 0;
  {
    auto check = [&](const char* what, const bool good) {
      std::printf("%s: %s\n", what, good ? "ok" : "WRONG");
      failures += good ? 0 : 1;
    };
    const pool_type pool(12345);
    Particles p(100.7f);
    Cells cells(4);
    check("first sizes", p.room() == 100 && p.custom.extent(0) == 100 && cells.count.size() == 64 &&
                             cells.plist.extent(1) == 4);
    create(p, 90, 0, pool);
    const double before = energy_of(p);
    Kokkos::View<OnePart*, Kokkos::HostSpace> old("old", 90);
    Kokkos::deep_copy(old, Kokkos::subview(p.particles, Kokkos::make_pair(0, 90)));
    create(p, 2000, 1, pool);
    check("room for more", p.room() == static_cast<int>(2090 * delta));
    // Existing particles are unchanged.
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), p.particles);
    int kept = 0;
    double sum = 0;
    for (int i = 0; i < 90; ++i) {
      kept += host(i).x[0] == old(i).x[0] && host(i).v[2] == old(i).v[2] ? 1 : 0;
      for (int d = 0; d < 3; ++d) sum += 0.5 * host(i).v[d] * host(i).v[d];
    }
    check("kept", kept == 90 && std::fabs(sum - before) < 1e-10 * before);

    const double start = energy_of(p);
    int collisions = 0;
    for (int step = 0; step < 5; ++step) {
      move(p, 0.05);
      cells.sort(p);
      collisions += collide(p, cells, pool);
    }
    const double end = energy_of(p);
    check("energy", std::fabs(end - start) < 1e-9 * start);
    check("temperature", std::fabs(end / p.nlocal - 1.5) < 0.15);
    check("longer lists", cells.retries > 0 && cells.plist.extent_int(1) == int(cells.maxcount));
    // Both particles counted every collision, and every particle is in the list of its cell.
    const auto parts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), p.particles);
    const auto custom = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), p.custom);
    const auto count = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), cells.count);
    const auto plist = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), cells.plist);
    double counted = 0;
    int listed = 0;
    for (int i = 0; i < p.nlocal; ++i) counted += custom(i, 0);
    for (int c = 0; c < 64; ++c)
      for (int k = 0; k < count(c); ++k) listed += parts(plist(c, k)).cell == c ? 1 : 0;
    check("collisions", collisions > 2000 && counted == 2 * collisions);
    check("cells", listed == p.nlocal);

    // Sizes of the other kinds of arrays.
    Kokkos::DualView<double*, device_type> k_sum("sum", 7 * delta);
    k_sum.resize(10 * delta);
    Kokkos::realloc(k_sum, 12 * delta);
    Kokkos::View<double**, Kokkos::LayoutLeft, device_type> table("table", 3 * delta, 2.9);
    Kokkos::realloc(table, 5 * delta, 6.01);
    Kokkos::realloc(Kokkos::WithoutInitializing, cells.count, 64 * delta);
    check("other sizes", k_sum.extent(0) == 13 && table.extent(0) == 5 && table.extent(1) == 6 &&
                             cells.count.extent(0) == 70);
    check("floating-point indices", gather(1000) == 0);
  }
  Kokkos::finalize();
  return failures;
}
