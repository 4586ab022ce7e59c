// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/extrema.hpp>

#include <support/algorithms.hpp>

namespace algorithms_extrema_test {
namespace {

using namespace hpk_test;

struct by_last_digit {
  HPK_FUNCTION bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

template <class S, class V>
struct extrema_case {
  int which;
  V in;
  template <class W>
  HPK_FUNCTION outcome operator()(const W& w) const {
    const auto b = KE::cbegin(in), e = KE::cend(in);
    switch (which) {
      case 0:
        HPK_WITH_ITERATORS(min_element(w, b, e))
        return outcome_of(KE::min_element(w, in));
      case 1:
        HPK_WITH_ITERATORS(min_element(w, b, e, by_last_digit()))
        return outcome_of(KE::min_element(w, in, by_last_digit()));
      case 2:
        HPK_WITH_ITERATORS(max_element(w, b, e))
        return outcome_of(KE::max_element(w, in));
      case 3:
        HPK_WITH_ITERATORS(max_element(w, b, e, by_last_digit()))
        return outcome_of(KE::max_element(w, in, by_last_digit()));
      case 4:
        HPK_WITH_ITERATORS(minmax_element(w, b, e))
        return outcome_of(KE::minmax_element(w, in));
      default:
        HPK_WITH_ITERATORS(minmax_element(w, b, e, by_last_digit()))
        return outcome_of(KE::minmax_element(w, in, by_last_digit()));
    }
  }
};

outcome model(int which, const numbers& x) {
  const auto b = x.begin(), e = x.end();
  switch (which) {
    case 0:
      return index_in(x, std::min_element(b, e));
    case 1:
      return index_in(x, std::min_element(b, e, by_last_digit()));
    case 2:
      return index_in(x, std::max_element(b, e));
    case 3:
      return index_in(x, std::max_element(b, e, by_last_digit()));
    case 4:
      return indices_in(x, x, std::minmax_element(b, e));
    default:
      return indices_in(x, x, std::minmax_element(b, e, by_last_digit()));
  }
}

template <class Exec>
class Extrema : public testing::Test {};
TYPED_TEST_SUITE(Extrema, hpk_test::spaces, hpk_test::space_names);

// Of equal elements: the first minimum, the first maximum, and for minmax the last maximum.
HPK_TYPED_TEST(Extrema, are_those_of_std) {
  const TypeParam exec;
  for_each_setting<TypeParam>([&](auto setting, bool by_team, int n) {
    using S = decltype(setting);
    for (const int values : {1, 20, 100000000}) {
      const numbers x = random_numbers(n, values, 4);
      const auto in = make_row<TypeParam, typename S::layout>("in", x);
      for (int k = 0; k != 6; ++k) {
        const extrema_case<S, std::remove_const_t<decltype(in)>> one{k, in};
        ASSERT_EQ(run_case(exec, by_team, one), model(k, x)) << "algorithm " << k;
      }
    }
  });
}

}  // namespace
}  // namespace algorithms_extrema_test
