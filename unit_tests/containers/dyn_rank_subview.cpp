// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subviews of DynRankViews: random slices compared with the indices they select, in kernels, and
// slices that are rejected.
#include <hpk/containers/dyn_rank_subview.hpp>

#include <support/elements.hpp>

#include <random>

namespace dyn_rank_subview_test {
namespace {

using hpk::ALL;
using hpk::DynRankView;
using hpk::HostSpace;
using hpk::LayoutLeft;
using hpk::LayoutRight;
using hpk::LayoutStride;
using hpk_test::expect_error;

// The indices that a random slice selects.
struct kept {
  bool is_index;
  int first;
  int count;
  int step;
};

// Calls `check` with random slices of all kinds for the last `Left` dimensions of an extent 6.
template <int Left, class Check, class... Slices>
void with_slices(std::mt19937& random, std::vector<kept>& model, const Check& check,
                 const Slices&... slices) {
  if constexpr (Left == 0) {
    check(slices...);
  } else {
    const int first = static_cast<int>(random() % 6);
    const int count = static_cast<int>(random() % static_cast<unsigned>(7 - first));
    switch (random() % 4) {
      case 0:
        model.push_back({true, first, 1, 1});
        return with_slices<Left - 1>(random, model, check, slices..., first);
      case 1:
        model.push_back({false, 0, 6, 1});
        return with_slices<Left - 1>(random, model, check, slices..., ALL);
      case 2:
        model.push_back({false, first, count, 1});
        return with_slices<Left - 1>(random, model, check, slices...,
                                     std::pair(first, first + count));
      default:
        model.push_back({false, first, (count + 1) / 2, 2});
        return with_slices<Left - 1>(random, model, check, slices...,
                                     hpk::strided_slice{first, count, 2});
    }
  }
}

template <class Layout>
void check_random_slices() {
  const DynRankView<int, Layout, HostSpace> source("source", 6, 6, 6);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 6; ++k) source(i, j, k) = 100 * i + 10 * j + k;
  std::mt19937 random(3);
  for (int sequence = 0; sequence < 10000; ++sequence) {
    std::vector<kept> model;
    with_slices<3>(random, model, [&](const auto&... slices) {
      const DynRankView<int, LayoutStride, HostSpace> part = subview(source, slices...);
      std::vector<kept> left;
      std::size_t size = 1;
      int base = 0;
      int weights[3] = {};
      const int weight[] = {100, 10, 1};
      for (std::size_t r = 0; r < 3; ++r) {
        base += model[r].first * weight[r];
        if (model[r].is_index) continue;
        weights[left.size()] = weight[r] * model[r].step;
        left.push_back(model[r]);
        size *= static_cast<std::size_t>(model[r].count);
      }
      ASSERT_EQ(part.rank(), left.size());
      ASSERT_EQ(part.size(), size);
      if (size == 0) return;
      const auto count = [&](std::size_t r) { return r < left.size() ? left[r].count : 1; };
      for (int i = 0; i < count(0); ++i)
        for (int j = 0; j < count(1); ++j)
          for (int k = 0; k < count(2); ++k)
            ASSERT_EQ(part.access(i, j, k),
                      base + i * weights[0] + j * weights[1] + k * weights[2]);
    });
  }
}

TEST(DynRankSubviewHost, random_slices) {
  check_random_slices<LayoutRight>();
  check_random_slices<LayoutLeft>();
}

template <class Exec>
class DynRankSubview : public testing::Test {};
TYPED_TEST_SUITE(DynRankSubview, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(DynRankSubview, in_kernels) {
  const DynRankView<int, LayoutRight, TypeParam> table("table", 8, 5);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, 8), HPK_LAMBDA(int i) {
        const auto row = hpk::subview(table, i, ALL);
        for (int j = 0; j < static_cast<int>(row.extent(0)); ++j) row(j) = 10 * i + j;
        const auto again = hpk::subdynrankview(row, hpk::pair<int, int>(1, 3));
        again(1) += 1000;
      });
  const auto host = hpk_test::on_host(hpk::View<int**, LayoutRight, TypeParam>(table.data(), 8, 5));
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 5; ++j) ASSERT_EQ(host(i, j), 10 * i + j + (j == 2 ? 1000 : 0));
}

HPK_TYPED_TEST(DynRankSubview, shares_ownership_and_keeps_traits) {
  DynRankView<int, LayoutLeft, TypeParam> table("table", 8, 5);
  const auto column = subview(table, ALL, 4);
  using part = std::remove_const_t<decltype(column)>;
  static_assert(std::is_same_v<typename part::array_layout, LayoutStride>);
  EXPECT_EQ(table.use_count(), 2);
  EXPECT_EQ(column.label(), "table");
  EXPECT_EQ(column.rank(), 1u);
  // Slices past the rank add no dimension.
  EXPECT_EQ(subview(table, ALL, 4, 0, ALL, 0, 0, 0).rank(), 1u);
  EXPECT_EQ(subview(table, ALL, ALL, ALL).rank(), 2u);
  const DynRankView<int, LayoutRight, TypeParam, hpk::MemoryTraits<hpk::Atomic>> atomic("a", 3);
  static_assert(decltype(subview(atomic, ALL))::memory_traits::is_atomic);
  table = {};
  EXPECT_EQ(column.use_count(), 1);
}

TEST(DynRankSubviewErrors, name_slice_and_extents) {
  const DynRankView<int, HostSpace> table("table", 8, 5);
  expect_error([&] { subview(table, ALL); },
               {"hpk::subview", "\"table\" of rank 2", "[8, 5]", "1 slices"});
  if constexpr (static_cast<bool>(HPK_CHECKS)) {
    expect_error([&] { subview(table, 8, ALL); }, {"\"table\"", "slice 0 is 8", "extent 8"});
    expect_error([&] { subview(table, ALL, std::pair(2, 7)); },
                 {"slice 1", "from 2 to 6", "extent 5"});
    expect_error([&] { subview(table, ALL, std::pair(4, 2)); }, {"slice 1", "ends at 2", "4"});
    expect_error([&] { subview(table, hpk::strided_slice{0, 4, 0}, ALL); },
                 {"slice 0", "stride of 0"});
    expect_error([&] { subview(table, ALL, ALL, 1); }, {"slice 2", "beyond the rank"});
  }
}

}  // namespace
}  // namespace dyn_rank_subview_test
