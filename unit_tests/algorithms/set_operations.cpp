// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/set_operations.hpp>

#include <algorithms/sort_inputs.hpp>

#include <algorithm>
#include <iterator>

namespace {

using hpk::index_t;
using hpk_test::make_keys;
using hpk_test::to_vector;
using hpk_test::to_view;

template <class Exec>
class SetOperations : public testing::Test {};
TYPED_TEST_SUITE(SetOperations, hpk_test::spaces, hpk_test::space_names);

using hpk_test::down;

template <class V>
void expect_front(const V& view, index_t count, const std::vector<int>& expected) {
  ASSERT_EQ(count, static_cast<index_t>(expected.size()));
  auto found = to_vector(view);
  found.resize(expected.size());
  EXPECT_EQ(found, expected);
}

template <class Exec, class Less>
void expect_all(const Exec& exec, std::vector<int> a, std::vector<int> b, Less less) {
  std::sort(a.begin(), a.end(), less);
  std::sort(b.begin(), b.end(), less);
  const auto va = to_view<Exec>(a);
  const auto vb = to_view<Exec>(b);
  const hpk::View<int*, Exec> out("out", a.size() + b.size());
  std::vector<int> expected;
  const auto to = std::back_inserter(expected);
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), to, less);
  expect_front(out, hpk::set_union(exec, va, vb, out, less), expected);
  expected.clear();
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), to, less);
  expect_front(out, hpk::set_intersection(exec, va, vb, out, less), expected);
  const auto common = to_view<Exec>(expected);
  EXPECT_TRUE(hpk::includes(exec, va, common, less));
  EXPECT_TRUE(hpk::includes(exec, vb, common, less));
  expected.clear();
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), to, less);
  expect_front(out, hpk::set_difference(exec, va, vb, out, less), expected);
  expected.clear();
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), to, less);
  expect_front(out, hpk::set_symmetric_difference(exec, va, vb, out, less), expected);
  EXPECT_EQ(hpk::includes(exec, va, vb, less),
            std::includes(a.begin(), a.end(), b.begin(), b.end(), less));
}

HPK_TYPED_TEST(SetOperations, as_in_the_standard_library) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    expect_all(exec, {}, {}, std::less<>());
    expect_all(exec, {1, 2, 2}, {}, std::less<>());
    expect_all(exec, {}, {4, 4, 7}, std::less<>());
    expect_all(exec, {1, 1, 2, 5, 5, 5}, {1, 5, 5, 5, 5, 9}, std::less<>());
    auto a = make_keys<int>("random", 2000);
    auto b = make_keys<int>("random", 3001);
    for (int& key : a) key = key & 1023;
    for (int& key : b) key = key & 1023;
    expect_all(exec, a, b, std::less<>());
    expect_all(exec, b, a, down());
  }
}

HPK_TYPED_TEST(SetOperations, short_outputs_are_errors) {
  const auto a = to_view<TypeParam>(std::vector<int>{1, 2, 3});
  const auto b = to_view<TypeParam>(std::vector<int>{2, 4});
  const hpk::View<int*, TypeParam> out("out", 3);
  hpk_test::expect_error([&] { hpk::set_union(TypeParam(), a, b, out); },
                         {"hpk::set_union: the output, View \"out\" of 3 elements, is too short "
                          "for 4",
                          "set_operations.cpp"});
  EXPECT_EQ(to_vector(out), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(hpk::set_intersection(TypeParam(), a, b, out), 1);
  EXPECT_FALSE(hpk::includes(TypeParam(), a, b));
}

TEST(SetOperations, pointers) {
  const int a[] = {1, 3, 5};
  const int b[] = {2, 3};
  int out[5] = {};
  const hpk::DefaultHostExecutionSpace exec;
  EXPECT_EQ(hpk::set_union(exec, a + 0, a + 3, b + 0, b + 2, out + 0), out + 4);
  EXPECT_EQ(std::vector<int>(out, out + 4), (std::vector<int>{1, 2, 3, 5}));
  EXPECT_EQ(hpk::set_difference(exec, a + 0, a + 3, b + 0, b + 2, out + 0), out + 2);
  EXPECT_FALSE(hpk::includes(exec, a + 0, a + 3, b + 0, b + 2));
}

}  // namespace
