// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waves in shallow water on a square with periodic boundaries: depth and momentum, each with an old
// and a new state that are swapped. Host code opens a gate and reads gauges.
#include "fault.hpp"
#include "routines.hpp"

#include <hpk/profiling.hpp>

#include <cmath>
#include <utility>

namespace first_wrong_bit {

namespace {

using field = hpk::View<double**>;
using const_field = hpk::View<const double**>;

constexpr int depths = 12;
constexpr int gauges = 5;
constexpr double gravity = 9.81;

class pond {
 public:
  explicit pond(const arguments& given) : given_(given) { start(); }

  void step(int number) {
    const hpk::Profiling::ScopedRegion region("step");
    set_gate(number);
    join_sides(depth_);
    join_sides(momentum_);
    find_fluxes();
    update(find_time_step());
    smooth();
    std::swap(depth_, new_depth_);
    std::swap(momentum_, new_momentum_);
    rain();
    hpk::Profiling::pushRegion("measure");
    count_depths();
    read_gauges();
    add_up_rows();
    hpk::Profiling::popRegion();
  }

  // The kernels; public because GPU compilers require it.

  void start() {
    const field depth = depth_;
    const field momentum = momentum_;
    hpk::parallel_for(
        "start", given_.box({1, 1}, {n_ + 1, n_ + 1}), HPK_LAMBDA(int i, int j) {
          depth(i, j) = 1 + 0.05 * ((5 * i + 3 * j) % 9) + (i > 4 && i < 9 && j < 7 ? 0.6 : 0);
          momentum(i, j) = 0.02 * ((i + 2 * j) % 5);
        });
  }

  void set_gate(int number) {
    for (int j = 0; j < n_; ++j) host_gate_(j) = j > 3 && j < 6 + number ? 0.5 : 1;
    // Fault 5: the copy is forgotten once.
    if (given_.has(5) && number == 1) return;
    hpk::deep_copy(gate_, host_gate_);
  }

  void join_sides(const field& f) {
    const int n = n_;
    const int last = given_.has(1) ? n - 1 : n;
    hpk::parallel_for(
        "join sides", given_.range(n), HPK_LAMBDA(int c) {
          const int k = c + 1;
          f(0, k) = f(last, k);
          f(n + 1, k) = f(1, k);
          f(k, 0) = f(k, last);
          f(k, n + 1) = f(k, 1);
        });
  }

  void find_fluxes() {
    const const_field depth = depth_;
    const const_field momentum = momentum_;
    const hpk::View<const double*> gate = gate_;
    const field flux = flux_;
    const auto momentum_flux = (given_.has(10) ? unsafe_math : plain).momentum_flux;
    hpk::parallel_for(
        "fluxes", given_.box({0, 0}, {given_.has(7) ? n_ : n_ + 1, n_}), HPK_LAMBDA(int i, int j) {
          const double h = 0.5 * (depth(i, j + 1) + depth(i + 1, j + 1));
          const double m = 0.5 * (momentum(i, j + 1) + momentum(i + 1, j + 1));
          flux(i, j) = (i == 2 ? gate(j) : 1) * momentum_flux(h, m);
        });
  }

  double find_time_step() {
    const const_field depth = depth_;
    const const_field momentum = momentum_;
    const auto inner = given_.box({1, 1}, {n_ + 1, n_ + 1});
    double fastest = 0;
    hpk::parallel_reduce(
        "fastest wave", inner,
        HPK_LAMBDA(int i, int j, double& most) {
          const double speed =
              std::abs(momentum(i, j)) / depth(i, j) + std::sqrt(gravity * depth(i, j));
          most = speed > most ? speed : most;
        },
        hpk::Max<double>(fastest));
    int is_wet = 0;
    const auto look = HPK_LAMBDA(int i, int j, int& wet) { wet = wet != 0 && depth(i, j) > 0.2; };
    if (given_.has(8)) {
      hpk::parallel_reduce("is wet", inner, look, hpk::LOr<int>(is_wet));
    } else {
      hpk::parallel_reduce("is wet", inner, look, hpk::LAnd<int>(is_wet));
    }
    return (is_wet != 0 ? 0.3 : 0.2) / fastest;
  }

  void update(double dt) {
    const const_field depth = depth_;
    const const_field momentum = momentum_;
    const const_field flux = flux_;
    const field new_depth = new_depth_;
    const field new_momentum = new_momentum_;
    const bool swaps = given_.has(4);
    hpk::parallel_for(
        "update", given_.box({1, 1}, {n_ + 1, n_ + 1}), HPK_LAMBDA(int i, int j) {
          const double in = swaps ? flux(j - 1, i - 1) : flux(i - 1, j - 1);
          new_momentum(i, j) = momentum(i, j) - 0.01 * dt * (flux(i, j - 1) - in);
          new_depth(i, j) = depth(i, j) - 0.1 * dt * (momentum(i + 1, j) - momentum(i - 1, j));
        });
  }

  void smooth() {
    const field from = new_momentum_;
    const field to = smooth_momentum_;
    hpk::deep_copy(to, from);
    const bool reads_new = given_.has(3);
    hpk::parallel_for(
        "smooth", given_.box({1, 1}, {n_ + 1, n_ + 1}), HPK_LAMBDA(int i, int j) {
          const double before = reads_new ? to(i - 1, j) : from(i - 1, j);
          to(i, j) = 0.8 * from(i, j) + 0.1 * before + 0.1 * from(i + 1, j);
        });
    std::swap(new_momentum_, smooth_momentum_);
  }

  // Fills one part, and adds to another.
  void rain() {
    const auto pool = hpk::subview(momentum_, std::pair(3, 6), std::pair(4, 8));
    hpk::deep_copy(pool, 0.01);
    const field depth = depth_;
    hpk::parallel_for(
        "rain", given_.box({2, 3}, {7, 9}),
        HPK_LAMBDA(int i, int j) { depth(i, j) += 0.01 * (i % 2); });
  }

  void count_depths() {
    const const_field depth = depth_;
    const hpk::View<int*> histogram = histogram_;
    hpk::deep_copy(histogram, 0);
    const int first = given_.has(2) ? 0 : 1;
    hpk::parallel_for(
        "histogram", given_.box({first, 1}, {n_ + 1, n_ + 1}), HPK_LAMBDA(int i, int j) {
          const int place = static_cast<int>(5 * depth(i, j));
          hpk::atomic_inc(&histogram(place < depths ? place : depths - 1));
        });
  }

  void read_gauges() {
    const const_field depth = depth_;
    const hpk::View<double*> gauge = gauge_;
    // Fault 6: the mirror has the gauges of the previous step.
    if (given_.has(6)) hpk::deep_copy(host_gauge_, gauge_);
    hpk::parallel_for(
        "gauges", given_.range(gauges),
        HPK_LAMBDA(int g) { gauge(g) = depth(2 * g + 1, 3 * g + 2); });
    if (!given_.has(6)) hpk::deep_copy(host_gauge_, gauge_);
    const hpk::View<double> drain("drain");
    hpk::deep_copy(drain, 1 - 0.01 * host_gauge_(0));
    hpk::parallel_for("drain", given_.range(gauges), HPK_LAMBDA(int g) { gauge(g) *= drain(); });
  }

  void add_up_rows() {
    const const_field momentum = momentum_;
    const hpk::View<float*> sums("sums of rows", 4);
    const int n = n_;
    if (!given_.has(9)) {
      hpk::parallel_for(
          "sums of rows", given_.range(4), HPK_LAMBDA(int s) {
            for (int i = s + 1; i <= n; i += 4)
              for (int j = 1; j <= n; ++j) sums(s) += static_cast<float>(momentum(i, j));
          });
      return;
    }
    // Fault 9: floating-point sums by atomic operations.
    const late_start start(true);
    hpk::parallel_for(
        "sums of rows", given_.range(n * n), HPK_LAMBDA(int k) {
          start.before(k);
          const auto m = static_cast<float>(momentum(k / n + 1, k % n + 1));
          hpk::atomic_add(&sums(k / n % 4), m);
          start.behind(k, n * n);
        });
  }

 private:
  arguments given_;
  int n_ = given_.size_or(32);
  field depth_{"depth", n_ + 2, n_ + 2}, new_depth_{"new depth", n_ + 2, n_ + 2};
  field momentum_{"momentum", n_ + 2, n_ + 2}, new_momentum_{"new momentum", n_ + 2, n_ + 2};
  field smooth_momentum_{"smooth momentum", n_ + 2, n_ + 2};
  field flux_{hpk::view_alloc("flux", hpk::WithoutInitializing), n_ + 1, n_};
  hpk::View<double*> gate_{"gate", n_}, gauge_{"gauge", gauges};
  hpk::View<int*> histogram_{"histogram", depths};
  decltype(hpk::create_mirror(gate_)) host_gate_ = hpk::create_mirror(gate_);
  decltype(hpk::create_mirror(gauge_)) host_gauge_ = hpk::create_mirror(gauge_);
};

}  // namespace

void shallow_water(const arguments& given) {
  pond all(given);
  for (int number = 0; number < given.steps; ++number) all.step(number);
}

}  // namespace first_wrong_bit
