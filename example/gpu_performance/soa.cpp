// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Particles as an array of structs or as a struct of arrays.
#include "examples.hpp"

namespace soa_kernels {

constexpr int n = 1 << 20;
constexpr double dt = 0.5;

// page: naive
struct particle {
  double x, y, z, vx, vy, vz, mass, charge;
};

void move_naive(const hpk::View<particle*>& particles) {
  hpk::parallel_for("move", n, HPK_LAMBDA(int i) { particles(i).x += dt * particles(i).vx; });
}
// page: end

// page: fast
struct particles {
  hpk::View<double*> x, y, z, vx, vy, vz, mass, charge;
};

void move_fast(const particles& all) {
  hpk::parallel_for("move", n, HPK_LAMBDA(int i) { all.x(i) += dt * all.vx(i); });
}
// page: end

bool naive_is_right() {
  const hpk::View<particle*> all("particles", n);
  hpk::parallel_for(
      "fill", n, HPK_LAMBDA(int i) { all(i) = {1.0 * i, 0, 0, 2.0 * i, 0, 0, 1, 0}; });
  move_naive(all);
  const auto result = on_host(all);
  for (int i = 0; i < n; ++i) {
    if (result(i).x != 2.0 * i) return false;
  }
  return true;
}

bool fast_is_right() {
  const auto array = [](const char* label) { return hpk::View<double*>(label, n); };
  const particles all{array("x"),  array("y"),  array("z"),    array("vx"),
                      array("vy"), array("vz"), array("mass"), array("charge")};
  hpk::parallel_for(
      "fill", n, HPK_LAMBDA(int i) {
        all.x(i) = i;
        all.vx(i) = 2.0 * i;
      });
  move_fast(all);
  const auto result = on_host(all.x);
  for (int i = 0; i < n; ++i) {
    if (result(i) != 2.0 * i) return false;
  }
  return true;
}

}  // namespace soa_kernels

bool soa(std::string_view version) {
  using namespace soa_kernels;
  return (!is_wanted(version, "naive") || naive_is_right()) &&
         (!is_wanted(version, "fast") || fast_is_right());
}
