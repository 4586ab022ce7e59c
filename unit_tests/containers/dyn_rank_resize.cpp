// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// resize keeps the elements within both shapes, also when the rank changes; realloc drops them.
#include <hpk/containers/dyn_rank_mirror.hpp>
#include <hpk/containers/dyn_rank_resize.hpp>

#include <support/elements.hpp>

#include <string>

namespace dyn_rank_resize_test {
namespace {

using hpk::DynRankView;
using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk::WithoutInitializing;

template <class V>
auto host_copy(const V& view) {
  hpk::fence();
  return hpk::create_mirror_view_and_copy(HostSpace(), view);
}

template <class Exec>
class DynRankResize : public testing::Test {};
TYPED_TEST_SUITE(DynRankResize, hpk_test::spaces, hpk_test::space_names);

template <class Exec, class Layout>
void check_changes_of_rank() {
  using view = DynRankView<int, Layout, Exec>;
  view table("table", 3, 4);
  auto mirror = hpk::create_mirror(table);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) mirror(i, j) = 10 * i + j + 1;
  deep_copy(table, mirror);
  const view alias = table;
  resize(table, 5, 2, 3);
  EXPECT_EQ(table.rank(), 3u);
  EXPECT_EQ(table.label(), "table");
  EXPECT_EQ(alias.rank(), 2u);
  EXPECT_EQ(table.use_count(), 1);
  auto host = host_copy(table);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 3; ++k) ASSERT_EQ(host(i, j, k), i < 3 && k == 0 ? 10 * i + j + 1 : 0);
  resize(table, 4);
  EXPECT_EQ(table.rank(), 1u);
  host = host_copy(table);
  for (int i = 0; i < 4; ++i) ASSERT_EQ(host(i), i < 3 ? 10 * i + 1 : 0);
  resize(table);
  EXPECT_EQ(table.rank(), 0u);
  EXPECT_EQ(host_copy(table)(), 1);
  const auto* const data = table.data();
  resize(table);
  EXPECT_EQ(table.data(), data);
  resize(table, 0, 3);
  EXPECT_EQ(table.size(), 0u);
  view none;
  resize(none, 2, 2);
  EXPECT_EQ(host_copy(none)(1, 1), 0);
}

HPK_TYPED_TEST(DynRankResize, changes_of_rank) {
  check_changes_of_rank<TypeParam, LayoutRight>();
  check_changes_of_rank<TypeParam, LayoutLeft>();
}

HPK_TYPED_TEST(DynRankResize, with_properties) {
  const TypeParam exec;
  DynRankView<int, LayoutRight, TypeParam> table("table", 2, 2);
  deep_copy(table, 7);
  resize(WithoutInitializing, table, 3, 2);
  EXPECT_EQ(host_copy(table)(1, 1), 7);
  resize(exec, table, 2, 3);
  exec.fence();
  EXPECT_EQ(host_copy(table)(1, 1), 7);
  EXPECT_EQ(host_copy(table)(1, 2), 0);
  resize(hpk::view_alloc(exec, WithoutInitializing), table, 4, 4);
  exec.fence();
  EXPECT_EQ(host_copy(table)(0, 1), 7);
  resize(table, LayoutRight(2, 2, 2));
  EXPECT_EQ(table.rank(), 3u);
  DynRankView<int, LayoutStride, TypeParam> strided("strided", LayoutStride(2, 3));
  deep_copy(strided, 5);
  resize(strided, LayoutStride(3, 1, 2, 3));
  EXPECT_EQ(host_copy(strided)(1, 0), 5);
  EXPECT_EQ(host_copy(strided)(1, 1), 0);
}

HPK_TYPED_TEST(DynRankResize, realloc) {
  DynRankView<int, LayoutLeft, TypeParam> table("table", 2, 2);
  deep_copy(table, 7);
  const auto* const data = table.data();
  realloc(table, 2, 2);
  EXPECT_EQ(table.data(), data);
  EXPECT_EQ(host_copy(table)(1, 1), 0);
  deep_copy(table, 7);
  realloc(WithoutInitializing, table, 2, 2);
  EXPECT_EQ(host_copy(table)(1, 1), 7);
  realloc(hpk::view_alloc(TypeParam()), table, 2, 2);
  EXPECT_EQ(host_copy(table)(1, 1), 0);
  realloc(table, 3);
  EXPECT_EQ(table.rank(), 1u);
  EXPECT_EQ(table.label(), "table");
  EXPECT_EQ(host_copy(table)(2), 0);
}

TEST(DynRankResizeHost, elements_that_own) {
  DynRankView<std::string, LayoutRight, HostSpace> words("words", 2, 2);
  words(1, 1) = "a text that is too long for its object";
  resize(words, 3, 3, 1);
  EXPECT_EQ(words(1, 1, 0), "a text that is too long for its object");
  EXPECT_EQ(words(2, 2, 0), "");
}

TEST(DynRankResizeHost, elements_that_are_views) {
  using inner = DynRankView<int, LayoutRight, HostSpace>;
  const inner shared("inner", 2);
  DynRankView<inner, LayoutRight, HostSpace> outer(
      hpk::view_alloc("outer", hpk::SequentialHostInit), 2, 2);
  outer(1, 1) = shared;
  resize(hpk::view_alloc(hpk::SequentialHostInit), outer, 2, 3);
  EXPECT_EQ(outer(1, 1).data(), shared.data());
  for (const std::size_t n : {3, 4, 4}) {
    outer(1, 1) = shared;
    realloc(hpk::view_alloc(hpk::SequentialHostInit), outer, 2, n);
    EXPECT_EQ(outer.extent(1), n);
    EXPECT_FALSE(outer(1, 1).is_allocated());
    EXPECT_EQ(shared.use_count(), 1);
  }
}

TEST(DynRankResizeErrors, of_shapes) {
  DynRankView<int, LayoutRight, HostSpace> table("table", 2);
  hpk_test::expect_error([&] { resize(table, 2, -1); }, {"\"table\"", "extent 1 is -1"});
  EXPECT_EQ(table.extent(0), 2u);
  hpk_test::expect_error([&] { realloc(table, -4); }, {"\"table\"", "extent 0 is -4"});
  EXPECT_TRUE(table.is_allocated());
}

}  // namespace
}  // namespace dyn_rank_resize_test
