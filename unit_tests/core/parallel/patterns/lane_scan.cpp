// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans on machines of many lanes: their bits equal those of the documented shape, implemented here
// independently of the library. Values are joined in index order at every edge of that shape, for
// small and large values. Host spaces have another shape (fold.cpp).
#include <support/bits.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace hpk_test::lane_scan_cases {

using hpk::detail::plan_tiles;

constexpr std::int64_t sizes[] = {0,    1,    2,    8,    9,    10,   16,   17,   18,   256,   2303,
                                  2304, 2305, 4096, 4097, 4351, 4352, 4353, 8193, 8704, 100003};

static_assert(plan_tiles<double>(0, 256).count() == 0);
static_assert(plan_tiles<double>(1, 256).count() == 1);
static_assert(plan_tiles<double>(4352, 256).count() == 1);
static_assert(plan_tiles<char>(4353, 256).count() == 2);
static_assert(plan_tiles<char>(4353, 256).end(1) == 4353);
static_assert(plan_tiles<hpk::complex<double>>(1 << 20, 256).length == 2304);
static_assert(plan_tiles<sums<5>>(100, 1).count() == 7 && plan_tiles<sums<5>>(100, 1).length == 16);

template <class Exec>
class LaneScan : public testing::Test {};
TYPED_TEST_SUITE(LaneScan, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
inline constexpr bool has_lanes = !hpk::seam::machine<Exec>::lane::single;

// Returns the fold of all values and replaces each value by the fold of those before it. Rows have
// 32 values: the last value of each lower half is joined before all values of the upper half. Then
// the rows are joined in order.
template <class T>
T documented_group(std::vector<T>& values) {
  const std::size_t row = std::min<std::size_t>(values.size(), 32);
  for (std::size_t half = 1; half < row; half *= 2) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (k / half % 2 == 1) values[k] = values[k / half * half - 1] + values[k];
    }
  }
  std::vector<T> prefixes(values.size());
  T total{};
  for (std::size_t first = 0; first < values.size(); first += row) {
    prefixes[first] = total;
    for (std::size_t k = first + 1; k < first + row; ++k) prefixes[k] = total + values[k - 1];
    total += values[first + row - 1];
  }
  values = prefixes;
  return total;
}

// The folds of the tiles before each tile: tiles of the same series, folded by as many lanes as a
// row has and joined pairwise, after all earlier series.
template <class T>
std::vector<T> documented_prefixes(const std::vector<T>& tiles, std::size_t lanes) {
  const std::size_t series = sizeof(T) <= 4 ? 64 : 32;
  const std::size_t row = std::min<std::size_t>(lanes, 32);
  std::vector<T> prefixes;
  T earlier{};
  for (std::size_t tile = 0; tile < tiles.size(); ++tile) {
    const std::size_t place = tile % series;
    std::vector<T> folded(row);
    for (std::size_t k = 0; k < place; ++k) folded[k * row / series] += tiles[tile - place + k];
    for (std::size_t half = 1; half < row; half *= 2) {
      for (std::size_t k = 0; k < row; k += 2 * half) folded[k] += folded[k + half];
    }
    prefixes.push_back(earlier + folded[0]);
    if (place == series - 1) earlier += folded[0] + tiles[tile];
  }
  return prefixes;
}

// Tiles of 17 consecutive iterations per lane, 9 or 16 for larger values. Returns the update after
// each index.
template <class T, class Value>
std::vector<T> documented_scan(std::int64_t n, Value value) {
  std::size_t lanes = 256;
  while (lanes > 1 && lanes * sizeof(T) > 32 * 1024) lanes /= 2;
  const std::int64_t each = sizeof(T) <= 8 ? 17 : sizeof(T) <= 16 ? 9 : 16;
  const auto length = static_cast<std::int64_t>(lanes) * each;
  // The start value of each lane of each tile within its tile, and the folds of the tiles.
  std::vector<std::vector<T>> starts;
  std::vector<T> tiles;
  for (std::int64_t begin = 0; begin < n; begin += length) {
    std::vector<T> folded(lanes);
    for (std::int64_t i = begin; i < std::min(n, begin + length); ++i)
      folded[static_cast<std::size_t>((i - begin) / each)] += value(i);
    tiles.push_back(documented_group(folded));
    starts.push_back(folded);
  }
  const std::vector<T> prefixes = documented_prefixes(tiles, lanes);
  std::vector<T> found(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const auto tile = static_cast<std::size_t>(i / length);
    const std::int64_t offset = i % length;
    const auto at = static_cast<std::size_t>(i);
    found[at] = offset % each == 0
                    ? prefixes[tile] + starts[tile][static_cast<std::size_t>(offset / each)]
                    : found[at - 1];
    found[at] += value(i);
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
      expect_documented_scan<2, TypeParam>(n);
      expect_documented_scan<3, TypeParam>(n);
      expect_documented_scan<4, TypeParam>(n);
      expect_documented_scan<5, TypeParam>(n);
      expect_documented_scan<75, TypeParam>(n);
    }
    // Tiles of 64 iterations, and more tiles than 4 lanes fold at a time.
    expect_documented_scan<1024, TypeParam>(4097);
  }
}

HPK_TYPED_TEST(LaneScan, follows_the_documented_shape_through_several_series) {
  if constexpr (has_lanes<TypeParam>) {
    expect_documented_scan<1, TypeParam>(2 * 64 * 4352 + 5);
    expect_documented_scan<1, TypeParam>(64 * 4352);
    expect_documented_scan<2, TypeParam>(3 * 32 * 4352 - 1);
    expect_documented_scan<4, TypeParam>(32 * 2304 + 1);
    expect_documented_scan<75, TypeParam>(2 * 32 * 512 + 100);
  }
}

// Lanes wait for groups that run concurrently. With any number of workers and in any order, the
// bits are the same in each run.
HPK_TYPED_TEST(LaneScan, has_the_same_bits_in_each_run) {
  const int n = 40 * 4352 + 7;
  const hpk::View<double*, TypeParam> updates("updates", n);
  std::vector<double> first;
  for (int run = 0; run < 5; ++run) {
    hpk::parallel_scan(
        hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i, double& update, bool final) {
          update += wild<double>(i);
          if (final) updates(i) = update;
        });
    const auto found = on_host(updates);
    if (run == 0) first.assign(found.data(), found.data() + n);
    EXPECT_EQ(std::memcmp(first.data(), found.data(), sizeof(double) * first.size()), 0);
  }
}

// Each iteration is called twice.
HPK_TYPED_TEST(LaneScan, calls_the_kernel_twice_for_each_iteration) {
  if constexpr (has_lanes<TypeParam>) {
    for (const int n : {1, 300, 4352 + 11}) {
      const hpk::View<int*, TypeParam> calls("calls", n);
      hpk::parallel_scan(
          hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i, int& update, bool final) {
            calls(i) = 10 * calls(i) + (final ? 2 : 1);
            update += 1;
          });
      const auto found = on_host(calls);
      int wrong = 0;
      for (int i = 0; i < n; ++i) wrong += found(i) != 12;
      EXPECT_EQ(wrong, 0);
    }
  }
}

// Small values, which wrap.
template <class T, class Exec>
void expect_exact_scan(int n) {
  SCOPED_TRACE(testing::Message() << n << " values of " << sizeof(T));
  const hpk::View<T*, Exec> updates("updates", n);
  T total = T(7);
  hpk::parallel_scan(
      hpk::RangePolicy<Exec>(0, n),
      HPK_LAMBDA(int i, T& update, bool final) {
        if (final) updates(i) = update;
        update = static_cast<T>(update + static_cast<T>(i * 7 + 1));
      },
      total);
  const auto found = on_host(updates);
  T sum = T();
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += found(i) != sum;
    sum = static_cast<T>(sum + static_cast<T>(i * 7 + 1));
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(total, sum);
}

HPK_TYPED_TEST(LaneScan, takes_numbers_of_all_sizes) {
  for (const int n : {0, 1, 4352, 4353, 70 * 4352 + 3}) {
    expect_exact_scan<unsigned char, TypeParam>(n);
    expect_exact_scan<unsigned short, TypeParam>(n);
    expect_exact_scan<unsigned, TypeParam>(n);
    expect_exact_scan<unsigned long long, TypeParam>(n);
  }
}

// x -> a x + b, composed in index order. Composition does not commute. Padding makes the value
// larger.
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
  expect_index_order<6, TypeParam>();
  expect_index_order<36, TypeParam>();
}

}  // namespace hpk_test::lane_scan_cases
