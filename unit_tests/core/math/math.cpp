// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares every mathematical function with the function of the standard library for dense samples
// and special values, on hosts and in kernels. Also tests functions for types of the program.
#include <hpk/math/math.hpp>

#include <support/numbers.hpp>
#include <support/spaces.hpp>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace base_math_test {
namespace {

using hpk_test::same;
using hpk_test::with_negatives;

/// Zeros, infinities, NaN, the ends of the range, and a grid over the rest.
template <class T>
std::vector<T> samples() {
  using limits = std::numeric_limits<T>;
  std::vector<T> values = {T(0),
                           limits::infinity(),
                           limits::quiet_NaN(),
                           limits::max(),
                           limits::min(),
                           limits::denorm_min(),
                           limits::epsilon(),
                           T(1),
                           T(0.5),
                           T(1.5),
                           T(2.5)};
  for (T x = T(1e-30); x < T(1e30); x *= T(1.37)) values.push_back(x);
  for (int i = 1; i < 200; ++i) values.push_back(T(i) / 16);
  return with_negatives(std::move(values));
}
/// A few values of each kind, for functions of two arguments.
template <class T>
std::vector<T> few_samples() {
  using limits = std::numeric_limits<T>;
  std::vector<T> values = {T(0),
                           limits::infinity(),
                           limits::quiet_NaN(),
                           limits::max(),
                           limits::denorm_min(),
                           T(1),
                           T(0.3),
                           T(2),
                           T(3),
                           T(7.25),
                           T(1e10)};
  return with_negatives(std::move(values));
}
/// Hides a value from the compiler, whose constant folding may round better.
template <class T>
T unknown(T value) {
  volatile T hidden = value;
  return hidden;
}

static_assert(std::is_same_v<decltype(hpk::isnan(1.0f)), bool>);

/// Compares results of fmax and fmin, which may return a zero of either sign.
template <class T>
bool equal(T a, T b) {
  return a == b || same(a, b);
}

template <class T>
class Math : public testing::Test {};
using types = testing::Types<float, double, long double>;
TYPED_TEST_SUITE(Math, types);

TYPED_TEST(Math, functions_of_one_number_are_those_of_the_standard_library){
#define CHECK_ONE(name)                                                       \
  for (const TypeParam x : samples<TypeParam>())                              \
    ASSERT_TRUE(same(hpk::name(x), std::name(x))) << #name << ' ' << x;       \
  static_assert(std::is_same_v<decltype(hpk::name(TypeParam())), TypeParam>); \
  static_assert(std::is_same_v<decltype(hpk::name(short())), double>);        \
  ASSERT_TRUE(same(hpk::name(unknown(3)), std::name(unknown(3.0))));          \
  ASSERT_TRUE(same(hpk::name##f(unknown(0.5f)), std::name(unknown(0.5f))));   \
  ASSERT_TRUE(same(hpk::name##l(unknown(0.5L)), std::name(unknown(0.5L))));
    CHECK_ONE(fabs) CHECK_ONE(exp) CHECK_ONE(exp2) CHECK_ONE(expm1) CHECK_ONE(log) CHECK_ONE(log10)
        CHECK_ONE(log2) CHECK_ONE(log1p) CHECK_ONE(sqrt) CHECK_ONE(cbrt) CHECK_ONE(sin)
            CHECK_ONE(cos) CHECK_ONE(tan) CHECK_ONE(asin) CHECK_ONE(acos) CHECK_ONE(atan)
                CHECK_ONE(sinh) CHECK_ONE(cosh) CHECK_ONE(tanh) CHECK_ONE(asinh) CHECK_ONE(acosh)
                    CHECK_ONE(atanh) CHECK_ONE(erf) CHECK_ONE(erfc) CHECK_ONE(tgamma)
                        CHECK_ONE(lgamma) CHECK_ONE(ceil) CHECK_ONE(floor) CHECK_ONE(trunc)
                            CHECK_ONE(round) CHECK_ONE(nearbyint) CHECK_ONE(rint) CHECK_ONE(logb)
#undef CHECK_ONE
}

TYPED_TEST(Math, functions_of_two_numbers_are_those_of_the_standard_library){
#define CHECK_TWO(name, same)                                                               \
  for (const TypeParam x : few_samples<TypeParam>()) {                                      \
    for (const TypeParam y : few_samples<TypeParam>())                                      \
      ASSERT_TRUE(same(hpk::name(x, y), std::name(x, y))) << #name << ' ' << x << ' ' << y; \
  }                                                                                         \
  static_assert(std::is_same_v<decltype(hpk::name(TypeParam(), TypeParam())), TypeParam>);  \
  static_assert(std::is_same_v<decltype(hpk::name(1.0f, 1)), double>);                      \
  static_assert(std::is_same_v<decltype(hpk::name(1.0f, 1.0L)), long double>);              \
  static_assert(std::is_same_v<decltype(hpk::name(1u, char(1))), double>);                  \
  ASSERT_TRUE(same(hpk::name(unknown(3), 0.75f), std::name(unknown(3.0), 0.75)));           \
  ASSERT_TRUE(same(hpk::name##f(unknown(0.5f), 3.0f), std::name(unknown(0.5f), 3.0f)));     \
  ASSERT_TRUE(same(hpk::name##l(unknown(0.5L), 3.0L), std::name(unknown(0.5L), 3.0L)));
    CHECK_TWO(pow, same) CHECK_TWO(hypot, same) CHECK_TWO(atan2, same) CHECK_TWO(fmod, same)
        CHECK_TWO(remainder, same) CHECK_TWO(fmax, equal) CHECK_TWO(fmin, equal)
            CHECK_TWO(fdim, same) CHECK_TWO(nextafter, same) CHECK_TWO(copysign, same)
#undef CHECK_TWO
}

TYPED_TEST(Math, fused_product_and_sum_is_that_of_the_standard_library) {
  for (const TypeParam x : few_samples<TypeParam>()) {
    for (const TypeParam y : few_samples<TypeParam>()) {
      for (const TypeParam z : few_samples<TypeParam>())
        ASSERT_TRUE(same(hpk::fma(x, y, z), std::fma(x, y, z))) << x << ' ' << y << ' ' << z;
    }
  }
  static_assert(std::is_same_v<decltype(hpk::fma(1.0f, 2, 3.0f)), double>);
}

TYPED_TEST(Math, length_of_three_is_that_of_two_and_one) {
  using limits = std::numeric_limits<TypeParam>;
  for (const TypeParam x : few_samples<TypeParam>()) {
    for (const TypeParam y : few_samples<TypeParam>()) {
      for (const TypeParam z : few_samples<TypeParam>()) {
        const TypeParam three = hpk::hypot(x, y, z);
        const bool infinite = std::isinf(x) || std::isinf(y) || std::isinf(z);
        const bool unknown = std::isnan(x) || std::isnan(y) || std::isnan(z);
        const TypeParam two = infinite  ? limits::infinity()
                              : unknown ? limits::quiet_NaN()
                                        : std::hypot(std::hypot(x, y), z);
        const TypeParam room = 4 * limits::epsilon() * std::abs(two) + limits::denorm_min();
        ASSERT_TRUE(same(three, two) || std::abs(three - two) <= room)
            << x << ' ' << y << ' ' << z << ": " << three << " and " << two;
      }
    }
  }
  EXPECT_EQ(hpk::hypot(2, 3.0f, 6u), 7.0);
}

TYPED_TEST(Math, kinds_of_numbers_are_told) {
  for (const TypeParam x : samples<TypeParam>()) {
    ASSERT_EQ(hpk::isfinite(x), std::isfinite(x));
    ASSERT_EQ(hpk::isinf(x), std::isinf(x));
    ASSERT_EQ(hpk::isnan(x), std::isnan(x));
    ASSERT_EQ(hpk::isnormal(x), std::isnormal(x));
    ASSERT_EQ(hpk::signbit(x), std::signbit(x));
    ASSERT_EQ(hpk::fpclassify(x), std::fpclassify(x));
    for (const TypeParam y : few_samples<TypeParam>()) {
      ASSERT_EQ(hpk::isgreater(x, y), std::isgreater(x, y));
      ASSERT_EQ(hpk::isgreaterequal(x, y), std::isgreaterequal(x, y));
      ASSERT_EQ(hpk::isless(x, y), std::isless(x, y));
      ASSERT_EQ(hpk::islessequal(x, y), std::islessequal(x, y));
      ASSERT_EQ(hpk::islessgreater(x, y), std::islessgreater(x, y));
      ASSERT_EQ(hpk::isunordered(x, y), std::isunordered(x, y));
    }
  }
  EXPECT_TRUE(hpk::isnormal(3) && !hpk::isnan(3) && hpk::isfinite(3u) && !hpk::signbit(3));
  EXPECT_TRUE(hpk::isgreater(3, 2.5f) && hpk::isless(2, 3L));
}

TYPED_TEST(Math, numbers_are_split_and_scaled) {
  for (const TypeParam x : samples<TypeParam>()) {
    int here = 0;
    int there = 0;
    ASSERT_TRUE(same(hpk::frexp(x, &here), std::frexp(x, &there)));
    if (std::isfinite(x)) {
      ASSERT_EQ(here, there);
    }
    TypeParam whole = 0;
    TypeParam whole_there = 0;
    ASSERT_TRUE(same(hpk::modf(x, &whole), std::modf(x, &whole_there)));
    ASSERT_TRUE(same(whole, whole_there));
    ASSERT_TRUE(same(hpk::ldexp(x, -3), std::ldexp(x, -3)));
    ASSERT_TRUE(same(hpk::scalbn(x, 5), std::scalbn(x, 5)));
    ASSERT_TRUE(same(hpk::scalbln(x, 5L), std::scalbln(x, 5L)));
    ASSERT_TRUE(same(hpk::nexttoward(x, 1.0L), std::nexttoward(x, 1.0L)));
    ASSERT_EQ(hpk::ilogb(x), std::ilogb(x));
    if (std::abs(x) < 1e9) {
      ASSERT_EQ(hpk::lround(x), std::lround(x));
      ASSERT_EQ(hpk::lrint(x), std::lrint(x));
      ASSERT_EQ(hpk::llround(x), std::llround(x));
      ASSERT_EQ(hpk::llrint(x), std::llrint(x));
    }
    for (const TypeParam y : {TypeParam(3), TypeParam(-0.7)}) {
      here = there = 0;
      ASSERT_TRUE(same(hpk::remquo(x, y, &here), std::remquo(x, y, &there)));
      if (std::isfinite(x)) {
        ASSERT_EQ(here, there);
      }
    }
    ASSERT_TRUE(same(hpk::rcp(x), 1 / x));
    ASSERT_TRUE(same(hpk::rcpf(static_cast<float>(x)), 1 / static_cast<float>(x)));
    ASSERT_TRUE(same(hpk::rcpl(x), 1 / static_cast<long double>(x)));
    ASSERT_TRUE(same(hpk::rsqrt(x), 1 / std::sqrt(x)));
  }
  int exponent = 0;
  EXPECT_EQ(hpk::frexp(12, &exponent), 0.75);
  EXPECT_EQ(exponent, 4);
  EXPECT_EQ(hpk::remquo(7, 2.0f, &exponent), -1.0);
  EXPECT_EQ(hpk::ldexp(3, 2) + hpk::scalbn(1, 3) + hpk::rcp(4) + hpk::rsqrt(4), 20.75);
}

TEST(MathOfIntegers, absolute_value_keeps_the_type) {
  static_assert(std::is_same_v<decltype(hpk::abs(-1)), int> && hpk::abs(-1) == 1);
  static_assert(std::is_same_v<decltype(hpk::abs(-1L)), long> && hpk::abs(-3L) == 3);
  static_assert(std::is_same_v<decltype(hpk::abs(-1LL)), long long> && hpk::abs(4LL) == 4);
  static_assert(std::is_same_v<decltype(hpk::abs(short{-1})), int>);
  EXPECT_EQ(hpk::abs(-2.5) + hpk::abs(-0.5f) + hpk::abs(-1.0L) + hpk::absf(-1) + hpk::absl(-1), 6);
  EXPECT_TRUE(std::isnan(hpk::nan("")) && std::isnan(hpk::nanf("1")) && std::isnan(hpk::nanl("")));
}

}  // namespace

/// A type of the program with mathematical functions in its namespace.
namespace fixed_point {
struct number {
  int hundredths;
};
HPK_INLINE_FUNCTION number sqrt(number x) {
  return {static_cast<int>(hpk::sqrt(x.hundredths / 100.0) * 100)};
}
HPK_INLINE_FUNCTION number pow(number x, int n) {
  number result{100};
  for (; n > 0; --n) result.hundredths = result.hundredths * x.hundredths / 100;
  return result;
}
HPK_INLINE_FUNCTION bool isnan(number) { return false; }
template <class T>
struct row {
  T value;
};
template <class T>
row<T> exp(const row<T>& x) {
  return {hpk::exp(x.value)};
}
enum class level { low, high };
constexpr level abs(level) { return level::high; }
}  // namespace fixed_point

namespace {

template <class T>
T distance(T x, T y) {
  return hpk::sqrt(hpk::pow(x, 2)) == y ? x : y;
}

TEST(MathOfOwnTypes, is_found_beside_them) {
  using fixed_point::number;
  EXPECT_EQ(hpk::sqrt(number{400}).hundredths, 200);
  EXPECT_EQ(hpk::pow(number{150}, 2).hundredths, 225);
  EXPECT_FALSE(hpk::isnan(number{1}));
  EXPECT_EQ(hpk::abs(fixed_point::level::low), fixed_point::level::high);
  // Functions of the standard library, and of a template over types of the program.
  EXPECT_EQ(hpk::exp(std::complex<double>(0, 1)), std::exp(std::complex<double>(0, 1)));
  EXPECT_EQ(hpk::exp(fixed_point::row<fixed_point::row<float>>{{1}}).value.value, std::exp(1.0f));
  EXPECT_EQ(distance(2.0, 2.0), 2.0);
}
template <class T>
concept has_sine = requires(T x) { hpk::sin(x); };
static_assert(has_sine<float> && has_sine<long> && !has_sine<fixed_point::number> &&
              !has_sine<void*>);

TEST(MathNames, come_by_a_using_declaration) {
  using hpk::cbrt;
  EXPECT_EQ(cbrt(unknown(27.0)), std::cbrt(unknown(27.0)));
}

template <class Exec>
class MathInKernel : public testing::Test {};
TYPED_TEST_SUITE(MathInKernel, hpk_test::spaces, hpk_test::space_names);

template <class T>
HPK_FUNCTION T mix(T x) {
  T sum = hpk::sin(x) + hpk::cos(x) + hpk::tan(x / 64) + hpk::exp(-x) + hpk::exp2(-x);
  sum += hpk::expm1(-x) + hpk::log(x) + hpk::log10(x) + hpk::log2(x) + hpk::log1p(x);
  sum += hpk::sqrt(x) + hpk::cbrt(x) + hpk::asin(1 / (1 + x)) + hpk::acos(1 / (1 + x));
  sum += hpk::atan(x) + hpk::sinh(x / 8) + hpk::cosh(x / 8) + hpk::tanh(x) + hpk::asinh(x);
  sum += hpk::acosh(1 + x) + hpk::atanh(1 / (2 + x)) + hpk::erf(x) + hpk::erfc(x);
  sum += hpk::tgamma(1 + x / 16) + hpk::lgamma(x) + hpk::pow(x, T(0.3)) + hpk::hypot(x, T(2));
  sum += hpk::hypot(x, T(2), T(3)) + hpk::atan2(x, T(2)) + hpk::fma(x, x, T(1)) + hpk::rsqrt(x);
  return sum;
}
template <class T>
HPK_FUNCTION T mix_exact(T x) {
  int exponent = 0;
  T whole = 0;
  T sum = hpk::fabs(-x) + hpk::abs(-x) + hpk::ceil(x) + hpk::floor(x) + hpk::trunc(x);
  sum += hpk::round(x) + hpk::rint(x) + hpk::nearbyint(x) + hpk::logb(x) + hpk::fmod(x, T(0.7));
  sum += hpk::remainder(x, T(0.7)) + hpk::fmax(x, T(3)) + hpk::fmin(x, T(3)) + hpk::fdim(x, T(3));
  sum += hpk::nextafter(x, T(9)) + hpk::copysign(x, T(-1)) + hpk::frexp(x, &exponent);
  sum += hpk::modf(x, &whole) + whole + static_cast<T>(exponent) + hpk::ldexp(x, 2);
  sum += hpk::scalbn(x, 2) + hpk::rcp(x) + static_cast<T>(hpk::lround(x) + hpk::ilogb(x));
  return sum + (hpk::isnan(x) || !hpk::isfinite(x) || !hpk::isnormal(x) || hpk::isless(x, T(0)));
}

template <class Exec, class T>
void compare_kernels() {
  constexpr int n = 1000;
  hpk::View<T*, Exec> values("values", n);
  hpk::View<T*, Exec> exact("exact", n);
  hpk::parallel_for(
      "mix", hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(int i) {
        const T x = (static_cast<T>(i) + T(0.5)) / 64;
        values(i) = mix(x);
        exact(i) = mix_exact(x);
      });
  const auto values_there = hpk_test::on_host(values);
  const auto exact_there = hpk_test::on_host(exact);
  for (int i = 0; i < n; ++i) {
    const T x = (static_cast<T>(i) + T(0.5)) / 64;
    ASSERT_NEAR(values_there(i), mix(x),
                64 * std::numeric_limits<T>::epsilon() * (1 + std::abs(mix(x))))
        << x;
    ASSERT_NEAR(exact_there(i), mix_exact(x),
                16 * std::numeric_limits<T>::epsilon() * (1 + std::abs(mix_exact(x))))
        << x;
  }
}

TEST(MathNames, are_those_of_the_c_library_behind_using) {
  using namespace hpk;
  const double x = 2.0;
  const float f = 2.0f;
  const int i = -3;
  static_assert(std::is_same_v<decltype(abs(i)), int>);
  EXPECT_EQ(abs(i), 3);
  EXPECT_EQ(sqrt(x) + pow(x, 3.0) + fabs(-x) + fmax(x, 1.0), std::sqrt(x) + 8 + 2 + 2);
  EXPECT_EQ(pow(x, i), 0.125);
  EXPECT_EQ(sqrt(f), std::sqrt(f));
  EXPECT_EQ(sqrtf(f), std::sqrt(f));
  EXPECT_EQ(lround(2.6) + ilogb(x) + floor(f), 6);
  EXPECT_TRUE(isfinite(x) && !isnan(x));
  // The address of an overload can still be taken.
  double (*const function)(double) = hpk::sqrt;
  EXPECT_EQ(function(x), std::sqrt(x));
}

HPK_TYPED_TEST(MathInKernel, of_float_gives_what_the_host_has) {
  compare_kernels<TypeParam, float>();
}
HPK_TYPED_TEST(MathInKernel, of_double_gives_what_the_host_has) {
  compare_kernels<TypeParam, double>();
}
HPK_TYPED_TEST(MathInKernel, takes_types_of_the_program) {
  int sum = 0;
  hpk::parallel_reduce(
      "roots", hpk::RangePolicy<TypeParam>(0, 10),
      HPK_LAMBDA(int i, int& update) {
        update += hpk::sqrt(fixed_point::number{i * i * 100}).hundredths;
      },
      sum);
  EXPECT_EQ(sum, 4500);
}

}  // namespace
}  // namespace base_math_test
