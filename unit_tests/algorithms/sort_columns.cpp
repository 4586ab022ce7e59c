// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sort through a device library, here a library that runs on the host. sort.cpp tests the other
// sorts.
#include <hpk/algorithms/detail/sort_columns.hpp>
#include <hpk/containers/functional.hpp>

#include <algorithms/host_library.hpp>
#include <support/bits.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

namespace {

using hpk::index_t;
namespace sorting = hpk::detail::sorting;
using hpk_test::host_library;

template <class Exec>
class RadixRows : public testing::Test {};
TYPED_TEST_SUITE(RadixRows, hpk_test::spaces, hpk_test::space_names);

// Sorts any number of columns, from Views with or without gaps, and checks the result.
template <class Order, class Exec, class T, class... Vs>
void sort_and_compare(const std::vector<T>& keys, index_t stride, const Vs&... value_of) {
  if constexpr (!sorting::sorts_on_host<Exec>) {
    const Exec exec;
    const auto n = static_cast<index_t>(keys.size());
    const auto make = [&](auto get) {
      using value = decltype(get(std::size_t{0}));
      const hpk::View<value*, Exec> memory("memory", n * stride);
      const hpk::View<value*, hpk::LayoutStride, Exec> view(
          memory.data(),
          hpk::LayoutStride(static_cast<std::size_t>(n), static_cast<std::size_t>(stride)));
      const auto host = hpk::create_mirror_view(memory);
      for (index_t i = 0; i != n; ++i) host(i * stride) = get(static_cast<std::size_t>(i));
      hpk::deep_copy(memory, host);
      return std::pair(memory, view);
    };
    const auto sorted_keys = make([&](std::size_t i) { return keys[i]; });
    const auto columns = std::make_tuple(make(value_of)...);
    std::apply(
        [&](const auto&... column) {
          sorting::library_sort_rows<Order, host_library>(
              "sort", exec, sorting::make_row(sorted_keys.second),
              sorting::make_columns(sorting::make_row(column.second)...), n, 8 * sizeof(T));
        },
        columns);
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return Order::to_bits(keys[a]) < Order::to_bits(keys[b]);
    });
    const auto host_keys = hpk_test::on_host(sorted_keys.first);
    int wrong = 0;
    for (std::size_t i = 0; i != keys.size(); ++i)
      wrong += !hpk_test::same_bits<T>(host_keys(static_cast<index_t>(i) * stride), keys[order[i]]);
    EXPECT_EQ(wrong, 0);
    std::apply(
        [&](const auto&... column) {
          [[maybe_unused]] const auto compare = [&](const auto& memory, const auto& get) {
            const auto host = hpk_test::on_host(memory);
            for (std::size_t i = 0; i != keys.size(); ++i)
              wrong += host(static_cast<index_t>(i) * stride) != get(order[i]);
          };
          (compare(column.first, value_of), ...);
        },
        columns);
    EXPECT_EQ(wrong, 0);
  }
}

template <class T>
std::vector<T> some_keys(std::size_t n, std::uint64_t mask) {
  std::vector<T> keys(n);
  std::uint64_t x = 88172645463325252u;
  for (T& key : keys) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    const std::uint64_t bits = x & mask;
    std::memcpy(&key, &bits, sizeof key);
  }
  return keys;
}

template <class Exec, class T>
void sort_by_library(const std::vector<T>& keys) {
  using up = sorting::key_order<T>;
  using down = sorting::reverse_order<up>;
  const auto number = [](std::size_t i) { return static_cast<double>(i) + 0.5; };
  const auto small = [](std::size_t i) { return static_cast<short>(i); };
  for (const index_t stride : {1, 3}) {
    sort_and_compare<up, Exec>(keys, stride);
    sort_and_compare<down, Exec>(keys, stride, number);
    sort_and_compare<up, Exec>(keys, stride, number, small);
  }
}

TYPED_TEST(RadixRows, sort_integers_by_a_library) {
  sort_by_library<TypeParam>(some_keys<int>(1000, ~0ull));
  sort_by_library<TypeParam>(some_keys<long>(1000, ~0ull));
  sort_by_library<TypeParam>(some_keys<long>(1000, 0x80000000000000ffull));
  sort_by_library<TypeParam>(some_keys<long>(1000, 0xff00));
  sort_by_library<TypeParam>(some_keys<long>(10, 0));
}
TYPED_TEST(RadixRows, sort_floating_numbers_by_a_library) {
  auto keys = some_keys<double>(1000, ~0ull);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  keys[3] = 0.0, keys[5] = -0.0, keys[7] = nan, keys[8] = -nan, keys[9] = 0.0, keys[11] = -0.0;
  sort_by_library<TypeParam>(keys);
}

}  // namespace
