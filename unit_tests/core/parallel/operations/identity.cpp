// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reduction_identity: joining a value with the identity gives the value, for every type, operation
// and limit of the type. A program's specialisation works with the built-in reducers.
#include <hpk/complex.hpp>
#include <hpk/half.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace hpk_test::identity_cases {

template <class T>
std::vector<T> edges() {
  using limits = std::numeric_limits<T>;
  std::vector<T> all = {limits::lowest(), limits::max(), T{0}, T{1},
                        static_cast<T>(limits::max() / 2)};
  if constexpr (limits::has_infinity) {
    all.push_back(limits::infinity());
    all.push_back(-limits::infinity());
  }
  return all;
}

template <class T>
void expect_arithmetic_identities() {
  using identity = hpk::reduction_identity<T>;
  for (const T x : edges<T>()) {
    EXPECT_EQ(static_cast<T>(identity::sum() + x), x);
    EXPECT_EQ(static_cast<T>(identity::prod() * x), x);
    EXPECT_EQ(std::min(x, identity::min()), x);
    EXPECT_EQ(std::max(x, identity::max()), x);
  }
}

template <class T>
void expect_bit_identities() {
  using identity = hpk::reduction_identity<T>;
  for (const T x : edges<T>()) {
    EXPECT_EQ(static_cast<T>(identity::band() & x), x);
    EXPECT_EQ(static_cast<T>(identity::bor() | x), x);
  }
  EXPECT_TRUE(identity::land());
  EXPECT_FALSE(identity::lor());
}

TEST(ReductionIdentity, changes_nothing) {
  using integers =
      hpk::detail::type_list<char, signed char, unsigned char, short, unsigned short, int, unsigned,
                             long, unsigned long, long long, unsigned long long>;
  hpk::detail::for_each_type(integers{}, []<class T>(hpk::detail::type_identity<T>) {
    expect_arithmetic_identities<T>();
    expect_bit_identities<T>();
  });
  expect_arithmetic_identities<float>();
  expect_arithmetic_identities<double>();
  expect_arithmetic_identities<long double>();
  expect_arithmetic_identities<hpk::Experimental::half_t>();
  expect_arithmetic_identities<hpk::Experimental::bhalf_t>();
  static_assert(hpk::reduction_identity<bool>::land() && !hpk::reduction_identity<bool>::lor());
}

HPK_TEST(ReductionIdentity, of_min_and_max_over_floats_are_infinities) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  static_assert(hpk::reduction_identity<double>::min() == infinity);
  static_assert(hpk::reduction_identity<double>::max() == -infinity);
  double least = 0;
  hpk::parallel_reduce(
      100, HPK_LAMBDA(int, double& m) { m = std::fmin(m, infinity); }, hpk::Min<double>(least));
  EXPECT_EQ(least, infinity);
}

template <class T>
concept has_sum = requires { hpk::reduction_identity<T>::sum(); };
template <class T>
concept has_band = requires { hpk::reduction_identity<T>::band(); };
struct stranger {};
static_assert(has_sum<int> && has_sum<float> && has_band<long>);
static_assert(!has_sum<bool> && !has_band<double> && !has_sum<stranger>);

static_assert(has_sum<hpk::Experimental::half_t> && !has_band<hpk::Experimental::half_t>);
template <class T>
concept has_min = requires { hpk::reduction_identity<T>::min(); };
static_assert(has_sum<hpk::complex<float>> && !has_min<hpk::complex<float>> &&
              has_min<hpk::Experimental::bhalf_t>);

template <class Exec>
class ReductionIdentityInKernel : public testing::Test {};
TYPED_TEST_SUITE(ReductionIdentityInKernel, spaces, space_names);

HPK_TYPED_TEST(ReductionIdentityInKernel, of_halves_and_complex_numbers_serves_reducers) {
  using hpk::Experimental::half_t;
  using number = hpk::complex<double>;
  const hpk::RangePolicy<TypeParam> twelve(0, 12);
  half_t sum = 7;
  half_t least = 7;
  half_t most = 7;
  hpk::parallel_reduce(
      twelve, HPK_LAMBDA(int i, half_t& s) { s += half_t(i); }, hpk::Sum<half_t>(sum));
  hpk::parallel_reduce(
      twelve, HPK_LAMBDA(int i, half_t& m) { m = half_t(3 + i) < m ? half_t(3 + i) : m; },
      hpk::Min<half_t>(least));
  hpk::parallel_reduce(
      twelve, HPK_LAMBDA(int i, half_t& m) { m = half_t(-3 - i) > m ? half_t(-3 - i) : m; },
      hpk::Max<half_t>(most));
  EXPECT_EQ(sum, 66);
  EXPECT_EQ(least, 3);
  EXPECT_EQ(most, -3);
  number product = 7;
  number total = 7;
  hpk::parallel_reduce(
      twelve, HPK_LAMBDA(int, number& p) { p *= number(0, 2); }, hpk::Prod<number>(product));
  hpk::parallel_reduce(
      twelve, HPK_LAMBDA(int i, number& t) { t += number(1, i); }, hpk::Sum<number>(total));
  EXPECT_EQ(product, 4096);
  EXPECT_EQ(total, number(12, 66));
}

struct vec2 {
  long x = 0;
  long y = 0;
  HPK_FUNCTION vec2& operator+=(const vec2& other) {
    x += other.x;
    y += other.y;
    return *this;
  }
};

}  // namespace hpk_test::identity_cases

template <>
struct hpk::reduction_identity<hpk_test::identity_cases::vec2> {
  HPK_FUNCTION static hpk_test::identity_cases::vec2 sum() { return {}; }
};

namespace hpk_test::identity_cases {

HPK_TEST(ReductionIdentity, may_be_specialised_for_types_of_a_program) {
  vec2 total{-1, -1};
  hpk::parallel_reduce(
      1001, HPK_LAMBDA(int i, vec2& t) { t += vec2{i, -2 * i}; }, hpk::Sum<vec2>(total));
  EXPECT_EQ(total.x, 500500);
  EXPECT_EQ(total.y, -1001000);
}

}  // namespace hpk_test::identity_cases
