// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/extrema.hpp>

#include <support/algorithms.hpp>

namespace algorithms_extrema_test {
namespace {

using hpk_test::for_each_setting;
using hpk_test::make_row;
using hpk_test::outcome;
using hpk_test::outcome_of;
using hpk_test::random_numbers;
using hpk_test::run_case;
namespace KE = hpk::Experimental;

struct by_last_digit {
  HPK_FUNCTION bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

template <class S, class V>
struct extrema_case {
  int which;
  V in;
#define OF(...) \
  if constexpr (S::iterators) return outcome_of(KE::__VA_ARGS__);
  template <class W>
  HPK_FUNCTION outcome operator()(const W& w) const {
    const auto b = KE::cbegin(in), e = KE::cend(in);
    switch (which) {
      case 0: {
        OF(min_element(w, b, e))
        return outcome_of(KE::min_element(w, in));
      }
      case 1: {
        OF(min_element(w, b, e, by_last_digit()))
        return outcome_of(KE::min_element(w, in, by_last_digit()));
      }
      case 2: {
        OF(max_element(w, b, e))
        return outcome_of(KE::max_element(w, in));
      }
      case 3: {
        OF(max_element(w, b, e, by_last_digit()))
        return outcome_of(KE::max_element(w, in, by_last_digit()));
      }
      case 4: {
        OF(minmax_element(w, b, e))
        return outcome_of(KE::minmax_element(w, in));
      }
      default: {
        OF(minmax_element(w, b, e, by_last_digit()))
        return outcome_of(KE::minmax_element(w, in, by_last_digit()));
      }
    }
  }
#undef OF
};

outcome model(int which, const std::vector<int>& x) {
  const auto b = x.begin(), e = x.end();
  const auto at = [&](auto it) { return outcome{static_cast<double>(it - b), 0}; };
  const auto both = [&](auto p) {
    return outcome{static_cast<double>(p.first - b), static_cast<double>(p.second - b)};
  };
  switch (which) {
    case 0:
      return at(std::min_element(b, e));
    case 1:
      return at(std::min_element(b, e, by_last_digit()));
    case 2:
      return at(std::max_element(b, e));
    case 3:
      return at(std::max_element(b, e, by_last_digit()));
    case 4:
      return both(std::minmax_element(b, e));
    default:
      return both(std::minmax_element(b, e, by_last_digit()));
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
      const std::vector<int> x = random_numbers(n, values, 4);
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
