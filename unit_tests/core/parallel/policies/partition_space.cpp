// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// partition_space: separate instances, workers in proportion to weights, and refused weights.
#include <hpk/parallel/policies/partition_space.hpp>

#include <support/spaces.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace partition_space_test {
namespace {

using hpk::Experimental::partition_space;
using hpk_test::contains;
using hpk_test::error_of;
using hpk_test::has_workers;

std::vector<int> divide(int available, const std::vector<double>& weights) {
  std::vector<int> workers(weights.size(), -1);
  hpk::detail::divide_workers("Space", available, weights.size(), weights.data(), workers.data());
  return workers;
}

TEST(Workers, are_divided_in_proportion_where_that_divides) {
  EXPECT_EQ(divide(8, {1, 1}), (std::vector{4, 4}));
  EXPECT_EQ(divide(8, {1, 3}), (std::vector{2, 6}));
  EXPECT_EQ(divide(12, {0.25, 0.5, 0.25}), (std::vector{3, 6, 3}));
  EXPECT_EQ(divide(1000, {70, 20, 10}), (std::vector{700, 200, 100}));
  EXPECT_EQ(divide(64, {5}), (std::vector{64}));
}

TEST(Workers, are_all_given_away_and_one_at_least_to_each) {
  EXPECT_EQ(divide(5, {1, 1, 1}), (std::vector{2, 2, 1}));
  EXPECT_EQ(divide(4, {100, 1, 0}), (std::vector{2, 1, 1}));
  EXPECT_EQ(divide(16, {1e300, 1e-300}), (std::vector{15, 1}));
  EXPECT_EQ(divide(2, {1, 1, 1, 1}), (std::vector{1, 1, 1, 1}));
  EXPECT_EQ(divide(1, {3}), (std::vector{1}));
}

template <class Exec>
void fill(const Exec& exec, const hpk::View<int*, Exec>& to, int value) {
  hpk::parallel_for(
      hpk::RangePolicy<Exec>(exec, 0, static_cast<int>(to.extent(0))),
      HPK_LAMBDA(int i) { to(i) = value + i; });
}

template <class Exec>
class PartitionSpace : public testing::Test {};
TYPED_TEST_SUITE(PartitionSpace, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(PartitionSpace, gives_new_instances_that_work) {
  for (const TypeParam& base : hpk_test::instances<TypeParam>()) {
    auto [a, b, c] = partition_space(base, 1, 2.5, 1u);
    static_assert(std::is_same_v<decltype(a), TypeParam>);
    EXPECT_FALSE(a == b || a == c || b == c);
    EXPECT_FALSE(a == base || b == base || c == base);
    const hpk::View<int*, TypeParam> x("x", 1000);
    const hpk::View<int*, TypeParam> y("y", 1000);
    fill<TypeParam>(a, x, 10);
    fill<TypeParam>(b, y, 20);
    const auto seen_x = hpk_test::on_host(x);
    const auto seen_y = hpk_test::on_host(y);
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(seen_x(i), 10 + i);
      ASSERT_EQ(seen_y(i), 20 + i);
    }
  }
}

HPK_TYPED_TEST(PartitionSpace, takes_weights_of_any_type_one_by_one_or_in_a_vector) {
  const TypeParam base;
  static_assert(
      std::is_same_v<decltype(partition_space(base, 1, 2L, 0.5f)), std::array<TypeParam, 3>>);
  static_assert(std::is_same_v<decltype(partition_space(base, std::vector<unsigned>{1})),
                               std::vector<TypeParam>>);
  EXPECT_EQ(partition_space(base, 7).size(), 1u);
  EXPECT_EQ(partition_space(base, std::vector<double>{1, 0, 2}).size(), 3u);
  const std::vector<TypeParam> many = partition_space(base, std::vector<int>(9, 1));
  ASSERT_EQ(many.size(), 9u);
  for (std::size_t i = 0; i < many.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(many[i] == many[k]);
  }
}

HPK_TYPED_TEST(PartitionSpace, divides_the_workers) {
  for (const TypeParam& base : hpk_test::instances<TypeParam>()) {
    const auto parts = partition_space(base, 1, 3);
    const int workers = base.concurrency();
    if constexpr (has_workers<TypeParam>) {
      const std::vector<int> wanted = divide(workers, {1, 3});
      EXPECT_EQ(parts[0].concurrency(), wanted[0]);
      EXPECT_EQ(parts[1].concurrency(), wanted[1]);
      EXPECT_EQ(base.concurrency(), workers);
    } else {
      EXPECT_EQ(parts[0].concurrency(), workers);
      EXPECT_EQ(parts[1].concurrency(), workers);
    }
  }
}

HPK_TYPED_TEST(PartitionSpace, parts_outlive_the_base_and_may_be_partitioned) {
  std::vector<TypeParam> parts;
  {
    const TypeParam base = partition_space(TypeParam(), 1)[0];
    parts = partition_space(base, std::vector<int>{1, 1});
  }
  const auto grandchildren = partition_space(parts[0], 1, 1);
  EXPECT_FALSE(grandchildren[0] == parts[0]);
  const hpk::View<int*, TypeParam> x("x", 10);
  fill<TypeParam>(grandchildren[1], x, 5);
  EXPECT_EQ(hpk_test::on_host(x)(9), 14);
}

HPK_TYPED_TEST(PartitionSpace, refuses_weights_that_are_none) {
  const TypeParam base;
  const auto message = [&](std::vector<double> weights) {
    const std::string text = error_of([&] { partition_space(base, weights); });
    EXPECT_TRUE(contains(text, "partition_space"));
    EXPECT_TRUE(contains(text, TypeParam::name()));
    return text;
  };
  EXPECT_TRUE(contains(message({}), "no weights"));
  EXPECT_TRUE(contains(message({1, 2, -3}), "weight 2 of 3 is -3"));
  EXPECT_TRUE(contains(message({std::nan(""), 1}), "weight 0 of 2 is"));
  EXPECT_TRUE(contains(message({1, std::numeric_limits<double>::infinity()}), "weight 1 of 2 is"));
  EXPECT_TRUE(contains(message({0, 0}), "all weights (2) are 0"));
  EXPECT_TRUE(contains(error_of([&] { partition_space(base, 1, -1); }), "weight 1 of 2 is -1"));
  EXPECT_TRUE(contains(error_of([&] { partition_space(base, 0); }), "all weights (1) are 0"));
}

template <class Exec>
class PartitionSpaceOnHost : public testing::Test {};
TYPED_TEST_SUITE(PartitionSpaceOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(PartitionSpaceOnHost, is_refused_inside_of_a_kernel) {
  const TypeParam base;
  const std::string text = error_of([&] {
    hpk::parallel_for("asker", hpk::RangePolicy<TypeParam>(0, 1),
                      [&](int) { partition_space(base, 1); });
  });
  EXPECT_TRUE(contains(text, "partition_space"));
  EXPECT_TRUE(contains(text, "asker"));
}

}  // namespace
}  // namespace partition_space_test
