// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Algorithms that remove some of the elements, compared with std. All preserve the order; of equal
// neighbours the first remains.
#include <hpk/algorithms/compact.hpp>

#include <support/algorithms.hpp>

#include <string>

namespace algorithms_compact_test {
namespace {

using namespace hpk_test;

struct is_small {
  HPK_FUNCTION bool operator()(int x) const { return x % 100 < 40; }
};
// An equality coarser than identity.
struct same_ten {
  HPK_FUNCTION bool operator()(int a, int b) const { return a / 10 == b / 10; }
};

enum class what {
  copy_if,
  remove_copy,
  remove_copy_if,
  unique_copy,
  unique_copy_by,
  partition_copy,
  remove,
  remove_if,
  unique,
  unique_by,
  count
};

template <class S, class V>
struct compact_case {
  what which;
  V in, out, others;
  template <class W>
  HPK_FUNCTION outcome operator()(const W& w) const {
    const auto b = KE::begin(in), e = KE::end(in), to = KE::begin(out);
    switch (which) {
      case what::copy_if:
        HPK_WITH_ITERATORS(copy_if(w, b, e, to, is_small()))
        return outcome_of(KE::copy_if(w, in, out, is_small()));
      case what::remove_copy:
        HPK_WITH_ITERATORS(remove_copy(w, b, e, to, 3))
        return outcome_of(KE::remove_copy(w, in, out, 3));
      case what::remove_copy_if:
        HPK_WITH_ITERATORS(remove_copy_if(w, b, e, to, is_small()))
        return outcome_of(KE::remove_copy_if(w, in, out, is_small()));
      case what::unique_copy:
        HPK_WITH_ITERATORS(unique_copy(w, b, e, to))
        return outcome_of(KE::unique_copy(w, in, out));
      case what::unique_copy_by:
        HPK_WITH_ITERATORS(unique_copy(w, b, e, to, same_ten()))
        return outcome_of(KE::unique_copy(w, in, out, same_ten()));
      case what::partition_copy:
        HPK_WITH_ITERATORS(partition_copy(w, b, e, to, KE::begin(others), is_small()))
        return outcome_of(KE::partition_copy(w, in, out, others, is_small()));
      case what::remove:
        HPK_WITH_ITERATORS(remove(w, b, e, 3))
        return outcome_of(KE::remove(w, in, 3));
      case what::remove_if:
        HPK_WITH_ITERATORS(remove_if(w, b, e, is_small()))
        return outcome_of(KE::remove_if(w, in, is_small()));
      case what::unique:
        HPK_WITH_ITERATORS(unique(w, b, e))
        return outcome_of(KE::unique(w, in));
      case what::unique_by:
        HPK_WITH_ITERATORS(unique(w, b, e, same_ten()))
        return outcome_of(KE::unique(w, in, same_ten()));
      case what::count:
        break;
    }
    return {-1, -1};
  }
};

outcome model(what which, numbers& in, numbers& out, numbers& others) {
  const auto b = in.begin(), e = in.end(), to = out.begin();
  switch (which) {
    case what::copy_if:
      return index_in(out, std::copy_if(b, e, to, is_small()));
    case what::remove_copy:
      return index_in(out, std::remove_copy(b, e, to, 3));
    case what::remove_copy_if:
      return index_in(out, std::remove_copy_if(b, e, to, is_small()));
    case what::unique_copy:
      return index_in(out, std::unique_copy(b, e, to));
    case what::unique_copy_by:
      return index_in(out, std::unique_copy(b, e, to, same_ten()));
    case what::partition_copy:
      return indices_in(out, others, std::partition_copy(b, e, to, others.begin(), is_small()));
    case what::remove:
      return index_in(in, std::remove(b, e, 3));
    case what::remove_if:
      return index_in(in, std::remove_if(b, e, is_small()));
    case what::unique:
      return index_in(in, std::unique(b, e));
    case what::unique_by:
      return index_in(in, std::unique(b, e, same_ten()));
    case what::count:
      break;
  }
  return {};
}

template <class Exec>
class Compact : public testing::Test {};
TYPED_TEST_SUITE(Compact, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Compact, does_as_std) {
  const TypeParam exec;
  for_each_setting<TypeParam>([&](auto setting, bool by_team, int n) {
    using S = decltype(setting);
    using layout = typename S::layout;
    // Few values, which are often equal; many values; one value.
    for (const int kind : {5, 1000, 1}) {
      if (n > 10000 && kind != 5) continue;
      const numbers x = random_numbers(n, kind, 6);
      const numbers z(static_cast<std::size_t>(n) + 1, -5);
      const auto in = make_row<TypeParam, layout>("in", x);
      const auto out = make_row<TypeParam, layout>("out", z);
      const auto others = make_row<TypeParam, layout>("others", z);
      for (int k = 0; k != static_cast<int>(what::count); ++k) {
        const what which = static_cast<what>(k);
        fill_row(in, x);
        fill_row(out, z);
        fill_row(others, z);
        numbers in_model = x;
        numbers out_model = z;
        numbers others_model = z;
        const outcome expected = model(which, in_model, out_model, others_model);
        const compact_case<S, std::remove_const_t<decltype(in)>> one{which, in, out, others};
        ASSERT_EQ(run_case(exec, by_team, one), expected) << "algorithm " << k;
        // std leaves the elements past the new end unspecified.
        const std::size_t kept =
            which < what::remove ? x.size() : static_cast<std::size_t>(expected.first);
        numbers got = read_row(in);
        got.resize(kept);
        in_model.resize(kept);
        ASSERT_EQ(got, in_model) << "algorithm " << k;
        ASSERT_EQ(read_row(out), out_model) << "algorithm " << k;
        ASSERT_EQ(read_row(others), others_model) << "algorithm " << k;
      }
    }
  });
}

// Parts by different workers have to be moved together.
HPK_TYPED_TEST(Compact, works_in_place_by_any_number_of_workers) {
  const int n = hpk_test::is_host<TypeParam> ? 600001 : 5001;
  numbers from = random_numbers(n, 3, 7);
  // The first blocks lose no element.
  for (int i = 0; i < n / 2; ++i) from[static_cast<std::size_t>(i)] = 101 + i % 2;
  numbers expected = from;
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  const numbers mixed = random_numbers(n, 100, 9);
  numbers removed = mixed;
  removed.erase(std::remove_if(removed.begin(), removed.end(), is_small()), removed.end());
  const auto x = make_row<TypeParam, hpk::LayoutRight>("x", from);
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    fill_row(x, from);
    const auto end = KE::unique(exec, x);
    ASSERT_EQ(end.index(), static_cast<hpk::index_t>(expected.size()));
    numbers got = read_row(x);
    got.resize(expected.size());
    EXPECT_TRUE(got == expected);
    fill_row(x, mixed);
    ASSERT_EQ(KE::remove_if(exec, x, is_small()).index(),
              static_cast<hpk::index_t>(removed.size()));
    got = read_row(x);
    got.resize(removed.size());
    EXPECT_TRUE(got == removed);
  }
}

HPK_TYPED_TEST(Compact, refuses_outputs_that_are_too_short) {
  const TypeParam exec;
  const auto a = make_row<TypeParam, hpk::LayoutRight>("a", numbers{1, 2, 3, 50, 4});
  const hpk::View<int*, TypeParam> b("b", 3);
  const hpk::View<int*, TypeParam> c("c", 1);
  const auto d = make_row<TypeParam, hpk::LayoutRight, int>("d", 4);
  expect_error([&] { KE::copy_if(exec, a, b, is_small()); },
               {"hpk::copy_if: 4 elements are needed, but only 3 are left in View \"b\""});
  EXPECT_EQ(read_row(b), (numbers{0, 0, 0}));
  expect_error([&] { KE::partition_copy(exec, a, b, c, is_small()); },
               {"hpk::partition_copy: 4 elements are needed, but only 3 are left in View \"b\""});
  EXPECT_EQ(KE::partition_copy(exec, a, d, c, is_small()).second, KE::end(c));
  expect_error([&] { KE::copy_if(exec, a, a, is_small()); },
               {"hpk::copy_if: the output in View \"a\" overlaps the input"});
  expect_error([&] { KE::partition_copy(exec, a, d, d, is_small()); },
               {"hpk::partition_copy: the output in View \"d\" overlaps"});
}

template <class Exec>
class CompactOnHosts : public testing::Test {};
TYPED_TEST_SUITE(CompactOnHosts, hpk_test::host_spaces, hpk_test::space_names);

// Elements with constructors and destructors.
TYPED_TEST(CompactOnHosts, moves_strings) {
  const hpk::View<std::string*, TypeParam> x("x", 300);
  std::vector<std::string> model(300);
  for (std::size_t i = 0; i != 300; ++i)
    x(i) = model[i] = std::string(40, static_cast<char>('a' + i % 7 / 2));
  model.erase(std::unique(model.begin(), model.end()), model.end());
  const auto end = KE::unique(TypeParam(), x);
  ASSERT_EQ(end.index(), static_cast<hpk::index_t>(model.size()));
  for (std::size_t i = 0; i != model.size(); ++i) EXPECT_EQ(x(i), model[i]);
}

}  // namespace
}  // namespace algorithms_compact_test
