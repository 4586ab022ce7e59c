// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and prefix sums compared with std, with operations that commute or not, in place and out of
// place; and the same bits for every number of workers.
#include <hpk/algorithms/numeric.hpp>

#include <support/algorithms.hpp>

#include <cstring>
#include <numeric>

namespace algorithms_numeric_test {
namespace {

using namespace hpk_test;

struct larger {
  HPK_FUNCTION int operator()(int a, int b) const { return a < b ? b : a; }
};
// Returns the last operand that is not zero: associative, not commutative.
struct last_set {
  HPK_FUNCTION int operator()(int a, int b) const { return b == 0 ? a : b; }
};
struct square {
  HPK_FUNCTION int operator()(int x) const { return x % 10 * (x % 10); }
};
struct apart {
  HPK_FUNCTION int operator()(int a, int b) const { return a < b ? b - a : a - b; }
};

enum class what {
  reduce,
  reduce_from,
  reduce_by,
  products,
  combined,
  mapped,
  exclusive,
  exclusive_by,
  exclusive_in_place,
  inclusive,
  inclusive_by,
  inclusive_from,
  inclusive_in_place,
  mapped_exclusive,
  mapped_inclusive,
  mapped_inclusive_from,
  differences,
  differences_by,
  count
};

template <class S, class V>
struct numeric_case {
  what which;
  V in, other, out;

  template <class W>
  HPK_FUNCTION outcome operator()(const W& w) const {
    const auto b = KE::begin(in), e = KE::end(in);
    const auto to = KE::begin(out);
    switch (which) {
      case what::reduce:
        HPK_WITH_ITERATORS(reduce(w, b, e))
        return outcome_of(KE::reduce(w, in));
      case what::reduce_from:
        HPK_WITH_ITERATORS(reduce(w, b, e, 5L))
        return outcome_of(KE::reduce(w, in, 5L));
      case what::reduce_by:
        HPK_WITH_ITERATORS(reduce(w, b, e, 5, larger()))
        return outcome_of(KE::reduce(w, in, 5, larger()));
      case what::products:
        HPK_WITH_ITERATORS(transform_reduce(w, b, e, KE::begin(other), 7L))
        return outcome_of(KE::transform_reduce(w, in, other, 7L));
      case what::combined:
        HPK_WITH_ITERATORS(transform_reduce(w, b, e, KE::begin(other), 7, larger(), apart()))
        return outcome_of(KE::transform_reduce(w, in, other, 7, larger(), apart()));
      case what::mapped:
        HPK_WITH_ITERATORS(transform_reduce(w, b, e, 7, larger(), square()))
        return outcome_of(KE::transform_reduce(w, in, 7, larger(), square()));
      case what::exclusive:
        HPK_WITH_ITERATORS(exclusive_scan(w, b, e, to, 7))
        return outcome_of(KE::exclusive_scan(w, in, out, 7));
      case what::exclusive_by:
        HPK_WITH_ITERATORS(exclusive_scan(w, b, e, to, 7, last_set()))
        return outcome_of(KE::exclusive_scan(w, in, out, 7, last_set()));
      case what::exclusive_in_place:
        HPK_WITH_ITERATORS(exclusive_scan(w, b, e, b, 7))
        return outcome_of(KE::exclusive_scan(w, in, in, 7));
      case what::inclusive:
        HPK_WITH_ITERATORS(inclusive_scan(w, b, e, to))
        return outcome_of(KE::inclusive_scan(w, in, out));
      case what::inclusive_by:
        HPK_WITH_ITERATORS(inclusive_scan(w, b, e, to, last_set()))
        return outcome_of(KE::inclusive_scan(w, in, out, last_set()));
      case what::inclusive_from:
        HPK_WITH_ITERATORS(inclusive_scan(w, b, e, to, last_set(), 7))
        return outcome_of(KE::inclusive_scan(w, in, out, last_set(), 7));
      case what::inclusive_in_place:
        HPK_WITH_ITERATORS(inclusive_scan(w, b, e, b))
        return outcome_of(KE::inclusive_scan(w, in, in));
      case what::mapped_exclusive:
        HPK_WITH_ITERATORS(transform_exclusive_scan(w, b, e, to, 7, last_set(), square()))
        return outcome_of(KE::transform_exclusive_scan(w, in, out, 7, last_set(), square()));
      case what::mapped_inclusive:
        HPK_WITH_ITERATORS(transform_inclusive_scan(w, b, e, to, last_set(), square()))
        return outcome_of(KE::transform_inclusive_scan(w, in, out, last_set(), square()));
      case what::mapped_inclusive_from:
        HPK_WITH_ITERATORS(transform_inclusive_scan(w, b, e, to, last_set(), square(), 7))
        return outcome_of(KE::transform_inclusive_scan(w, in, out, last_set(), square(), 7));
      case what::differences:
        HPK_WITH_ITERATORS(adjacent_difference(w, b, e, to))
        return outcome_of(KE::adjacent_difference(w, in, out));
      case what::differences_by:
        HPK_WITH_ITERATORS(adjacent_difference(w, b, e, to, apart()))
        return outcome_of(KE::adjacent_difference(w, in, out, apart()));
      case what::count:
        break;
    }
    return {-1, -1};
  }
};

outcome model(what which, numbers& in, const numbers& other, numbers& out) {
  const auto b = in.begin(), e = in.end(), to = out.begin();
  switch (which) {
    case what::reduce:
      return outcome_of(std::reduce(b, e));
    case what::reduce_from:
      return outcome_of(std::reduce(b, e, 5L));
    case what::reduce_by:
      return outcome_of(std::reduce(b, e, 5, larger()));
    case what::products:
      return outcome_of(std::transform_reduce(b, e, other.begin(), 7L));
    case what::combined:
      return outcome_of(std::transform_reduce(b, e, other.begin(), 7, larger(), apart()));
    case what::mapped:
      return outcome_of(std::transform_reduce(b, e, 7, larger(), square()));
    case what::exclusive:
      return index_in(out, std::exclusive_scan(b, e, to, 7));
    case what::exclusive_by:
      return index_in(out, std::exclusive_scan(b, e, to, 7, last_set()));
    case what::exclusive_in_place:
      return index_in(in, std::exclusive_scan(b, e, b, 7));
    case what::inclusive:
      return index_in(out, std::inclusive_scan(b, e, to));
    case what::inclusive_by:
      return index_in(out, std::inclusive_scan(b, e, to, last_set()));
    case what::inclusive_from:
      return index_in(out, std::inclusive_scan(b, e, to, last_set(), 7));
    case what::inclusive_in_place:
      return index_in(in, std::inclusive_scan(b, e, b));
    case what::mapped_exclusive:
      return index_in(out, std::transform_exclusive_scan(b, e, to, 7, last_set(), square()));
    case what::mapped_inclusive:
      return index_in(out, std::transform_inclusive_scan(b, e, to, last_set(), square()));
    case what::mapped_inclusive_from:
      return index_in(out, std::transform_inclusive_scan(b, e, to, last_set(), square(), 7));
    case what::differences:
      return index_in(out, std::adjacent_difference(b, e, to));
    case what::differences_by:
      return index_in(out, std::adjacent_difference(b, e, to, apart()));
    case what::count:
      break;
  }
  return {};
}

template <class Exec>
class Numeric : public testing::Test {};
TYPED_TEST_SUITE(Numeric, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Numeric, does_as_std) {
  const TypeParam exec;
  for_each_setting<TypeParam>([&](auto setting, bool by_team, int n) {
    using S = decltype(setting);
    using layout = typename S::layout;
    const numbers x = random_numbers(n, 100, 1);
    const numbers y = random_numbers(n, 100, 2);
    const numbers z(static_cast<std::size_t>(n) + 2, -5);
    const auto in = make_row<TypeParam, layout>("in", x);
    const auto other = make_row<TypeParam, layout>("other", y);
    const auto out = make_row<TypeParam, layout>("out", z);
    for (int k = 0; k != static_cast<int>(what::count); ++k) {
      const what which = static_cast<what>(k);
      fill_row(in, x);
      fill_row(out, z);
      numbers in_model = x;
      numbers out_model = z;
      const outcome expected = model(which, in_model, y, out_model);
      const numeric_case<S, std::remove_const_t<decltype(in)>> one{which, in, other, out};
      ASSERT_EQ(run_case(exec, by_team, one), expected) << "algorithm " << k;
      ASSERT_EQ(read_row(in), in_model) << "algorithm " << k;
      ASSERT_EQ(read_row(out), out_model) << "algorithm " << k;
    }
  });
}

HPK_TYPED_TEST(Numeric, bits_do_not_depend_on_workers) {
  const int n = 70001;
  std::vector<double> from(n);
  for (int i = 0; i != n; ++i) from[static_cast<std::size_t>(i)] = 1.0 / (i + 1);
  const auto x = make_row<TypeParam, hpk::LayoutRight>("x", from);
  const auto out = make_row<TypeParam, hpk::LayoutRight, double>("out", from.size());
  double sums[2] = {};
  std::vector<double> prefixes[2];
  const auto by_hand = HPK_LAMBDA(double a, double b) { return a + b; };
  bool first = true;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const double plain = KE::reduce(exec, x);
    const double joined = KE::reduce(exec, x, 0.0, by_hand);
    KE::inclusive_scan(exec, x, out);
    const auto sum_prefixes = read_row(out);
    KE::exclusive_scan(exec, x, out, 0.0, by_hand);
    const auto joined_prefixes = read_row(out);
    if (first) {
      EXPECT_NEAR(plain, 11.7334, 1e-3);
      EXPECT_NEAR(joined, plain, 1e-10);
      sums[0] = plain;
      sums[1] = joined;
      prefixes[0] = sum_prefixes;
      prefixes[1] = joined_prefixes;
    }
    first = false;
    EXPECT_EQ(std::memcmp(&plain, &sums[0], sizeof(double)), 0);
    EXPECT_EQ(std::memcmp(&joined, &sums[1], sizeof(double)), 0);
    EXPECT_TRUE(sum_prefixes == prefixes[0]);
    EXPECT_TRUE(joined_prefixes == prefixes[1]);
  }
}

HPK_TYPED_TEST(Numeric, sums_have_the_type_of_their_init) {
  const auto x = make_row<TypeParam, hpk::LayoutRight>("x", numbers(3000, 2000000));
  const auto wide = KE::reduce(TypeParam(), x, std::int64_t{0});
  static_assert(std::is_same_v<decltype(wide), const std::int64_t>);
  EXPECT_EQ(wide, 6000000000);
  const hpk::View<double*, TypeParam> halves("halves", 10);
  hpk::deep_copy(halves, 0.5);
  EXPECT_EQ(KE::reduce(TypeParam(), halves, 1), 1);
  const hpk::View<hpk::complex<double>*, TypeParam> z("z", 1000);
  hpk::deep_copy(z, hpk::complex<double>(1, -2));
  EXPECT_EQ(KE::reduce(TypeParam(), z), hpk::complex<double>(1000, -2000));
}

HPK_TYPED_TEST(Numeric, refuses_wrong_ranges) {
  const TypeParam exec;
  const hpk::View<int*, TypeParam> a("a", 5);
  const hpk::View<int*, TypeParam> b("b", 3);
  expect_error([&] { KE::inclusive_scan(exec, a, b); },
               {"hpk::inclusive_scan: 5 elements are needed, but only 3 are left in View \"b\""});
  expect_error([&] { KE::transform_reduce(exec, a, b, 0); },
               {"hpk::transform_reduce: 5 elements are needed, but only 3"});
  expect_error([&] { KE::exclusive_scan(exec, KE::begin(a), KE::end(a) - 1, KE::begin(a) + 1, 0); },
               {"hpk::exclusive_scan: the output in View \"a\" overlaps the input"});
  expect_error([&] { KE::adjacent_difference(exec, a, a); },
               {"hpk::adjacent_difference: the output in View \"a\" overlaps"});
}

}  // namespace
}  // namespace algorithms_numeric_test
