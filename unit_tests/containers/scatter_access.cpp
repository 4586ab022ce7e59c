// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses through which kernels contribute: every operator, rank and team; and invalid indices.
#include <hpk/containers/scatter_access.hpp>

#include "scatter.hpp"

#include <type_traits>
#include <utility>

namespace {

using namespace scatter_test;
using hpk::ScatterAtomic;
using hpk::ScatterProd;

using access_type = decltype(std::declval<hpk::ScatterView<int*>>().access());
static_assert(!std::is_copy_constructible_v<access_type>);
static_assert(std::is_move_constructible_v<access_type>);

template <class Exec>
class ScatterInKernels : public testing::Test {};
TYPED_TEST_SUITE(ScatterInKernels, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(ScatterInKernels, has_all_operators) {
  const hpk::View<double*, TypeParam> sums("sums", 8);
  const hpk::View<double*, TypeParam> products("products", 2);
  hpk::deep_copy(products, 3.0);
  const auto add = hpk::create_scatter_view(sums);
  const auto multiply = hpk::create_scatter_view(ScatterProd(), products);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 4), HPK_LAMBDA(int) {
        const auto to = add.access();
        to(0) += 2.5;
        to(1) -= 1.5;
        ++to(2);
        to(3)++;
        --to(4);
        to(5)--;
        to[6].update(3.0);
        const auto by = multiply.access();
        by(0) *= 2.0;
        by(1) /= 2.0;
      });
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 1), HPK_LAMBDA(int) {
        const auto to = add.template access<ScatterAtomic>();
        to(7) += 5.0;
        to(7).reset();
        to(7) += 1.0;
      });
  hpk::contribute(sums, add);
  hpk::contribute(products, multiply);
  const auto s = hpk_test::on_host(sums);
  const auto p = hpk_test::on_host(products);
  const double wanted[] = {10, -6, 4, 4, -4, -4, 12, 1};
  for (int k = 0; k < 8; ++k) EXPECT_EQ(s(k), wanted[k]) << k;
  EXPECT_EQ(p(0), 48.0);
  EXPECT_EQ(p(1), 3.0 / 16);
}

HPK_TYPED_TEST(ScatterInKernels, works_in_teams) {
  using policy = hpk::TeamPolicy<TypeParam>;
  using member = typename policy::member_type;
  const hpk::View<int*, TypeParam> view("view", 50);
  const auto scatter = hpk::create_scatter_view(view);
  hpk::parallel_for(
      policy(20, 4), HPK_LAMBDA(const member& team) {
        const auto access = scatter.access();
        hpk::parallel_for(hpk::TeamThreadRange(team, 100), [&](int i) { access(i % 50) += 1; });
        team.team_barrier();
        hpk::parallel_for(hpk::TeamThreadRange(team, 100), [&](int i) { access(i % 50) += 1; });
      });
  hpk::contribute(view, scatter);
  const auto got = hpk_test::on_host(view);
  for (int k = 0; k < 50; ++k) ASSERT_EQ(got(k), 80);
}

template <class T, class Exec>
void expect_rank(const hpk::View<T, Exec>& view) {
  const auto scatter = hpk::create_scatter_view(view);
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(0, 100), HPK_LAMBDA(int) {
        const auto access = scatter.access();
        if constexpr (hpk::View<T, Exec>::rank == 0) {
          access() += 1;
        } else if constexpr (hpk::View<T, Exec>::rank == 3) {
          access(1, 2, 0) += 1;
        } else {
          access(1, 2, 0, 1, 0, 1, 0) += 1;
        }
      });
  hpk::contribute(view, scatter);
  const auto got = hpk_test::on_host(view);
  if constexpr (hpk::View<T, Exec>::rank == 0) {
    EXPECT_EQ(got(), 100);
  } else if constexpr (hpk::View<T, Exec>::rank == 3) {
    EXPECT_EQ(got(1, 2, 0), 100);
    EXPECT_EQ(got(1, 2, 1), 0);
  } else {
    EXPECT_EQ(got(1, 2, 0, 1, 0, 1, 0), 100);
  }
}
HPK_TYPED_TEST(ScatterInKernels, has_every_rank) {
  expect_rank(hpk::View<int, TypeParam>("rank 0"));
  expect_rank(hpk::View<int** [3], TypeParam>("rank 3", 2, 3));
  expect_rank(hpk::View<int*******, TypeParam>("rank 7", 2, 3, 1, 2, 1, 2, 1));
}

template <class Exec>
class ScatterAccessOnHost : public testing::Test {};
TYPED_TEST_SUITE(ScatterAccessOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(ScatterAccessOnHost, names_the_index_that_is_outside) {
  if (HPK_CHECKS == 0) GTEST_SKIP() << "only in builds that check";
  const hpk::View<int*, TypeParam> view("bins", 10);
  const auto scatter = hpk::create_scatter_view(view);
  hpk_test::expect_error(
      [&] {
        hpk::parallel_for("count", hpk::RangePolicy<TypeParam>(0, 11),
                          [=](int i) { scatter.access()(i) += 1; });
      },
      {"hpk::ScatterView \"bins\"", "index (10)", "extents (10)", "\"count\""});
}

}  // namespace
