// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RangePolicy: constructors and deduction, conversions between policies, and errors of bounds and
// chunk sizes, which name the values and the caller's line.
#include <support/spaces.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace hpk_test::range_policy_cases {

template <class Exec>
class RangePolicies : public testing::Test {};
TYPED_TEST_SUITE(RangePolicies, hpk_test::spaces, hpk_test::space_names);

using default_space = hpk::DefaultExecutionSpace;

static_assert(std::is_same_v<decltype(hpk::RangePolicy()), hpk::RangePolicy<>>);
static_assert(std::is_same_v<decltype(hpk::RangePolicy(0, 1L)), hpk::RangePolicy<>>);
static_assert(std::is_same_v<decltype(hpk::RangePolicy(0u, short{1})), hpk::RangePolicy<>>);
static_assert(
    std::is_same_v<decltype(hpk::RangePolicy(0, 1, hpk::ChunkSize(2))), hpk::RangePolicy<>>);
static_assert(
    std::is_same_v<decltype(hpk::RangePolicy(default_space(), 0, 1)), hpk::RangePolicy<>>);
static_assert(std::is_same_v<decltype(hpk::RangePolicy(default_space(), 0, 1, hpk::ChunkSize(2))),
                             hpk::RangePolicy<>>);
static_assert(std::is_convertible_v<int, hpk::ChunkSize>);
static_assert(std::is_default_constructible_v<hpk::RangePolicy<>>);

HPK_TYPED_TEST(RangePolicies, deduces_the_space) {
  using wanted = std::conditional_t<std::is_same_v<TypeParam, default_space>, hpk::RangePolicy<>,
                                    hpk::RangePolicy<TypeParam>>;
  static_assert(std::is_same_v<decltype(hpk::RangePolicy(TypeParam(), 0, 1)), wanted>);
  static_assert(
      std::is_same_v<decltype(hpk::RangePolicy(TypeParam(), 0, 1, hpk::ChunkSize(3))), wanted>);
  EXPECT_EQ(hpk::RangePolicy(TypeParam(), 0, 1).space(), TypeParam());
}

enum bounds : short { low = -2, high = 3 };

HPK_TYPED_TEST(RangePolicies, take_enumerators_and_characters) {
  const hpk::RangePolicy<TypeParam> named(low, high);
  EXPECT_EQ(named.begin(), -2);
  EXPECT_EQ(named.end(), 3);
  const hpk::RangePolicy<TypeParam> letters('a', 'd');
  EXPECT_EQ(letters.end() - letters.begin(), 3);
  int count = 0;
  hpk::parallel_reduce(high, HPK_LAMBDA(int, int& update) { ++update; }, count);
  EXPECT_EQ(count, 3);
}

HPK_TYPED_TEST(RangePolicies, keeps_bounds_instance_and_chunk_size) {
  const hpk::RangePolicy<TypeParam> empty;
  EXPECT_EQ(empty.begin(), 0);
  EXPECT_EQ(empty.end(), 0);
  EXPECT_EQ(empty.chunk_size(), 0);
  const hpk::RangePolicy<TypeParam> plain(-3, 4u);
  EXPECT_EQ(plain.begin(), -3);
  EXPECT_EQ(plain.end(), 4);
  EXPECT_EQ(plain.chunk_size(), 0);
  hpk::RangePolicy<TypeParam> chunked(short{1}, std::size_t{9}, hpk::ChunkSize(5));
  EXPECT_EQ(chunked.chunk_size(), 5);
  EXPECT_EQ(&chunked.set(hpk::ChunkSize(5)), &chunked);
  EXPECT_EQ(chunked.chunk_size(), 5);
  EXPECT_EQ(&chunked.set_chunk_size(7), &chunked);
  EXPECT_EQ(chunked.chunk_size(), 7);
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const hpk::RangePolicy<TypeParam> policy(exec, 2, 5, hpk::ChunkSize(1));
    EXPECT_EQ(policy.space(), exec);
    EXPECT_EQ(policy.begin(), 2);
    EXPECT_EQ(policy.end(), 5);
    EXPECT_EQ(policy.chunk_size(), 1);
  }
}

struct tag {};

HPK_TYPED_TEST(RangePolicies, converts_between_arguments) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const hpk::RangePolicy<TypeParam> plain(exec, 10, 20, hpk::ChunkSize(4));
    const hpk::RangePolicy<tag, TypeParam, hpk::Schedule<hpk::Dynamic>, short> other(plain);
    static_assert(std::is_same_v<decltype(other.begin()), short>);
    EXPECT_EQ(other.space(), exec);
    EXPECT_EQ(other.begin(), 10);
    EXPECT_EQ(other.end(), 20);
    EXPECT_EQ(other.chunk_size(), 4);
  }
  const hpk::RangePolicy<TypeParam> wide(0, 40000);
  const std::string text = error_of(
      [&] { static_cast<void>(hpk::RangePolicy<TypeParam, hpk::IndexType<short>>(wide)); });
  EXPECT_TRUE(contains(text, "hpk::RangePolicy(0, 40000): a bound does not fit"));
}

// A policy of another space is not accepted, because instances cannot be converted.
TEST(RangePolicyConversion, keeps_spaces_apart) {
  hpk::detail::for_each_type(hpk::detail::enabled_spaces{}, [](auto from) {
    hpk::detail::for_each_type(hpk::detail::enabled_spaces{}, [](auto to) {
      using From = typename decltype(from)::type;
      using To = typename decltype(to)::type;
      static_assert(std::is_constructible_v<hpk::RangePolicy<To>, hpk::RangePolicy<From, int>> ==
                    std::is_same_v<From, To>);
    });
  });
}

HPK_TYPED_TEST(RangePolicies, refuses_bounds_that_do_not_survive_the_conversion) {
  using narrow = hpk::RangePolicy<TypeParam, hpk::IndexType<int>>;
  const std::string above = error_of([] { narrow(0, std::int64_t{1} << 31); });
  EXPECT_TRUE(
      contains(above, "hpk::RangePolicy(0, 2147483648): a bound does not fit the index type"));
  EXPECT_TRUE(contains(above, "which holds -2147483648 to 2147483647"));
  EXPECT_TRUE(contains(above, "name a wider one with hpk::IndexType<...>"));
  EXPECT_TRUE(contains(above, "range_policy.cpp:"));
  EXPECT_TRUE(contains(error_of([] { narrow(-2147483649L, 0); }), "(-2147483649, 0)"));
  using natural = hpk::RangePolicy<TypeParam, unsigned>;
  EXPECT_TRUE(contains(error_of([] { natural(-1, 5); }), "(-1, 5): a bound does not fit"));
  EXPECT_TRUE(contains(error_of([] { natural(TypeParam(), 0, -5); }), "(0, -5): a bound"));
  EXPECT_TRUE(contains(error_of([] { hpk::RangePolicy<TypeParam>(0, ~std::uint64_t{0}); }),
                       "(0, 18446744073709551615): a bound does not fit"));
  EXPECT_TRUE(contains(error_of([] { hpk::RangePolicy<TypeParam, signed char>(0, 128); }),
                       "holds -128 to 127"));
  EXPECT_NO_THROW(narrow(std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
  EXPECT_NO_THROW((hpk::RangePolicy<TypeParam, std::uint64_t>(0, ~std::uint64_t{0})));
  EXPECT_NO_THROW((hpk::RangePolicy<TypeParam, signed char>(-128, 127)));
}

struct converts_to_int {
  int value;
  operator int() const { return value; }
};
struct converts_to_double {
  double value;
  operator double() const { return value; }
};

HPK_TYPED_TEST(RangePolicies, takes_bounds_of_other_types) {
  const hpk::RangePolicy<TypeParam> real(1.0, 1e3);
  EXPECT_EQ(real.begin(), 1);
  EXPECT_EQ(real.end(), 1000);
  const hpk::RangePolicy<TypeParam, hpk::IndexType<int>> object(TypeParam(), converts_to_int{2},
                                                                converts_to_double{9.0});
  EXPECT_EQ(object.begin(), 2);
  EXPECT_EQ(object.end(), 9);
  EXPECT_EQ(hpk::RangePolicy(TypeParam(), 0, converts_to_int{7}).end(), 7);
  constexpr std::integral_constant<int, 5> five;
  EXPECT_EQ(hpk::RangePolicy<TypeParam>(0, five).end(), 5);
}

HPK_TYPED_TEST(RangePolicies, refuses_bounds_that_are_no_whole_numbers) {
  using policy = hpk::RangePolicy<TypeParam>;
  const std::string fraction = error_of([] { policy(0, 2.5); });
  EXPECT_TRUE(contains(fraction, "hpk::RangePolicy: a bound of 2.5, which is no whole number"));
  EXPECT_TRUE(contains(fraction, "range_policy.cpp:"));
  EXPECT_TRUE(contains(error_of([] { policy(0, std::nan("")); }), "a bound of "));
  EXPECT_TRUE(contains(error_of([] { policy(0, 1e30); }), "a bound of 1e+30"));
  EXPECT_TRUE(contains(error_of([] { policy(converts_to_double{0.5}, 2); }), "a bound of 0.5"));
  using narrow = hpk::RangePolicy<TypeParam, hpk::IndexType<int>>;
  EXPECT_TRUE(contains(error_of([] { narrow(0, 3e9); }), "(0, 3000000000): a bound does not fit"));
}

HPK_TYPED_TEST(RangePolicies, refuses_reversed_bounds) {
  const std::string text = error_of([] { hpk::RangePolicy<TypeParam>(5, -3); });
  EXPECT_TRUE(contains(text, "hpk::RangePolicy(5, -3): the lower bound is greater"));
  EXPECT_TRUE(contains(text, "range_policy.cpp:"));
  EXPECT_TRUE(contains(error_of([] { hpk::RangePolicy(TypeParam(), 1, 0, hpk::ChunkSize(1)); }),
                       "hpk::RangePolicy(1, 0)"));
  EXPECT_TRUE(contains(error_of([] { hpk::parallel_for(-1, HPK_LAMBDA(int){}); }),
                       "hpk::RangePolicy(0, -1)"));
  EXPECT_NO_THROW(hpk::RangePolicy<TypeParam>(5, 5));
}

TEST(ReversedBounds, are_empty_where_a_layer_says_so) {
  using box_policy = hpk::MDRangePolicy<hpk::DefaultHostExecutionSpace, hpk::Rank<2>>;
  hpk::seam::guards.reversed_empty.store(true, hpk::detail::memory_order::relaxed);
  const hpk::RangePolicy<hpk::DefaultHostExecutionSpace> range(5, 2);
  const box_policy box({0, 4}, {3, 1});
  hpk::seam::guards.reversed_empty.store(false, hpk::detail::memory_order::relaxed);
  EXPECT_EQ(range.begin(), 0);
  EXPECT_EQ(range.end(), 0);
  EXPECT_EQ(box.upper(0), 3);
  EXPECT_EQ(box.upper(1), 4);
}

HPK_TYPED_TEST(RangePolicies, divides_itself_among_workers) {
  using policy_type = hpk::RangePolicy<TypeParam, hpk::IndexType<short>>;
  for (const int n : {0, 1, 7, 64, 100}) {
    for (const int chunk : {1, 3, 64}) {
      for (const int workers : {1, 2, 5, 130}) {
        const policy_type policy(-5, n - 5, hpk::ChunkSize(chunk));
        short next = -5;
        for (int rank = 0; rank < workers; ++rank) {
          const typename policy_type::WorkRange part(policy, rank, workers);
          EXPECT_EQ(part.begin(), next);
          if (part.end() != n - 5) {
            EXPECT_EQ((part.end() - part.begin()) % chunk, 0);
          }
          next = part.end();
        }
        EXPECT_EQ(next, n - 5);
      }
    }
  }
}

HPK_TYPED_TEST(RangePolicies, refuses_chunk_sizes_below_one) {
  const std::string text = error_of([] { hpk::RangePolicy<TypeParam>(0, 1, hpk::ChunkSize(0)); });
  EXPECT_TRUE(contains(text, "hpk::RangePolicy: the chunk size must be at least 1, not 0"));
  EXPECT_TRUE(contains(text, "range_policy.cpp:"));
  hpk::RangePolicy<TypeParam> policy(0, 1);
  EXPECT_TRUE(contains(error_of([&] { policy.set_chunk_size(-2); }), "at least 1, not -2"));
  EXPECT_EQ(policy.chunk_size(), 0);
}

}  // namespace hpk_test::range_policy_cases
