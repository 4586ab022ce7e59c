// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of half types for wider results, of float for half results, of halves with final, join or
// comparison by the program, and of complex numbers.
#include <hpk/complex.hpp>
#include <hpk/half.hpp>

#include <support/halves.hpp>
#include <support/spaces.hpp>

namespace hpk_test::wide_sum_cases {

using hpk::Experimental::bhalf_t;
using hpk::Experimental::half_t;

template <class Exec>
class WideSum : public testing::Test {};
TYPED_TEST_SUITE(WideSum, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(WideSum, many_small_numbers_do_not_stagnate) {
  // A half accumulator stops at 2048 ones, a bhalf accumulator at 256. 100000 does not fit in a
  // half.
  const int n = 1000000;
  const auto ones = filled<half_t, TypeParam>(n, half_t(1));
  float sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i, half_t& u) { u += ones(i); }, sum);
  EXPECT_EQ(sum, 1e6f);
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, 100000), HPK_LAMBDA(int i, half_t& u) { u += ones(i); },
      hpk::Sum<float>(sum));
  EXPECT_EQ(sum, 1e5f);
  double wide = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int, bhalf_t& u) { u += 1; }, wide);
  EXPECT_EQ(wide, 1e6);
  half_t half = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, 60000), HPK_LAMBDA(int i, half_t& u) { u += ones(i); }, half);
  EXPECT_EQ(half, half_t(60000));
  bhalf_t brain = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, 60000), HPK_LAMBDA(int, bhalf_t& u) { u += 1; }, brain);
  EXPECT_EQ(brain, bhalf_t(60000));
}

HPK_TYPED_TEST(WideSum, update_may_be_float) {
  const int n = 10000;
  const auto data = filled<half_t, TypeParam>(n, half_t(0.1f));
  const auto kernel = HPK_LAMBDA(int i, float& u) { u += static_cast<float>(data(i)); };
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    half_t sum = 7;
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), kernel, sum);
    EXPECT_EQ(sum, sum_of_tenths<half_t>(n));
    sum = 7;
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), kernel, hpk::Sum<half_t>(sum));
    EXPECT_EQ(sum, sum_of_tenths<half_t>(n));
  }
}

struct tagged {};
// A functor that declares its value type, is called with a tag, and has a final.
template <class Exec>
struct mean {
  using value_type = half_t;
  hpk::View<half_t*, Exec> data;
  hpk::View<half_t, Exec> into;
  HPK_FUNCTION void operator()(tagged, int i, half_t& u) const { u += data(i); }
  HPK_FUNCTION void final(tagged, half_t& u) const {
    u = half_t(static_cast<float>(u) / static_cast<float>(data.extent(0)));
    into() = u;
  }
};

HPK_TYPED_TEST(WideSum, functor_ends_the_rounded_value) {
  const int n = 10000;
  const auto data = filled<half_t, TypeParam>(n, half_t(0.1f));
  const hpk::View<half_t, TypeParam> into("mean");
  const half_t wanted(static_cast<float>(sum_of_tenths<half_t>(n)) / n);
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    hpk::parallel_reduce(hpk::RangePolicy<TypeParam, tagged>(exec, 0, n),
                         mean<TypeParam>{data, into});
    EXPECT_EQ(on_host(into)(), wanted);
    float result = 0;
    hpk::parallel_reduce(hpk::RangePolicy<TypeParam, tagged>(exec, 0, n),
                         mean<TypeParam>{data, into}, result);
    EXPECT_EQ(result, static_cast<float>(wanted));
  }
}

// The join of the functor is called with halves.
struct largest {
  using value_type = half_t;
  HPK_FUNCTION void operator()(int i, half_t& u) const { join(u, half_t(i % 1000)); }
  HPK_FUNCTION void init(half_t& u) const { u = -1; }
  HPK_FUNCTION void join(half_t& a, const half_t& b) const { a = a < b ? b : a; }
};

HPK_TYPED_TEST(WideSum, extremes_are_those_of_halves) {
  using min_max = hpk::MinMax<half_t>;
  using min_loc = hpk::MinLoc<half_t, int>;
  using max_loc = hpk::MaxLoc<bhalf_t, int>;
  using min_max_loc = hpk::MinMaxLoc<half_t, int>;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const hpk::RangePolicy<TypeParam> range(exec, 0, 5000);
    half_t low = 0;
    half_t high = 0;
    hpk::parallel_reduce(
        range, HPK_LAMBDA(int i, half_t& u) { u = half_t(i % 999) < u ? half_t(i % 999) : u; },
        hpk::Min<half_t>(low));
    hpk::parallel_reduce(
        range, HPK_LAMBDA(int i, half_t& u) { u = half_t(i % 999) > u ? half_t(i % 999) : u; },
        hpk::Max<half_t>(high));
    EXPECT_EQ(low, half_t(0));
    EXPECT_EQ(high, half_t(998));
    typename min_max::value_type both;
    hpk::parallel_reduce(
        range,
        HPK_LAMBDA(int i, typename min_max::value_type& u) {
          const half_t x(i % 77 - 7);
          u.min_val = x < u.min_val ? x : u.min_val;
          u.max_val = x > u.max_val ? x : u.max_val;
        },
        min_max(both));
    EXPECT_EQ(both.min_val, half_t(-7));
    EXPECT_EQ(both.max_val, half_t(69));
    typename min_loc::value_type least;
    hpk::parallel_reduce(
        range,
        HPK_LAMBDA(int i, typename min_loc::value_type& u) {
          const half_t x(i == 4000 ? -3 : i % 100);
          if (x < u.val) u = {x, i};
        },
        min_loc(least));
    EXPECT_EQ(least.val, half_t(-3));
    EXPECT_EQ(least.loc, 4000);
    typename max_loc::value_type most;
    hpk::parallel_reduce(
        range,
        HPK_LAMBDA(int i, typename max_loc::value_type& u) {
          const bhalf_t x(i == 4001 ? 200 : i % 100);
          if (x > u.val) u = {x, i};
        },
        max_loc(most));
    EXPECT_EQ(most.val, bhalf_t(200));
    EXPECT_EQ(most.loc, 4001);
    typename min_max_loc::value_type all;
    hpk::parallel_reduce(
        range,
        HPK_LAMBDA(int i, typename min_max_loc::value_type& u) {
          const half_t x(i == 70 ? -3 : i == 71 ? 5 : 0);
          if (x < u.min_val) {
            u.min_val = x;
            u.min_loc = i;
          }
          if (x > u.max_val) {
            u.max_val = x;
            u.max_loc = i;
          }
        },
        min_max_loc(all));
    EXPECT_EQ(all.min_loc, 70);
    EXPECT_EQ(all.max_loc, 71);
    half_t own = 0;
    hpk::parallel_reduce(range, largest(), own);
    EXPECT_EQ(own, half_t(999));
    // The identities are infinities.
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 0), HPK_LAMBDA(int, half_t&){},
                         hpk::Min<half_t>(low));
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 0), HPK_LAMBDA(int, half_t&){},
                         hpk::Max<half_t>(high));
    EXPECT_EQ(low, std::numeric_limits<half_t>::infinity());
    EXPECT_EQ(high, -std::numeric_limits<half_t>::infinity());
  }
}

template <class T, class Exec>
void expect_complex() {
  using number = hpk::complex<T>;
  const int n = 3000;
  const auto data = filled<number, Exec>(n, number(T(0.5), T(-2)));
  for (const Exec& exec : hpk_test::instances<Exec>()) {
    number sum(T(7), T(7));
    hpk::parallel_reduce(
        hpk::RangePolicy(exec, 0, n), HPK_LAMBDA(int i, number& u) { u += data(i); }, sum);
    EXPECT_EQ(sum, number(T(1500), T(-6000)));
    hpk::parallel_reduce(
        hpk::RangePolicy(exec, 0, n), HPK_LAMBDA(int i, number& u) { u += data(i); },
        hpk::Sum<number>(sum));
    EXPECT_EQ(sum, number(T(1500), T(-6000)));
    // 43 factors: the imaginary unit, in iteration 20 twice the imaginary unit.
    hpk::parallel_reduce(
        hpk::RangePolicy(exec, 0, 43),
        HPK_LAMBDA(int i, number& u) { u *= number(T(0), i == 20 ? T(2) : T(1)); },
        hpk::Prod<number>(sum));
    EXPECT_EQ(sum, number(T(0), T(-2)));
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 0), HPK_LAMBDA(int, number&){},
                         hpk::Prod<number>(sum));
    EXPECT_EQ(sum, number(T(1)));
    hpk::parallel_scan(
        hpk::RangePolicy(exec, 0, n), HPK_LAMBDA(int i, number& u, bool) { u += data(i); }, sum);
    EXPECT_EQ(sum, number(T(1500), T(-6000)));
  }
}

HPK_TYPED_TEST(WideSum, complex_numbers_have_sums_and_products) {
  expect_complex<float, TypeParam>();
  expect_complex<double, TypeParam>();
  // Accumulated in complex<float>: the sums of 3000 halves do not fit in a half accumulator.
  expect_complex<half_t, TypeParam>();
}

HPK_TYPED_TEST(WideSum, complex_numbers_are_summed_inside_of_teams) {
  using number = hpk::complex<double>;
  const hpk::View<number, TypeParam> found("found");
  for (const int threads : {1, 4}) {
    hpk::parallel_for(
        hpk::TeamPolicy<TypeParam>(1, threads),
        HPK_LAMBDA(const typename hpk::TeamPolicy<TypeParam>::member_type& team) {
          number sum;
          hpk::parallel_reduce(
              hpk::TeamVectorRange(team, 100), [&](int i, number& u) { u += number(i, 1); }, sum);
          hpk::parallel_reduce(
              hpk::TeamVectorRange(team, 2), [&](int, number& u) { u *= number(0, 1); },
              hpk::Prod<number>(sum));
          hpk::single(hpk::PerTeam(team), [&] { found() = sum; });
        });
    EXPECT_EQ(on_host(found)(), number(-1));
  }
}

// A small number type of the program: integers up to 127.
struct tiny {
  signed char value;
  HPK_FUNCTION explicit operator long() const { return value; }
  HPK_FUNCTION tiny& operator+=(tiny other) {
    value = static_cast<signed char>(value + other.value);
    return *this;
  }
  tiny() = default;
  HPK_FUNCTION explicit tiny(long wide)
      : value(static_cast<signed char>(wide > 127 ? 127 : wide)) {}
};

}  // namespace hpk_test::wide_sum_cases

template <>
struct hpk::reduction_identity<hpk_test::wide_sum_cases::tiny> {
  HPK_FUNCTION static hpk_test::wide_sum_cases::tiny sum() {
    return hpk_test::wide_sum_cases::tiny(0);
  }
};
template <>
struct hpk::reduction_accumulator<hpk_test::wide_sum_cases::tiny> {
  using type = long;
};

namespace hpk_test::wide_sum_cases {

HPK_TYPED_TEST(WideSum, may_be_of_a_small_type_of_the_program) {
  // 300 times 1 minus 200 times 1: an accumulator of type tiny would wrap on the way.
  tiny sum(0);
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, 500),
      HPK_LAMBDA(int i, tiny& u) { u += tiny(i < 300 ? 1 : -1); }, sum);
  EXPECT_EQ(sum.value, 100);
  hpk::parallel_reduce(
      hpk::RangePolicy<TypeParam>(0, 500), HPK_LAMBDA(int, long& u) { u += 1; },
      hpk::Sum<tiny>(sum));
  EXPECT_EQ(sum.value, 127);
}

}  // namespace hpk_test::wide_sum_cases
