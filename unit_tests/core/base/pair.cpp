// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// pair on hosts and in kernels.
#include <hpk/base/pair.hpp>

#include <support/spaces.hpp>

#include <string>

namespace base_pair_test {
namespace {

using hpk::pair;

static_assert(std::is_trivially_copyable_v<pair<int, double>>);
static_assert(std::is_same_v<decltype(pair(1, 2.0)), pair<int, double>>);
static_assert(std::is_same_v<decltype(hpk::make_pair(1, 2.0)), pair<int, double>>);
static_assert(std::tuple_size_v<pair<int, char>> == 2);
static_assert(std::is_same_v<std::tuple_element_t<1, pair<int, char>>, char>);
static_assert(pair<int, int>{}.first == 0 && pair<int, int>{}.second == 0);

constexpr pair<int, int> p12{1, 2};
static_assert(p12 == pair{1, 2} && p12 != pair{1, 3} && p12 != pair{2, 2});
static_assert(p12 < pair{1, 3} && p12 < pair{2, 0} && !(p12 < p12) && !(pair{2, 0} < p12));
static_assert(pair{2, 0} > p12 && p12 <= p12 && p12 >= p12 && !(p12 <= pair{0, 9}));
static_assert(p12 == pair<long, short>{1, 2});

TEST(Pairs, convert_from_pairs) {
  const pair<int, float> narrow{1, 2.5f};
  const pair<long, double> wide = narrow;
  EXPECT_EQ(wide.first, 1);
  EXPECT_EQ(wide.second, 2.5);
  const pair<std::string, int> text = std::pair<const char*, short>("a", short{3});
  EXPECT_EQ(text.first, "a");
  EXPECT_EQ(text.second, 3);
  EXPECT_EQ(text.to_std_pair(), (std::pair<std::string, int>("a", 3)));
  pair<long, double> assigned;
  assigned = narrow;
  EXPECT_EQ(assigned, wide);
  static_assert(!std::is_convertible_v<pair<std::string, int>, pair<int, int>>);
}

TEST(Pairs, of_references_assign_through_them) {
  int a = 1;
  int b = 2;
  hpk::tie(a, b) = pair<int, int>{3, 4};
  EXPECT_EQ(a, 3);
  EXPECT_EQ(b, 4);
  int c = 5;
  pair<int&, int&> one = hpk::tie(a, b);
  const pair<int&, int&> other = hpk::tie(c, c);
  one = other;
  EXPECT_EQ(a + b, 10);
  const pair<int&, double> mixed(a, 0.5);
  mixed.first = 7;
  EXPECT_EQ(a, 7);
}

TEST(Pairs, are_bound_to_names) {
  pair<int, std::string> p{1, "x"};
  auto& [number, text] = p;
  number = 2;
  EXPECT_EQ(hpk::get<0>(p), 2);
  EXPECT_EQ(hpk::get<1>(std::as_const(p)), text);
  const auto [moved_number, moved_text] = pair<int, std::string>{3, "y"};
  EXPECT_EQ(moved_text + std::to_string(moved_number), "y3");
}

template <class Exec>
class PairInKernel : public testing::Test {};
TYPED_TEST_SUITE(PairInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(PairInKernel, is_stored_and_compared) {
  hpk::View<pair<int, double>*, TypeParam> pairs("pairs", 64);
  hpk::parallel_for(
      "sort", hpk::RangePolicy<TypeParam>(0, 64), HPK_LAMBDA(int i) {
        const auto a = hpk::make_pair(i % 5, 1.0 * i);
        const pair<int, double> b{2, 30.0};
        pairs(i) = a < b ? a : b;
      });
  const auto there = hpk_test::on_host(pairs);
  for (int i = 0; i < 64; ++i) {
    const std::pair<int, double> a(i % 5, i);
    const std::pair<int, double> b(2, 30.0);
    ASSERT_EQ(there(i).to_std_pair(), std::min(a, b)) << i;
  }
}

}  // namespace
}  // namespace base_pair_test
