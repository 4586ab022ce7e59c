// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/bin_sort.hpp>

#include <algorithms/sort_inputs.hpp>

#include <algorithm>
#include <numeric>

namespace {

using hpk::index_t;
using hpk_test::make_keys;
using hpk_test::to_vector;
using hpk_test::to_view;

template <class Exec>
class BinSort : public testing::Test {};
TYPED_TEST_SUITE(BinSort, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
using keys_view = hpk::View<int*, Exec>;

/// A bin operation that bins by the last digits. Within a bin, greater keys come first.
struct last_digits {
  int bins = 10;
  template <class Keys>
  HPK_FUNCTION int bin(Keys& keys, const int& i) const {
    return keys(i) % bins;
  }
  HPK_FUNCTION int max_bins() const { return bins; }
  template <class Keys, class I, class J>
  HPK_FUNCTION bool operator()(Keys& keys, I& i, J& j) const {
    return keys(i) > keys(j);
  }
};

/// Returns the expected order: by bin, within a bin by `less`.
template <class Bin, class Less>
std::vector<int> expected_order(std::size_t begin, std::size_t end, Bin bin, Less less) {
  std::vector<int> order(end - begin);
  std::iota(order.begin(), order.end(), static_cast<int>(begin));
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    return bin(i) != bin(j) ? bin(i) < bin(j) : less(i, j);
  });
  return order;
}
const auto in_order = [](std::size_t, std::size_t) { return false; };

template <class Sorter>
void expect_order(const Sorter& sorter, const std::vector<int>& order) {
  const auto found = to_vector(sorter.get_permute_vector());
  ASSERT_EQ(found.size(), order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    ASSERT_EQ(static_cast<int>(found[i]), order[i]) << i;
}

HPK_TYPED_TEST(BinSort, own_bins_on_any_number_of_workers) {
  auto keys = make_keys<int>("random", 30000);
  for (int& key : keys) key = (key & 0xffff) + 1;
  const auto view = to_view<TypeParam>(keys);
  for (const int bins : {1, 10, 1000, 50000}) {
    const auto bin = [&](std::size_t i) { return keys[i] % bins; };
    const auto order = expected_order(0, keys.size(), bin, in_order);
    const auto inside = expected_order(
        0, keys.size(), bin, [&](std::size_t i, std::size_t j) { return keys[i] > keys[j]; });
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      hpk::BinSort<keys_view<TypeParam>, last_digits> sorter(exec, view, last_digits{bins});
      sorter.create_permute_vector(exec);
      expect_order(sorter, order);
      const auto offsets = to_vector(sorter.get_bin_offsets());
      const auto counts = to_vector(sorter.get_bin_count());
      ASSERT_EQ(offsets.size(), static_cast<std::size_t>(bins));
      std::size_t sum = 0;
      std::vector<std::size_t> expected(offsets.size());
      for (const int key : keys) ++expected[static_cast<std::size_t>(key % bins)];
      for (std::size_t b = 0; b < offsets.size(); ++b) {
        ASSERT_EQ(offsets[b], sum) << b;
        ASSERT_EQ(counts[b], expected[b]) << b;
        sum += expected[b];
      }
      hpk::BinSort<keys_view<TypeParam>, last_digits> in_bins(exec, view, last_digits{bins}, true);
      in_bins.create_permute_vector(exec);
      expect_order(in_bins, inside);
    }
  }
}

HPK_TYPED_TEST(BinSort, permutes_views_of_every_rank) {
  constexpr int n = 500;
  const auto keys = make_keys<int>("narrow", n);
  const auto view = to_view<TypeParam>(keys);
  hpk::BinSort<keys_view<TypeParam>, last_digits> sorter(view, last_digits());
  sorter.create_permute_vector();
  const auto order = expected_order(0, n, [&](std::size_t i) { return keys[i] % 10; }, in_order);
  const hpk::View<short*, TypeParam> one("one", n);
  const hpk::View<double**, hpk::LayoutLeft, TypeParam> two("two", n, 3);
  const hpk::View<int* [2][2], hpk::LayoutRight, TypeParam> three("three", n);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        one(i) = static_cast<short>(i);
        for (int j = 0; j < 3; ++j) two(i, j) = 10 * i + j;
        for (int j = 0; j < 4; ++j) three(i, j / 2, j % 2) = 10 * i + j;
      });
  sorter.sort(one);
  sorter.sort(TypeParam(), two);
  sorter.sort(three);
  sorter.sort(TypeParam(), view);
  const auto ones = hpk_test::on_host(one);
  const auto twos = hpk_test::on_host(two);
  const auto threes = hpk_test::on_host(three);
  const auto sorted = to_vector(view);
  for (int i = 0; i < n; ++i) {
    const int from = order[static_cast<std::size_t>(i)];
    ASSERT_EQ(ones(i), from) << i;
    ASSERT_EQ(sorted[static_cast<std::size_t>(i)], keys[static_cast<std::size_t>(from)]);
    for (int j = 0; j < 3; ++j) ASSERT_EQ(twos(i, j), 10 * from + j);
    for (int j = 0; j < 4; ++j) ASSERT_EQ(threes(i, j / 2, j % 2), 10 * from + j);
  }
}

HPK_TYPED_TEST(BinSort, ranges_of_keys_and_values) {
  const auto keys = make_keys<int>("narrow", 100);
  const auto view = to_view<TypeParam>(keys);
  hpk::BinSort<keys_view<TypeParam>, last_digits> sorter(view, 20, 70, last_digits());
  sorter.create_permute_vector();
  const auto order = expected_order(20, 70, [&](std::size_t i) { return keys[i] % 10; }, in_order);
  expect_order(sorter, order);
  std::vector<int> numbers(80);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto values = to_view<TypeParam>(numbers);
  sorter.sort(values, 10, 60);
  const auto found = to_vector(values);
  for (int i = 0; i < 80; ++i) {
    const bool moved = i >= 10 && i < 60;
    const int expected = moved ? order[static_cast<std::size_t>(i - 10)] - 10 : i;
    ASSERT_EQ(found[static_cast<std::size_t>(i)], expected) << i;
  }
  hpk::BinSort<keys_view<TypeParam>, last_digits> none(view, 5, 5, last_digits());
  none.create_permute_vector();
  none.sort(values, 7, 7);
  EXPECT_EQ(to_vector(none.get_bin_count()), std::vector<std::size_t>(10, 0));
}

HPK_TYPED_TEST(BinSort, uniform_bins) {
  using view_type = hpk::View<double*, TypeParam>;
  const std::vector<double> keys = {0.95, 0.0, 1.0, 0.1, 0.55, 0.51, 0.999, 0.05};
  const auto view = to_view<TypeParam>(keys);
  const hpk::BinOp1D<view_type> op(10, 0.0, 1.0);
  EXPECT_EQ(op.max_bins(), 11);
  hpk::BinSort<view_type, hpk::BinOp1D<view_type>> sorter(view, op, true);
  sorter.create_permute_vector();
  sorter.sort(view);
  auto sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(to_vector(view), sorted);
  const auto counts = to_vector(sorter.get_bin_count());
  EXPECT_EQ(counts[9], 2u);   // 0.95, 0.999
  EXPECT_EQ(counts[10], 1u);  // 1.0
  // Equal limits give one bin.
  const hpk::BinOp1D<view_type> flat(10, 3.0, 3.0);
  const auto same = to_view<TypeParam>(std::vector<double>(5, 3.0));
  hpk::BinSort<view_type, hpk::BinOp1D<view_type>> all(same, flat);
  all.create_permute_vector();
  EXPECT_EQ(to_vector(all.get_bin_count())[0], 5u);
}

HPK_TYPED_TEST(BinSort, assigned_after_a_default_constructor) {
  using view_type = hpk::View<double*, TypeParam>;
  struct binning {
    hpk::BinSort<view_type, hpk::BinOp1D<view_type>> sorter;
    hpk::BinOp1D<view_type> op;
  };
  binning made;
  EXPECT_EQ(made.op.max_bins(), 0);
  EXPECT_EQ(hpk::BinOp3D<view_type>().max_bins(), 0);
  EXPECT_EQ(made.sorter.get_bin_count().extent(0), 0u);
  made.op = hpk::BinOp1D<view_type>(2, 0.0, 1.0);
  const auto keys = to_view<TypeParam>(std::vector<double>{0.75, 0.5, 0.25});
  made.sorter = {keys, made.op};
  made.sorter.create_permute_vector();
  expect_order(made.sorter, {2, 0, 1});
}

HPK_TYPED_TEST(BinSort, on_another_space_than_that_of_the_keys) {
  using exec_type =
      std::conditional_t<hpk::SpaceAccessibility<TypeParam, hpk::HostSpace>::accessible,
                         hpk::Serial, TypeParam>;
  const auto keys = make_keys<int>("narrow", 1000);
  const auto view = to_view<TypeParam>(keys);
  const exec_type exec;
  using sorter_type = hpk::BinSort<keys_view<TypeParam>, last_digits,
                                   typename keys_view<TypeParam>::device_type, unsigned>;
  sorter_type sorter(exec, view, last_digits(), true);
  sorter.create_permute_vector(exec);
  const auto order = expected_order(
      0, keys.size(), [&](std::size_t i) { return keys[i] % 10; },
      [&](std::size_t i, std::size_t j) { return keys[i] > keys[j]; });
  expect_order(sorter, order);
  sorter.sort(exec, view);
  const auto sorted = to_vector(view);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    ASSERT_EQ(sorted[i], keys[static_cast<std::size_t>(order[i])]) << i;
}

HPK_TYPED_TEST(BinSort, bins_of_a_box) {
  using view_type = hpk::View<float* [3], TypeParam>;
  constexpr int n = 2000;
  const view_type keys("points", n);
  hpk::parallel_for(
      hpk::RangePolicy<TypeParam>(0, n), HPK_LAMBDA(int i) {
        for (int d = 0; d < 3; ++d)
          keys(i, d) = static_cast<float>((i * (17 + 2 * d) + d) % 101) * 0.01f;
      });
  const int bins[3] = {4, 3, 5};
  const float low[3] = {0, 0, 0};
  const float high[3] = {1, 1, 1};
  const hpk::BinOp3D<view_type> op(bins, low, high);
  EXPECT_EQ(op.max_bins(), 60);
  const auto before = hpk_test::on_host(keys);
  const auto coordinate = [&](std::size_t i, int d) { return before(i, d); };
  const auto bin = [&](std::size_t i) {
    int number = 0;
    for (int d = 0; d < 3; ++d)
      number =
          number * bins[d] +
          std::min(static_cast<int>(static_cast<double>(coordinate(i, d)) * bins[d]), bins[d] - 1);
    return number;
  };
  hpk::BinSort<view_type, hpk::BinOp3D<view_type>> sorter(keys, op, true);
  sorter.create_permute_vector();
  expect_order(sorter, expected_order(0, n, bin, [&](std::size_t i, std::size_t j) {
                 for (int d = 0; d < 3; ++d)
                   if (coordinate(i, d) != coordinate(j, d))
                     return coordinate(i, d) < coordinate(j, d);
                 return false;
               }));
}

HPK_TYPED_TEST(BinSort, misuse_is_an_error) {
  using view_type = hpk::View<double*, TypeParam>;
  const auto keys = to_view<TypeParam>(std::vector<double>{0.5, 0.1, 7.5, 0.2});
  const TypeParam exec;
  const hpk::BinOp1D<view_type> op(10, 0.0, 1.0);
  using sorter_type = hpk::BinSort<view_type, hpk::BinOp1D<view_type>>;
  sorter_type sorter(exec, keys, op);
  hpk_test::expect_error([&] { sorter.create_permute_vector(exec); },
                         {"hpk::BinSort: key 2 of View \"elements\" of 4 belongs to bin 75, but "
                          "there are 11 bins",
                          "bin_sort.cpp"});
  hpk_test::expect_error([&] { sorter.sort(exec, keys); },
                         {"there is no permutation yet; call create_permute_vector()"});
  hpk_test::expect_error([&] { sorter_type(exec, keys, 2, 5, op); },
                         {"hpk::BinSort: [2, 5) is not a range", "4 elements"});
  hpk_test::expect_error([&] { hpk::BinOp1D<view_type>(0, 0.0, 1.0); },
                         {"hpk::BinOp1D: there are 0 bins"});
  hpk_test::expect_error([&] { hpk::BinOp1D<view_type>(5, 1.0, 0.0); },
                         {"hpk::BinOp1D: the keys of dimension 0", "have the limits 1 and 0"});
  const auto ints = to_view<TypeParam>(std::vector<int>{3, 4, 5});
  hpk_test::expect_error(
      [&] { hpk::BinSort<keys_view<TypeParam>, last_digits>(ints, last_digits{0}); },
      {"hpk::BinSort: there are 0 bins"});
  hpk::BinSort<keys_view<TypeParam>, last_digits> good(ints, last_digits());
  good.create_permute_vector();
  hpk_test::expect_error([&] { good.sort(keys); },
                         {"hpk::BinSort::sort: 3 keys", "4 elements of View"});
  hpk_test::expect_error([&] { good.sort(keys_view<TypeParam>("none", 0)); },
                         {"hpk::BinSort::sort: 3 keys", "0 elements of View"});
  // After an error there is no permutation of earlier keys.
  hpk::deep_copy(hpk::subview(ints, 0), -1);
  hpk_test::expect_error([&] { good.create_permute_vector(); }, {"belongs to bin -1"});
  hpk_test::expect_error([&] { good.sort(ints); }, {"there is no permutation yet"});
}

}  // namespace
