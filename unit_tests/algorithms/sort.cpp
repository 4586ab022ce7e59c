// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/algorithms/sort.hpp>

#include <algorithms/sort_inputs.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

using hpk::index_t;
using hpk_test::make_keys;
using hpk_test::to_vector;
using hpk_test::to_view;

const std::size_t lengths[] = {0, 1, 2, 3, 31, 32, 33, 100, 1023, 1025, 5000};

/// Compares by the tens, so that equal elements can be distinguished.
struct by_tens {
  HPK_FUNCTION bool operator()(int a, int b) const { return a / 10 < b / 10; }
};

template <class Exec>
class Sort : public testing::Test {};
TYPED_TEST_SUITE(Sort, hpk_test::spaces, hpk_test::space_names);

template <class Exec, class T>
void expect_sorted(const Exec& exec, const std::vector<std::size_t>& sizes) {
  for (const std::string& kind : hpk_test::kinds_of_input) {
    for (const std::size_t n : sizes) {
      auto expected = make_keys<T>(kind, n);
      const auto view = to_view<Exec>(expected);
      std::stable_sort(expected.begin(), expected.end());
      hpk::sort(exec, view);
      EXPECT_EQ(to_vector(view), expected) << kind << ", " << n;
    }
  }
}

HPK_TYPED_TEST(Sort, integers_of_every_size) {
  const TypeParam exec;
  expect_sorted<TypeParam, int>(exec, {std::begin(lengths), std::end(lengths)});
  expect_sorted<TypeParam, std::uint64_t>(exec, {500, 4097});
  expect_sorted<TypeParam, long long>(exec, {1000});
  expect_sorted<TypeParam, std::uint8_t>(exec, {1000});
  expect_sorted<TypeParam, short>(exec, {1000});
}

HPK_TYPED_TEST(Sort, floating_numbers) {
  const TypeParam exec;
  expect_sorted<TypeParam, double>(exec, {0, 1, 2, 500, 4097});
  expect_sorted<TypeParam, float>(exec, {1000});
}

// Enough elements for all workers to take part and for buckets to be sorted by parts of their bits.
HPK_TYPED_TEST(Sort, many_elements_on_any_number_of_workers) {
  // The number is smaller on devices, which are slow if emulated and do the same for any number.
  constexpr bool host = hpk_test::is_host<TypeParam>;
  auto expected = make_keys<double>("random", host ? 100000 : 5000);
  for (std::size_t i = 0; i < expected.size(); i += 3)
    expected[i] = 1.0 + 1e-13 * expected[i] / 1e19;
  const auto source = to_view<TypeParam>(expected);
  std::stable_sort(expected.begin(), expected.end());
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    const auto view = to_view<TypeParam>(to_vector(source));
    hpk::sort(exec, view);
    EXPECT_EQ(to_vector(view), expected);
    auto tens = make_keys<int>("few values", host ? 70001 : 5001);
    for (std::size_t i = 0; i < tens.size(); ++i)
      tens[i] = tens[i] * 10 + static_cast<int>(i * i % 10);
    const auto ints = to_view<TypeParam>(tens);
    std::stable_sort(tens.begin(), tens.end(), by_tens());
    hpk::stable_sort(exec, ints, by_tens());
    EXPECT_EQ(to_vector(ints), tens);
  }
}

template <class T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class Exec, class T>
void expect_special_order() {
  using limits = std::numeric_limits<T>;
  const std::vector<T> ordered = {-limits::infinity(),
                                  limits::lowest(),
                                  T(-1),
                                  -limits::min(),
                                  -limits::denorm_min(),
                                  T(-0.0),
                                  T(0.0),
                                  limits::denorm_min(),
                                  limits::min(),
                                  T(1),
                                  limits::max(),
                                  limits::infinity(),
                                  limits::quiet_NaN(),
                                  -limits::quiet_NaN()};
  std::vector<T> mixed;
  for (std::size_t i = 0; i < 140; ++i) mixed.push_back(ordered[i * 9 % 14]);
  const auto view = to_view<Exec>(mixed);
  hpk::sort(Exec(), view);
  const auto sorted = to_vector(view);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    EXPECT_EQ(bits_of(sorted[i]), bits_of(ordered[i / 10])) << i;
}

HPK_TYPED_TEST(Sort, special_numbers_have_an_order) {
  expect_special_order<TypeParam, double>();
  expect_special_order<TypeParam, float>();
}

HPK_TYPED_TEST(Sort, halves) {
  using half = hpk::Experimental::half_t;
  using bhalf = hpk::Experimental::bhalf_t;
  std::vector<half> halves;
  std::vector<bhalf> bhalves;
  for (int i = 0; i < 200; ++i) {
    halves.push_back(half(static_cast<float>(i * 37 % 200 - 100)));
    bhalves.push_back(bhalf(static_cast<float>(i * 37 % 200 - 100)));
  }
  halves[3] = half(-std::numeric_limits<float>::infinity());
  const auto a = to_view<TypeParam>(halves);
  const auto b = to_view<TypeParam>(bhalves);
  hpk::sort(TypeParam(), a);
  hpk::sort(TypeParam(), b);
  const auto sorted = to_vector(a);
  const auto bsorted = to_vector(b);
  EXPECT_TRUE(std::isinf(static_cast<float>(sorted[0])));
  for (std::size_t i = 1; i < 200; ++i) {
    EXPECT_LE(static_cast<float>(sorted[i - 1]), static_cast<float>(sorted[i]));
    EXPECT_EQ(static_cast<float>(bsorted[i]), static_cast<float>(static_cast<int>(i) - 100));
  }
}

HPK_TYPED_TEST(Sort, comparisons_are_stable) {
  for (const std::string& kind : hpk_test::kinds_of_input) {
    for (const std::size_t n : {0, 1, 2, 12, 13, 33, 1000, 4095}) {
      auto expected = make_keys<int>(kind, n);
      for (int& key : expected) key = key % 1000;
      const auto view = to_view<TypeParam>(expected);
      std::stable_sort(expected.begin(), expected.end(), by_tens());
      hpk::sort(TypeParam(), view, by_tens());
      EXPECT_EQ(to_vector(view), expected) << kind << ", " << n;
    }
  }
}

struct greater_int {
  HPK_FUNCTION bool operator()(const int& a, const int& b) const { return a > b; }
};

// Elements of any type in every layout, ranges of them, and every form of the call.
HPK_TYPED_TEST(Sort, ranges_and_layouts) {
  const TypeParam exec;
  const auto keys = make_keys<int>("random", 300);
  const auto expect_range = [&](const auto& view, index_t begin, index_t end, bool down) {
    auto expected = keys;
    if (down) {
      std::sort(expected.begin() + begin, expected.begin() + end, greater_int());
    } else {
      std::sort(expected.begin() + begin, expected.begin() + end);
    }
    EXPECT_EQ(to_vector(view), expected);
  };
  auto view = to_view<TypeParam>(keys);
  hpk::sort(view);
  expect_range(view, 0, 300, false);
  view = to_view<TypeParam>(keys);
  hpk::sort(view, greater_int());
  expect_range(view, 0, 300, true);
  view = to_view<TypeParam>(keys);
  hpk::sort(view, 10, 200);
  expect_range(view, 10, 200, false);
  view = to_view<TypeParam>(keys);
  hpk::stable_sort(view, 10, 200, greater_int());
  expect_range(view, 10, 200, true);
  view = to_view<TypeParam>(keys);
  hpk::sort(exec, view, 299, 300);
  hpk::sort("mine", exec, view, 10, 10);
  expect_range(view, 0, 0, false);
  hpk::sort("mine", exec, view, 0, 150, greater_int());
  expect_range(view, 0, 150, true);

  // A column and a row of a matrix, and a layout with a stride.
  const hpk::View<int**, hpk::LayoutRight, TypeParam> matrix("matrix", 300, 3);
  const auto column = hpk::subview(matrix, hpk::ALL, 1);
  hpk::deep_copy(exec, column, to_view<TypeParam>(keys));
  hpk::sort(exec, column, 20, 280);
  expect_range(column, 20, 280, false);
  hpk::deep_copy(exec, column, to_view<TypeParam>(keys));
  hpk::sort(exec, column, greater_int());
  expect_range(column, 0, 300, true);
  const auto others = hpk_test::on_host(matrix);
  for (int i = 0; i < 300; ++i) EXPECT_EQ(others(i, 0) + others(i, 2), 0);
}

HPK_TYPED_TEST(Sort, ranges_outside_are_errors) {
  const hpk::View<int*, TypeParam> view("numbers", 10);
  hpk_test::expect_error([&] { hpk::sort(TypeParam(), view, 3, 12); },
                         {"hpk::sort: [3, 12)", "\"numbers\" of 10 elements", "sort.cpp"});
  hpk_test::expect_error([&] { hpk::stable_sort(view, 5, 4); }, {"hpk::stable_sort: [5, 4)"});
  hpk_test::expect_error([&] { hpk::sort(view, -1, 4, greater_int()); }, {"[-1, 4)"});
}

template <class Exec>
class SortOnHosts : public testing::Test {};
TYPED_TEST_SUITE(SortOnHosts, hpk_test::host_spaces, hpk_test::space_names);

struct record {
  std::string name;
  int year = 0;
};
struct by_year {
  bool operator()(const record& a, const record& b) const { return a.year < b.year; }
};

HPK_TYPED_TEST(SortOnHosts, objects_that_own_memory) {
  const hpk::View<record*, TypeParam> view("records", 30000);
  std::vector<record> expected;
  for (int i = 0; i < 30000; ++i) {
    view(i) = {"record number " + std::to_string(i), i * 31 % 1000};
    expected.push_back(view(i));
  }
  std::stable_sort(expected.begin(), expected.end(), by_year());
  hpk::sort(TypeParam(), view, by_year());
  for (int i = 0; i < 30000; ++i)
    ASSERT_EQ(view(i).name, expected[static_cast<std::size_t>(i)].name);
}

HPK_TYPED_TEST(SortOnHosts, pointers_and_reversed_ranges) {
  auto keys = make_keys<float>("random", 1000);
  auto expected = keys;
  std::sort(expected.begin(), expected.end());
  hpk::sort(TypeParam(), keys.data(), keys.data() + keys.size());
  EXPECT_EQ(keys, expected);
  float* const end = keys.data() + 5;
  hpk_test::expect_error([&] { hpk::sort(TypeParam(), end, keys.data()); },
                         {"hpk::sort: the last iterator is 5 before the first"});
}

HPK_TYPED_TEST(SortOnHosts, a_crowded_bucket) {
  if constexpr (hpk_test::has_workers<TypeParam>) {
    auto expected = make_keys<std::uint32_t>("random", 300000);
    // One bucket contains most keys.
    for (std::size_t i = 0; i < 210000; ++i) expected[i * 10 / 7 % 300000] &= 0xffffff;
    const auto view = to_view<TypeParam>(expected);
    std::sort(expected.begin(), expected.end());
    hpk::sort(TypeParam(2), view);
    EXPECT_EQ(to_vector(view), expected);
  }
}

}  // namespace
