// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/bin_sort.hpp>
#include <hpk/algorithms/detail/bin_dealing.hpp>

#include <algorithms/sort_inputs.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace {

using hpk::index_t;
using hpk_test::make_keys;
using hpk_test::to_vector;
using hpk_test::to_view;

template <class Exec>
class BinDealing : public testing::Test {};
TYPED_TEST_SUITE(BinDealing, hpk_test::spaces, hpk_test::space_names);

/// A bin operation whose keys are their bins. Within a bin, greater indices come first. Counts its
/// calls.
template <class Exec>
struct own_bins {
  index_t bins = 0;
  hpk::View<int, Exec> calls = {};
  template <class Keys>
  HPK_FUNCTION auto bin(const Keys& keys, index_t i) const {
    if (calls.is_allocated()) hpk::atomic_inc(&calls());
    return keys(i);
  }
  HPK_FUNCTION index_t max_bins() const { return bins; }
  template <class Keys, class I>
  HPK_FUNCTION bool operator()(const Keys&, I i, I j) const {
    return i > j;
  }
};

/// Returns the numbers of a View of rank 1.
template <class V>
std::vector<index_t> numbers_of(const V& view) {
  const auto found = to_vector(view);
  return {found.begin(), found.end()};
}

/// Bins keys [begin, end) of `bins` with every number of workers and checks all results, with bins
/// that are sorted inside and with unsorted bins.
template <class Exec, class Size = typename Exec::memory_space::size_type, class T>
void expect_bins(const std::vector<T>& bins, index_t number, index_t begin, index_t end,
                 std::initializer_list<bool> kinds = {false, true}) {
  std::vector<index_t> counts(static_cast<std::size_t>(number));
  for (index_t i = begin; i < end; ++i)
    ++counts[static_cast<std::size_t>(bins[static_cast<std::size_t>(i)])];
  std::vector<index_t> offsets(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), index_t{0});
  const auto n = static_cast<index_t>(bins.size());
  for (const bool inside : kinds) {
    std::vector<index_t> order(bins.size());
    std::iota(order.begin(), order.end(), index_t{0});
    const auto first = order.begin() + begin;
    const auto last = order.begin() + end;
    if (inside) std::reverse(first, last);
    std::stable_sort(first, last, [&](index_t a, index_t b) {
      return bins[static_cast<std::size_t>(a)] < bins[static_cast<std::size_t>(b)];
    });
    std::vector<T> sorted(bins.size());
    for (std::size_t i = 0; i < bins.size(); ++i)
      sorted[i] = bins[static_cast<std::size_t>(order[i])];
    for (const Exec& exec : hpk_test::instances<Exec>()) {
      const auto keys = to_view<Exec>(bins);
      using keys_type = hpk::View<T*, Exec>;
      hpk::BinSort<keys_type, own_bins<Exec>, typename keys_type::device_type, Size> sorter(
          exec, keys, begin, end, own_bins<Exec>{number}, inside);
      sorter.create_permute_vector(exec);
      EXPECT_TRUE(numbers_of(sorter.get_permute_vector()) == std::vector<index_t>(first, last));
      EXPECT_TRUE(numbers_of(sorter.get_bin_offsets()) == offsets);
      EXPECT_TRUE(numbers_of(sorter.get_bin_count()) == counts);
      const hpk::View<int* [2], hpk::LayoutLeft, Exec> values("values", bins.size());
      hpk::parallel_for(
          hpk::RangePolicy<Exec>(exec, index_t{0}, n),
          HPK_LAMBDA(index_t i) { values(i, 0) = values(i, 1) = static_cast<int>(i); });
      sorter.sort(exec, keys, begin, end);
      sorter.sort(exec, values, begin, end);
      EXPECT_TRUE(to_vector(keys) == sorted);
      for (int column = 0; column < 2; ++column)
        EXPECT_TRUE(numbers_of(hpk::subview(values, hpk::ALL, column)) == order);
    }
  }
}
template <class Exec, class T>
void expect_bins(const std::vector<T>& bins, index_t number) {
  expect_bins<Exec>(bins, number, 0, static_cast<index_t>(bins.size()));
}

/// Returns n keys from 0 to bins - 1.
std::vector<int> bins_of(std::size_t n, int bins) {
  auto keys = make_keys<int>("random", n);
  for (int& key : keys) key = (key & 0x7fffffff) % bins;
  return keys;
}

HPK_TYPED_TEST(BinDealing, no_keys_and_few) {
  for (const index_t number : {1, 10, 20000}) {
    expect_bins<TypeParam>(std::vector<int>(), number);
    expect_bins<TypeParam>(std::vector<int>{static_cast<int>(number) - 1}, number);
    expect_bins<TypeParam>(std::vector<int>{0, static_cast<int>(number) - 1, 0}, number);
  }
}

HPK_TYPED_TEST(BinDealing, a_million_bins) {
  constexpr int number = 1 << 20;
  expect_bins<TypeParam>(bins_of(20001, number), number, 1, 20000, {true});
}

HPK_TYPED_TEST(BinDealing, crowded_bins_of_many) {
  constexpr int number = 20000;
  expect_bins<TypeParam>(std::vector<int>(33000, 4711), number);
  auto keys = bins_of(60000, number);
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (i % 4 != 0) keys[i] = 4711 + static_cast<int>(i % 3);
  expect_bins<TypeParam>(keys, number);
}

HPK_TYPED_TEST(BinDealing, numbers_of_bins_around_those_of_one_deal) {
  for (const int number : {2, 3, 509, 510, 8191, 8192, 8193})
    expect_bins<TypeParam>(bins_of(9999, number), number);
}

HPK_TYPED_TEST(BinDealing, keys_in_order_stay) {
  auto keys = bins_of(9000, 9000);
  std::sort(keys.begin(), keys.end());
  expect_bins<TypeParam>(keys, 9000);
  for (int& key : keys) key /= 10;
  expect_bins<TypeParam>(keys, 900);
  // The keys decrease only at the border of two blocks or of two workers' shares.
  for (const std::size_t at : {std::size_t{1024}, std::size_t{4500}}) {
    std::vector<int> falling(9000, 1);
    std::fill(falling.begin() + static_cast<std::ptrdiff_t>(at), falling.end(), 0);
    expect_bins<TypeParam>(falling, 2);
  }
}

HPK_TYPED_TEST(BinDealing, parts_of_the_keys) {
  for (const int number : {7, 9000}) {
    const auto keys = bins_of(12345, number);
    expect_bins<TypeParam>(keys, number, 1, 12344);
    expect_bins<TypeParam>(keys, number, 5000, 5003);
    expect_bins<TypeParam>(keys, number, 12345, 12345);
  }
}

HPK_TYPED_TEST(BinDealing, numbers_of_other_sizes) {
  const auto keys = bins_of(7000, 30000);
  expect_bins<TypeParam, unsigned>(keys, 30000, 10, 6900);
  expect_bins<TypeParam, long long>(keys, 30000, 10, 6900);
  expect_bins<TypeParam>(std::vector<std::int64_t>(keys.begin(), keys.end()), 30000);
  expect_bins<TypeParam>(std::vector<std::uint16_t>(keys.begin(), keys.end()), 30000);
}

HPK_TYPED_TEST(BinDealing, calls_the_operation_once_for_each_key) {
  for (const int number : {5, 20000}) {
    const auto keys = to_view<TypeParam>(bins_of(15000, number));
    for (const bool inside : {false, true}) {
      const own_bins<TypeParam> op{number, hpk::View<int, TypeParam>("calls")};
      using keys_type = hpk::View<int*, TypeParam>;
      hpk::BinSort<keys_type, own_bins<TypeParam>> sorter(keys, op, inside);
      sorter.create_permute_vector();
      sorter.sort(hpk::View<int*, TypeParam>("values", 15000));
      EXPECT_EQ(hpk_test::on_host(op.calls)(), 15000) << number << ' ' << inside;
    }
  }
}

HPK_TYPED_TEST(BinDealing, bins_again_when_keys_have_changed) {
  using keys_type = hpk::View<int*, TypeParam>;
  const keys_type keys = to_view<TypeParam>(std::vector<int>{2, 1, 0, 1});
  hpk::BinSort<keys_type, own_bins<TypeParam>> sorter(keys, own_bins<TypeParam>{3});
  sorter.create_permute_vector();
  const auto before = sorter.get_permute_vector();
  const auto copy = sorter;
  hpk::deep_copy(keys, to_view<TypeParam>(std::vector<int>{0, 0, 2, 2}));
  sorter.create_permute_vector();
  const keys_type numbers = to_view<TypeParam>(std::vector<int>{10, 11, 12, 13});
  sorter.sort(numbers);
  EXPECT_EQ(to_vector(numbers), (std::vector<int>{10, 11, 12, 13}));
  EXPECT_EQ(numbers_of(sorter.get_bin_count()), (std::vector<index_t>{2, 0, 2}));
  // The earlier permutation is intact, also in a copy.
  EXPECT_EQ(numbers_of(before), (std::vector<index_t>{2, 1, 3, 0}));
  copy.sort(numbers);
  EXPECT_EQ(to_vector(numbers), (std::vector<int>{12, 11, 13, 10}));
}

HPK_TYPED_TEST(BinDealing, const_keys_and_equal_zeros) {
  using keys_type = hpk::View<const double*, TypeParam>;
  const keys_type keys = to_view<TypeParam>(std::vector<double>{0.5, 0.0, -0.0, 0.5, -0.0, -0.25});
  const hpk::BinOp1D<keys_type> op(2, -1.0, 1.0);
  hpk::BinSort<keys_type, hpk::BinOp1D<keys_type>> sorter(keys, op, true);
  sorter.create_permute_vector();
  EXPECT_EQ(numbers_of(sorter.get_permute_vector()), (std::vector<index_t>{5, 1, 2, 4, 0, 3}));
}

HPK_TYPED_TEST(BinDealing, keys_outside_are_errors) {
  const TypeParam exec;
  for (const index_t number : {10, 20000}) {
    for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{number}, std::int64_t{1} << 32,
                                     -(std::int64_t{1} << 32)}) {
      std::vector<std::int64_t> bins(9000, 3);
      bins[8765] = bins[8888] = wrong;
      const auto keys = to_view<TypeParam>(bins);
      using keys_type = hpk::View<std::int64_t*, TypeParam>;
      hpk::BinSort<keys_type, own_bins<TypeParam>> sorter(exec, keys, own_bins<TypeParam>{number});
      const std::string message =
          "hpk::BinSort: key 8765 of View \"elements\" of 9000 belongs to bin " +
          std::to_string(wrong) + ", but there are " + std::to_string(number) + " bins";
      hpk_test::expect_error([&] { sorter.create_permute_vector(exec); },
                             {message.c_str(), "bin_dealing.cpp"});
      // Keys outside the sorter's range may have any bin.
      hpk::BinSort<keys_type, own_bins<TypeParam>> part(exec, keys, 0, 8765,
                                                        own_bins<TypeParam>{number});
      part.create_permute_vector(exec);
      EXPECT_EQ(to_vector(part.get_bin_count())[3], 8765u);
    }
  }
}

// Every bucket has at least one bin, and every bin belongs to one bucket.
TEST(BinBuckets, cover_the_bins) {
  for (const index_t bins : {1, 2, 508, 8192, 8193, 100000, 1 << 20, 0x7fffffff})
    for (const index_t keys : {0, 5000, 1 << 23})
      for (const bool inside : {false, true}) {
        const hpk::detail::sorting::bin_buckets buckets(bins, keys, inside);
        ASSERT_EQ(buckets.first(0), 0);
        ASSERT_EQ(buckets.first(buckets.size()), bins);
        for (index_t b = 0; b < buckets.size(); ++b) {
          const index_t first = buckets.first(b);
          const index_t last = buckets.first(b + 1) - 1;
          ASSERT_LE(first, last);
          ASSERT_EQ(static_cast<index_t>(buckets.of(static_cast<std::uint32_t>(first))), b);
          ASSERT_EQ(static_cast<index_t>(buckets.of(static_cast<std::uint32_t>(last))), b);
        }
      }
}

}  // namespace
