// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __float128 on the host, if the compiler supports it: limits, functions to 33 digits, reductions,
// and a Newton iteration for the square root of 2 that double cannot check.
#include <Kokkos_Core.hpp>

#include <impl/Kokkos_QuadPrecisionMath.hpp>

#include "check.hpp"

#ifdef KOKKOS_ENABLE_LIBQUADMATH

using quad = __float128;
using Kokkos::Experimental::epsilon_v;
using exec = Kokkos::DefaultHostExecutionSpace;

static_assert(Kokkos::Experimental::digits_v<quad> == 113);
static_assert(Kokkos::Experimental::max_exponent_v<quad> == 16384);
static_assert(quad(1) + epsilon_v<quad> != quad(1) && quad(1) + epsilon_v<quad> / 2 == quad(1));
static_assert(Kokkos::Experimental::infinity_v<quad> > Kokkos::Experimental::finite_max_v<quad>);
static_assert(Kokkos::Experimental::denorm_min_v<quad> / 2 == 0 &&
              Kokkos::Experimental::norm_min_v<quad> > Kokkos::Experimental::denorm_min_v<quad>);
static_assert(std::is_same_v<decltype(Kokkos::Experimental::epsilon<quad>::value), const quad>);

bool near(quad a, quad b) { return Kokkos::fabs(a - b) <= 8 * epsilon_v<quad> * Kokkos::fabs(b); }

void functions() {
  for (const quad x : {quad(0.25), quad(0.75), quad(1.5), quad(3)}) {
    REQUIRE(near(Kokkos::exp(Kokkos::log(x)), x));
    REQUIRE(near(Kokkos::sqrt(x) * Kokkos::sqrt(x), x));
    REQUIRE(near(Kokkos::pow(x, quad(3)), x * x * x));
    REQUIRE(near(Kokkos::sin(x) * Kokkos::sin(x) + Kokkos::cos(x) * Kokkos::cos(x), 1));
    REQUIRE(near(Kokkos::tgamma(x + 1), x * Kokkos::tgamma(x)));
    REQUIRE(near(Kokkos::erf(x) + Kokkos::erfc(x), 1));
    REQUIRE(near(Kokkos::fma(x, x, -x) + x, x * x));
    REQUIRE(Kokkos::abs(-x) == x && Kokkos::fmax(x, -x) == x &&
            Kokkos::copysign(x, quad(-1)) == -x);
  }
  REQUIRE(Kokkos::floor(quad(-1.5)) == -2 && Kokkos::round(quad(2.5)) == 3);
  REQUIRE(Kokkos::hypot(quad(3), quad(4)) == 5 && Kokkos::hypot(quad(2), quad(3), quad(6)) == 7);
  REQUIRE(Kokkos::isnan(Kokkos::Experimental::quiet_NaN_v<quad>) && !Kokkos::isnan(quad(1)));
  REQUIRE(Kokkos::isinf(Kokkos::exp(quad(20000))) && Kokkos::isfinite(Kokkos::exp(quad(10000))));
  quad large = Kokkos::Experimental::finite_max_v<quad>;
  REQUIRE(Kokkos::isinf(large + large * epsilon_v<quad> / 2) && Kokkos::isfinite(large));
  REQUIRE(Kokkos::signbit(-quad(0)) && Kokkos::atan2(quad(0), quad(1)) == 0);
}

void reductions() {
  const int n = 1000;
  const Kokkos::View<quad*, Kokkos::HostSpace> x("x", n);
  Kokkos::parallel_for("fill", Kokkos::RangePolicy<exec>(0, n),
                       [=](int i) { x(i) = 1 / static_cast<quad>(i + 1); });
  quad sum = 0, largest = 0, smallest = 0, product = 0, in_order = 0;
  const Kokkos::RangePolicy<exec> range(0, n);
  Kokkos::parallel_reduce("sum", range, [=](int i, quad& u) { u += x(i); }, sum);
  for (int i = n; i > 0; --i) in_order += 1 / static_cast<quad>(i);
  REQUIRE(Kokkos::fabs(sum - in_order) < 1e-30 && sum != static_cast<double>(sum));
  Kokkos::parallel_reduce(
      "extremes", range,
      [=](int i, quad& most, quad& least) {
        most = Kokkos::fmax(most, x(i));
        least = Kokkos::fmin(least, x(i));
      },
      Kokkos::Max<quad>(largest), Kokkos::Min<quad>(smallest));
  REQUIRE(largest == 1 && smallest == 1 / static_cast<quad>(n));
  Kokkos::parallel_reduce(
      "product", range, [=](int i, quad& u) { u *= 1 + x(i); }, Kokkos::Prod<quad>(product));
  REQUIRE(Kokkos::fabs(product - (n + 1)) < 1e-27);
  quad root = 1;
  for (int step = 0; step < 8; ++step) root = (root + 2 / root) / 2;
  REQUIRE(near(root * root, 2) && near(root, Kokkos::sqrt(quad(2))));
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  functions();
  reductions();
  std::cout << errors << " failures\n";
  return errors == 0 ? 0 : 1;
}

#else

int main() {
  REQUIRE(Kokkos::sqrt(4.0) == 2);
  std::cout << errors << " failures\n";
}

#endif
