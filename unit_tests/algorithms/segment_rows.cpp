// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every method by which devices sort segments. segmented_sort.cpp tests the one that a space
// chooses.
#include <hpk/algorithms/detail/segment_rows.hpp>
#include <hpk/containers/functional.hpp>

#include <algorithms/host_library.hpp>
#include <algorithms/sort_inputs.hpp>

#include <algorithm>
#include <cstring>
#include <limits>

namespace {

using hpk::index_t;
using hpk_test::make_keys;
using hpk_test::to_vector;
using hpk_test::to_view;
namespace sorting = hpk::detail::sorting;

template <class Exec>
class SegmentRows : public testing::Test {};
TYPED_TEST_SUITE(SegmentRows, hpk_test::spaces, hpk_test::space_names);

enum class way { library, radix, chosen };

// Sorts the segments from the third on by one method and checks the bits.
template <class Exec, class T, class Less, class Offset>
void sort_and_compare(way how, const std::vector<T>& keys, const Less& less,
                      const std::vector<Offset>& offsets) {
  using order = sorting::order_of_t<T, Less>;
  const Exec exec;
  const auto view = to_view<Exec>(keys);
  const auto begins = to_view<Exec>(offsets);
  const index_t from = 2;
  const auto end = static_cast<index_t>(offsets.size()) - 1;
  const auto begin_of = [&](index_t s) {
    return static_cast<index_t>(offsets[static_cast<std::size_t>(s)]);
  };
  const index_t first = begin_of(from);
  const index_t n = begin_of(end) - first;
  const auto row = sorting::make_row(view, first);
  const sorting::segment_list<sorting::view_row<std::remove_const_t<decltype(begins)>>> list{
      sorting::make_row(begins), from, end - from, first};
  if (how == way::library)
    sorting::library_sort_segments<order, hpk_test::host_library>("sort", exec, row, n, list);
  if (how == way::radix) sorting::radix_sort_segments<order>("sort", exec, row, n, list);
  if (how == way::chosen)
    sorting::sort_segments_of_device("sort", exec, view, begins, from, end, begin_of, less);
  auto expected = keys;
  for (index_t s = from; s < end; ++s)
    std::stable_sort(expected.begin() + begin_of(s), expected.begin() + begin_of(s + 1),
                     [](const T& a, const T& b) { return order::to_bits(a) < order::to_bits(b); });
  const auto sorted = to_vector(view);
  EXPECT_EQ(std::memcmp(sorted.data(), expected.data(), keys.size() * sizeof(T)), 0);
}

template <class Exec, class T>
void sort_all_ways(const std::vector<T>& keys) {
  if constexpr (!sorting::sorts_on_host<Exec>) {
    const std::vector<int> some = {0, 0, 9, 9, 10, 12, 100, 100, 500, 777};
    // One segment contains all elements.
    const std::vector<index_t> one = {3, 4, 4, 4, 777, 777};
    const std::vector<unsigned short> none = {3, 4, 4, 4, 4};
    std::vector<unsigned> many(700);
    for (std::size_t s = 0; s != many.size(); ++s) many[s] = static_cast<unsigned>(s);
    for (const way how : {way::library, way::radix, way::chosen}) {
      sort_and_compare<Exec>(how, keys, sorting::default_less(), some);
      sort_and_compare<Exec>(how, keys, hpk::greater<T>(), some);
      sort_and_compare<Exec>(how, keys, sorting::default_less(), many);
      sort_and_compare<Exec>(how, keys, hpk::greater<T>(), one);
    }
    sort_and_compare<Exec>(way::chosen, keys, hpk::less<T>(), none);
  }
}

TYPED_TEST(SegmentRows, integers) {
  sort_all_ways<TypeParam>(make_keys<signed char>("random", 800));
  sort_all_ways<TypeParam>(make_keys<unsigned short>("random", 800));
  sort_all_ways<TypeParam>(make_keys<int>("random", 800));
  sort_all_ways<TypeParam>(make_keys<unsigned>("random", 800));
  sort_all_ways<TypeParam>(make_keys<long>("random", 800));
  sort_all_ways<TypeParam>(make_keys<std::uint64_t>("few values", 800));
}
template <class T>
std::vector<T> special_numbers() {
  auto keys = make_keys<T>("random", 800);
  const T nan = std::numeric_limits<T>::quiet_NaN();
  for (std::size_t i = 0; i < keys.size(); i += 5) {
    const T special[] = {T{0}, -T{0}, nan, -nan, std::numeric_limits<T>::infinity()};
    keys[i] = special[i / 5 % 5];
  }
  return keys;
}
TYPED_TEST(SegmentRows, floating_numbers) {
  sort_all_ways<TypeParam>(special_numbers<float>());
  sort_all_ways<TypeParam>(special_numbers<double>());
}
TEST(SegmentRowsOnHosts, large_segments_are_sorted_by_all_blocks) {
  EXPECT_TRUE(sorting::are_small_segments(10000, 10000));
  EXPECT_TRUE(sorting::are_small_segments(100000, 1 << 24));
  EXPECT_FALSE(sorting::are_small_segments(100000, 200000));
}

}  // namespace
