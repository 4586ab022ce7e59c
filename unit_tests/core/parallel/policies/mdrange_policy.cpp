// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MDRangePolicy: constructors, deduction, and refused arguments.
#include <hpk/parallel/policies/mdrange_policy.hpp>

#include <support/spaces.hpp>

#include <array>
#include <cstdint>
#include <limits>

namespace parallel_mdrange_policy_test {
namespace {

using hpk::Iterate;
using hpk::MDRangePolicy;
using hpk::Rank;

static_assert(hpk::is_execution_policy_v<MDRangePolicy<Rank<2>>>);
static_assert(std::is_same_v<decltype(MDRangePolicy({0, 0}, {3, 4})), MDRangePolicy<Rank<2>>>);
static_assert(
    std::is_same_v<decltype(MDRangePolicy({0, 0, 0}, {3, 4, 5}, {1, 2})), MDRangePolicy<Rank<3>>>);
static_assert(std::is_same_v<decltype(MDRangePolicy(hpk::DefaultExecutionSpace(), {0}, {3L})),
                             MDRangePolicy<Rank<1>>>);
static_assert(std::is_same_v<decltype(MDRangePolicy(std::array<int, 2>(), std::array<int, 2>())),
                             MDRangePolicy<Rank<2>>>);
template <class Exec>
using policy_of = std::conditional_t<std::is_same_v<Exec, hpk::DefaultExecutionSpace>,
                                     MDRangePolicy<Rank<2>>, MDRangePolicy<Exec, Rank<2>>>;
template <class... Execs>
constexpr bool names_its_space(hpk::detail::type_list<Execs...>) {
  return (
      std::is_same_v<decltype(MDRangePolicy(Execs(), {0, 0}, {3, 4}, {2, 2})), policy_of<Execs>> &&
      ...);
}
static_assert(names_its_space(hpk::detail::enabled_spaces()));
using point = std::array<long, 3>;
static_assert(
    std::is_same_v<decltype(MDRangePolicy(point(), point(), point())), MDRangePolicy<Rank<3>>>);
static_assert(
    std::is_same_v<decltype(MDRangePolicy(hpk::DefaultExecutionSpace(), point(), point())),
                   MDRangePolicy<Rank<3>>>);
static_assert(MDRangePolicy<Rank<5>>::rank == 5 && MDRangePolicy<Rank<8>>::rank == 8);
using left_right = MDRangePolicy<Rank<2, Iterate::Left, Iterate::Right>>;
static_assert(left_right::outer_direction == Iterate::Left &&
              left_right::inner_direction == Iterate::Right);
static_assert(MDRangePolicy<Rank<2>>::inner_direction == Iterate::Default);

struct tag {};

TEST(MDRangePolicies, hold_what_they_were_made_from) {
  using policy = MDRangePolicy<hpk::DefaultHostExecutionSpace, Rank<3>>;
  const policy none;
  EXPECT_EQ(none.upper(2), 0);
  const policy given({1, -2, 3}, {10L, 20L, 30L}, {4, 0});
  EXPECT_EQ(given.lower(0), 1);
  EXPECT_EQ(given.lower(1), -2);
  EXPECT_EQ(given.upper(2), 30);
  EXPECT_EQ(given.tile(0), 4);
  EXPECT_EQ(given.tile(1), 0);
  EXPECT_EQ(given.tile(2), 0);
  const long m = 7;
  const MDRangePolicy<hpk::DefaultHostExecutionSpace, Rank<2>> of_two_types({0, 0}, {3, m});
  EXPECT_EQ(of_two_types.upper(1), 7);
  // Nested braces, as the initialisation of an array takes them.
  const policy in_braces({{1, -2, 3}}, {{10, m, 30u}}, {{4, 0}});
  EXPECT_EQ(in_braces.lower(1), -2);
  EXPECT_EQ(in_braces.upper(1), 7);
  EXPECT_EQ(in_braces.tile(0), 4);
  EXPECT_EQ(in_braces.tile(2), 0);
  const MDRangePolicy<hpk::DefaultHostExecutionSpace, Rank<1>> on_space(
      hpk::DefaultHostExecutionSpace(), {{2}}, {{m}});
  EXPECT_EQ(on_space.upper(0), 7);
  const std::array<std::size_t, 3> lower = {0, 1, 2};
  const std::array<short, 3> upper = {3, 3, 3};
  const policy of_arrays(hpk::DefaultHostExecutionSpace(), lower, upper,
                         std::array<int, 3>{-1, 2, 3});
  EXPECT_EQ(of_arrays.lower(2), 2);
  EXPECT_EQ(of_arrays.tile(0), 0);
  EXPECT_EQ(of_arrays.tile(2), 3);
  const MDRangePolicy<hpk::DefaultHostExecutionSpace, tag, Rank<3, Iterate::Left, Iterate::Left>>
      other(given);
  EXPECT_EQ(other.lower(1), -2);
  EXPECT_EQ(other.tile(0), 4);
  EXPECT_EQ(given.space(), hpk::DefaultHostExecutionSpace());
}

TEST(MDRangePolicies, tell_tiles_in_arrays) {
  using policy = MDRangePolicy<hpk::DefaultHostExecutionSpace, Rank<3>>;
  static_assert(std::is_same_v<policy::point_type, hpk::Array<hpk::index_t, 3>>);
  static_assert(std::is_same_v<policy::tile_type, policy::point_type>);
  const policy::point_type lower = {0, 1, 2};
  const policy::point_type upper = {10, 11, 12};
  EXPECT_GE(policy::max_total_tile_size(), 1024);
  const policy by_default(lower, upper);
  const policy recommended(lower, upper, by_default.tile_size_recommended());
  policy::tile_type wanted = by_default.tile_size_recommended();
  wanted[2] = 4;
  const policy given(lower, upper, wanted);
  for (int r = 0; r < 3; ++r) {
    EXPECT_EQ(recommended.lower(r), r);
    EXPECT_EQ(recommended.upper(r), 10 + r);
    EXPECT_EQ(recommended.tile(r), by_default.tile(r));
    EXPECT_EQ(given.tile(r), r == 2 ? 4 : 0);
  }
}

// An object that converts to the space may be given instead of it.
struct owner_of_a_space {
  hpk::DefaultExecutionSpace space;
  operator hpk::DefaultExecutionSpace() const { return space; }
};

TEST(MDRangePolicies, take_an_object_that_converts_to_the_space) {
  const owner_of_a_space owner;
#if HPK_HAS_CUDA_COMPILER
  // nvcc 13 considers the implicit guide as good as the declared one.
  const MDRangePolicy<Rank<2>> deduced(owner, {0, 1}, {4, 5});
#else
  const hpk::MDRangePolicy deduced(owner, {0, 1}, {4, 5});
  static_assert(std::is_same_v<decltype(deduced), const MDRangePolicy<Rank<2>>>);
#endif
  EXPECT_EQ(deduced.space(), owner.space);
  EXPECT_EQ(deduced.upper(1), 5);
  EXPECT_EQ(deduced.m_lower[1], 1);
  EXPECT_EQ(deduced.m_upper[0], 4);
  EXPECT_EQ(deduced.m_tile[0], 0);
  const MDRangePolicy<Rank<2>> tiled(owner, {0, 1}, {4, 5}, {2, 2});
  EXPECT_EQ(tiled.tile(0), 2);
}

template <class Work>
void expect_refused(const char* what, const Work& work) {
  hpk_test::expect_error(work, {what, "mdrange_policy.cpp"});
}

TEST(MDRangePolicies, refuse_what_can_not_be) {
  expect_refused("in dimension 1 the upper bound 3 is below the lower bound 4",
                 [] { MDRangePolicy<Rank<2>>({0, 4}, {1, 3}); });
  expect_refused(
      "in dimension 0 the bounds [-1, 3) do not fit the index type, which goes from 0 to "
      "4294967295",
      [] { MDRangePolicy<Rank<2>, unsigned>({-1, 0}, {3, 3}); });
  expect_refused("in dimension 1 the bounds [0, 18446744073709551615)", [] {
    MDRangePolicy<Rank<2>>({0, 0}, {std::size_t{3}, std::numeric_limits<std::size_t>::max()});
  });
  expect_refused(
      "in dimension 1 a tile of 18446744073709551615 iterations is more than 64 bits hold", [] {
        MDRangePolicy<Rank<2>>({0, 0}, {3, 3},
                               {std::size_t{1}, std::numeric_limits<std::size_t>::max()});
      });
  expect_refused("in dimension 0 the bounds [-9223372036854775808, 9223372036854775808)", [] {
    MDRangePolicy<Rank<1>>({std::numeric_limits<std::int64_t>::min()}, {std::size_t{1} << 63});
  });
  const std::int64_t large = std::int64_t{1} << 32;
  expect_refused("the MDRange has more iterations than a signed 64-bit integer counts",
                 [=] { MDRangePolicy<Rank<2>>({0, 0}, {large, large}); });
  EXPECT_NO_THROW((MDRangePolicy<Rank<3>>({0L, 0L, 0L}, {large, large, 0L})));
}

}  // namespace
}  // namespace parallel_mdrange_policy_test
