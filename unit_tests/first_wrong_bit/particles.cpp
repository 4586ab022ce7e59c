// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Particles in a square that repel each other over short distances. Each step sorts them into cells
// of that size. The strength of the force is a table that the host changes with time.
#include "fault.hpp"
#include "routines.hpp"

#include <cmath>
#include <cstdint>

namespace first_wrong_bit {

namespace {

struct particle {
  double place[2];
  double speed[2];
  int cell;
  int number;
};

/// The smallest and the largest of some values.
struct span {
  double least = 1e300;
  double most = -1e300;
};

constexpr int cells = 8;  // along a side of the square, which is [0, 1) x [0, 1)
constexpr int distances = 16;
constexpr int speeds = 10;
constexpr double reach = 0.3 / cells;

/// Returns the k-th random number of a particle, in [0, 1).
HPK_INLINE_FUNCTION double random_of(int number, unsigned k) {
  std::uint64_t x = (2 * static_cast<std::uint64_t>(number) + k + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return static_cast<double>((x ^ x >> 31) >> 11) * 0x1p-53;
}

/// Adds four particles at a time to the counts of their cells, as SIMD code does.
HPK_INLINE_FUNCTION void count_four(const hpk::View<const particle*>& all,
                                    const hpk::View<int*>& count, int first) {
  int counted[4];
  for (int k = 0; k < 4; ++k) counted[k] = count(all(first + k).cell) + 1;
  for (int k = 0; k < 4; ++k) count(all(first + k).cell) = counted[k];
}

/// Moves a particle inwards, as pressure does.
HPK_INLINE_FUNCTION void shrink(particle& p) {
  for (double& place : p.place) place *= 0.999;
}

class box {
 public:
  explicit box(const arguments& given) : given_(given) { start(); }

  void step(int number) {
    set_strength(number);
    find_cells();
    sort();
    find_forces();
    if (given_.has(5)) {
      move(hpk::View<const double* [2], hpk::LayoutRight>(force_.data(), count_));
    } else {
      move(hpk::View<const double* [2], hpk::LayoutLeft>(force_));
    }
    measure();
  }

  // The kernels; public because GPU compilers require it.

  void start() {
    const auto all = all_;
    hpk::parallel_for(
        "start", given_.range(count_), HPK_LAMBDA(int i) {
          particle p{};
          for (unsigned d = 0; d < 2; ++d) {
            p.place[d] = random_of(i, d);
            p.speed[d] = 0.1 * (random_of(-1 - i, d) - 0.5);
          }
          p.number = i;
          all(i) = p;
        });
  }

  void set_strength(int number) {
    // Fault 6: the copy is made before the host writes.
    if (given_.has(6)) hpk::deep_copy(strength_, host_strength_);
    for (int k = 0; k < distances; ++k) host_strength_(k) = (number + 1.0) / (k + 3);
    if (!given_.has(6)) hpk::deep_copy(strength_, host_strength_);
  }

  void find_cells() {
    const auto all = all_;
    const auto count = in_cell_;
    hpk::parallel_for(
        "find cells", given_.range(count_), HPK_LAMBDA(int i) {
          particle& p = all(i);
          p.cell =
              static_cast<int>(p.place[0] * cells) * cells + static_cast<int>(p.place[1] * cells);
        });
    hpk::deep_copy(count, 0);
    const hpk::View<const particle*> placed = all_;
    if (given_.has(3)) {
      hpk::parallel_for(
          "count", given_.range(count_ / 4),
          HPK_LAMBDA(int i) { count_four(placed, count, 4 * i); });
    } else {
      hpk::parallel_for(
          "count", given_.range(count_),
          HPK_LAMBDA(int i) { hpk::atomic_inc(&count(placed(i).cell)); });
    }
    const auto first = first_;
    hpk::parallel_scan(
        "first of cell", given_.range(cells * cells), HPK_LAMBDA(int c, int& sum, bool is_final) {
          sum += count(c);
          if (is_final) first(c + 1) = sum;
        });
  }

  void sort() {
    const hpk::View<const particle*> all = all_;
    const hpk::View<const int*> first = first_;
    const auto order = order_;
    const int count = count_;
    if (given_.has(9)) return claim_places();
    const int begin = given_.has(2) ? 1 : 0;
    hpk::parallel_for(
        "sort", given_.range(cells * cells), HPK_LAMBDA(int c) {
          int place = first(c);
          for (int i = begin; i < count; ++i)
            if (all(i).cell == c) order(place++) = i;
        });
  }
  // Fault 9: particles are ordered by arrival.
  void claim_places() {
    const hpk::View<const particle*> all = all_;
    const hpk::View<const int*> first = first_;
    const auto order = order_;
    const hpk::View<int*> taken("taken", cells * cells);
    const late_start start(true);
    const int count = count_;
    hpk::parallel_for(
        "sort", given_.range(count), HPK_LAMBDA(int i) {
          start.before(i);
          const int c = all(i).cell;
          order(first(c) + hpk::atomic_fetch_add(&taken(c), 1)) = i;
          start.behind(i, count);
        });
  }

  void find_forces() {
    const auto all = all_;
    const auto force = force_;
    const hpk::View<const int*> first = first_;
    const hpk::View<const int*> order = order_;
    const hpk::View<const double*> strength = strength_;
    const auto repel = (given_.has(10) ? reciprocal : plain).repel;
    const int below = given_.has(1) ? 0 : 1;
    const bool shrinks = given_.has(4);
    const bool leaves_lonely = given_.has(7);
    hpk::parallel_for(
        "forces", given_.range(count_), HPK_LAMBDA(int i) {
          double sum[2] = {0, 0};
          int near = 0;
          const int x = all(i).cell / cells;
          const int y = all(i).cell % cells;
          for (int c = 0; c < cells * cells; ++c) {
            if (c / cells < x - 1 || c / cells > x + 1) continue;
            if (c % cells < y - 1 || c % cells > y + below) continue;
            for (int k = first(c); k < first(c + 1); ++k) {
              const int j = order(k);
              const double dx = all(i).place[0] - all(j).place[0];
              const double dy = all(i).place[1] - all(j).place[1];
              const double square = dx * dx + dy * dy;
              if (j == i || square >= reach * reach) continue;
              const double s = strength(static_cast<int>(square / (reach * reach) * distances));
              sum[0] += repel(dx, square, s);
              sum[1] += repel(dy, square, s);
              ++near;
            }
          }
          if (near == 0 && leaves_lonely) return;
          for (int d = 0; d < 2; ++d) force(i, d) = sum[d];
          // Fault 4: other iterations read the places in the same launch.
          if (shrinks) shrink(all(i));
        });
  }

  template <class Force>
  void move(const Force& force) {
    const auto all = all_;
    const bool shrinks = !given_.has(4);
    hpk::parallel_for(
        "move", given_.range(count_), HPK_LAMBDA(int i) {
          constexpr double dt = 1e-3;
          particle& p = all(i);
          if (shrinks) shrink(p);
          for (int d = 0; d < 2; ++d) {
            p.speed[d] += dt * force(i, d);
            const double place = p.place[d] + dt * p.speed[d];
            if (place < 0 || place >= 1) {
              p.speed[d] = -p.speed[d];
            } else {
              p.place[d] = place;
            }
          }
        });
  }

  void measure() {
    const hpk::View<const particle*> all = all_;
    const auto histogram = histogram_;
    hpk::deep_copy(histogram, 0);
    hpk::parallel_for(
        "histogram", given_.range(count_), HPK_LAMBDA(int i) {
          const double* const v = all(i).speed;
          const double speed = 100 * std::sqrt(v[0] * v[0] + v[1] * v[1]);
          const int place = speed < speeds ? static_cast<int>(speed) : speeds - 1;
          hpk::atomic_inc(&histogram(place));
        });
    double energy = 0;
    hpk::parallel_reduce(
        "energy", given_.range(count_),
        HPK_LAMBDA(int i, double& sum) {
          sum += 0.5 * (all(i).speed[0] * all(i).speed[0] + all(i).speed[1] * all(i).speed[1]);
        },
        energy);
    span places;
    hpk::parallel_reduce("span", given_.range(count_), find_span{all, given_.has(8)}, places);
  }

  struct find_span {
    hpk::View<const particle*> all;
    bool forgets_most;
    HPK_FUNCTION void operator()(int i, span& s) const {
      const double x = all(i).place[0];
      s.least = x < s.least ? x : s.least;
      s.most = x > s.most ? x : s.most;
    }
    HPK_FUNCTION void join(span& to, const span& from) const {
      to.least = from.least < to.least ? from.least : to.least;
      if (!forgets_most) to.most = from.most > to.most ? from.most : to.most;
    }
  };

 private:
  arguments given_;
  int count_ = given_.size_or(600);
  hpk::View<particle*> all_{"particles", count_};
  hpk::View<int*> in_cell_{"in cell", cells* cells}, first_{"first", cells* cells + 1};
  hpk::View<int*> order_{"order", count_}, histogram_{"histogram", speeds};
  hpk::View<double* [2], hpk::LayoutLeft> force_{hpk::view_alloc("force", hpk::WithoutInitializing),
                                                 count_};
  hpk::View<double*> strength_{"strength", distances};
  decltype(hpk::create_mirror(strength_)) host_strength_ = hpk::create_mirror(strength_);
};

}  // namespace

void particles(const arguments& given) {
  box all(given);
  for (int number = 0; number < given.steps; ++number) all.step(number);
}

}  // namespace first_wrong_bit
