// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/segmented_sort.hpp>

#include <algorithms/sort_inputs.hpp>

#include <algorithm>

namespace {

using hpk_test::make_keys;
using hpk_test::to_vector;
using hpk_test::to_view;

template <class Exec>
class SegmentedSort : public testing::Test {};
TYPED_TEST_SUITE(SegmentedSort, hpk_test::spaces, hpk_test::space_names);

struct tens_down {
  HPK_FUNCTION bool operator()(int a, int b) const { return a / 10 > b / 10; }
};

HPK_TYPED_TEST(SegmentedSort, each_segment_for_itself) {
  const auto keys = make_keys<int>("narrow", 60000);
  // Empty ones, one of one element, small ones, one with most elements; not all elements.
  std::vector<int> offsets = {5, 5, 6, 40, 40, 2000};
  for (int at = 2100; at < 10000; at += at % 7) offsets.push_back(at++);
  offsets.push_back(59990);
  auto up = keys;
  auto down = keys;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    std::stable_sort(up.begin() + offsets[s], up.begin() + offsets[s + 1]);
    std::stable_sort(down.begin() + offsets[s], down.begin() + offsets[s + 1], tens_down());
  }
  const auto segments = to_view<TypeParam>(offsets);
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const auto view = to_view<TypeParam>(keys);
    hpk::segmented_sort(exec, view, segments);
    EXPECT_EQ(to_vector(view), up);
    const auto other = to_view<TypeParam>(keys);
    hpk::segmented_sort(exec, other, segments, tens_down());
    EXPECT_EQ(to_vector(other), down);
  }
}

HPK_TYPED_TEST(SegmentedSort, no_segments_and_wrong_ones) {
  const auto keys = make_keys<int>("random", 20);
  const auto view = to_view<TypeParam>(keys);
  const TypeParam exec;
  hpk::segmented_sort(exec, view, to_view<TypeParam>(std::vector<int>{}));
  hpk::segmented_sort(exec, view, to_view<TypeParam>(std::vector<int>{4}));
  EXPECT_EQ(to_vector(view), keys);
  hpk_test::expect_error(
      [&] { hpk::segmented_sort(exec, view, to_view<TypeParam>(std::vector<int>{0, 8, 7, 20})); },
      {"hpk::segmented_sort: segment 1 is [8, 7)", "\"elements\" of 20", "segmented_sort.cpp"});
  hpk_test::expect_error(
      [&] { hpk::segmented_sort(exec, view, to_view<TypeParam>(std::vector<int>{0, 21})); },
      {"segment 0 is [0, 21)"});
}

}  // namespace
