// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The argument forms of algorithms, and the errors for wrong ranges.
#include <hpk/algorithms/detail/arguments.hpp>
#include <hpk/algorithms/elementwise.hpp>

#include <support/algorithms.hpp>

#include <string>

namespace algorithms_arguments_test {
namespace {

using hpk_test::expect_error;
using hpk_test::minus;
using hpk_test::read_row;
using hpk_test::twice;
namespace KE = hpk::Experimental;

int negative(int x) { return -x; }

template <class Exec>
class Arguments : public testing::Test {};
TYPED_TEST_SUITE(Arguments, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Arguments, takes_pointers_and_labels) {
  using host = hpk::DefaultHostExecutionSpace;
  int memory[7] = {1, 2, 3};
  int* const a = memory;
  int* const b = memory + 3;
  EXPECT_EQ(KE::copy("copies", host(), a, a + 3, b), b + 3);
  EXPECT_EQ(b[2], 3);
  std::vector<int> v(3);
  KE::transform(host(), a, a + 3, v.begin(), twice());
  EXPECT_EQ(v, (std::vector<int>{2, 4, 6}));
  KE::transform(host(), a, a + 3, v.begin(), negative);
  EXPECT_EQ(v, (std::vector<int>{-1, -2, -3}));
  const hpk::View<int*, TypeParam> x("x", 3);
  KE::fill("fills", TypeParam(), x, 4);
  KE::fill(std::string("fills"), TypeParam(), KE::begin(x), KE::begin(x) + 1, 2);
  KE::fill_n(TypeParam(), x, -3, 9);
  EXPECT_EQ(read_row(x), (std::vector<int>{2, 4, 4}));
}

HPK_TYPED_TEST(Arguments, refuses_wrong_ranges) {
  const TypeParam exec;
  const hpk::View<int*, TypeParam> a("a", 5);
  const hpk::View<int*, TypeParam> b("b", 3);
  expect_error(
      [&] { KE::copy(exec, a, b); },
      {"hpk::copy: 5 elements are needed, but only 3 are left in View \"b\"", "arguments.cpp"});
  expect_error([&] { KE::copy("mine", exec, a, b); }, {"hpk::copy \"mine\": 5 elements"});
  expect_error([&] { KE::copy_backward(exec, a, b); },
               {"hpk::copy_backward: 5 elements are needed"});
  expect_error([&] { KE::transform(exec, a, b, a, minus()); },
               {"hpk::transform: 5 elements are needed, but only 3 are left in View \"b\""});
  expect_error([&] { KE::fill(exec, KE::end(a), KE::begin(a), 1); },
               {"hpk::fill: the range in View \"a\" ends 5 elements before it begins"});
  expect_error([&] { KE::fill(exec, KE::begin(a), KE::begin(a) + 6, 1); },
               {"hpk::fill: the range [0, 6) leaves View \"a\", which has 5 elements"});
  expect_error([&] { KE::fill(exec, KE::begin(a), KE::end(b), 1); },
               {"hpk::fill: the range begins in View \"a\" and ends in View \"b\""});
  expect_error([&] { KE::fill_n(exec, a, 6, 1); },
               {"hpk::fill_n: 6 elements are asked for, but only 5 are left in View \"a\""});
  expect_error([&] { KE::copy_n(exec, a, 3, KE::begin(a) + 2); },
               {"hpk::copy_n: the output in View \"a\" overlaps the input in View \"a\""});
  expect_error([&] { KE::copy(exec, a, a); }, {"hpk::copy: the output in View \"a\" overlaps"});
  expect_error(
      [&] { KE::transform(exec, KE::begin(a), KE::end(a) - 1, KE::begin(a) + 1, twice()); },
      {"hpk::transform: the output in View \"a\" overlaps the input", "same elements"});
  expect_error([&] { KE::swap_ranges(exec, KE::begin(a), KE::begin(a) + 3, KE::begin(a) + 2); },
               {"hpk::swap_ranges: the output in View \"a\" overlaps"});
  // Columns of one array interleave but share no element.
  const hpk::View<int**, hpk::LayoutRight, TypeParam> both("both", 5, 2);
  const auto left = hpk::subview(both, hpk::ALL, 0);
  const auto right = hpk::subview(both, hpk::ALL, 1);
  KE::fill(exec, left, 1);
  KE::copy(exec, left, right);
  EXPECT_EQ(read_row(right), std::vector<int>(5, 1));
}

// An algorithm with invalid arguments in a team.
template <class Exec>
struct copy_too_much {
  hpk::View<int*, Exec> from, to;
  HPK_FUNCTION void operator()(const typename hpk::TeamPolicy<Exec>::member_type& team) const {
    KE::copy(team, from, to);
  }
};

template <class Exec>
class ArgumentsOnHosts : public testing::Test {};
TYPED_TEST_SUITE(ArgumentsOnHosts, hpk_test::host_spaces, hpk_test::space_names);

TYPED_TEST(ArgumentsOnHosts, refuses_wrong_ranges_in_teams) {
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    const hpk::View<int*, TypeParam> a("a", 5);
    const hpk::View<int*, TypeParam> b("b", 3);
    expect_error(
        [&] {
          hpk::parallel_for("of teams", hpk::TeamPolicy<TypeParam>(1, 1),
                            copy_too_much<TypeParam>{a, b});
        },
        {"hpk::copy: 5 elements are needed, but only 3 are left in View \"b\"", "of teams"});
  }
}

}  // namespace
}  // namespace algorithms_arguments_test
