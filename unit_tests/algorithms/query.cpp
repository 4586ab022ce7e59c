// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/query.hpp>

#include <support/algorithms.hpp>

namespace algorithms_query_test {
namespace {

using namespace hpk_test;

struct is_small {
  HPK_FUNCTION bool operator()(int x) const { return x < 10; }
};
struct same_digit {
  HPK_FUNCTION bool operator()(int a, int b) const { return a % 10 == b % 10; }
};
struct greater {
  HPK_FUNCTION bool operator()(int a, int b) const { return a > b; }
};

enum class what {
  count,
  count_if,
  all_of,
  any_of,
  none_of,
  equal,
  equal_by,
  equal_from,
  equal_from_by,
  compare,
  compare_by,
  is_sorted,
  is_sorted_by,
  is_sorted_until,
  is_sorted_until_by,
  is_partitioned,
  end
};

template <class S, class V>
struct query_case {
  what which;
  V in, other;
  template <class W>
  HPK_FUNCTION outcome operator()(const W& w) const {
    const auto b = KE::cbegin(in), e = KE::cend(in);
    const auto ob = KE::begin(other), oe = KE::end(other);
    switch (which) {
      case what::count:
        HPK_WITH_ITERATORS(count(w, b, e, 3))
        return outcome_of(KE::count(w, in, 3));
      case what::count_if:
        HPK_WITH_ITERATORS(count_if(w, b, e, is_small()))
        return outcome_of(KE::count_if(w, in, is_small()));
      case what::all_of:
        HPK_WITH_ITERATORS(all_of(w, b, e, is_small()))
        return outcome_of(KE::all_of(w, in, is_small()));
      case what::any_of:
        HPK_WITH_ITERATORS(any_of(w, b, e, is_small()))
        return outcome_of(KE::any_of(w, in, is_small()));
      case what::none_of:
        HPK_WITH_ITERATORS(none_of(w, b, e, is_small()))
        return outcome_of(KE::none_of(w, in, is_small()));
      case what::equal:
        HPK_WITH_ITERATORS(equal(w, b, e, ob, oe))
        return outcome_of(KE::equal(w, in, other));
      case what::equal_by:
        HPK_WITH_ITERATORS(equal(w, b, e, ob, oe, same_digit()))
        return outcome_of(KE::equal(w, in, other, same_digit()));
      case what::equal_from:
        return outcome_of(KE::equal(w, b, e, ob));
      case what::equal_from_by:
        return outcome_of(KE::equal(w, b, e, ob, same_digit()));
      case what::compare:
        HPK_WITH_ITERATORS(lexicographical_compare(w, b, e, ob, oe))
        return outcome_of(KE::lexicographical_compare(w, in, other));
      case what::compare_by:
        HPK_WITH_ITERATORS(lexicographical_compare(w, b, e, ob, oe, greater()))
        return outcome_of(KE::lexicographical_compare(w, in, other, greater()));
      case what::is_sorted:
        HPK_WITH_ITERATORS(is_sorted(w, b, e))
        return outcome_of(KE::is_sorted(w, in));
      case what::is_sorted_by:
        HPK_WITH_ITERATORS(is_sorted(w, b, e, greater()))
        return outcome_of(KE::is_sorted(w, in, greater()));
      case what::is_sorted_until:
        HPK_WITH_ITERATORS(is_sorted_until(w, b, e))
        return outcome_of(KE::is_sorted_until(w, in));
      case what::is_sorted_until_by:
        HPK_WITH_ITERATORS(is_sorted_until(w, b, e, greater()))
        return outcome_of(KE::is_sorted_until(w, in, greater()));
      case what::is_partitioned:
        HPK_WITH_ITERATORS(is_partitioned(w, b, e, is_small()))
        return outcome_of(KE::is_partitioned(w, in, is_small()));
      case what::end:
        break;
    }
    return {-1, -1};
  }
};

outcome model(what which, const numbers& in, const numbers& other) {
  const auto b = in.begin(), e = in.end(), ob = other.begin(), oe = other.end();
  switch (which) {
    case what::count:
      return outcome_of(std::count(b, e, 3));
    case what::count_if:
      return outcome_of(std::count_if(b, e, is_small()));
    case what::all_of:
      return outcome_of(std::all_of(b, e, is_small()));
    case what::any_of:
      return outcome_of(std::any_of(b, e, is_small()));
    case what::none_of:
      return outcome_of(std::none_of(b, e, is_small()));
    case what::equal:
      return outcome_of(std::equal(b, e, ob, oe));
    case what::equal_by:
      return outcome_of(std::equal(b, e, ob, oe, same_digit()));
    case what::equal_from:
      return outcome_of(std::equal(b, e, ob));
    case what::equal_from_by:
      return outcome_of(std::equal(b, e, ob, same_digit()));
    case what::compare:
      return outcome_of(std::lexicographical_compare(b, e, ob, oe));
    case what::compare_by:
      return outcome_of(std::lexicographical_compare(b, e, ob, oe, greater()));
    case what::is_sorted:
      return outcome_of(std::is_sorted(b, e));
    case what::is_sorted_by:
      return outcome_of(std::is_sorted(b, e, greater()));
    case what::is_sorted_until:
      return index_in(in, std::is_sorted_until(b, e));
    case what::is_sorted_until_by:
      return index_in(in, std::is_sorted_until(b, e, greater()));
    case what::is_partitioned:
      return outcome_of(std::is_partitioned(b, e, is_small()));
    case what::end:
      break;
  }
  return {};
}

template <class Exec>
class Query : public testing::Test {};
TYPED_TEST_SUITE(Query, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Query, answers_as_std) {
  const TypeParam exec;
  for_each_setting<TypeParam>([&](auto setting, bool by_team, int n) {
    using S = decltype(setting);
    using layout = typename S::layout;
    // Inputs: random, sorted, sorted except for one element, descending, and all equal; the other
    // input has the same numbers, more of them, or a change in the middle or at the end.
    for (int kind = 0; kind != 6; ++kind) {
      numbers x = random_numbers(n, kind == 4 ? 1 : 12, 5);
      numbers y = x;
      if (kind == 1 || kind == 2) std::sort(x.begin(), x.end());
      if (kind == 3) std::sort(x.begin(), x.end(), greater());
      if (kind == 2 && n > 2) x[static_cast<std::size_t>(n) - 2] = 0;
      if (kind != 0) y = x;
      if (kind == 2 || n == 3) y.push_back(1);
      if (kind == 3 && n > 1) y[static_cast<std::size_t>(n) / 2] += 10;
      if (kind == 4 && n > 1) y[static_cast<std::size_t>(n) - 1] += 1;
      if (kind == 5) x.clear();
      const auto in = make_row<TypeParam, layout>("in", x);
      const auto other = make_row<TypeParam, layout>("other", y);
      for (int k = 0; k != static_cast<int>(what::end); ++k) {
        const what which = static_cast<what>(k);
        const query_case<S, std::remove_const_t<decltype(in)>> one{which, in, other};
        ASSERT_EQ(run_case(exec, by_team, one), model(which, x, y))
            << "algorithm " << k << ", kind " << kind;
      }
    }
  });
}

template <class V, class F>
struct point_case {
  V in;
  F f;
  template <class W>
  HPK_FUNCTION outcome operator()(const W& w) const {
    return outcome_of(KE::partition_point(w, KE::begin(in), KE::end(in), f));
  }
};

HPK_TYPED_TEST(Query, partition_point_bisects) {
  using view = hpk::View<int*, hpk::LayoutLeft, TypeParam>;
  for (const bool by_team : {false, true}) {
    for (const int n : {0, 1, 2, 3, 100, 4097}) {
      for (const int point : {0, 1, n / 2, n - 1, n}) {
        if (point < 0 || point > n) continue;
        numbers from(static_cast<std::size_t>(n), 1);
        std::fill_n(from.begin(), point, 0);
        const view x = make_row<TypeParam, hpk::LayoutLeft>("x", from);
        const hpk::View<int, TypeParam> calls("calls");
        const point_case<view, counted<TypeParam>> one{x, {calls}};
        EXPECT_EQ(run_case(TypeParam(), by_team, one), (outcome{double(point), 0}));
        EXPECT_LE(hpk_test::on_host(calls)(), 13 * 3) << n;
      }
    }
  }
  const hpk::View<int*, TypeParam> x("x", 5);
  EXPECT_EQ(KE::partition_point("labelled", TypeParam(), x, is_small()), KE::end(x));
}

HPK_TYPED_TEST(Query, refuses_a_short_second_range) {
  const hpk::View<int*, TypeParam> a("a", 5);
  const hpk::View<int*, TypeParam> b("b", 3);
  expect_error([&] { KE::equal(TypeParam(), KE::begin(a), KE::end(a), KE::begin(b)); },
               {"hpk::equal: 5 elements are needed, but only 3 are left in View \"b\""});
}

}  // namespace
}  // namespace algorithms_query_test
