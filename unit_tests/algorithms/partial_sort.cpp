// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/partial_sort.hpp>

#include <algorithms/sort_inputs.hpp>

#include <algorithm>

namespace {

using hpk::index_t;
using hpk_test::make_keys;
using hpk_test::to_vector;
using hpk_test::to_view;

template <class Exec>
class PartialSort : public testing::Test {};
TYPED_TEST_SUITE(PartialSort, hpk_test::spaces, hpk_test::space_names);

using hpk_test::down;

template <class Less>
void expect_nth(const std::vector<int>& found, const std::vector<int>& keys, std::size_t nth,
                Less less) {
  auto sorted = keys;
  std::sort(sorted.begin(), sorted.end(), less);
  ASSERT_EQ(found[nth], sorted[nth]);
  for (std::size_t i = 0; i < nth; ++i) ASSERT_FALSE(less(found[nth], found[i])) << i;
  for (std::size_t i = nth; i < found.size(); ++i) ASSERT_FALSE(less(found[i], found[nth])) << i;
  auto all = found;
  std::sort(all.begin(), all.end(), less);
  ASSERT_EQ(all, sorted);
}

HPK_TYPED_TEST(PartialSort, nth_element) {
  const TypeParam exec;
  for (const std::string kind : {"random", "sorted", "few values", "equal"}) {
    if (!hpk_test::is_host<TypeParam> && kind == "sorted") continue;
    const auto keys = make_keys<int>(kind, 17000);
    for (const std::size_t nth : {0, 10000, 16999}) {
      if (!hpk_test::is_host<TypeParam> && nth == 0) continue;
      const auto view = to_view<TypeParam>(keys);
      hpk::nth_element(exec, view, static_cast<index_t>(nth));
      expect_nth(to_vector(view), keys, nth, std::less<>());
    }
    const auto view = to_view<TypeParam>(keys);
    hpk::nth_element(exec, view, 15000, down());
    expect_nth(to_vector(view), keys, 15000, down());
  }
  const auto few = make_keys<int>("random", 100);
  const auto view = to_view<TypeParam>(few);
  hpk::nth_element(exec, view, 100);
  EXPECT_EQ(to_vector(view), few);
  hpk::nth_element(exec, view, 50);
  expect_nth(to_vector(view), few, 50, std::less<>());
}

HPK_TYPED_TEST(PartialSort, smallest_in_front) {
  const auto keys = make_keys<int>("random", 18000);
  auto sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> first;
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const auto view = to_view<TypeParam>(keys);
    hpk::partial_sort(exec, view, 1000);
    auto found = to_vector(view);
    if (first.empty()) first = found;
    EXPECT_EQ(found, first);
    for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(found[i], sorted[i]);
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found, sorted);
  }
  const auto view = to_view<TypeParam>(keys);
  hpk::partial_sort(TypeParam(), view, 0);
  EXPECT_EQ(to_vector(view), keys);
  hpk::partial_sort(TypeParam(), view, 18000, down());
  std::reverse(sorted.begin(), sorted.end());
  EXPECT_EQ(to_vector(view), sorted);
}

HPK_TYPED_TEST(PartialSort, places_outside_are_errors) {
  const hpk::View<int*, TypeParam> view("numbers", 10);
  hpk_test::expect_error([&] { hpk::nth_element(TypeParam(), view, 11); },
                         {"hpk::nth_element: nth 11 is outside", "\"numbers\" of 10"});
  hpk_test::expect_error([&] { hpk::partial_sort(TypeParam(), view, -1); },
                         {"hpk::partial_sort: middle -1"});
}

}  // namespace
