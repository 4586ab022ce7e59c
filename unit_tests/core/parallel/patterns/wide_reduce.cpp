// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans of half types: sums and products are accumulated in float and rounded once,
// in every policy and inside teams.
#include <hpk/half.hpp>

#include <support/bits.hpp>
#include <support/halves.hpp>
#include <support/spaces.hpp>

namespace hpk_test::wide_reduce_cases {

using hpk::Experimental::bhalf_t;
using hpk::Experimental::half_t;

template <class Exec>
class WideReduce : public testing::Test {};
TYPED_TEST_SUITE(WideReduce, hpk_test::spaces, hpk_test::space_names);

template <class H, class Exec>
void expect_sums() {
  for (const int n : {0, 1, 2, 63, 1000, 10000}) {
    SCOPED_TRACE(n);
    const auto data = filled<H, Exec>(n, H(0.1f));
    const H wanted = sum_of_tenths<H>(n);
    for (const Exec& exec : hpk_test::instances<Exec>()) {
      const auto kernel = HPK_LAMBDA(int i, H& u) { u += data(i); };
      H sum = 7;
      hpk::parallel_reduce("halves", hpk::RangePolicy(exec, 0, n), kernel, sum);
      EXPECT_EQ(sum, wanted);
      sum = 7;
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), kernel, hpk::Sum<H>(sum));
      EXPECT_EQ(sum, wanted);
      const hpk::View<H, hpk::HostSpace> view("sum");
      hpk::parallel_reduce(hpk::RangePolicy(exec, 0, n), kernel, view);
      exec.fence();
      EXPECT_EQ(view(), wanted);
      hpk::parallel_reduce(
          hpk::RangePolicy<Exec, hpk::Schedule<hpk::Dynamic>>(exec, 0, n, hpk::ChunkSize(7)),
          kernel, hpk::Sum(view));
      exec.fence();
      EXPECT_EQ(view(), wanted);
    }
  }
}

HPK_TYPED_TEST(WideReduce, sum_is_rounded_once) {
  expect_sums<half_t, TypeParam>();
  expect_sums<bhalf_t, TypeParam>();
}

HPK_TYPED_TEST(WideReduce, product_is_rounded_once) {
  // 1.5^k is exact in float for k <= 14. Products of halves are rounded to 11 digits from k = 7 on.
  const auto data = filled<half_t, TypeParam>(40, half_t(1.5f));
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    half_t product = 0;
    hpk::parallel_reduce(
        hpk::RangePolicy(exec, 0, 14), HPK_LAMBDA(int i, half_t& u) { u *= data(i); },
        hpk::Prod<half_t>(product));
    EXPECT_EQ(product, half_t(std::pow(1.5, 14)));
    hpk::parallel_reduce(hpk::RangePolicy(exec, 0, 0), HPK_LAMBDA(int, half_t&){},
                         hpk::Prod<half_t>(product));
    EXPECT_EQ(product, half_t(1));
    // 1.5^40 does not fit in a half. The accumulator does not overflow on the way to a float
    // result.
    float wide = 0;
    hpk::parallel_reduce(
        hpk::RangePolicy(exec, 0, 40), HPK_LAMBDA(int i, half_t& u) { u *= data(i); },
        hpk::Prod<float>(wide));
    EXPECT_NEAR(wide, std::pow(1.5, 40), 2e-6 * std::pow(1.5, 40));
  }
}

HPK_TYPED_TEST(WideReduce, sums_over_boxes_are_rounded_once) {
  const auto data = filled<half_t, TypeParam>(100, half_t(0.1f));
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    half_t sum = 7;
    hpk::parallel_reduce(
        hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>(exec, {0, 0}, {100, 100}),
        HPK_LAMBDA(int i, int j, half_t& u) { u += i < j ? data(i) : data(j); }, sum);
    EXPECT_EQ(sum, sum_of_tenths<half_t>(10000));
    sum = 7;
    hpk::parallel_reduce(
        hpk::MDRangePolicy<TypeParam, hpk::Rank<3>>(exec, {0, 0, 0}, {10, 25, 40}),
        HPK_LAMBDA(int i, long, std::size_t, float& u) { u += static_cast<float>(data(i)); },
        hpk::Sum<half_t>(sum));
    EXPECT_EQ(sum, sum_of_tenths<half_t>(10000));
    float wide = 0;
    hpk::parallel_reduce(
        hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>(exec, {0, 0}, {300, 300}),
        HPK_LAMBDA(int, int, half_t& u) { u += 1; }, wide);
    EXPECT_EQ(wide, 90000.0f);
  }
}

template <class Exec>
using team_of = typename hpk::TeamPolicy<Exec>::member_type;

HPK_TYPED_TEST(WideReduce, sums_over_teams_are_rounded_once) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int threads : {1, 4}) {
      half_t sum = 7;
      hpk::parallel_reduce(
          hpk::TeamPolicy<TypeParam>(exec, 2500, threads),
          HPK_LAMBDA(const team_of<TypeParam>& team, half_t& u) {
            if (team.team_rank() == 0) u += half_t(0.1f);
          },
          sum);
      EXPECT_EQ(sum, sum_of_tenths<half_t>(2500));
      sum = 7;
      hpk::parallel_reduce(
          hpk::TeamPolicy<TypeParam>(exec, 2500, threads),
          HPK_LAMBDA(const team_of<TypeParam>&, half_t& u) { u += half_t(0.1f); },
          hpk::Sum<half_t>(sum));
      EXPECT_EQ(sum, sum_of_tenths<half_t>(2500 * threads));
    }
  }
}

HPK_TYPED_TEST(WideReduce, several_sums_are_rounded_once) {
  const int n = 10000;
  const auto data = filled<half_t, TypeParam>(n, half_t(0.1f));
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    half_t a = 7;
    half_t b = 7;
    float c = 7;
    half_t low = 7;
    long count = 7;
    hpk::parallel_reduce(
        hpk::RangePolicy(exec, 0, n),
        HPK_LAMBDA(int i, half_t& x, float& y, half_t& z, half_t& l, long& k) {
          x += data(i);
          y += static_cast<float>(data(i));
          z += 1;
          l = data(i) < l ? data(i) : l;
          k += 1;
        },
        a, b, c, hpk::Min<half_t>(low), count);
    EXPECT_EQ(a, sum_of_tenths<half_t>(n));
    EXPECT_EQ(b, sum_of_tenths<half_t>(n));
    EXPECT_EQ(c, 1e4f);
    EXPECT_EQ(low, half_t(0.1f));
    EXPECT_EQ(count, n);
    bhalf_t product = 0;
    hpk::parallel_reduce(
        hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>(exec, {0, 0}, {2, 5}),
        HPK_LAMBDA(int, int, half_t& x, bhalf_t& p) {
          x += 1;
          p *= bhalf_t(1.5f);
        },
        a, hpk::Prod<bhalf_t>(product));
    EXPECT_EQ(a, half_t(10));
    EXPECT_EQ(product, bhalf_t(std::pow(1.5, 10)));
  }
}

// The results of all forms of reduction and scan inside a team.
template <class Exec>
void expect_nested_sums(int threads) {
  using view = hpk::View<float*, Exec>;
  const view found("found", 10);
  const hpk::View<half_t, Exec> into("into");
  for (const Exec& exec : hpk_test::instances<Exec>()) {
    hpk::deep_copy(found, -1.0f);
    hpk::parallel_for(
        hpk::TeamPolicy<Exec>(exec, 1, threads), HPK_LAMBDA(const team_of<Exec>& team) {
          const auto tenth = half_t(0.1f);
          half_t h[4] = {};
          float f = 0;
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, 5000), [&](int, half_t& u) { u += tenth; }, h[0]);
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, 5000), [&](int, half_t& u) { u += tenth; },
              hpk::Sum<half_t>(h[1]));
          hpk::parallel_reduce(
              hpk::TeamVectorRange(team, 5000),
              [&](int, float& u) { u += static_cast<float>(tenth); }, h[2]);
          hpk::parallel_reduce(
              hpk::ThreadVectorRange(team, 5000), [&](int, half_t& u) { u += 1; }, f);
          hpk::parallel_reduce(
              hpk::TeamThreadMDRange(team, 50, 100), [&](int, int, half_t& u) { u += tenth; },
              h[3]);
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, 5000), [&](int, half_t& u) { u += tenth; }, into);
          float half_total = 0;
          half_t a = 0;
          hpk::parallel_reduce(
              hpk::TeamThreadRange(team, 5000),
              [&](int, half_t& u, half_t& v) {
                u += tenth;
                v += 1;
              },
              a, half_total);
          half_t at_end = 0;
          half_t total = 0;
          hpk::parallel_scan(
              hpk::TeamThreadRange(team, 5000),
              [&](int i, half_t& u, bool final) {
                if (final && i == 4999) found(8) = static_cast<float>(u);
                u += tenth;
              },
              total);
          hpk::parallel_scan(
              hpk::TeamThreadMDRange(team, 50, 100), [&](int, int, half_t& u, bool) { u += tenth; },
              at_end);
          hpk::single(hpk::PerTeam(team), [&] {
            for (int k = 0; k < 4; ++k) found(k) = static_cast<float>(h[k]);
            found(4) = f;
            found(5) = static_cast<float>(a);
            found(6) = half_total;
            found(7) = static_cast<float>(total);
            found(9) = static_cast<float>(at_end);
          });
        });
    const auto there = on_host(found);
    const auto sum = static_cast<float>(sum_of_tenths<half_t>(5000));
    for (const int k : {0, 1, 2, 3, 5, 7, 9}) EXPECT_EQ(there(k), sum) << k;
    EXPECT_EQ(there(4), 5000.0f);
    EXPECT_EQ(there(6), 5000.0f);
    EXPECT_EQ(there(8), static_cast<float>(sum_of_tenths<half_t>(4999)));
    EXPECT_EQ(on_host(into)(), sum_of_tenths<half_t>(5000));
  }
}

HPK_TYPED_TEST(WideReduce, sums_inside_of_teams_are_rounded_once) {
  for (const int threads : {1, 4}) expect_nested_sums<TypeParam>(threads);
}

template <class H, class Exec>
void expect_prefixes(int n) {
  const auto data = filled<H, Exec>(n, H(0.1f));
  const hpk::View<H*, Exec> before("before", n);
  const hpk::View<H*, Exec> after("after", n);
  for (const Exec& exec : hpk_test::instances<Exec>()) {
    H total = 7;
    hpk::parallel_scan(
        hpk::RangePolicy(exec, 0, n),
        HPK_LAMBDA(int i, H& u, bool final) {
          if (final) before(i) = u;
          u += data(i);
          if (final) after(i) = u;
        },
        total);
    EXPECT_EQ(total, sum_of_tenths<H>(n));
    const auto b = on_host(before);
    const auto a = on_host(after);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
      wrong += b(i) != sum_of_tenths<H>(i);
      // The addition in the kernel is rounded by the kernel.
      wrong += a(i) != sum_of_tenths<H>(i) + H(0.1f);
    }
    EXPECT_EQ(wrong, 0);
    hpk::parallel_scan(
        hpk::backward(hpk::RangePolicy<Exec>(exec, 0, n)), HPK_LAMBDA(int i, H& u, bool final) {
          if (final) before(i) = u;
          u += data(i);
        });
    const auto backward = on_host(before);
    wrong = 0;
    for (int i = 0; i < n; ++i) wrong += backward(i) != sum_of_tenths<H>(n - 1 - i);
    EXPECT_EQ(wrong, 0);
    total = 7;
    hpk::parallel_scan(
        hpk::MDRangePolicy<Exec, hpk::Rank<2>>(exec, {0, 0}, {2, n}),
        HPK_LAMBDA(int, int i, H& u, bool) { u += data(i); }, hpk::Sum<H>(total));
    EXPECT_EQ(total, sum_of_tenths<H>(2 * n));
  }
}

HPK_TYPED_TEST(WideReduce, prefixes_are_rounded_once) {
  expect_prefixes<half_t, TypeParam>(5000);
  expect_prefixes<bhalf_t, TypeParam>(1000);
}

// An in-place scan reads before it writes, though the kernel is called twice.
HPK_TYPED_TEST(WideReduce, scan_may_overwrite_what_it_reads) {
  const int n = 3000;
  const auto data = filled<half_t, TypeParam>(n, half_t(1));
  hpk::parallel_scan(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i, half_t& u, bool final) {
        u += data(i);
        if (final) data(i) = u;
      });
  const auto there = on_host(data);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += there(i) != half_t(i) + half_t(1);
  EXPECT_EQ(wrong, 0);
}

HPK_TYPED_TEST(WideReduce, bits_do_not_depend_on_workers) {
  const int n = 100003;
  const hpk::View<half_t*, TypeParam> data("data", n);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, n),
      HPK_LAMBDA(int i) { data(i) = half_t(static_cast<float>((i * 7919) % 4001 - 2000) / 64); });
  float first = 0;
  bool known = false;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    float sum = 0;
    hpk::parallel_reduce(
        hpk::RangePolicy(exec, 0, n), HPK_LAMBDA(int i, half_t& u) { u += data(i); }, sum);
    if (!known) first = sum;
    known = true;
    EXPECT_TRUE(same_bits(sum, first));
  }
}

}  // namespace hpk_test::wide_reduce_cases
