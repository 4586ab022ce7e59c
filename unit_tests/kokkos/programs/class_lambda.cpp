// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels inside a class: KOKKOS_CLASS_LAMBDA captures a copy of the object, KOKKOS_LAMBDA captures
// local copies of the members. A periodic heat equation with values exact in a double.

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <utility>
#include <vector>

class Heat {
 public:
  using execution_space = Kokkos::DefaultExecutionSpace;
  using field_type = Kokkos::View<double*, execution_space>;

  Heat(int n, double c) : n_(n), c_(c), u_("u", n), next_("next", n) {}

  // Members are named directly; the lambda captures a copy of *this.
  void initialize() {
    Kokkos::parallel_for(
        "Heat::initialize", n_, KOKKOS_CLASS_LAMBDA(const int i) {
          u_(i) = i % 8 == 3 ? 64.0 : 0.0;
          next_(i) = -1.0;
        });
  }

  void step_class_lambda() {
    Kokkos::parallel_for(
        "Heat::step", Kokkos::RangePolicy<execution_space>(0, n_),
        KOKKOS_CLASS_LAMBDA(const int i) { next_(i) = u_(i) + c_ * laplace(i); });
    std::swap(u_, next_);
    ++steps_;
  }

  // The same with local copies of everything that the kernel needs.
  void step_local_copies() {
    const field_type u = u_;
    const field_type next = next_;
    const double c = c_;
    const int n = n_;
    Kokkos::parallel_for(
        n, KOKKOS_LAMBDA(const int i) {
          const double left = u(i == 0 ? n - 1 : i - 1);
          const double right = u(i == n - 1 ? 0 : i + 1);
          next(i) = u(i) + c * (left - 2.0 * u(i) + right);
        });
    std::swap(u_, next_);
    ++steps_;
  }

  double total() const {
    double sum = 0.0;
    Kokkos::parallel_reduce(
        "Heat::total", n_, KOKKOS_CLASS_LAMBDA(const int i, double& s) { s += u_(i); }, sum);
    return sum;
  }

  // The object is copied at the launch: a change made afterwards does not reach the kernel.
  void scale_then_change(double factor, double later) {
    c_ = factor;
    Kokkos::parallel_for("Heat::scale", n_, KOKKOS_CLASS_LAMBDA(const int i) { u_(i) *= c_; });
    c_ = later;
  }

  // Row sums by teams, with a nested lambda that uses members.
  Kokkos::View<double*> block_sums(int block) const {
    const int blocks = n_ / block;
    Kokkos::View<double*> sums("sums", blocks);
    using policy_type = Kokkos::TeamPolicy<execution_space>;
    Kokkos::parallel_for(
        "Heat::block_sums", policy_type(blocks, Kokkos::AUTO),
        KOKKOS_CLASS_LAMBDA(const policy_type::member_type& team) {
          const int b = team.league_rank();
          double sum = 0.0;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, block),
              [&](const int k, double& s) { s += u_(b * block + k); }, sum);
          Kokkos::single(Kokkos::PerTeam(team), [&]() { sums(b) = sum; });
        });
    return sums;
  }

  KOKKOS_INLINE_FUNCTION double laplace(int i) const {
    const int l = i == 0 ? n_ - 1 : i - 1;
    const int r = i == n_ - 1 ? 0 : i + 1;
    return u_(l) - 2.0 * u_(i) + u_(r);
  }

  field_type field() const { return u_; }
  int steps() const { return steps_; }

 private:
  int n_;
  double c_;
  int steps_ = 0;
  field_type u_, next_;
};

static int errors = 0;
static void check_equal(const char* name, double value, double expected) {
  if (value == expected) return;
  std::fprintf(stderr, "FAILED: %s is %g, expected %g\n", name, value, expected);
  ++errors;
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  {
    const int n = 240, steps = 6;
    Heat heat(n, 0.25);
    heat.initialize();
    for (int s = 0; s < steps; ++s) {
      if (s % 2 == 0)
        heat.step_class_lambda();
      else
        heat.step_local_copies();
    }
    heat.scale_then_change(2.0, 5.0);

    // 64 / 4^6 = 1/64: all values are multiples of 1/64 and exact.
    std::vector<double> u(n), next(n);
    for (int i = 0; i < n; ++i) u[i] = i % 8 == 3 ? 64.0 : 0.0;
    for (int s = 0; s < steps; ++s) {
      for (int i = 0; i < n; ++i)
        next[i] = u[i] + 0.25 * (u[(i + n - 1) % n] - 2.0 * u[i] + u[(i + 1) % n]);
      u.swap(next);
    }
    double sum = 0.0;
    for (double& v : u) sum += v *= 2.0;

    auto field = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, heat.field());
    for (int i = 0; i < n; ++i) check_equal("u", field(i), u[i]);
    check_equal("total", heat.total(), sum);

    auto sums = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, heat.block_sums(12));
    check_equal("number of blocks", static_cast<double>(sums.extent(0)), 20.0);
    for (int b = 0; b < sums.extent_int(0); ++b) {
      double expected = 0.0;
      for (int k = 0; k < 12; ++k) expected += u[b * 12 + k];
      check_equal("block sum", sums(b), expected);
    }
    std::printf("after %d steps: total %g, u(0) %g, first block %g\n", heat.steps(), heat.total(),
                field(0), sums(0));
  }
  Kokkos::finalize();
  return errors ? 1 : 0;
}
