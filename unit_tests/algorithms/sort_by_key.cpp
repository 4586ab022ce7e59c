// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/sort_by_key.hpp>

#include <algorithms/sort_inputs.hpp>

#include <algorithm>
#include <numeric>

namespace {

using hpk::index_t;
using hpk_test::make_keys;
using hpk_test::to_vector;
using hpk_test::to_view;

template <class Exec>
class SortByKey : public testing::Test {};
TYPED_TEST_SUITE(SortByKey, hpk_test::spaces, hpk_test::space_names);

std::vector<int> count_up(std::size_t n) {
  std::vector<int> places(n);
  std::iota(places.begin(), places.end(), 0);
  return places;
}
template <class T, class Less>
std::vector<int> order_of(const std::vector<T>& keys, Less less) {
  auto places = count_up(keys.size());
  std::stable_sort(places.begin(), places.end(), [&](int a, int b) {
    return less(keys[static_cast<std::size_t>(a)], keys[static_cast<std::size_t>(b)]);
  });
  return places;
}
template <class T>
std::vector<T> gather(const std::vector<T>& from, const std::vector<int>& places) {
  std::vector<T> to;
  for (const int p : places) to.push_back(from[static_cast<std::size_t>(p)]);
  return to;
}

struct less_by_tens {
  HPK_FUNCTION bool operator()(int a, int b) const { return a / 10 < b / 10; }
};

HPK_TYPED_TEST(SortByKey, values_follow_their_keys) {
  const TypeParam exec;
  for (const std::string& kind : hpk_test::kinds_of_input) {
    for (const std::size_t n : {0, 1, 2, 25, 1000}) {
      const auto keys = make_keys<int>(kind, n);
      const auto view = to_view<TypeParam>(keys);
      const auto values = to_view<TypeParam>(count_up(n));
      const auto order = order_of(keys, std::less<>());
      hpk::Experimental::sort_by_key(exec, view, values);
      EXPECT_EQ(to_vector(values), order) << kind << ", " << n;
      EXPECT_EQ(to_vector(view), gather(keys, order)) << kind << ", " << n;
      const auto again = to_view<TypeParam>(keys);
      const auto more = to_view<TypeParam>(count_up(n));
      hpk::sort_by_key(exec, again, more, less_by_tens());
      EXPECT_EQ(to_vector(more), order_of(keys, less_by_tens())) << kind << ", " << n;
    }
  }
}

HPK_TYPED_TEST(SortByKey, several_views_on_any_number_of_workers) {
  constexpr std::size_t n = hpk_test::is_host<TypeParam> ? 70000 : 3000;
  auto keys = make_keys<double>("random", n);
  for (std::size_t i = 0; i < n; i += 2) keys[i] = 1e3;
  const auto order = order_of(keys, std::less<>());
  const auto bytes = make_keys<std::uint8_t>("random", n);
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const auto view = to_view<TypeParam>(keys);
    const auto values = to_view<TypeParam>(count_up(n));
    const auto small = to_view<TypeParam>(bytes);
    const hpk::View<double**, hpk::LayoutRight, TypeParam> matrix("matrix", n, 2);
    const auto column = hpk::subview(matrix, hpk::ALL, 1);
    hpk::deep_copy(exec, column, view);
    hpk::sort_by_key(exec, view, values, small, column);
    EXPECT_EQ(to_vector(values), order);
    EXPECT_EQ(to_vector(small), gather(bytes, order));
    EXPECT_EQ(to_vector(view), gather(keys, order));
    EXPECT_EQ(to_vector(column), gather(keys, order));
  }
  const auto view = to_view<TypeParam>(keys);
  const auto values = to_view<TypeParam>(count_up(n));
  const auto small = to_view<TypeParam>(bytes);
  const auto numbers = make_keys<int>("few values", n);
  const auto other = to_view<TypeParam>(numbers);
  hpk::sort_by_key("mine", TypeParam(), other, values, small, less_by_tens());
  EXPECT_EQ(to_vector(values), order_of(numbers, less_by_tens()));
}

HPK_TYPED_TEST(SortByKey, argsort_leaves_the_keys) {
  const auto keys = make_keys<float>("random", 3000);
  const auto view = to_view<TypeParam>(keys);
  const typename decltype(view)::const_type unchanged = view;
  const hpk::View<index_t*, TypeParam> places("places", 3000);
  hpk::argsort(TypeParam(), unchanged, places);
  const auto order = order_of(keys, std::less<>());
  const auto found = to_vector(places);
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], order[i]) << i;
  EXPECT_EQ(to_vector(view), keys);
  const auto numbers = make_keys<int>("random", 500);
  const hpk::View<int*, TypeParam> few("few", 500);
  hpk::argsort(TypeParam(), to_view<TypeParam>(numbers), few, less_by_tens());
  EXPECT_EQ(to_vector(few), order_of(numbers, less_by_tens()));
}

HPK_TYPED_TEST(SortByKey, wrong_lengths_are_errors) {
  const TypeParam exec;
  const hpk::View<int*, TypeParam> keys("keys", 10);
  const hpk::View<int*, TypeParam> values("values", 9);
  hpk_test::expect_error([&] { hpk::sort_by_key(exec, keys, values); },
                         {"hpk::sort_by_key: keys and values differ in length",
                          "\"keys\" of 10 elements", "\"values\" of 9", "sort_by_key.cpp"});
  hpk_test::expect_error([&] { hpk::argsort(exec, keys, values); }, {"hpk::argsort"});
  const hpk::View<int*, TypeParam> many("many", 300);
  const hpk::View<signed char*, TypeParam> small("small", 300);
  hpk_test::expect_error([&] { hpk::argsort(exec, many, small); },
                         {"\"small\" of 300 elements, are too small"});
}

}  // namespace
