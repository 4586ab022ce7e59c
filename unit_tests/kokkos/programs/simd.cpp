// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typical uses of Kokkos_SIMD.hpp: types and their widths, loads and stores with flags, masks,
// conditions and where expressions, reductions, gathers, functions, older names beside newer ones.
// The output does not depend on the width of vectors.
#include <Kokkos_Core.hpp>
#include <Kokkos_SIMD.hpp>

#include <cmath>
#include <cstdio>
#include <functional>
#include <type_traits>
#include <vector>

namespace KE = Kokkos::Experimental;
using simd_type = KE::simd<double>;
using mask_type = typename simd_type::mask_type;
constexpr int width = static_cast<int>(simd_type::size());

static_assert(std::is_same_v<simd_type, KE::basic_simd<double, typename simd_type::abi_type>>);
static_assert(std::is_same_v<KE::native_simd<float>, KE::simd<float>>);
static_assert(KE::basic_simd<float, KE::simd_abi::scalar>::size() == 1);
static_assert(std::is_same_v<mask_type, KE::simd_mask<double>>);

// Newton's square root under a mask: lanes that have converged do not change.
template <class V>
KOKKOS_INLINE_FUNCTION V newton_root(const V& x) {
  V r = KE::condition(x > V(1), x, V(1));
  for (int step = 0; step < 60; ++step) {
    const V next = V(0.5) * (r + x / r);
    const auto moving = Kokkos::abs(next - r) > V(1e-13) * r;
    if (KE::none_of(moving)) break;
    KE::where(moving, r) = next;
  }
  return r;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  constexpr int n = 64;  // a multiple of every width
  std::vector<double> x(n), y(n), z(n);
  for (int i = 0; i < n; ++i) {
    x[i] = 0.25 * i;
    y[i] = i % 5;
  }

  // axpy with the newer functions
  for (int i = 0; i < n; i += width) {
    const simd_type a(&x[i], KE::simd_flag_default);
    auto b = KE::simd_unchecked_load<simd_type>(&y[i], KE::simd_flag_default);
    b += 2.0 * a;
    KE::simd_unchecked_store(b, &z[i], KE::simd_flag_default);
  }
  std::printf("axpy: %g %g %g\n", z[1], z[17], z[63]);

  // The same with the older ones.
  for (int i = 0; i < n; i += width) {
    simd_type a, b;
    a.copy_from(&x[i], KE::element_aligned_tag());
    b.copy_from(&y[i], KE::element_aligned_tag());
    b = b + simd_type(2.0) * a;
    b.copy_to(&z[i], KE::element_aligned_tag());
  }
  std::printf("older: %g %g %g\n", z[1], z[17], z[63]);

  // Conditions and reductions
  double sum = 0, masked = 0, least = 1e300, most = -1e300;
  int above = 0;
  for (int i = 0; i < n; i += width) {
    const simd_type a(&x[i], KE::simd_flag_default);
    const mask_type m = a > 8.0;
    sum += KE::reduce(a);
    masked += KE::reduce(a, m, std::plus<>());
    least = Kokkos::min(least, KE::hmin(KE::where(m, a)));
    most = Kokkos::max(most, KE::reduce_max(a, !m));
    for (int k = 0; k < width; ++k) above += m[k] ? 1 : 0;
  }
  std::printf("sums: %g %g, least above %g, most below %g, %d above\n", sum, masked, least, most,
              above);
  const simd_type ones(1.0);
  const mask_type unset(false);
  std::printf("no lane: %g %g %g %g\n", KE::reduce(ones, unset, 42.0, std::plus<>()),
              KE::reduce(ones, unset, 42.0),
              KE::reduce(KE::where(unset, ones), 42.0, std::plus<>()),
              KE::reduce(KE::where(unset, ones), 42.0));

  double worst = 0;
  for (int i = 0; i < n; i += width) {
    const simd_type a(&x[i], KE::simd_flag_default);
    const simd_type error = Kokkos::abs(newton_root(a) - Kokkos::sqrt(a));
    worst = Kokkos::max(worst, KE::reduce_max(error));
  }
  std::printf("newton: %s\n", worst < 1e-7 ? "close" : "far");

  // Functions: lanes within an error of the scalar ones
  int wrong = 0;
  const auto check = [&](const simd_type& v, const auto& f, double first) {
    for (int k = 0; k < width; ++k) {
      const double wanted = f(first + 0.25 * k);
      if (std::abs(v[k] - wanted) > 1e-12 * (1 + std::abs(wanted))) ++wrong;
    }
  };
  for (int i = 4; i + width <= n; i += width) {
    const simd_type a(&x[i], KE::simd_flag_default);
    check(Kokkos::exp(a), [](double v) { return std::exp(v); }, x[i]);
    check(Kokkos::log(a), [](double v) { return std::log(v); }, x[i]);
    check(Kokkos::sin(a), [](double v) { return std::sin(v); }, x[i]);
    check(Kokkos::pow(a, simd_type(1.5)), [](double v) { return std::pow(v, 1.5); }, x[i]);
    check(Kokkos::fma(a, a, a), [](double v) { return std::fma(v, v, v); }, x[i]);
    check(Kokkos::hypot(a, a), [](double v) { return std::hypot(v, v); }, x[i]);
    check(Kokkos::floor(a), [](double v) { return std::floor(v); }, x[i]);
  }
  std::printf("functions: %d wrong\n", wrong);

  // Integers: shifts, bits, generators; fixed widths
  using ints = KE::basic_simd<std::int32_t, KE::simd_abi::avx2_fixed_size<4>>;
  const ints k([](auto i) { return static_cast<int>(i) + 1; });
  const ints shifted = (k << 3) | ints(1);
  std::printf("integers: %d %d %d %d\n", shifted[0], shifted[1], (shifted >> 1)[2],
              (shifted & ints(12))[3]);

  // Gathers and scatters
  using index_type = KE::basic_simd<std::int32_t, typename simd_type::abi_type>;
  double reversed = 0;
  for (int i = 0; i < n; i += width) {
    const index_type at([&](auto lane) { return n - 1 - i - static_cast<int>(lane); });
    const simd_type g = KE::unchecked_gather_from<simd_type>(x, at);
    KE::unchecked_scatter_to(g, y, at);
    reversed += g[0] * (i + 1);
  }
  std::printf("gathered: %s\n", y == x && reversed > 0 ? "all in place" : "wrong");

  const mask_type none(false), all(true);
  std::printf("masks: %d %d %d %d\n", KE::all_of(all), KE::any_of(none), KE::none_of(none),
              KE::all_of(none || all));
}
