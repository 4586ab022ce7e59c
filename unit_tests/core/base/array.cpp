// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Array on hosts and in kernels.
#include <hpk/base/array.hpp>

#include <support/spaces.hpp>

#include <string>

namespace base_array_test {
namespace {

using hpk::Array;

static_assert(std::is_aggregate_v<Array<int, 3>> && std::is_trivially_copyable_v<Array<int, 3>>);
static_assert(sizeof(Array<double, 5>) == 5 * sizeof(double));
static_assert(std::is_same_v<decltype(Array{1, 2, 3}), Array<int, 3>>);
static_assert(Array<int, 4>::size() == 4 && Array<int, 4>::max_size() == 4);
static_assert(!Array<int, 4>::empty() && Array<int, 0>::empty() && Array<int, 0>::size() == 0);
static_assert(std::tuple_size_v<Array<char, 7>> == 7);
static_assert(std::is_same_v<std::tuple_element_t<1, Array<char, 7>>, char>);

constexpr int sum_of_squares() {
  Array<int, 3> squares{1, 2, 3};
  for (int& x : squares) x *= x;
  int sum = 0;
  for (const int x : squares) sum += x;
  return sum + squares.front() + squares.back() + squares[1] + hpk::get<2>(squares);
}
static_assert(sum_of_squares() == 14 + 1 + 9 + 4 + 9);
static_assert(Array<int, 3>{}[2] == 0);
static_assert(Array{1, 2} == Array{1, 2} && Array{1, 2} != Array{1, 3});
static_assert(Array<int, 0>{} == Array<int, 0>{});

enum class color { red, green };
template <class I>
concept takes_index = requires(Array<int, 2> a, I i) { a[i]; };
enum old_color { blue, yellow };

TEST(Arrays, take_any_kind_of_index) {
  Array<int, 2> a{5, 6};
  const char one = 1;
  EXPECT_EQ(a[one], 6);
  EXPECT_EQ(a[yellow], 6);
  const std::integral_constant<int, 1> constant;
  EXPECT_EQ(a[constant], 6);
  static_assert(takes_index<int> && !takes_index<color>);
  const Array<int, 2>& same = a;
  a[0u] = 7;
  EXPECT_EQ(same[0], 7);
  EXPECT_EQ(&same[1], same.data() + 1);
}

TEST(Arrays, are_bound_to_names) {
  Array<int, 2> a{1, 2};
  auto& [first, second] = a;
  second = 5;
  EXPECT_EQ(first + a[1], 6);
  const auto [copy, rest] = Array<std::string, 2>{"a", "b"};
  EXPECT_EQ(copy + rest, "ab");
}

TEST(Arrays, come_from_c_arrays) {
  const int numbers[] = {1, 2, 3};
  EXPECT_EQ(hpk::to_array(numbers), (Array<int, 3>{1, 2, 3}));
  const Array<std::string, 2> moved = hpk::to_array({std::string("x"), std::string("y")});
  EXPECT_EQ(moved[1], "y");
}

TEST(Arrays, of_no_elements_are_empty_ranges) {
  Array<int, 0> none;
  none.fill(3);
  EXPECT_EQ(none.data(), nullptr);
  EXPECT_EQ(none.begin(), none.end());
  EXPECT_EQ(none.cbegin(), none.cend());
}

TEST(ArrayDeathTest, names_an_index_that_is_outside) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Array<int, 3> a{};
  int at = 3;
  EXPECT_DEATH(a[at] = 1, "hpk: Array: index 3 is outside of \\[0, 3\\)");
  at = -1;
  EXPECT_DEATH(a[at] = 1, "index -1 is outside of \\[0, 3\\)");
  EXPECT_DEATH((void)a[~0ull], "index 18446744073709551615 is outside");
  Array<int, 0> none;
  EXPECT_DEATH((void)none[0], "an Array of size 0 has no element");
}

template <class Exec>
class ArrayInKernel : public testing::Test {};
TYPED_TEST_SUITE(ArrayInKernel, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(ArrayInKernel, is_stored_and_computed_with) {
  hpk::View<Array<double, 3>*, TypeParam> points("points", 100);
  hpk::parallel_for(
      "turn", hpk::RangePolicy<TypeParam>(0, 100), HPK_LAMBDA(int i) {
        Array<double, 3> p{};
        for (std::size_t k = 0; k < p.size(); ++k) p[k] = i + static_cast<double>(k);
        const Array<double, 3> q{p[1], p[2], p[0]};
        points(i) = q;
      });
  const auto there = hpk_test::on_host(points);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(there(i), (Array<double, 3>{i + 1.0, i + 2.0, i + 0.0}));
}

}  // namespace
}  // namespace base_array_test
