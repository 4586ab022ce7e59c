// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bits of reductions on machines of many lanes: equal to the documented shape, written down
// here a second time without a line of the library, whatever schedule, chunk size and subgroup.
// Host spaces have another shape (fold.cpp).
#include "support/bits.hpp"
#include "support/spaces.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace hpk_test::lane_reduce_cases {

using hpk::detail::folding_lanes;
using hpk::detail::plan_lane_blocks;

constexpr std::int64_t sizes[] = {0,    1,    2,     31,    32,     33,     255,
                                  256,  257,  1023,  1024,  1025,   4095,   4096,
                                  4097, 5000, 65537, 70001, 100003, 1048577};

template <int Bytes>
using bytes = std::array<char, Bytes>;
static_assert(folding_lanes<char>() == 256 && folding_lanes<double>() == 256);
static_assert(folding_lanes<bytes<128>>() == 256 && folding_lanes<bytes<129>>() == 128);
static_assert(folding_lanes<bytes<300>>() == 64 && folding_lanes<bytes<4096>>() == 8);
static_assert(folding_lanes<bytes<32768>>() == 1 && folding_lanes<bytes<1000000>>() == 1);

// At least 4 iterations for each lane, at most 1024 blocks.
static_assert(plan_lane_blocks(0, 256).count() == 0);
static_assert(plan_lane_blocks(1, 256).count() == 1 && plan_lane_blocks(1, 256).length == 1024);
static_assert(plan_lane_blocks(1024, 256).count() == 1);
static_assert(plan_lane_blocks(1025, 256).count() == 2 &&
              plan_lane_blocks(1025, 256).end(1) == 1025);
static_assert(plan_lane_blocks(1 << 20, 256).count() == 1024);
static_assert(plan_lane_blocks((1 << 20) + 1, 256).length == 5 * 256);
static_assert(plan_lane_blocks(100, 1).count() == 25 && plan_lane_blocks(100, 8).length == 32);
constexpr hpk::index_t most = std::numeric_limits<hpk::index_t>::max();
static_assert(plan_lane_blocks(most, 256).count() <= 1024);
static_assert(plan_lane_blocks(most, 256).end(plan_lane_blocks(most, 256).count() - 1) == most);

// Lanes k with k + 1, then + 2, ...
template <class T, class Join>
T documented_group(std::vector<T> lanes, Join join) {
  for (std::size_t reach = 1; reach < lanes.size(); reach *= 2) {
    for (std::size_t k = 0; k < lanes.size(); k += 2 * reach)
      lanes[k] = join(lanes[k], lanes[k + reach]);
  }
  return lanes[0];
}

// The block [begin, end): lane k takes iterations k, k + lanes, ...
template <class T, class Join, class Value>
T documented_strides(std::int64_t begin, std::int64_t end, std::int64_t lanes, T identity,
                     Join join, Value value) {
  std::vector<T> sums(static_cast<std::size_t>(lanes), identity);
  for (std::int64_t i = begin; i < end; ++i) {
    T& sum = sums[static_cast<std::size_t>((i - begin) % lanes)];
    sum = join(sum, value(i));
  }
  return documented_group(sums, join);
}

// The block in index order: pieces of `each` neighbours, dealt to the lanes in turn.
template <class T, class Join, class Value>
T documented_pieces(std::int64_t begin, std::int64_t end, std::int64_t lanes, std::int64_t each,
                    T identity, Join join, Value value) {
  T block = identity;
  for (std::int64_t row = begin; row < end; row += lanes * each) {
    std::vector<T> sums(static_cast<std::size_t>(lanes), identity);
    for (std::int64_t i = row; i < std::min(end, row + lanes * each); ++i) {
      T& sum = sums[static_cast<std::size_t>((i - row) / each)];
      sum = join(sum, value(i));
    }
    block = join(block, documented_group(sums, join));
  }
  return block;
}

enum class order { any, of_indices };

template <order Order, class T, class Join, class Value>
T documented_fold(std::int64_t n, T identity, Join join, Value value) {
  std::int64_t lanes = 256;
  while (lanes > 1 && lanes * static_cast<std::int64_t>(sizeof(T)) > 32 * 1024) lanes /= 2;
  const std::int64_t rows = (n + lanes - 1) / lanes;
  const std::int64_t share = std::max<std::int64_t>(4, (rows + 1023) / 1024);
  std::vector<T> blocks;
  for (std::int64_t begin = 0; begin < n; begin += share * lanes) {
    const std::int64_t end = std::min(n, begin + share * lanes);
    if constexpr (Order == order::any) {
      blocks.push_back(documented_strides(begin, end, lanes, identity, join, value));
    } else {
      const std::int64_t each = std::min<std::int64_t>(share, 16);
      blocks.push_back(documented_pieces(begin, end, lanes, each, identity, join, value));
    }
  }
  std::size_t last = 1;
  while (last < blocks.size() && last < static_cast<std::size_t>(lanes)) last *= 2;
  const std::size_t each = (blocks.size() + last - 1) / last;
  std::vector<T> sums(last, identity);
  for (std::size_t b = 0; b < blocks.size(); ++b) sums[b / each] = join(sums[b / each], blocks[b]);
  return documented_group(sums, join);
}

template <class Exec>
inline constexpr bool has_lanes = !hpk::seam::machine<Exec>::lane::single;

template <class Exec>
class LaneReduce : public testing::Test {};
TYPED_TEST_SUITE(LaneReduce, hpk_test::spaces, hpk_test::space_names);

// Calls reduce(policy) over [begin, begin + n) with either schedule, without and with a chunk size.
template <class Exec, class Reduce>
void with_each_schedule(std::int64_t begin, std::int64_t n, Reduce reduce) {
  const hpk::ChunkSize chunk(7);
  reduce(hpk::RangePolicy<Exec>(begin, begin + n));
  reduce(hpk::RangePolicy<Exec>(begin, begin + n, chunk));
  reduce(hpk::RangePolicy<Exec, hpk::Schedule<hpk::Dynamic>>(begin, begin + n, chunk));
}

template <class T, class Exec>
void expect_documented_sums() {
  const auto add = HPK_LAMBDA(std::int64_t i, T& s) { s += wild<T>(i); };
  for (const std::int64_t n : sizes) {
    SCOPED_TRACE(n);
    const T wanted = documented_fold<order::any>(n, T(0), [](T a, T b) { return a + b; }, wild<T>);
    with_each_schedule<Exec>(0, n, [&](const auto& policy) {
      T sum = -1;
      hpk::parallel_reduce(policy, add, sum);
      EXPECT_TRUE(same_bits(sum, wanted)) << sum << " is not " << wanted;
    });
    T sum = -1;
    hpk::parallel_reduce(
        hpk::RangePolicy<Exec>(0, n), HPK_LAMBDA(int i, T& s) { s += wild<T>(i); },
        hpk::Sum<T>(sum));
    EXPECT_TRUE(same_bits(sum, wanted)) << sum << " is not " << wanted;
  }
}

HPK_TYPED_TEST(LaneReduce, of_doubles_follows_the_documented_shape) {
  if constexpr (has_lanes<TypeParam>) expect_documented_sums<double, TypeParam>();
}
HPK_TYPED_TEST(LaneReduce, of_floats_follows_the_documented_shape) {
  if constexpr (has_lanes<TypeParam>) expect_documented_sums<float, TypeParam>();
}

HPK_FUNCTION double factor(std::int64_t i) {
  return 1.0 + 1e-4 * wild<double>(i % 1000) / 1048576.0;
}
HPK_FUNCTION double zero(std::int64_t i) { return i % 7 == 0 ? 0.0 : -0.0; }
HPK_FUNCTION double larger(double a, double b) { return b > a ? b : a; }

HPK_TYPED_TEST(LaneReduce, of_products_and_largest_values_follows_the_documented_shape) {
  if constexpr (has_lanes<TypeParam>) {
    for (const std::int64_t n : {0L, 1L, 300L, 4097L, 100003L}) {
      const double wanted =
          documented_fold<order::any>(n, 1.0, [](double a, double b) { return a * b; }, factor);
      const double wanted_zero =
          documented_fold<order::any>(n, hpk::reduction_identity<double>::max(), larger, zero);
      const hpk::RangePolicy<TypeParam> policy(0, n);
      double found = -1;
      hpk::parallel_reduce(
          policy, HPK_LAMBDA(std::int64_t i, double& p) { p *= factor(i); },
          hpk::Prod<double>(found));
      EXPECT_TRUE(same_bits(found, wanted)) << found << " is not " << wanted;
      hpk::parallel_reduce(
          policy, HPK_LAMBDA(std::int64_t i, double& m) { m = larger(m, zero(i)); },
          hpk::Max<double>(found));
      EXPECT_TRUE(same_bits(found, wanted_zero)) << n;
    }
  }
}

// An index type that can't count its own range, and ranges that begin anywhere.
template <class I, class Exec>
void expect_range(std::int64_t begin, std::int64_t n) {
  const double wanted =
      documented_fold<order::any>(n, 0.0, [](double a, double b) { return a + b; }, wild<double>);
  const auto add = HPK_LAMBDA(I i, double& s) {
    s += wild<double>(static_cast<std::int64_t>(i) - begin);
  };
  with_each_schedule<Exec>(begin, n, [&](const auto& policy) {
    double sum = -1;
    hpk::parallel_reduce(policy, add, sum);
    EXPECT_TRUE(same_bits(sum, wanted)) << n << " from " << begin;
  });
}

HPK_TYPED_TEST(LaneReduce, does_not_depend_on_where_the_range_begins) {
  if constexpr (has_lanes<TypeParam>) {
    expect_range<std::int64_t, TypeParam>(-10007, 10007);
    expect_range<std::int64_t, TypeParam>(std::int64_t{1} << 40, 10007);
    expect_range<signed char, TypeParam>(-128, 255);
    expect_range<unsigned char, TypeParam>(0, 255);
    expect_range<int, TypeParam>(std::numeric_limits<int>::max() - 5000, 5000);
  }
}

// Values of the program's own, folded in index order. Their sums show that order, their sizes
// whether they are shuffled and how many lanes there are.
template <int Count, class Exec>
void expect_documented_order(std::int64_t n) {
  SCOPED_TRACE(testing::Message() << n << " values of " << sizeof(sums<Count>));
  const auto add = [](sums<Count> a, const sums<Count>& b) { return a += b; };
  const auto wanted = documented_fold<order::of_indices>(n, sums<Count>(), add, sums_of<Count>);
  const auto kernel = HPK_LAMBDA(std::int64_t i, sums<Count>& s) { s += sums_of<Count>(i); };
  with_each_schedule<Exec>(0, n, [&](const auto& policy) {
    sums<Count> found;
    hpk::parallel_reduce(policy, kernel, found);
    EXPECT_TRUE(same_bits(found, wanted));
  });
}

HPK_TYPED_TEST(LaneReduce, of_own_values_follows_the_documented_order) {
  if constexpr (has_lanes<TypeParam>) {
    for (const std::int64_t n : sizes) expect_documented_order<2, TypeParam>(n);
    for (const std::int64_t n : {1L, 255L, 257L, 4097L, 100003L})
      expect_documented_order<5, TypeParam>(n);
    for (const std::int64_t n : {0L, 63L, 257L, 4097L, 20011L})
      expect_documented_order<75, TypeParam>(n);
    for (const std::int64_t n : {0L, 7L, 257L, 2003L}) expect_documented_order<1024, TypeParam>(n);
    // Pieces of more than 16 iterations are cut.
    expect_documented_order<75, TypeParam>(64 * 1024 * 18 + 5);
  }
}

}  // namespace hpk_test::lane_reduce_cases
