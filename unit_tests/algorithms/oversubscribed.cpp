// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts and searches with 64 workers, many more than the CPUs of most test machines.
#include <hpk/algorithms/reorder.hpp>
#include <hpk/algorithms/sort.hpp>

#include <algorithms/sort_inputs.hpp>

#include <algorithm>
#include <cstdint>

namespace {

using hpk_test::make_keys;
using hpk_test::to_vector;
using hpk_test::to_view;

template <class Exec>
class OversubscribedSort : public testing::Test {};
TYPED_TEST_SUITE(OversubscribedSort, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(OversubscribedSort, gives_what_one_thread_does) {
  const TypeParam exec = hpk_test::with_workers<TypeParam>(64);
  for (const std::string& kind : hpk_test::kinds_of_input) {
    for (const std::size_t n : {63, 5000, 70'001}) {
      const auto sort_all = [&](auto expected, const auto& before) {
        const auto view = to_view<TypeParam>(expected);
        std::stable_sort(expected.begin(), expected.end(), before);
        hpk::sort(exec, view, before);
        EXPECT_EQ(to_vector(view), expected) << kind << ", " << n;
      };
      sort_all(make_keys<std::uint32_t>(kind, n), std::less<>());
      sort_all(make_keys<double>(kind, n), std::greater<>());
    }
  }
}

}  // namespace
