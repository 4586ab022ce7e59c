// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/segmented_sort.hpp>

#include <hpk/containers/functional.hpp>

#include <algorithms/sort_inputs.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace {

using hpk::index_t;
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
  // Segments that are empty, of one element, small, and one with most elements; they do not cover
  // all elements.
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

// Returns whether a comes before b: -0.0 before 0.0, NaNs last.
template <class T>
bool is_before(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
  return a != b ? a < b : std::signbit(a) && !std::signbit(b);
}
template <class Exec, class T>
void sort_special_numbers() {
  auto keys = make_keys<T>("random", 5000);
  for (std::size_t i = 0; i < keys.size(); i += 3) {
    const T special[] = {T{0}, -T{0}, std::numeric_limits<T>::quiet_NaN(),
                         -std::numeric_limits<T>::infinity()};
    keys[i] = special[i / 3 % 4];
  }
  const std::vector<unsigned short> offsets = {0, 7, 7, 30, 100, 2300, 2300, 5000};
  const auto wide = hpk::View<T**, hpk::LayoutRight, Exec>("wide", keys.size(), 3);
  const auto column = hpk::subview(wide, hpk::ALL, 1);
  const auto host = hpk::create_mirror_view(wide);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    host(i, 0) = host(i, 2) = T{5};
    host(i, 1) = keys[i];
  }
  hpk::deep_copy(wide, host);
  const auto plain = to_view<Exec>(keys);
  const auto reversed = to_view<Exec>(keys);
  const auto segments = to_view<Exec>(offsets);
  hpk::segmented_sort(Exec(), plain, segments);
  hpk::segmented_sort(Exec(), column, segments);
  hpk::segmented_sort(Exec(), reversed, segments, hpk::greater<T>());
  const auto sorted = to_vector(plain);
  const auto down = to_vector(reversed);
  hpk::deep_copy(host, wide);
  int wrong = 0;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    for (std::size_t i = offsets[s]; i < offsets[s + 1]; ++i) {
      if (i > offsets[s]) wrong += is_before(sorted[i], sorted[i - 1]);
      const T turned = down[offsets[s] + offsets[s + 1] - 1u - i];
      wrong += std::memcmp(&turned, &sorted[i], sizeof(T)) != 0;
      wrong += std::memcmp(&host(i, 1), &sorted[i], sizeof(T)) != 0;
      wrong += host(i, 0) != T{5} || host(i, 2) != T{5};
    }
  }
  EXPECT_EQ(wrong, 0);
}
TYPED_TEST(SegmentedSort, special_numbers_have_an_order) {
  sort_special_numbers<TypeParam, float>();
  sort_special_numbers<TypeParam, double>();
}

// Many segments of every size that libraries handle in groups.
TYPED_TEST(SegmentedSort, small_and_large_segments) {
  const auto keys = make_keys<int>("random", 20000);
  std::vector<index_t> offsets = {0, 9000, 9700, 10400};
  for (std::size_t s = 0; offsets.back() + 40 < 20000; ++s) {
    constexpr index_t sizes[] = {0, 1, 5, 40, 3};
    offsets.push_back(offsets.back() + sizes[s % 5]);
  }
  auto up = keys;
  auto down = keys;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    std::sort(up.begin() + offsets[s], up.begin() + offsets[s + 1]);
    std::sort(down.begin() + offsets[s], down.begin() + offsets[s + 1], std::greater<>());
  }
  const auto segments = to_view<TypeParam>(offsets);
  const auto view = to_view<TypeParam>(keys);
  hpk::segmented_sort(TypeParam(), view, segments);
  EXPECT_EQ(to_vector(view), up);
  const auto other = to_view<TypeParam>(keys);
  hpk::segmented_sort(TypeParam(), other, segments, hpk::greater<int>());
  EXPECT_EQ(to_vector(other), down);
}

// The largest segment is so large that all blocks of a GPU sort the segments together.
TYPED_TEST(SegmentedSort, large_segments) {
  const auto keys = make_keys<long>("random", 25000);
  const std::vector<std::uint64_t> offsets = {0, 10, 20000, 20000, 25000};
  auto expected = keys;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
    std::sort(expected.begin() + static_cast<long>(offsets[s]),
              expected.begin() + static_cast<long>(offsets[s + 1]));
  const auto view = to_view<TypeParam>(keys);
  hpk::segmented_sort(TypeParam(), view, to_view<TypeParam>(offsets));
  EXPECT_EQ(to_vector(view), expected);
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
