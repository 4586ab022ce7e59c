// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/merge.hpp>

#include <algorithms/sort_inputs.hpp>

#include <algorithm>

namespace {

using hpk::index_t;
using hpk_test::make_keys;
using hpk_test::to_vector;
using hpk_test::to_view;

template <class Exec>
class Merge : public testing::Test {};
TYPED_TEST_SUITE(Merge, hpk_test::spaces, hpk_test::space_names);

struct tens {
  HPK_FUNCTION bool operator()(int a, int b) const { return a / 10 < b / 10; }
};

HPK_TYPED_TEST(Merge, two_views) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const std::size_t na : {0, 1, 17, 3000}) {
      for (const std::size_t nb : {0, 1, 16, 5000}) {
        auto a = make_keys<int>("narrow", na);
        auto b = make_keys<int>("few values", nb);
        for (int& key : b) key += 105;
        std::stable_sort(a.begin(), a.end(), tens());
        std::stable_sort(b.begin(), b.end(), tens());
        std::vector<int> expected(na + nb + 1, 0);
        std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin(), tens());
        const hpk::View<int*, TypeParam> out("out", na + nb + 1);
        EXPECT_EQ(hpk::merge(exec, to_view<TypeParam>(a), to_view<TypeParam>(b), out, tens()),
                  static_cast<index_t>(na + nb));
        EXPECT_EQ(to_vector(out), expected) << na << ", " << nb;
      }
    }
  }
}

HPK_TYPED_TEST(Merge, parts_of_one_view) {
  const TypeParam exec;
  for (const std::size_t middle : {0, 1, 1000, 3000}) {
    auto keys = make_keys<int>("narrow", 3000);
    const auto at = keys.begin() + static_cast<std::ptrdiff_t>(middle);
    std::stable_sort(keys.begin(), at);
    std::stable_sort(at, keys.end());
    const auto view = to_view<TypeParam>(keys);
    std::inplace_merge(keys.begin(), at, keys.end());
    hpk::inplace_merge(exec, view, static_cast<index_t>(middle));
    EXPECT_EQ(to_vector(view), keys) << middle;
    hpk::inplace_merge(exec, view, static_cast<index_t>(middle), tens());
    EXPECT_EQ(to_vector(view).size(), keys.size());
  }
}

HPK_TYPED_TEST(Merge, misuse_is_an_error) {
  const hpk::View<int*, TypeParam> a("a", 3);
  const hpk::View<int*, TypeParam> out("out", 5);
  hpk_test::expect_error(
      [&] { hpk::merge(TypeParam(), a, a, out); },
      {"hpk::merge: the output, View \"out\" of 5 elements, is too short for 6", "merge.cpp"});
  hpk_test::expect_error([&] { hpk::inplace_merge(TypeParam(), a, 4); },
                         {"hpk::inplace_merge: middle 4"});
}

TEST(Merge, pointers) {
  const int a[] = {1, 3, 5};
  const int b[] = {2, 3};
  int out[5] = {};
  const hpk::DefaultHostExecutionSpace exec;
  EXPECT_EQ(hpk::merge(exec, a + 0, a + 3, b + 0, b + 2, out + 0), out + 5);
  EXPECT_EQ(std::vector<int>(out, out + 5), (std::vector<int>{1, 2, 3, 3, 5}));
}

}  // namespace
