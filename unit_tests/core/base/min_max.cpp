// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares min, max, minmax and clamp with the functions of the standard library.
#include <hpk/base/min_max.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <limits>

namespace base_min_max_test {
namespace {

static_assert(hpk::min(1, 2) == 1 && hpk::max(1, 2) == 2 && hpk::clamp(5, 1, 3) == 3);
static_assert(hpk::min({3, 1, 2}) == 1 && hpk::max({3, 1, 2}) == 3);
static_assert(hpk::minmax({3, 1, 2}) == hpk::pair<int, int>{1, 3});

struct item {
  int key;
  int place;
};
constexpr bool operator<(const item& a, const item& b) { return a.key < b.key; }
struct larger_key {
  HPK_FUNCTION constexpr bool operator()(const item& a, const item& b) const {
    return b.key < a.key;
  }
};

TEST(MinMax, of_two_equal_values_is_the_first) {
  const item a{1, 0};
  const item b{1, 1};
  EXPECT_EQ(&hpk::min(a, b), &a);
  EXPECT_EQ(&hpk::max(a, b), &a);
  EXPECT_EQ(&hpk::min(a, b, larger_key()), &a);
  EXPECT_EQ(&hpk::max(a, b, larger_key()), &a);
  const auto both = hpk::minmax(a, b);
  EXPECT_EQ(&both.first, &a);
  EXPECT_EQ(&both.second, &b);
}

TEST(MinMax, of_lists_are_those_of_the_standard_library) {
  for (int code = 0; code < 81; ++code) {
    const item list[] = {{code % 3, 0}, {code / 3 % 3, 1}, {code / 9 % 3, 2}, {code / 27, 3}};
    const auto values = {list[0], list[1], list[2], list[3]};
    EXPECT_EQ(hpk::min(values).place, std::min(values).place) << code;
    EXPECT_EQ(hpk::max(values).place, std::max(values).place) << code;
    EXPECT_EQ(hpk::minmax(values).first.place, std::minmax(values).first.place) << code;
    EXPECT_EQ(hpk::minmax(values).second.place, std::minmax(values).second.place) << code;
    EXPECT_EQ(hpk::min(values, larger_key()).place, std::min(values, larger_key()).place) << code;
    EXPECT_EQ(hpk::max(values, larger_key()).place, std::max(values, larger_key()).place) << code;
    EXPECT_EQ(hpk::minmax(values, larger_key()).second.place,
              std::minmax(values, larger_key()).second.place)
        << code;
  }
}

TEST(Clamp, keeps_within_bounds_and_what_is_no_number) {
  EXPECT_EQ(hpk::clamp(0.5, 1.0, 2.0), 1.0);
  EXPECT_EQ(hpk::clamp(1.5, 1.0, 2.0), 1.5);
  EXPECT_EQ(hpk::clamp(2.5, 1.0, 2.0), 2.0);
  EXPECT_EQ(hpk::clamp(item{5, 0}, item{3, 1}, item{1, 2}, larger_key()).place, 1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(hpk::clamp(nan, 1.0, 2.0), hpk::clamp(nan, 1.0, 2.0));
}

TEST(ClampDeathTest, expects_bounds_in_order) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH((void)hpk::clamp(1, 3, 2), "precondition violated: !\\(high < low\\)");
  EXPECT_DEATH((void)hpk::max(std::initializer_list<int>{}), "values.size\\(\\) != 0");
}

template <class Exec>
class MinMaxInKernel : public testing::Test {};
TYPED_TEST_SUITE(MinMaxInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(MinMaxInKernel, gives_what_the_host_has) {
  hpk::View<int*, TypeParam> values("values", 90);
  hpk::parallel_for(
      "clamp", hpk::RangePolicy<TypeParam>(0, 90), HPK_LAMBDA(int i) {
        const int middle = 45;
        const auto both = hpk::minmax(i, middle);
        values(i) = hpk::clamp(i, 10, 70) + hpk::min(i, 20) * hpk::max(i, 30) +
                    hpk::max({i, 3, 60}) + both.second - both.first;
      });
  const auto there = hpk_test::on_host(values);
  for (int i = 0; i < 90; ++i) {
    ASSERT_EQ(there(i), std::clamp(i, 10, 70) + std::min(i, 20) * std::max(i, 30) +
                            std::max(i, 60) + std::abs(i - 45));
  }
}

}  // namespace
}  // namespace base_min_max_test
