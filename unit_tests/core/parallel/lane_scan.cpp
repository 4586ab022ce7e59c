// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans on machines of many lanes: bits equal to the documented shape, written down here a second
// time without a line of the library; and joins in index order at every edge of that shape, for
// small and large values. Host spaces have another shape (fold.cpp).
#include "support/bits.hpp"
#include "support/spaces.hpp"

#include <algorithm>
#include <vector>

namespace hpk_test::lane_scan_cases {

using hpk::detail::plan_lane_scan;

constexpr std::int64_t sizes[] = {0,   1,    2,    15,   16,   17,   255,   256,
                                  257, 4095, 4096, 4097, 8192, 8193, 100003};

static_assert(plan_lane_scan(0, 256).count() == 0);
static_assert(plan_lane_scan(1, 256).count() == 1 && plan_lane_scan(4096, 256).count() == 1);
static_assert(plan_lane_scan(4097, 256).count() == 2 && plan_lane_scan(4097, 256).end(1) == 4097);
static_assert(plan_lane_scan(100, 1).count() == 7 && plan_lane_scan(100, 1).length == 16);

template <class Exec>
class LaneScan : public testing::Test {};
TYPED_TEST_SUITE(LaneScan, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
inline constexpr bool has_lanes = !hpk::seam::machine<Exec>::lane::single;

// Each value becomes the fold of those before it, in doubling steps; returns the fold of all.
template <class T>
T documented_group(std::vector<T>& values) {
  for (std::size_t reach = 1; reach < values.size(); reach *= 2) {
    for (std::size_t k = values.size() - 1; k >= reach; --k)
      values[k] = values[k - reach] + values[k];
  }
  const T total = values.back();
  std::rotate(values.begin(), values.end() - 1, values.end());
  values[0] = T();
  return total;
}

// Blocks of 16 neighbouring iterations for each lane; the update after each index.
template <class T, class Value>
std::vector<T> documented_scan(std::int64_t n, Value value) {
  std::size_t lanes = 256;
  while (lanes > 1 && lanes * sizeof(T) > 32 * 1024) lanes /= 2;
  const auto length = static_cast<std::int64_t>(16 * lanes);
  // What each lane of each block starts from, within its block; and the blocks' values.
  std::vector<std::vector<T>> starts;
  std::vector<T> blocks;
  for (std::int64_t begin = 0; begin < n; begin += length) {
    std::vector<T> folded(lanes);
    for (std::int64_t i = begin; i < std::min(n, begin + length); ++i)
      folded[static_cast<std::size_t>((i - begin) / 16)] += value(i);
    blocks.push_back(documented_group(folded));
    starts.push_back(folded);
  }
  // The lanes of one group take equally many neighbouring blocks.
  const std::size_t each = (blocks.size() + lanes - 1) / lanes;
  std::vector<T> prefixes(lanes);
  for (std::size_t b = 0; b < blocks.size(); ++b) prefixes[b / each] += blocks[b];
  documented_group(prefixes);
  std::vector<T> found(static_cast<std::size_t>(n));
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const auto begin = static_cast<std::int64_t>(b) * length;
    T update;
    for (std::int64_t i = begin; i < std::min(n, begin + length); ++i) {
      const auto offset = static_cast<std::size_t>(i - begin);
      if (offset % 16 == 0) update = prefixes[b / each] + starts[b][offset / 16];
      update += value(i);
      found[static_cast<std::size_t>(i)] = update;
    }
    prefixes[b / each] += blocks[b];
  }
  return found;
}

template <int Count, class Exec>
void expect_documented_scan(std::int64_t n) {
  using value = sums<Count>;
  SCOPED_TRACE(testing::Message() << n << " values of " << sizeof(value));
  const std::vector<value> wanted = documented_scan<value>(n, sums_of<Count>);
  const hpk::View<value*, Exec> updates("updates", n);
  value total = sums_of<Count>(7);
  hpk::parallel_scan(
      hpk::RangePolicy<Exec>(0, n),
      HPK_LAMBDA(std::int64_t i, value& update, bool final) {
        update += sums_of<Count>(i);
        if (final) updates(i) = update;
      },
      total);
  const auto found = on_host(updates);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < n; ++i)
    wrong += !same_bits(found(i), wanted[static_cast<std::size_t>(i)]);
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(same_bits(total, n == 0 ? value() : wanted.back())) << "the total is the last update";
}

HPK_TYPED_TEST(LaneScan, follows_the_documented_shape) {
  if constexpr (has_lanes<TypeParam>) {
    for (const std::int64_t n : sizes) expect_documented_scan<1, TypeParam>(n);
    for (const std::int64_t n : {1L, 257L, 4097L, 20011L}) {
      expect_documented_scan<4, TypeParam>(n);
      expect_documented_scan<5, TypeParam>(n);
      expect_documented_scan<75, TypeParam>(n);
    }
    // Blocks of 128 iterations, more than 8 lanes take in one go.
    expect_documented_scan<1024, TypeParam>(4097);
  }
}

// x -> a x + b, composed in index order; composition does not commute. Padding makes it larger.
template <int Padding>
struct affine {
  std::uint64_t a = 1;
  std::uint64_t b = 0;
  std::uint64_t padding[Padding] = {};
};
template <>
struct affine<0> {
  std::uint64_t a = 1;
  std::uint64_t b = 0;
};
template <int Padding>
struct compose {
  using value_type = affine<Padding>;
  HPK_FUNCTION void join(value_type& to, const value_type& next) const {
    to.b = next.a * to.b + next.b;
    to.a *= next.a;
  }
  HPK_FUNCTION void append(value_type& to, std::int64_t i) const {
    const auto k = static_cast<std::uint64_t>(i);
    join(to, {.a = 2 * k + 3, .b = k * k + 1});
  }
};

template <int Padding, class Exec>
struct prefix_maps : compose<Padding> {
  hpk::View<affine<0>*, Exec> before;
  HPK_FUNCTION void operator()(std::int64_t i, affine<Padding>& update, bool final) const {
    if (final) before(i) = {update.a, update.b};
    this->append(update, i);
  }
};

template <int Padding, class Exec>
void expect_index_order() {
  for (const std::int64_t n : sizes) {
    SCOPED_TRACE(testing::Message() << n << " values of " << sizeof(affine<Padding>));
    const hpk::View<affine<0>*, Exec> before("before", n);
    affine<Padding> total{.a = 7, .b = 7};
    hpk::parallel_scan(hpk::RangePolicy<Exec>(0, n), prefix_maps<Padding, Exec>{{}, before}, total);
    const auto found = on_host(before);
    affine<Padding> sum;
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      wrong += found(i).a != sum.a || found(i).b != sum.b;
      compose<Padding>().append(sum, i);
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(total.a, sum.a);
    EXPECT_EQ(total.b, sum.b);
  }
}

HPK_TYPED_TEST(LaneScan, joins_in_index_order) {
  expect_index_order<0, TypeParam>();
  expect_index_order<1, TypeParam>();
  expect_index_order<36, TypeParam>();
}

}  // namespace hpk_test::lane_scan_cases
