// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// complex: layout, conversions, arithmetic against std::complex, on hosts and in kernels.
#include <hpk/half.hpp>
#include <hpk/math/complex.hpp>

#include <support/numbers.hpp>
#include <support/spaces.hpp>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

namespace base_complex_test {
namespace {

using hpk::complex;
using hpk::Experimental::half_t;
using hpk_test::same;
using hpk_test::with_negatives;

template <class T>
constexpr bool has_the_layout_of_the_standard_one =
    sizeof(complex<T>) == sizeof(std::complex<T>) &&
    alignof(complex<T>) == alignof(std::complex<T>) && std::is_trivially_copyable_v<complex<T>>;
static_assert(has_the_layout_of_the_standard_one<float>);
static_assert(has_the_layout_of_the_standard_one<double>);
static_assert(has_the_layout_of_the_standard_one<long double>);
static_assert(sizeof(complex<half_t>) == 4);

// Constant expressions.
static_assert(complex<double>() == 0 && complex<double>(1, 2).imag() == 2);
static_assert(complex(1.0, 2.0) * complex(3.0, 4.0) == complex(-5.0, 10.0));
static_assert(complex(-5.0, 10.0) / complex(3.0, 4.0) == complex(1.0, 2.0));
static_assert(hpk::conj(complex(1.0, 2.0)) == complex(1.0, -2.0));
static_assert(hpk::norm(complex(3.0f, 4.0f)) == 25 && hpk::imag(complex(1.0, 2.0)) == 2);
static_assert(std::is_same_v<decltype(hpk::real(3)), double> && hpk::real(3) == 3);
static_assert(hpk::real(half_t(1.5f)) == half_t(1.5f) && hpk::imag(half_t(2)) == half_t(0));
static_assert(hpk::conj(half_t(1.5f)) == complex<half_t>(half_t(1.5f)));
static_assert(std::is_same_v<decltype(hpk::conj(3.0f)), complex<float>> && hpk::imag(3.0f) == 0);

// The type of a sum of mixed operands.
template <class A, class B>
using sum_t = decltype(std::declval<A>() + std::declval<B>());
static_assert(std::is_same_v<sum_t<complex<float>, complex<double>>, complex<double>>);
static_assert(std::is_same_v<sum_t<complex<float>, int>, complex<float>>);
static_assert(std::is_same_v<sum_t<double, complex<float>>, complex<double>>);
static_assert(std::is_same_v<sum_t<complex<float>, std::complex<double>>, complex<double>>);
static_assert(std::is_same_v<sum_t<std::complex<float>, complex<float>>, complex<float>>);
static_assert(std::is_same_v<sum_t<complex<half_t>, complex<half_t>>, complex<half_t>>);

template <class T>
class Complex : public testing::Test {};
using types = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(Complex, types);

TYPED_TEST(Complex, converts_from_and_to_the_standard_one) {
  using standard = std::complex<TypeParam>;
  const complex<TypeParam> z = standard(1, 2);
  const standard back = z;
  EXPECT_EQ(back, standard(1, 2));
  EXPECT_TRUE(z == back && back == z && z != standard(1, 3) && z == complex<double>(1, 2));
  EXPECT_TRUE(complex<TypeParam>(3) == 3 && 3.0f == complex<TypeParam>(3));
  const complex<float> narrow = complex<double>(1.5, 2.5);
  EXPECT_EQ(narrow.imag(), 2.5f);
  complex<TypeParam> w = 5;
  w.real(7);
  w.imag() = 8;
  EXPECT_EQ(w, standard(7, 8));
  w = 3;
  EXPECT_EQ(w, standard(3, 0));
  // complex has the bytes of two numbers, and therefore of std::complex.
  TypeParam parts[2];
  std::memcpy(parts, &z, sizeof(z));
  EXPECT_EQ(parts[0], 1);
  EXPECT_EQ(parts[1], 2);
  auto [re, im] = z;
  EXPECT_EQ(re + im, 3);
  hpk::get<0>(w) = 4;
  EXPECT_EQ(hpk::get<0>(w), 4);
  // get() returns the same kinds of references as for a tuple.
  const complex<TypeParam>& constant = w;
  EXPECT_EQ(&hpk::get<1>(constant), &hpk::get<1>(w));
  static_assert(std::is_same_v<decltype(hpk::get<0>(w)), TypeParam&>);
  static_assert(std::is_same_v<decltype(hpk::get<1>(constant)), const TypeParam&>);
  static_assert(std::is_same_v<decltype(hpk::get<0>(std::move(w))), TypeParam&&>);
  static_assert(std::is_same_v<decltype(hpk::get<1>(std::move(constant))), const TypeParam&&>);
}

template <class T>
std::vector<T> samples() {
  std::vector<T> values = {T(0), T(1), T(0.1), T(3.7), T(1e10), T(1e-20)};
  return with_negatives(std::move(values));
}
TYPED_TEST(Complex, sums_and_products_are_those_of_the_standard_one) {
  using own = complex<TypeParam>;
  using standard = std::complex<TypeParam>;
  for (const TypeParam x : samples<TypeParam>()) {
    for (const TypeParam y : samples<TypeParam>()) {
      for (const TypeParam u : samples<TypeParam>()) {
        for (const TypeParam v : samples<TypeParam>()) {
          const own z(x, y);
          const own w(u, v);
          const standard a(x, y);
          const standard b(u, v);
          const auto check = [&](const own& found, const standard& reference, const char* what) {
            ASSERT_TRUE(same(found.real(), reference.real()) &&
                        same(found.imag(), reference.imag()))
                << what << ' ' << a << ' ' << b << ": " << found << " and " << reference;
          };
          check(z + w, a + b, "+");
          check(z - w, a - b, "-");
          check(z * w, a * b, "*");
          check(z + u, a + u, "+ real");
          check(u + z, u + a, "real +");
          check(z - u, a - u, "- real");
          check(z * u, a * u, "* real");
          check(u * z, u * a, "real *");
          check(-z, -a, "negated");
          own sum = z;
          sum += w;
          sum *= u;
          sum -= b;
          standard expected = a;
          expected += b;
          expected *= u;
          expected -= b;
          check(sum, expected, "in place");
          EXPECT_EQ(z == w, a == b);
        }
      }
    }
  }
  EXPECT_EQ(2 - complex<TypeParam>(1, 1), complex<TypeParam>(1, -1));
}

TYPED_TEST(Complex, quotients_are_near_those_of_the_standard_one) {
  if (std::is_same_v<TypeParam, long double>)
    GTEST_SKIP() << "there is no wider type to compare with";
  using limits = std::numeric_limits<TypeParam>;
  const std::vector<TypeParam> values = {0,
                                         1,
                                         TypeParam(-0.1),
                                         TypeParam(3.7),
                                         limits::max(),
                                         -limits::max() / 3,
                                         limits::min(),
                                         limits::denorm_min() * 1000,
                                         TypeParam(1e15),
                                         -0.0};
  for (const TypeParam x : values) {
    for (const TypeParam y : values) {
      for (const TypeParam u : values) {
        for (const TypeParam v : values) {
          if (u == 0 && v == 0) continue;
          // Scales both operands so that nothing overflows or underflows, and scales the quotient
          // back.
          const int above = std::max(std::ilogb(x), std::ilogb(y));
          const int below = std::max(std::ilogb(u), std::ilogb(v));
          const int up = x == 0 && y == 0 ? 0 : above;
          const std::complex<long double> a(std::ldexp(static_cast<long double>(x), -up),
                                            std::ldexp(static_cast<long double>(y), -up));
          const std::complex<long double> b(std::ldexp(static_cast<long double>(u), -below),
                                            std::ldexp(static_cast<long double>(v), -below));
          const std::complex<long double> ratio = a / b;
          const auto re = static_cast<TypeParam>(std::ldexp(ratio.real(), up - below));
          const auto im = static_cast<TypeParam>(std::ldexp(ratio.imag(), up - below));
          const auto quotient = complex<TypeParam>(x, y) / complex<TypeParam>(u, v);
          if (!std::isfinite(re) || !std::isfinite(im)) {
            EXPECT_TRUE(std::isfinite(re) || std::abs(quotient.real()) > limits::max() / 2)
                << x << ' ' << y << " / " << u << ' ' << v << quotient;
            EXPECT_TRUE(std::isfinite(im) || std::abs(quotient.imag()) > limits::max() / 2)
                << x << ' ' << y << " / " << u << ' ' << v << quotient;
            continue;
          }
          const TypeParam size = std::max(std::abs(re), std::abs(im));
          const TypeParam room = 8 * limits::epsilon() * size + 2 * limits::denorm_min();
          ASSERT_NEAR(quotient.real(), re, room) << x << ' ' << y << " / " << u << ' ' << v;
          ASSERT_NEAR(quotient.imag(), im, room) << x << ' ' << y << " / " << u << ' ' << v;
        }
      }
    }
  }
}

TYPED_TEST(Complex, quotients_of_infinities_and_zeros_are_those_of_the_standard_one) {
  const TypeParam infinity = std::numeric_limits<TypeParam>::infinity();
  const TypeParam nan = std::numeric_limits<TypeParam>::quiet_NaN();
  const std::vector<TypeParam> values = {0, TypeParam(-0.0), 1, -2, infinity, -infinity, nan};
  for (const TypeParam x : values) {
    for (const TypeParam y : values) {
      for (const TypeParam u : values) {
        for (const TypeParam v : values) {
          volatile TypeParam unknown = x;  // constant folding may give different bits
          const auto found = complex<TypeParam>(x, y) / complex<TypeParam>(u, v);
          const auto reference =
              std::complex<TypeParam>(unknown, y) / std::complex<TypeParam>(u, v);
          const auto kind = [](TypeParam re, TypeParam im) {
            if (std::isinf(re) || std::isinf(im)) return 'i';
            if (std::isnan(re) || std::isnan(im)) return 'n';
            return re == 0 && im == 0 ? '0' : 'f';
          };
          ASSERT_EQ(kind(found.real(), found.imag()), kind(reference.real(), reference.imag()))
              << x << ' ' << y << " / " << u << ' ' << v << ": " << found << ' ' << reference;
        }
      }
    }
  }
}

TEST(ComplexOfHalves, computes_with_them) {
  const complex<half_t> z(half_t(1), half_t(2));
  EXPECT_EQ(z * z, (complex<half_t>(half_t(-3), half_t(4))));
  EXPECT_EQ(z * z / z, z);
  EXPECT_EQ(complex<float>(z), (complex<float>(1, 2)));
}

TEST(ComplexStreams, write_and_read_as_the_standard_one) {
  std::stringstream stream;
  stream << complex<double>(1.5, -2);
  EXPECT_EQ(stream.str(), "(1.5,-2)");
  complex<double> z;
  stream >> z;
  EXPECT_EQ(z, (complex<double>(1.5, -2)));
  std::stringstream forms("3 (4) (5,6) (7;8)");
  complex<double> a;
  complex<double> b;
  complex<double> c;
  forms >> a >> b >> c;
  EXPECT_TRUE(a == 3.0 && b == 4.0 && c == complex<double>(5, 6));
  forms >> a;
  EXPECT_TRUE(forms.fail());
  EXPECT_EQ(a, 3.0);
}

template <class Exec>
class ComplexInKernel : public testing::Test {};
TYPED_TEST_SUITE(ComplexInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(ComplexInKernel, is_stored_and_summed) {
  constexpr int n = 1000;
  hpk::View<complex<double>*, TypeParam> values("values", n);
  hpk::parallel_for(
      "fill", hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        const complex<double> z(i, 1);
        values(i) = z * z / complex<double>(0, 2) + 1;
      });
  complex<double> sum;
  hpk::parallel_reduce(
      "sum", hpk::RangePolicy<TypeParam>(0, n),
      HPK_LAMBDA(int i, complex<double>& update) { update += values(i); }, sum);
  // z * z / 2i = i - (i^2 - 1) / 2 * imaginary unit.
  double imaginary = 0;
  for (int i = 0; i < n; ++i) imaginary -= (static_cast<double>(i) * i - 1) / 2;
  EXPECT_DOUBLE_EQ(sum.real(), n * (n - 1) / 2.0 + n);
  EXPECT_DOUBLE_EQ(sum.imag(), imaginary);
  const auto there = hpk_test::on_host(values);
  EXPECT_EQ(there(3), (complex<double>(4, -4)));
}

}  // namespace
}  // namespace base_complex_test
