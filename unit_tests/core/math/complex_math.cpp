// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares functions of complex numbers with the functions of std::complex, also for infinities and
// signed zeros. Also tests the formulas that GPUs use, which every host can compute.
#include <hpk/math/complex_math.hpp>

#include <support/numbers.hpp>
#include <support/spaces.hpp>

#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace base_complex_math_test {
namespace {

using hpk::complex;
using hpk_test::with_negatives;

template <class T>
class ComplexMath : public testing::Test {};
using types = testing::Types<float, double>;
TYPED_TEST_SUITE(ComplexMath, types);

template <class T>
std::vector<T> samples() {
  using limits = std::numeric_limits<T>;
  std::vector<T> values = {T(0),
                           limits::infinity(),
                           limits::quiet_NaN(),
                           limits::max(),
                           limits::min(),
                           limits::denorm_min(),
                           T(1),
                           T(0.5),
                           T(2),
                           T(1.5707963267948966),
                           T(3),
                           T(88),
                           T(100),
                           T(710),
                           T(1e-10),
                           T(1e10),
                           T(0.999999)};
  for (int i = 1; i < 16; ++i) values.push_back(T(i) * T(0.137));
  return with_negatives(std::move(values));
}

/// The difference of two parts, in units in the last place of `size`; 1e9 if only one of them is
/// infinite or NaN.
template <class T>
double places(T a, T b, T size) {
  constexpr double far = 1e9;
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : far;
  if (std::signbit(a) != std::signbit(b) && a == b) return far;
  if (a == b) return 0;
  if (std::isinf(a) || std::isinf(b)) return far;
  const T next = std::nextafter(std::abs(size), std::numeric_limits<T>::infinity());
  return static_cast<double>(std::abs(a - b) / (next - std::abs(size)));
}
/// The larger difference of the two parts. Signs are ignored if a part is NaN, as the standard
/// leaves them open.
template <class T>
double places(const complex<T>& a, const std::complex<T>& b) {
  if (std::isnan(b.real()) || std::isnan(b.imag())) {
    const auto unsigned_places = [](T x, T y) { return places(std::abs(x), std::abs(y), T(1)); };
    return std::max(unsigned_places(a.real(), b.real()), unsigned_places(a.imag(), b.imag()));
  }
  const T size = std::max(std::abs(b.real()), std::abs(b.imag()));
  const bool finite = std::isfinite(size);
  return std::max(places(a.real(), b.real(), finite ? size : b.real()),
                  places(a.imag(), b.imag(), finite ? size : b.imag()));
}

// Twice the largest error that was measured.
constexpr double most_places = 10;

TYPED_TEST(ComplexMath, is_that_of_the_standard_library_and_formulas_are_near_it) {
#define CHECK(name)                                                                          \
  for (const TypeParam x : samples<TypeParam>()) {                                           \
    for (const TypeParam y : samples<TypeParam>()) {                                         \
      const complex<TypeParam> z(x, y);                                                      \
      const std::complex<TypeParam> expected = std::name(std::complex<TypeParam>(x, y));     \
      ASSERT_EQ(places(hpk::name(z), expected), 0) << #name << z;                            \
      ASSERT_LE(places(hpk::detail::formula_##name(z), expected), most_places)               \
          << #name << z << " is " << hpk::detail::formula_##name(z) << ", not " << expected; \
    }                                                                                        \
  }
  CHECK(sqrt);
  CHECK(exp);
  CHECK(log);
  CHECK(sin);
  CHECK(cos);
  CHECK(tan);
  CHECK(sinh);
  CHECK(cosh);
  CHECK(tanh);
  CHECK(asin);
  CHECK(acos);
  CHECK(atan);
  CHECK(asinh);
  CHECK(acosh);
  CHECK(atanh);
#undef CHECK
}

/// One part of a sample: 0, near 1, near a multiple of pi / 2, or of any size.
template <class T>
T random_part(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const double sign = uniform(random) < 0.5 ? -1 : 1;
  const double near = (uniform(random) - 0.5) * std::pow(10, -7 * uniform(random));
  const double kind = uniform(random);
  if (kind < 0.35) return static_cast<T>(sign * 4 * uniform(random));
  if (kind < 0.6) return static_cast<T>(sign * std::pow(10, 12 * uniform(random) - 9));
  if (kind < 0.75) return static_cast<T>(sign * (1 + near));
  if (kind < 0.85) return static_cast<T>(sign * (1.5707963267948966 * (1 + random() % 4) + near));
  if (kind < 0.9) return T(0);
  return static_cast<T>(sign * std::exp(80 * uniform(random) - 40));
}
/// The larger error of the two parts, in units in the last place of the larger part, compared with
/// a result of a wider type.
template <class T, class Wide>
double places_by(const complex<T>& a, const std::complex<Wide>& b) {
  const Wide size = std::max(std::abs(b.real()), std::abs(b.imag()));
  if (!(size < Wide(std::numeric_limits<T>::max())) ||
      size < 4 * Wide(std::numeric_limits<T>::min()))
    return 0;
  int exponent = 0;
  std::frexp(size, &exponent);
  const Wide place = std::ldexp(Wide(1), exponent - std::numeric_limits<T>::digits);
  return static_cast<double>(
      std::max(std::abs(a.real() - b.real()), std::abs(a.imag() - b.imag())) / place);
}

// The bounds are those of docs/math.md: the largest errors of a million samples, rounded up.
TYPED_TEST(ComplexMath, formulas_are_as_near_as_is_written_of_them) {
  using wide = std::conditional_t<std::is_same_v<TypeParam, float>, double, long double>;
#define CHECK(name, most)                                                                   \
  {                                                                                         \
    std::mt19937 random(7);                                                                 \
    for (int k = 0; k < 30000; ++k) {                                                       \
      const auto x = random_part<TypeParam>(random);                                        \
      const auto y = random_part<TypeParam>(random);                                        \
      ASSERT_LE(places_by<TypeParam>(hpk::detail::formula_##name(complex<TypeParam>(x, y)), \
                                     std::name(std::complex<wide>(x, y))),                  \
                most)                                                                       \
          << #name << ' ' << x << ' ' << y;                                                 \
    }                                                                                       \
  }
  CHECK(sqrt, 2);
  CHECK(exp, 3);
  CHECK(log, 3.5);
  CHECK(sin, 3);
  CHECK(cos, 3.5);
  CHECK(tan, 5);
  CHECK(sinh, 3);
  CHECK(cosh, 3);
  CHECK(tanh, 5.5);
  CHECK(asin, 4);
  CHECK(acos, 4);
  CHECK(atan, 3);
  CHECK(asinh, 4);
  CHECK(acosh, 4);
  CHECK(atanh, 3);
#undef CHECK
}

TYPED_TEST(ComplexMath, magnitudes_angles_and_powers_are_near_those_of_the_standard_library) {
  using standard = std::complex<TypeParam>;
  using limits = std::numeric_limits<TypeParam>;
  const std::vector<TypeParam> values = {TypeParam(0.3), TypeParam(-1.7), TypeParam(2),
                                         TypeParam(-0.05), TypeParam(0)};
  for (const TypeParam x : samples<TypeParam>()) {
    for (const TypeParam y : samples<TypeParam>()) {
      ASSERT_EQ(places(hpk::abs(complex<TypeParam>(x, y)), std::abs(standard(x, y)), TypeParam(1)),
                0);
      ASSERT_EQ(places(hpk::arg(complex<TypeParam>(x, y)), std::arg(standard(x, y)), TypeParam(1)),
                0);
      const auto logarithm = hpk::log10(complex<TypeParam>(x, y));
      ASSERT_LE(places(logarithm, std::log10(standard(x, y))), most_places) << x << ' ' << y;
    }
  }
  const auto near = [](const auto& found, const auto& reference) {
    const std::complex<long double> a(found.real(), found.imag());
    const std::complex<long double> b(reference.real(), reference.imag());
    return std::abs(a - b) <= 32 * limits::epsilon() * std::abs(b);
  };
  for (const TypeParam x : values) {
    for (const TypeParam y : values) {
      const complex<TypeParam> z(x, y);
      const standard a(x, y);
      if (x >= 0) {
        EXPECT_TRUE(near(hpk::polar(x, y), std::polar(x, y)));
      }
      if (x == 0 && y == 0) continue;
      for (const TypeParam u : values) {
        EXPECT_TRUE(near(hpk::pow(z, u), std::pow(a, u))) << z << ' ' << u;
        if (u > 0) {
          EXPECT_TRUE(near(hpk::pow(u, z), std::pow(u, a))) << u << ' ' << z;
        }
        for (const TypeParam v : values)
          EXPECT_TRUE(near(hpk::pow(z, complex<TypeParam>(u, v)), std::pow(a, standard(u, v))))
              << z << ' ' << u << ' ' << v;
      }
    }
  }
  EXPECT_EQ(hpk::pow(complex<TypeParam>(), complex<TypeParam>(2, 1)), 0);
  EXPECT_EQ(hpk::pow(complex<TypeParam>(), 0), 1);
  static_assert(std::is_same_v<decltype(hpk::pow(complex<float>(), 2)), complex<double>>);
  static_assert(std::is_same_v<decltype(hpk::pow(complex<float>(), 2.0f)), complex<float>>);
  static_assert(std::is_same_v<decltype(hpk::pow(2.0, complex<float>())), complex<double>>);
}

TEST(ComplexMathOfHalves, computes_in_float) {
  using hpk::Experimental::half_t;
  const auto root = hpk::sqrt(complex<half_t>(half_t(-4), half_t(0)));
  EXPECT_EQ(root, (complex<half_t>(half_t(0), half_t(2))));
  EXPECT_EQ(hpk::abs(complex<half_t>(half_t(3), half_t(4))), 5);
  EXPECT_EQ(hpk::exp(complex<long double>(0, 0)), 1);
}

TEST(ComplexMathDeathTest, expects_a_magnitude_that_is_not_negative) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH((void)hpk::polar(-1.0, 2.0), "precondition violated");
}

// The functions of complex numbers hide no functions of other numbers.
template <class T>
HPK_FUNCTION T mix_of_others(T x) {
  return hpk::sqrt(x) + hpk::exp(x) + hpk::log(x) + hpk::sin(x) + hpk::cos(x) + hpk::tan(x) +
         hpk::sinh(x) + hpk::cosh(x) + hpk::tanh(x) + hpk::asin(x) + hpk::acos(x) + hpk::atan(x) +
         hpk::asinh(x) + hpk::acosh(x + T(1)) + hpk::atanh(x) + hpk::pow(x, x) + hpk::abs(x) +
         hpk::log10(x);
}
TEST(ComplexMathBesideOthers, leaves_functions_of_other_numbers_visible) {
  using hpk::Experimental::half_t;
  const double wanted = mix_of_others(0.5);
  EXPECT_NEAR(mix_of_others(0.5f), wanted, 1e-5);
  EXPECT_NEAR(static_cast<double>(mix_of_others(half_t(0.5f))), wanted, 0.05);
  EXPECT_EQ(hpk::abs(-3), 3);
  EXPECT_EQ(hpk::abs(std::complex<double>(3, 4)), 5);
  // Argument-dependent lookup finds the names, as for std::complex. The operands are volatile
  // because constant folding may differ in the last bit.
  volatile double three = 3;
  volatile int two = 2;
  const complex<double> z(three, 4);
  EXPECT_EQ(abs(z), 5);
  EXPECT_EQ(exp(z), hpk::exp(z));
  EXPECT_EQ(pow(z, two), hpk::pow(z, two));
  EXPECT_EQ(hpk::pow(two, z), hpk::pow(complex<double>(two), z));
}

template <class Exec>
class ComplexMathInKernel : public testing::Test {};
TYPED_TEST_SUITE(ComplexMathInKernel, hpk_test::spaces, hpk_test::space_names);

template <class T>
HPK_FUNCTION complex<T> mix(const complex<T>& z) {
  return hpk::sqrt(z) + hpk::exp(-z) + hpk::log(z) + hpk::sin(z) + hpk::cos(z) + hpk::tan(z) +
         hpk::sinh(z) + hpk::cosh(z) + hpk::tanh(z) + hpk::asin(z) + hpk::acos(z) + hpk::atan(z) +
         hpk::asinh(z) + hpk::acosh(z) + hpk::atanh(z) + hpk::pow(z, 2) + hpk::pow(z, z) +
         hpk::abs(z) + hpk::arg(z) + hpk::log10(z);
}

HPK_TYPED_TEST(ComplexMathInKernel, gives_what_the_host_has) {
  constexpr int n = 200;
  hpk::View<complex<double>*, TypeParam> values("values", n);
  hpk::parallel_for(
      "mix", hpk::RangePolicy<TypeParam>(0, n),
      HPK_LAMBDA(int i) { values(i) = mix(complex<double>(0.01 * i - 0.7, 0.5 + 0.003 * i)); });
  const auto there = hpk_test::on_host(values);
  for (int i = 0; i < n; ++i) {
    const complex<double> here = mix(complex<double>(0.01 * i - 0.7, 0.5 + 0.003 * i));
    ASSERT_NEAR(there(i).real(), here.real(), 1e-13) << i;
    ASSERT_NEAR(there(i).imag(), here.imag(), 1e-13) << i;
  }
}

}  // namespace
}  // namespace base_complex_math_test
