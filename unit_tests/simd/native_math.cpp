// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accuracy of functions of vectors that docs/simd.md promises, in units of the last place, and
// their results for special values.
#include "math_checks.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using simd_test::all_arguments;
using simd_test::arguments;
using simd_test::largest_error;

// Returns the error bound of the implementation in use: scalar functions of the C library, SLEEF or
// libmvec.
constexpr double bound(double lanes, double sleef, double libmvec, bool registers) {
  return !registers ? lanes : HPK_WITH_SLEEF ? sleef : HPK_WITH_LIBMVEC ? libmvec : lanes;
}

// Vectors of three lanes are not registers and are computed lane by lane. Gamma functions lose
// digits near zeros at negative numbers.
#define ACCURACY(name, low, high, lanes, sleef, libmvec)                                         \
  template <class T, int N>                                                                      \
  void name##_is_accurate() {                                                                    \
    using V = hpk::simd<T, N>;                                                                   \
    T worst = 0;                                                                                 \
    auto xs = arguments<T>(low, high);                                                           \
    if (std::string_view(#name).find("gamma") == std::string_view::npos) {                       \
      const auto all = all_arguments<T>();                                                       \
      xs.insert(xs.end(), all.begin(), all.end());                                               \
    }                                                                                            \
    const double error = largest_error<V>(                                                       \
        xs, [](const V& v) { return hpk::name(v); }, [](long double x) { return std::name(x); }, \
        &worst);                                                                                 \
    if (!(error <= bound(lanes, sleef, libmvec, N != 3) * 1.001))                                \
      ADD_FAILURE() << #name << " of " << sizeof(T) << " bytes, " << N << " lanes: " << error    \
                    << " ulp at " << worst;                                                      \
    if (std::getenv("HPK_TEST_SHOW_ULP"))                                                        \
      std::printf("%-6s %zu bytes %2d lanes %.3f\n", #name, sizeof(T), N, error);                \
  }                                                                                              \
  TEST(simd_native_math, name) {                                                                 \
    name##_is_accurate<float, 8>();                                                              \
    name##_is_accurate<float, 4>();                                                              \
    name##_is_accurate<double, 4>();                                                             \
    name##_is_accurate<double, 2>();                                                             \
    name##_is_accurate<double, 3>();                                                             \
  }

ACCURACY(exp, -87, 88, 1, 1, 4)
ACCURACY(exp2, -125, 127, 1, 1, 4)
ACCURACY(expm1, -80, 80, 2, 1, 4)
ACCURACY(log, T(1e-30), T(1e30), 1, 1, 4)
ACCURACY(log2, T(1e-30), T(1e30), 1, 1, 4)
ACCURACY(log10, T(1e-30), T(1e30), 2, 1, 4)
ACCURACY(log1p, T(-0.99), 1e10, 2, 1, 4)
ACCURACY(cbrt, T(-1e30), T(1e30), 4, 1, 4)
ACCURACY(sin, -1000, 1000, 1, 1, 4)
ACCURACY(cos, -1000, 1000, 1, 1, 4)
ACCURACY(tan, -1000, 1000, 1, 1, 4)
ACCURACY(asin, -1, 1, 1, 1, 4)
ACCURACY(acos, -1, 1, 1, 1, 4)
ACCURACY(atan, -1000, 1000, 1, 1, 4)
ACCURACY(sinh, -80, 80, 3, 1, 4)
ACCURACY(cosh, -80, 80, 2, 1, 4)
ACCURACY(tanh, -20, 20, 3, 1, 4)
ACCURACY(asinh, T(-1e10), T(1e10), 2, 1, 4)
ACCURACY(acosh, 1, 1e10, 3, 1, 4)
ACCURACY(atanh, T(-0.999), T(0.999), 2, 1, 4)
ACCURACY(erf, -6, 6, 1, 1.5, 4)
ACCURACY(erfc, -6, 9, 4, 1.5, 4)
ACCURACY(tgamma, T(0.1), 33, 5, 1, 5)
ACCURACY(lgamma, T(2.5), 1e6, 4, 1, 4)

// Returns the largest error for two arguments: x from one range, y from another.
template <class V, class F, class G>
double largest_error_2(typename V::value_type low, typename V::value_type high,
                       typename V::value_type y_low, typename V::value_type y_high, const F& f,
                       const G& exact) {
  using T = typename V::value_type;
  const auto xs = arguments<T>(low, high);
  auto ys = arguments<T>(y_low, y_high);
  ys.resize(xs.size(), T(1));
  double most = 0;
  constexpr auto n = static_cast<std::size_t>(V::size());
  for (std::size_t k = 0; k + n <= xs.size(); k += n) {
    const std::size_t other = xs.size() - n - k;
    const V v = f(V(xs.data() + k), V(ys.data() + other));
    for (std::size_t i = 0; i < n; ++i) {
      const long double wanted =
          exact(static_cast<long double>(xs[k + i]), static_cast<long double>(ys[other + i]));
      most = std::max(most, simd_test::ulp(v[i], wanted));
    }
  }
  return most;
}
template <class T, int N>
void pairs_are_accurate() {
  using V = hpk::simd<T, N>;
  const double pow_error = largest_error_2<V>(
      T(0.01), 100, -15, 15, [](const V& x, const V& y) { return hpk::pow(x, y); },
      [](long double x, long double y) { return std::pow(x, y); });
  EXPECT_LE(pow_error, bound(1, 1, 1, true)) << N;
  const double atan2_error = largest_error_2<V>(
      -10, 10, -10, 10, [](const V& x, const V& y) { return hpk::atan2(x, y); },
      [](long double x, long double y) { return std::atan2(x, y); });
  EXPECT_LE(atan2_error, bound(2, 1, 4, true)) << N;
  const double hypot_error = largest_error_2<V>(
      T(-1e15), T(1e15), -1000, 1000, [](const V& x, const V& y) { return hpk::hypot(x, y); },
      [](long double x, long double y) { return std::hypot(x, y); });
  EXPECT_LE(hypot_error, bound(1, 0.501, 4, true)) << N;
  if (std::getenv("HPK_TEST_SHOW_ULP"))
    std::printf("pow %.3f atan2 %.3f hypot %.3f\n", pow_error, atan2_error, hypot_error);
}
TEST(simd_native_math, pairs) {
  pairs_are_accurate<float, 8>();
  pairs_are_accurate<double, 4>();
  pairs_are_accurate<double, 2>();
}

// At zeros, infinities, NaNs and the ends of domains: the result of the scalar function, with its
// sign. Finite results have the accuracy above.
template <class T, int N>
void special_values() {
  using V = hpk::simd<T, N>;
  using limits = std::numeric_limits<T>;
  const T values[] = {T(0),
                      -T(0),
                      T(1),
                      T(-1),
                      limits::infinity(),
                      -limits::infinity(),
                      limits::quiet_NaN(),
                      T(2),
                      T(-2),
                      T(1000),
                      T(-1000),
                      limits::min(),
                      -limits::min(),
                      limits::denorm_min(),
                      -limits::denorm_min(),
                      limits::max(),
                      -limits::max(),
                      T(1e10),
                      T(0.5),
                      T(-0.5)};
  const auto check = [](const char* name, T x, T got, T wanted) {
    const bool both_nan = std::isnan(got) && std::isnan(wanted);
    const bool ok = both_nan || (simd_test::ulp(got, static_cast<long double>(wanted)) <= 5 &&
                                 std::signbit(got) == std::signbit(wanted));
    if (!ok)
      ADD_FAILURE() << name << "(" << x << ") is " << got << ", not " << wanted << ", of " << N
                    << " lanes, " << sizeof(T) << " bytes";
  };
  for (const T x : values) {
#define SPECIAL(name) check(#name, x, hpk::name(V(x))[N - 1], std::name(x))
    SPECIAL(exp);
    SPECIAL(exp2);
    SPECIAL(expm1);
    SPECIAL(log);
    SPECIAL(log2);
    SPECIAL(log10);
    SPECIAL(log1p);
    SPECIAL(cbrt);
    SPECIAL(sin);
    SPECIAL(cos);
    SPECIAL(tan);
    SPECIAL(asin);
    SPECIAL(acos);
    SPECIAL(atan);
    SPECIAL(sinh);
    SPECIAL(cosh);
    SPECIAL(tanh);
    SPECIAL(asinh);
    SPECIAL(acosh);
    SPECIAL(atanh);
    SPECIAL(erf);
    SPECIAL(erfc);
    SPECIAL(tgamma);
    SPECIAL(lgamma);
#undef SPECIAL
    for (const T y : values) {
      check("pow", y, hpk::pow(V(x), V(y))[0], std::pow(x, y));
      check("atan2", y, hpk::atan2(V(x), V(y))[0], std::atan2(x, y));
      check("hypot", y, hpk::hypot(V(x), V(y))[0], std::hypot(x, y));
    }
  }
}
TEST(simd_native_math, special_values) {
  special_values<double, 4>();
  special_values<float, 8>();
  special_values<double, 2>();
  special_values<float, 4>();
}

}  // namespace
