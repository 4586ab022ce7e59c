// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares Bessel and Hankel functions with reference values of many digits, and tests their
// special values and the relations between them on dense grids.
#include <hpk/special_functions.hpp>

#include <support/spaces.hpp>
#include <support/special_values.hpp>

#include <cmath>
#include <limits>

namespace base_bessel_functions_test {
namespace {

using hpk::complex;
using hpk::Experimental::cyl_bessel_h10;
using hpk::Experimental::cyl_bessel_h11;
using hpk::Experimental::cyl_bessel_h20;
using hpk::Experimental::cyl_bessel_h21;
using hpk::Experimental::cyl_bessel_i0;
using hpk::Experimental::cyl_bessel_i1;
using hpk::Experimental::cyl_bessel_j0;
using hpk::Experimental::cyl_bessel_j1;
using hpk::Experimental::cyl_bessel_k0;
using hpk::Experimental::cyl_bessel_k1;
using hpk::Experimental::cyl_bessel_y0;
using hpk::Experimental::cyl_bessel_y1;
using hpk_test::special;
using number = complex<double>;

template <class Exec>
class BesselFunctions : public testing::Test {};
TYPED_TEST_SUITE(BesselFunctions, hpk_test::spaces, hpk_test::space_names);

template <class T>
struct evaluate {
  HPK_FUNCTION complex<T> operator()(special function, T x, T y) const {
    const complex<T> z(x, y);
    switch (function) {
      case special::j0:
        return cyl_bessel_j0(z);
      case special::j1:
        return cyl_bessel_j1(z);
      case special::y0:
        return cyl_bessel_y0(z);
      case special::y1:
        return cyl_bessel_y1(z);
      case special::i0:
        return cyl_bessel_i0(z);
      case special::i1:
        return cyl_bessel_i1(z);
      case special::k0:
        return cyl_bessel_k0(z);
      case special::k1:
        return cyl_bessel_k1(z);
      case special::h10:
        return cyl_bessel_h10(z);
      case special::h11:
        return cyl_bessel_h11(z);
      case special::h20:
        return cyl_bessel_h20(z);
      default:
        return cyl_bessel_h21(z);
    }
  }
};

HPK_TYPED_TEST(BesselFunctions, are_those_of_many_digits) {
  hpk_test::compare_special_values<TypeParam, double>(special::j0, special::h21,
                                                      evaluate<double>());
}
HPK_TYPED_TEST(BesselFunctions, of_float_are_rounded_once) {
  hpk_test::compare_special_values<TypeParam, float>(special::j0, special::h21, evaluate<float>());
}

/// Calls check(z) on circles of many radii, among them the radii where the method changes, and on
/// both axes with zeros of either sign.
template <class Check>
void everywhere(Check check) {
  for (const double size :
       {1e-8, 0.01, 0.7, 1.9, 2.0, 2.1, 4.4, 8.0, 11.9, 12.1, 18.0, 24.9, 25.0, 25.1, 60.0}) {
    for (int k = 0; k < 60; ++k) {
      const double angle = (k + 0.5) / 30 * 3.14159265358979;
      check(number(size * std::cos(angle), size * std::sin(angle)));
    }
    for (const double sign : {1.0, -1.0}) {
      for (const double zero : {0.0, -0.0}) {
        check(number(sign * size, zero));
        check(number(zero, sign * size));
      }
    }
  }
}
double size_of(const number& a, const number& b) { return hpk::abs(a) + hpk::abs(b); }

TEST(BesselRelations, wronskians_hold) {
  everywhere([](const number& z) {
    const number i0 = cyl_bessel_i0(z), i1 = cyl_bessel_i1(z);
    const number k0 = cyl_bessel_k0(z), k1 = cyl_bessel_k1(z);
    const number modified = z * (i0 * k1 + i1 * k0);
    EXPECT_LE(hpk::abs(modified - 1.0), 2e-14 * hpk::abs(z) * size_of(i0 * k1, i1 * k0)) << z;
    const number j0 = cyl_bessel_j0(z), j1 = cyl_bessel_j1(z);
    const number y0 = cyl_bessel_y0(z), y1 = cyl_bessel_y1(z);
    const number plain = z * (j1 * y0 - j0 * y1) * (0.5 * 3.14159265358979324);
    EXPECT_LE(hpk::abs(plain - 1.0), 4e-14 * hpk::abs(z) * size_of(j1 * y0, j0 * y1)) << z;
    // H11 H20 - H10 H21 = -4i / (pi z)
    const number one = cyl_bessel_h11(z) * cyl_bessel_h20(z);
    const number other = cyl_bessel_h10(z) * cyl_bessel_h21(z);
    const number mixed = z * (one - other) * number(0, 0.25 * 3.14159265358979324);
    EXPECT_LE(hpk::abs(mixed - 1.0), 2e-14 * hpk::abs(z) * size_of(one, other)) << z;
  });
}

TEST(BesselRelations, hankel_functions_are_sums) {
  everywhere([](const number& z) {
    const number i(0, 1);
    const number j0 = cyl_bessel_j0(z), y0 = cyl_bessel_y0(z);
    const number j1 = cyl_bessel_j1(z), y1 = cyl_bessel_y1(z);
    EXPECT_LE(hpk::abs(cyl_bessel_h10(z) - (j0 + i * y0)), 1e-14 * size_of(j0, y0)) << z;
    EXPECT_LE(hpk::abs(cyl_bessel_h11(z) - (j1 + i * y1)), 1e-14 * size_of(j1, y1)) << z;
    EXPECT_LE(hpk::abs(cyl_bessel_h20(z) - (j0 - i * y0)), 1e-14 * size_of(j0, y0)) << z;
    EXPECT_LE(hpk::abs(cyl_bessel_h21(z) - (j1 - i * y1)), 1e-14 * size_of(j1, y1)) << z;
  });
}

TEST(BesselRelations, conjugates_and_parities_are_exact) {
  everywhere([](const number& z) {
    const number mirrored = conj(z);
    EXPECT_EQ(cyl_bessel_j0(mirrored), conj(cyl_bessel_j0(z))) << z;
    EXPECT_EQ(cyl_bessel_y1(mirrored), conj(cyl_bessel_y1(z))) << z;
    EXPECT_EQ(cyl_bessel_i1(mirrored), conj(cyl_bessel_i1(z))) << z;
    EXPECT_EQ(cyl_bessel_k0(mirrored), conj(cyl_bessel_k0(z))) << z;
    EXPECT_EQ(cyl_bessel_h10(mirrored), conj(cyl_bessel_h20(z))) << z;
    EXPECT_EQ(cyl_bessel_h21(mirrored), conj(cyl_bessel_h11(z))) << z;
    EXPECT_EQ(cyl_bessel_i0(-z), cyl_bessel_i0(z)) << z;
    EXPECT_EQ(cyl_bessel_i1(-z), -cyl_bessel_i1(z)) << z;
    EXPECT_LE(hpk::abs(cyl_bessel_j0(-z) - cyl_bessel_j0(z)),
              1e-14 * size_of(cyl_bessel_j0(z), cyl_bessel_j1(z)))
        << z;
  });
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
bool is(const number& z, double re, double im) {
  const auto same = [](double a, double b) { return a == b || (a != a && b != b); };
  return same(z.real(), re) && same(z.imag(), im);
}

TEST(BesselSpecialValues, at_zero) {
  for (const double zero : {0.0, -0.0}) {
    const number z(zero, zero);
    EXPECT_TRUE(is(cyl_bessel_j0(z), 1, 0) && is(cyl_bessel_j1(z), 0, 0));
    EXPECT_TRUE(is(cyl_bessel_y0(z), -infinity, 0) && is(cyl_bessel_y1(z), -infinity, 0));
    EXPECT_TRUE(is(cyl_bessel_i0(z), 1, 0) && is(cyl_bessel_i1(z), 0, 0));
    EXPECT_TRUE(is(cyl_bessel_k0(z), infinity, 0) && is(cyl_bessel_k1(z), infinity, 0));
  }
  EXPECT_TRUE(is(cyl_bessel_h10(number()), 1, -infinity));
  EXPECT_TRUE(is(cyl_bessel_h11(number()), 0, -infinity));
  EXPECT_TRUE(is(cyl_bessel_h20(number()), 1, infinity));
  EXPECT_TRUE(is(cyl_bessel_h21(number()), 0, infinity));
  // The leading terms, as 2 / (pi z), overflow.
  EXPECT_EQ(cyl_bessel_k1(1e-310), infinity);
  EXPECT_EQ(cyl_bessel_y1(1e-310), -infinity);
  EXPECT_NEAR(cyl_bessel_k0(5e-324), 744.556, 0.001);
}

TEST(BesselSpecialValues, at_infinity) {
  const number right(infinity, 0.0);
  EXPECT_TRUE(is(cyl_bessel_j0(right), 0, 0) && is(cyl_bessel_j1(right), 0, 0));
  EXPECT_TRUE(is(cyl_bessel_y0(right), 0, 0) && is(cyl_bessel_y1(right), 0, 0));
  EXPECT_TRUE(is(cyl_bessel_i0(right), infinity, 0) && is(cyl_bessel_i1(right), infinity, 0));
  EXPECT_TRUE(is(cyl_bessel_k0(right), 0, 0) && is(cyl_bessel_k1(right), 0, 0));
  EXPECT_TRUE(is(cyl_bessel_h10(right), 0, 0) && is(cyl_bessel_h21(right), 0, 0));
  EXPECT_TRUE(is(cyl_bessel_h10(number(2.0, infinity)), 0, 0));
  EXPECT_TRUE(is(cyl_bessel_k0(number(2.0, -infinity)), 0, 0));
  EXPECT_TRUE(is(cyl_bessel_i1(number(-infinity, 0.0)), -infinity, 0));
}

TEST(BesselSpecialValues, of_what_is_no_number) {
  for (const number& z : {number(nan, 0.0), number(1.0, nan), number(nan, nan)}) {
    const evaluate<double> value;
    for (int k = 0; k <= static_cast<int>(special::h21); ++k) {
      const number result = value(static_cast<special>(k), z.real(), z.imag());
      EXPECT_TRUE(std::isnan(result.real())) << k << ' ' << z;
    }
  }
}

TEST(BesselSpecialValues, go_as_far_as_the_result_does) {
  // e^711 overflows, e^711 / sqrt(2 pi 711) does not.
  EXPECT_TRUE(std::isfinite(cyl_bessel_i0(711.0)) && cyl_bessel_i0(711.0) > 9e306);
  EXPECT_EQ(cyl_bessel_i0(720.0), infinity);
  EXPECT_TRUE(cyl_bessel_k0(740.0) > 0);
  EXPECT_EQ(cyl_bessel_k1(800.0), 0);
  // The asymptotic form on the real axis: sqrt(2 / (pi x)) cos(x - pi / 4).
  const double x = 1e15;
  EXPECT_NEAR(cyl_bessel_j0(x),
              std::sqrt(1 / (3.14159265358979324 * x)) * (std::cos(x) + std::sin(x)), 1e-22);
  EXPECT_EQ(cyl_bessel_j0(number(0.0, 1e300)).real(), infinity);
}

TEST(BesselOfRealNumbers, are_those_of_the_axis) {
  for (const double x : {0.1, 1.0, 2.4, 7.0, 13.0, 30.0, 400.0}) {
    const number z(x);
    EXPECT_EQ(cyl_bessel_j0(x), cyl_bessel_j0(z).real());
    EXPECT_EQ(cyl_bessel_j1(-x), -cyl_bessel_j1(z).real());
    EXPECT_EQ(cyl_bessel_y0(x), cyl_bessel_y0(z).real());
    EXPECT_EQ(cyl_bessel_i1(x), cyl_bessel_i1(z).real());
    EXPECT_EQ(cyl_bessel_k1(x), cyl_bessel_k1(z).real());
    EXPECT_EQ(cyl_bessel_h10(x), cyl_bessel_h10(z));
    // The C library has these functions too; the results differ in the last digits only.
    EXPECT_NEAR(cyl_bessel_j0(x), ::j0(x), 1e-15);
    EXPECT_NEAR(cyl_bessel_j1(x), ::j1(x), 1e-15);
    EXPECT_NEAR(cyl_bessel_y0(x), ::y0(x), 2e-15);
    EXPECT_NEAR(cyl_bessel_y1(x) / (1 + std::abs(::y1(x))), ::y1(x) / (1 + std::abs(::y1(x))),
                2e-15);
    EXPECT_TRUE(std::isnan(cyl_bessel_y0(-x)) && std::isnan(cyl_bessel_k1(-x)));
  }
  EXPECT_EQ(cyl_bessel_j0(3), cyl_bessel_j0(3.0));
  static_assert(std::is_same_v<decltype(cyl_bessel_j0(3)), double>);
  static_assert(std::is_same_v<decltype(cyl_bessel_k0(3.0f)), float>);
  static_assert(std::is_same_v<decltype(cyl_bessel_h20(3.0f)), complex<float>>);
  static_assert(std::is_same_v<decltype(cyl_bessel_y0(complex<float>())), complex<float>>);
}

TEST(BesselKnobs, are_taken_and_change_nothing) {
  const number z(20.0, 3.0);
  EXPECT_EQ((cyl_bessel_j0<number, double, int>(z)), cyl_bessel_j0(z));
  EXPECT_EQ((cyl_bessel_y1<number, double, int>(z, 10.0, 30)), cyl_bessel_y1(z));
  EXPECT_EQ(cyl_bessel_i0(z, 18.0, 50), cyl_bessel_i0(z));
  EXPECT_EQ(cyl_bessel_k1(z, 9, 30), cyl_bessel_k1(z));
  EXPECT_EQ((cyl_bessel_h10<number>(z)), cyl_bessel_h10(z));
}

template <class T>
concept has_bessel = requires(T x) { cyl_bessel_j0(x); };
static_assert(has_bessel<unsigned> && !has_bessel<long double> && !has_bessel<complex<long double>>,
              "GPUs have none, and double has fewer digits");

}  // namespace
}  // namespace base_bessel_functions_test
