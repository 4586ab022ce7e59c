// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/reorder.hpp>

#include <support/algorithms.hpp>

namespace algorithms_reorder_test {
namespace {

using namespace hpk_test;

enum class what { reverse, reverse_copy, rotate, rotate_copy, shift_left, shift_right, count };

template <class S, class V>
struct reorder_case {
  what which;
  V in, out;
  int n;
  template <class W>
  HPK_FUNCTION outcome operator()(const W& w) const {
    const auto b = KE::begin(in), e = KE::end(in), to = KE::begin(out);
    switch (which) {
      case what::reverse:
        if constexpr (S::iterators) {
          KE::reverse(w, b, e);
        } else {
          KE::reverse(w, in);
        }
        return {};
      case what::reverse_copy:
        HPK_WITH_ITERATORS(reverse_copy(w, b, e, to))
        return outcome_of(KE::reverse_copy(w, in, out));
      case what::rotate:
        HPK_WITH_ITERATORS(rotate(w, b, b + n, e))
        return outcome_of(KE::rotate(w, in, n));
      case what::rotate_copy:
        HPK_WITH_ITERATORS(rotate_copy(w, b, b + n, e, to))
        return outcome_of(KE::rotate_copy(w, in, n, out));
      case what::shift_left:
        HPK_WITH_ITERATORS(shift_left(w, b, e, n))
        return outcome_of(KE::shift_left(w, in, n));
      case what::shift_right:
        HPK_WITH_ITERATORS(shift_right(w, b, e, n))
        return outcome_of(KE::shift_right(w, in, n));
      case what::count:
        break;
    }
    return {-1, -1};
  }
};

outcome model(what which, numbers& in, numbers& out, int n) {
  const auto b = in.begin(), e = in.end(), to = out.begin();
  switch (which) {
    case what::reverse:
      std::reverse(b, e);
      break;
    case what::reverse_copy:
      return index_in(out, std::reverse_copy(b, e, to));
    case what::rotate:
      return index_in(in, std::rotate(b, b + n, e));
    case what::rotate_copy:
      return index_in(out, std::rotate_copy(b, b + n, e, to));
    case what::shift_left:
      return index_in(in, std::shift_left(b, e, n));
    case what::shift_right:
      return index_in(in, std::shift_right(b, e, n));
    case what::count:
      break;
  }
  return {};
}

template <class Exec>
class Reorder : public testing::Test {};
TYPED_TEST_SUITE(Reorder, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Reorder, does_as_std) {
  const TypeParam exec;
  for_each_setting<TypeParam>([&](auto setting, bool by_team, int n) {
    using S = decltype(setting);
    using layout = typename S::layout;
    const numbers x = random_numbers(n, 100000, 8);
    const numbers z(static_cast<std::size_t>(n) + 1, -5);
    const auto in = make_row<TypeParam, layout>("in", x);
    const auto out = make_row<TypeParam, layout>("out", z);
    for (const int by : {0, 1, n / 20, n / 3, n / 2, n * 3 / 5, n - 1, n, n + 1, 2 * n + 7}) {
      if (by < 0 || (n > 10000 && by % 3 == 0)) continue;
      for (int k = 0; k != static_cast<int>(what::count); ++k) {
        const what which = static_cast<what>(k);
        const bool shifts = which == what::shift_left || which == what::shift_right;
        if (by > n && !shifts) continue;
        if (by != 0 && which < what::rotate) continue;
        fill_row(in, x);
        fill_row(out, z);
        numbers in_model = x;
        numbers out_model = z;
        const outcome expected = model(which, in_model, out_model, by);
        const reorder_case<S, std::remove_const_t<decltype(in)>> one{which, in, out, by};
        ASSERT_EQ(run_case(exec, by_team, one), expected) << "algorithm " << k << " by " << by;
        numbers got = read_row(in);
        if (shifts && by < n) {
          // The algorithm leaves the elements at the other end unspecified.
          const auto lost = [&](numbers& of) {
            const auto at = which == what::shift_left ? of.end() - by : of.begin();
            std::fill_n(at, by, 0);
          };
          lost(got);
          lost(in_model);
        }
        ASSERT_EQ(got, in_model) << "algorithm " << k << " by " << by;
        ASSERT_EQ(read_row(out), out_model) << "algorithm " << k << " by " << by;
      }
    }
  });
}

HPK_TYPED_TEST(Reorder, refuses_wrong_arguments) {
  const TypeParam exec;
  const hpk::View<int*, TypeParam> a("a", 5);
  const hpk::View<int*, TypeParam> b("b", 3);
  expect_error([&] { KE::rotate(exec, a, 6); },
               {"hpk::rotate: the middle, element 6, is outside of the range of 5 "
                "elements in View \"a\""});
  expect_error([&] { KE::rotate(exec, a, -1); }, {"hpk::rotate: the middle, element -1"});
  expect_error([&] { KE::rotate_copy(exec, a, 2, b); },
               {"hpk::rotate_copy: 5 elements are needed, but only 3 are left in View \"b\""});
  expect_error([&] { KE::shift_left(exec, a, -2); }, {"hpk::shift_left: the distance is -2"});
  expect_error([&] { KE::shift_right(exec, a, -2); }, {"hpk::shift_right: the distance is -2"});
  expect_error([&] { KE::reverse_copy(exec, a, a); },
               {"hpk::reverse_copy: the output in View \"a\" overlaps the input"});
}

}  // namespace
}  // namespace algorithms_reorder_test
