// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches compared with std. The lowest index wins, and a hit near the begin stops the search.
#include <hpk/algorithms/search.hpp>

#include <support/algorithms.hpp>

namespace algorithms_search_test {
namespace {

using namespace hpk_test;

struct is_three {
  HPK_FUNCTION bool operator()(int x) const { return x == 3; }
};
struct is_not_three {
  HPK_FUNCTION bool operator()(int x) const { return x != 3; }
};
struct same_modulo_3 {
  HPK_FUNCTION bool operator()(int a, int b) const { return a % 3 == b % 3; }
};

enum class what {
  find,
  find_if,
  find_if_not,
  adjacent_find,
  adjacent_find_by,
  search,
  search_by,
  find_end,
  find_end_by,
  search_n,
  search_n_by,
  search_none,
  find_first_of,
  find_first_of_by,
  mismatch,
  mismatch_by,
  count
};

template <class S, class V>
struct search_case {
  what which;
  V in, other, pattern;

  template <class W>
  HPK_FUNCTION outcome operator()(const W& w) const {
    const auto b = KE::begin(in), e = KE::end(in);
    const auto pb = KE::cbegin(pattern), pe = KE::cend(pattern);
    switch (which) {
      case what::find:
        HPK_WITH_ITERATORS(find(w, b, e, 3))
        return outcome_of(KE::find(w, in, 3));
      case what::find_if:
        HPK_WITH_ITERATORS(find_if(w, b, e, is_three()))
        return outcome_of(KE::find_if(w, in, is_three()));
      case what::find_if_not:
        HPK_WITH_ITERATORS(find_if_not(w, b, e, is_not_three()))
        return outcome_of(KE::find_if_not(w, in, is_not_three()));
      case what::adjacent_find:
        HPK_WITH_ITERATORS(adjacent_find(w, b, e))
        return outcome_of(KE::adjacent_find(w, in));
      case what::adjacent_find_by:
        HPK_WITH_ITERATORS(adjacent_find(w, b, e, same_modulo_3()))
        return outcome_of(KE::adjacent_find(w, in, same_modulo_3()));
      case what::search:
        HPK_WITH_ITERATORS(search(w, b, e, pb, pe))
        return outcome_of(KE::search(w, in, pattern));
      case what::search_by:
        HPK_WITH_ITERATORS(search(w, b, e, pb, pe, same_modulo_3()))
        return outcome_of(KE::search(w, in, pattern, same_modulo_3()));
      case what::find_end:
        HPK_WITH_ITERATORS(find_end(w, b, e, pb, pe))
        return outcome_of(KE::find_end(w, in, pattern));
      case what::find_end_by:
        HPK_WITH_ITERATORS(find_end(w, b, e, pb, pe, same_modulo_3()))
        return outcome_of(KE::find_end(w, in, pattern, same_modulo_3()));
      case what::search_n:
        HPK_WITH_ITERATORS(search_n(w, b, e, 3, 2))
        return outcome_of(KE::search_n(w, in, 3, 2));
      case what::search_n_by:
        HPK_WITH_ITERATORS(search_n(w, b, e, 3, 2, same_modulo_3()))
        return outcome_of(KE::search_n(w, in, 3, 2, same_modulo_3()));
      case what::search_none:
        HPK_WITH_ITERATORS(search_n(w, b, e, 0, 2))
        return outcome_of(KE::search_n(w, in, 0, 2));
      case what::find_first_of:
        HPK_WITH_ITERATORS(find_first_of(w, b, e, pb, pe))
        return outcome_of(KE::find_first_of(w, in, pattern));
      case what::find_first_of_by:
        HPK_WITH_ITERATORS(find_first_of(w, b, e, pb, pe, same_modulo_3()))
        return outcome_of(KE::find_first_of(w, in, pattern, same_modulo_3()));
      case what::mismatch:
        HPK_WITH_ITERATORS(mismatch(w, b, e, KE::begin(other), KE::end(other)))
        return outcome_of(KE::mismatch(w, in, other));
      case what::mismatch_by:
        HPK_WITH_ITERATORS(mismatch(w, b, e, KE::begin(other), KE::end(other), same_modulo_3()))
        return outcome_of(KE::mismatch(w, in, other, same_modulo_3()));
      case what::count:
        break;
    }
    return {-1, -1};
  }
};

outcome model(what which, const numbers& in, const numbers& other, const numbers& pattern) {
  const auto b = in.begin(), e = in.end(), pb = pattern.begin(), pe = pattern.end();
  switch (which) {
    case what::find:
      return index_in(in, std::find(b, e, 3));
    case what::find_if:
      return index_in(in, std::find_if(b, e, is_three()));
    case what::find_if_not:
      return index_in(in, std::find_if_not(b, e, is_not_three()));
    case what::adjacent_find:
      return index_in(in, std::adjacent_find(b, e));
    case what::adjacent_find_by:
      return index_in(in, std::adjacent_find(b, e, same_modulo_3()));
    case what::search:
      return index_in(in, std::search(b, e, pb, pe));
    case what::search_by:
      return index_in(in, std::search(b, e, pb, pe, same_modulo_3()));
    case what::find_end:
      return index_in(in, std::find_end(b, e, pb, pe));
    case what::find_end_by:
      return index_in(in, std::find_end(b, e, pb, pe, same_modulo_3()));
    case what::search_n:
      return index_in(in, std::search_n(b, e, 3, 2));
    case what::search_n_by:
      return index_in(in, std::search_n(b, e, 3, 2, same_modulo_3()));
    case what::search_none:
      return index_in(in, b);
    case what::find_first_of:
      return index_in(in, std::find_first_of(b, e, pb, pe));
    case what::find_first_of_by:
      return index_in(in, std::find_first_of(b, e, pb, pe, same_modulo_3()));
    case what::mismatch:
      return indices_in(in, other, std::mismatch(b, e, other.begin(), other.end()));
    case what::mismatch_by:
      return indices_in(in, other,
                        std::mismatch(b, e, other.begin(), other.end(), same_modulo_3()));
    case what::count:
      break;
  }
  return {};
}

template <class Exec>
class Search : public testing::Test {};
TYPED_TEST_SUITE(Search, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Search, finds_as_std) {
  const TypeParam exec;
  for_each_setting<TypeParam>([&](auto setting, bool by_team, int n) {
    using S = decltype(setting);
    using layout = typename S::layout;
    // Inputs with few values, with many values that rarely contain a sought one, and without a hit.
    for (const int kind : {3, 4, 30000, 100000000}) {
      const numbers x = random_numbers(n, kind, 1);
      numbers y = x;
      if (n > 2) {
        y[static_cast<std::size_t>(n) / 2] += 3;
        y[static_cast<std::size_t>(n) * 3 / 4] += 1;
        y.push_back(1);
      }
      numbers z;
      for (int i = 0; i != 4 && n > 5; ++i) z.push_back(x[static_cast<std::size_t>(n - 5 + i)]);
      if (n % 2 != 0) z = {2, 1};
      if (n == 33) z.clear();
      const auto in = make_row<TypeParam, layout>("in", x);
      const auto other = make_row<TypeParam, layout>("other", y);
      const auto pattern = make_row<TypeParam, layout>("pattern", z);
      for (int k = 0; k != static_cast<int>(what::count); ++k) {
        const what which = static_cast<what>(k);
        const search_case<S, std::remove_const_t<decltype(in)>> one{which, in, other, pattern};
        ASSERT_EQ(run_case(exec, by_team, one), model(which, x, y, z))
            << "algorithm " << k << ", " << kind << " values";
      }
    }
  });
}

HPK_TYPED_TEST(Search, stops_soon_behind_the_lowest_hit) {
  const int n = 1 << 20;
  numbers from(n, 1);
  for (const int at : {100, 5000, 70000}) {
    for (int i = at; i < n; i += 4096) from[static_cast<std::size_t>(i)] = 0;
    const auto x = make_row<TypeParam, hpk::LayoutRight>("x", from);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      const hpk::View<int, TypeParam> calls("calls");
      const auto found = KE::find_if(exec, x, counted<TypeParam>{calls});
      EXPECT_EQ(found.index(), at);
      const int count = hpk_test::on_host(calls)();
      EXPECT_GE(count, 1);
      EXPECT_LE(count, at < 4096 ? 4096 : at * 10) << "for a hit at " << at;
    }
    from.assign(n, 1);
  }
}

}  // namespace
}  // namespace algorithms_search_test
