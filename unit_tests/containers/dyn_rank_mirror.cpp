// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mirrors of DynRankViews: every form, in host memory and in other spaces.
#include <hpk/containers/dyn_rank_mirror.hpp>
#include <hpk/containers/dyn_rank_subview.hpp>

#include <support/elements.hpp>

namespace dyn_rank_mirror_test {
namespace {

using hpk::DynRankView;
using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;

template <class Exec>
class DynRankMirror : public testing::Test {};
TYPED_TEST_SUITE(DynRankMirror, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(DynRankMirror, filled_on_the_host_and_copied) {
  using view = DynRankView<int, LayoutLeft, TypeParam>;
  const view device("device", 3, 4, 2);
  const auto host = hpk::create_mirror_view(device);
  static_assert(
      std::is_same_v<std::remove_const_t<decltype(host)>, typename view::host_mirror_type> ||
      std::is_same_v<std::remove_const_t<decltype(host)>, view>);
  EXPECT_EQ(host.rank(), 3u);
  EXPECT_EQ(host.data() == device.data(), hpk_test::host_reads<view>);
  int next = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 2; ++k) host(i, j, k) = next++;
  deep_copy(device, host);
  const auto copy = hpk::create_mirror_view_and_copy(HostSpace(), device);
  EXPECT_EQ(copy(2, 3, 1), 23);
  const auto also = hpk::create_mirror_view_and_copy(device);
  EXPECT_EQ(also(1, 0, 0), 8);
  const auto away = hpk::create_mirror_view_and_copy(TypeParam(), also, "away");
  if (!hpk_test::host_reads<view>) {
    EXPECT_EQ(away.label(), "away");
  }
  const auto same = hpk::create_mirror_view(TypeParam(), device);
  EXPECT_EQ(same.data(), device.data());
  const auto queued = hpk::create_mirror_view_and_copy(
      hpk::view_alloc(TypeParam(), typename TypeParam::memory_space()), also);
  TypeParam().fence();
  EXPECT_EQ(hpk::create_mirror_view_and_copy(HostSpace(), queued)(2, 0, 1), 17);
}

HPK_TYPED_TEST(DynRankMirror, new_ones_of_every_form) {
  const DynRankView<const int, LayoutRight, TypeParam> source =
      DynRankView<int, LayoutRight, TypeParam>("source", 2, 3);
  const auto check = [&](const auto& mirror) {
    EXPECT_NE(mirror.data(), source.data());
    EXPECT_EQ(mirror.rank(), 2u);
    EXPECT_EQ(mirror.layout(), source.layout());
    EXPECT_EQ(mirror.use_count(), 1);
    EXPECT_FALSE(std::is_const_v<typename std::remove_cvref_t<decltype(mirror)>::value_type>);
  };
  check(hpk::create_mirror(source));
  check(hpk::create_mirror(hpk::WithoutInitializing, source));
  check(hpk::create_mirror(TypeParam(), source));
  check(hpk::create_mirror(hpk::WithoutInitializing, TypeParam(), source));
  check(hpk::create_mirror(hpk::view_alloc(HostSpace()), source));
  check(hpk::create_mirror_view(source));
  check(hpk::create_mirror_view(hpk::WithoutInitializing, source));
  EXPECT_EQ(hpk::create_mirror_view(hpk::WithoutInitializing, TypeParam(), source).data(),
            source.data());
  EXPECT_EQ(hpk::create_mirror(source)(1, 2), 0);
  EXPECT_EQ(hpk::create_mirror_view_and_copy(TypeParam(), source).data(), source.data());
  EXPECT_EQ(hpk::create_mirror_view_and_copy(HostSpace(), source)(1, 2), 0);
}

// Copies leave the elements between those of a subview unchanged.
HPK_TYPED_TEST(DynRankMirror, of_subviews) {
  const DynRankView<int, LayoutRight, TypeParam> table("table", 4, 5);
  deep_copy(subview(table, hpk::ALL, 1), 3);
  deep_copy(subview(table, hpk::ALL, 2), 4);
  const auto column = subview(table, hpk::ALL, 1);
  const auto host = hpk::create_mirror_view_and_copy(HostSpace(), column);
  EXPECT_EQ(host.rank(), 1u);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(host(i), 3);
  const auto away =
      hpk::create_mirror_view_and_copy(hpk::view_alloc(HostSpace(), "copied"), column);
  EXPECT_EQ(away(3), 3);
  if (!hpk_test::host_reads<DynRankView<int, TypeParam>>) {
    EXPECT_EQ(away.label(), "copied");
  }
}

}  // namespace
}  // namespace dyn_rank_mirror_test
