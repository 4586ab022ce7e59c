// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/support.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

using namespace c_test;

namespace {

using types = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                               std::uint16_t, std::uint32_t, std::uint64_t, float, double>;

// Values in no order, some of them equal, and negative ones where there are such.
template <class T>
std::vector<T> values(std::size_t n) {
  std::vector<T> result(n);
  for (std::size_t i = 0; i != n; ++i) {
    const int value = static_cast<int>((i * 37 + 11) % 101);
    result[i] = static_cast<T>(std::is_signed_v<T> ? value - 50 : value);
  }
  return result;
}
const std::size_t sizes[] = {0, 1, 2, 1023, 1025, 5000};

double number_of(const hpk_scalar& s) {
  return s.type >= HPK_TYPE_FLOAT16                              ? s.f
         : s.type >= HPK_TYPE_UINT8 && s.type < HPK_TYPE_FLOAT16 ? static_cast<double>(s.u)
                                                                 : static_cast<double>(s.i);
}
double reduce(const view& x, const char* name, const hpk_instance* on = nullptr) {
  hpk_scalar result{};
  EXPECT_EQ(hpk_reduce(x, name, on, &result), HPK_OK) << hpk_last_error();
  return number_of(result);
}

}  // namespace

template <class T>
class CAlgorithms : public ::testing::Test {};
TYPED_TEST_SUITE(CAlgorithms, types);

TYPED_TEST(CAlgorithms, reduce) {
  using T = TypeParam;
  for (const std::string& space : spaces()) {
    hpk_instance* instance = nullptr;
    ASSERT_EQ(hpk_instance_create(space.c_str(), 0, &instance), HPK_OK);
    for (const std::size_t n : sizes) {
      const auto v = values<T>(n);
      const view rows[] = {make_row(v, space.c_str()), make_row_with_gaps(v, space.c_str())};
      for (const view& x : rows) {
        EXPECT_EQ(reduce(x, "sum", instance), std::accumulate(v.begin(), v.end(), 0.0));
        EXPECT_EQ(
            reduce(x, "count", instance),
            static_cast<double>(n) - static_cast<double>(std::count(v.begin(), v.end(), T(0))));
        EXPECT_EQ(reduce(x, "any"), n > 0 ? 1 : 0);
        EXPECT_EQ(reduce(x, "all"), std::count(v.begin(), v.end(), T(0)) == 0 ? 1 : 0);
        hpk_scalar dot{};
        EXPECT_EQ(hpk_dot(x, x, instance, &dot), HPK_OK) << hpk_last_error();
        EXPECT_EQ(number_of(dot), std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
        if (n == 0) continue;
        EXPECT_EQ(reduce(x, "min", instance),
                  static_cast<double>(*std::min_element(v.begin(), v.end())));
        EXPECT_EQ(reduce(x, "max", instance),
                  static_cast<double>(*std::max_element(v.begin(), v.end())));
      }
    }
    EXPECT_EQ(reduce(make_row(std::vector<T>{2, 3, 1, 7}, space.c_str()), "prod", instance), 42);
    EXPECT_EQ(reduce(make_row(std::vector<T>{}, space.c_str()), "prod", instance), 1);
    hpk_instance_destroy(instance);
  }
}

TYPED_TEST(CAlgorithms, scan) {
  using T = TypeParam;
  for (const std::string& space : spaces()) {
    for (const std::size_t n : sizes) {
      const auto v = values<T>(n);
      const view rows[] = {make_row(v, space.c_str()), make_row_with_gaps(v, space.c_str())};
      for (const view& from : rows) {
        if (n != 1025 && &from != rows) continue;
        for (const view& x : {make_row(v, space.c_str()), make_row_with_gaps(v, space.c_str())}) {
          std::vector<T> expected(n);
          std::partial_sum(v.begin(), v.end(), expected.begin(),
                           [](T a, T b) { return static_cast<T>(a + b); });
          ASSERT_EQ(hpk_scan(x, from, "sum", 0, nullptr), HPK_OK) << hpk_last_error();
          EXPECT_EQ(read<T>(x), expected);
          for (std::size_t i = 0; i != n; ++i)
            expected[i] = i == 0 ? T(0) : static_cast<T>(expected[i] - v[i]);
          ASSERT_EQ(hpk_scan(x, from, "sum", 1, nullptr), HPK_OK);
          EXPECT_EQ(read<T>(x), expected);
          std::partial_sum(v.begin(), v.end(), expected.begin(),
                           [](T a, T b) { return std::max(a, b); });
          ASSERT_EQ(hpk_scan(x, from, "max", 0, nullptr), HPK_OK);
          EXPECT_EQ(read<T>(x), expected);
        }
      }
      view in_place = make_row(v, space.c_str());
      ASSERT_EQ(hpk_scan(in_place, in_place, "min", 0, nullptr), HPK_OK);
      std::vector<T> expected(n);
      std::partial_sum(v.begin(), v.end(), expected.begin(),
                       [](T a, T b) { return std::min(a, b); });
      EXPECT_EQ(read<T>(in_place), expected);
    }
  }
}

TYPED_TEST(CAlgorithms, exclusive_scan_begins_with_the_identity_of_the_type) {
  using T = TypeParam;
  using limits = std::numeric_limits<T>;
  const view from = make_row(std::vector<T>{5, 3, 4});
  view to = make_row(std::vector<T>(3));
  const auto scan = [&](const char* name) {
    EXPECT_EQ(hpk_scan(to, from, name, 1, nullptr), HPK_OK) << hpk_last_error();
    return read<T>(to);
  };
  const T most = limits::has_infinity ? limits::infinity() : limits::max();
  const T least = limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
  EXPECT_EQ(scan("min"), (std::vector<T>{most, 5, 3}));
  EXPECT_EQ(scan("max"), (std::vector<T>{least, 5, 5}));
  EXPECT_EQ(scan("prod"), (std::vector<T>{1, 5, 15}));
}

TYPED_TEST(CAlgorithms, random_integers_reach_the_largest) {
  using T = TypeParam;
  if constexpr (std::is_integral_v<T> && sizeof(T) < 8) {
    view x = make_row(std::vector<T>(2000));
    const double most = std::numeric_limits<T>::max();
    ASSERT_EQ(hpk_fill_random(x, "uniform", 1, most - 3, most + 1, nullptr), HPK_OK)
        << hpk_last_error();
    EXPECT_EQ(reduce(x, "max"), most);
    EXPECT_EQ(reduce(x, "min"), most - 3);
    EXPECT_EQ(hpk_fill_random(x, "uniform", 1, 0, most + 2, nullptr), HPK_INVALID_ARGUMENT);
  }
}

TYPED_TEST(CAlgorithms, sort) {
  using T = TypeParam;
  for (const std::string& space : spaces()) {
    for (const std::size_t n : sizes) {
      auto v = values<T>(n);
      if (n > 1) {
        v[0] = std::numeric_limits<T>::max();
        v[1] = std::numeric_limits<T>::lowest();
      }
      view x = make_row(v, space.c_str());
      view gaps = make_row_with_gaps(v, space.c_str());
      std::vector<T> places(n);
      std::iota(places.begin(), places.end(), T(0));
      view keys = make_row(v, space.c_str());
      view order = make_row(places, space.c_str());
      std::sort(v.begin(), v.end());
      ASSERT_EQ(hpk_sort(x, 0, nullptr), HPK_OK) << hpk_last_error();
      EXPECT_EQ(read<T>(x), v);
      std::reverse(v.begin(), v.end());
      ASSERT_EQ(hpk_sort(gaps, 1, nullptr), HPK_OK) << hpk_last_error();
      EXPECT_EQ(read<T>(gaps), v);
      ASSERT_EQ(hpk_sort_by_key(keys, order, 1, nullptr), HPK_OK) << hpk_last_error();
      EXPECT_EQ(read<T>(keys), v);
    }
  }
}

TEST(CReduce, has_the_same_bits_for_any_space_and_instance) {
  std::vector<double> v(100000);
  for (std::size_t i = 0; i != v.size(); ++i) v[i] = std::sin(static_cast<double>(i) * 0.37);
  view x = make_row(v);
  const double sum = reduce(x, "sum");
  EXPECT_NEAR(sum, std::accumulate(v.begin(), v.end(), 0.0), 1e-9);
  for (const std::string& space : spaces()) {
    if (hpk_is_host_accessible(hpk_memory_space(space.c_str())) != 1) continue;
    hpk_instance* instance = nullptr;
    ASSERT_EQ(hpk_instance_create(space.c_str(), 0, &instance), HPK_OK);
    EXPECT_EQ(reduce(x, "sum", instance), sum) << space;
    hpk_instance_destroy(instance);
  }
}

// Lanes of a GPU read neighbouring elements also of memory that hosts can access.
TEST(CReduce, of_a_device_has_the_same_bits_in_any_memory) {
  std::vector<double> v(100000);
  for (std::size_t i = 0; i != v.size(); ++i) v[i] = std::sin(static_cast<double>(i) * 0.37);
  for (const std::string& space : spaces()) {
    const std::string memory = hpk_memory_space(space.c_str());
    if (hpk_is_host_accessible(memory.c_str()) != 0) continue;
    hpk_instance* instance = nullptr;
    ASSERT_EQ(hpk_instance_create(space.c_str(), 0, &instance), HPK_OK);
    const double sum = reduce(make_row(v, memory.c_str()), "sum", instance);
    int shared_memories = 0;
    for (const char* kind : {"UVM", "Managed", "HostPinned"}) {
      const std::string shared = space + kind;
      if (hpk_is_host_accessible(shared.c_str()) < 0) continue;
      ++shared_memories;
      const view x = make_row(v, shared.c_str());
      EXPECT_EQ(reduce(x, "sum", instance), sum) << shared;
      hpk_scalar dot{};
      EXPECT_EQ(hpk_dot(x, x, instance, &dot), HPK_OK) << hpk_last_error();
      EXPECT_NEAR(dot.f, 50000, 10);
      EXPECT_EQ(hpk_scan(x, x, "max", 0, instance), HPK_OK) << hpk_last_error();
      EXPECT_EQ(read<double>(x).back(), *std::max_element(v.begin(), v.end()));
      EXPECT_EQ(hpk_sort(x, 1, instance), HPK_OK) << hpk_last_error();
      EXPECT_EQ(read<double>(x).back(), v[0]);
    }
    EXPECT_GT(shared_memories, 0) << space;
    hpk_instance_destroy(instance);
  }
}

TEST(CReduce, keeps_the_type_of_extrema_and_widens_sums) {
  hpk_scalar s{};
  view x = make_row(std::vector<std::int8_t>(1000, 100));
  ASSERT_EQ(hpk_reduce(x, "sum", nullptr, &s), HPK_OK);
  EXPECT_EQ(s.type, HPK_TYPE_INT64);
  EXPECT_EQ(s.i, 100000);
  ASSERT_EQ(hpk_reduce(x, "max", nullptr, &s), HPK_OK);
  EXPECT_EQ(s.type, HPK_TYPE_INT8);
  ASSERT_EQ(hpk_reduce(x, "all", nullptr, &s), HPK_OK);
  EXPECT_EQ(s.type, HPK_TYPE_BOOL);
  view u = make_row(std::vector<std::uint64_t>{~std::uint64_t{0}, 1});
  ASSERT_EQ(hpk_reduce(u, "max", nullptr, &s), HPK_OK);
  EXPECT_EQ(s.type, HPK_TYPE_UINT64);
  EXPECT_EQ(s.u, ~std::uint64_t{0});
}

TEST(CReduce, of_integers_wraps_around) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  const view x = make_row(std::vector<std::int64_t>{most, 2});
  hpk_scalar s{};
  ASSERT_EQ(hpk_reduce(x, "sum", nullptr, &s), HPK_OK);
  EXPECT_EQ(s.i, std::numeric_limits<std::int64_t>::lowest() + 1);
  ASSERT_EQ(hpk_reduce(x, "prod", nullptr, &s), HPK_OK);
  EXPECT_EQ(s.i, -2);
  ASSERT_EQ(hpk_dot(x, x, nullptr, &s), HPK_OK);
  EXPECT_EQ(s.i, 1 + 4);
}

TEST(CReduce, of_infinities) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(reduce(make_row(std::vector<double>(40, infinity)), "min"), infinity);
  EXPECT_EQ(reduce(make_row(std::vector<double>(40, -infinity)), "max"), -infinity);
}

TEST(CReduce, of_a_nan_is_a_nan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> v(3000, 1.0);
  for (const std::size_t at : {0u, 1500u, 2999u}) {
    auto with_nan = v;
    with_nan[at] = nan;
    EXPECT_TRUE(std::isnan(reduce(make_row(with_nan), "min"))) << at;
    EXPECT_TRUE(std::isnan(reduce(make_row(with_nan), "max"))) << at;
  }
}

TEST(CReduce, of_complex_numbers) {
  using number = std::complex<double>;
  const view x = make_row(std::vector<number>{{1, 2}, {3, -1}, {0, 0}});
  hpk_scalar s{};
  ASSERT_EQ(hpk_reduce(x, "sum", nullptr, &s), HPK_OK);
  EXPECT_EQ(number(s.f, s.imag), number(4, 1));
  ASSERT_EQ(hpk_dot(x, x, nullptr, &s), HPK_OK);
  EXPECT_EQ(number(s.f, s.imag), number(15, 0));
  EXPECT_EQ(reduce(x, "count"), 2);
  expect_error(hpk_reduce(x, "min", nullptr, &s), HPK_TYPE_MISMATCH,
               "hpk_reduce \"x\": the elements are complex128, which have no order");
}

TEST(CReduce, of_wrong_arguments_is_an_error) {
  hpk_scalar s{};
  const view x = make(HPK_TYPE_FLOAT32, {0});
  expect_error(hpk_reduce(x, "min", nullptr, &s), HPK_INVALID_ARGUMENT,
               "hpk_reduce \"x\": the minimum of no elements does not exist");
  expect_error(hpk_reduce(x, "mean", nullptr, &s), HPK_INVALID_ARGUMENT,
               "there is no reduction 'mean'; write sum, prod, min, max, all, any or count");
  expect_error(hpk_reduce(nullptr, "sum", nullptr, &s), HPK_INVALID_ARGUMENT, "view is null");
  expect_error(hpk_dot(x, make(HPK_TYPE_FLOAT32, {1}), nullptr, &s), HPK_TYPE_MISMATCH, "extents");
}

TEST(CScan, of_integers_wraps_around) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  constexpr auto least = std::numeric_limits<std::int64_t>::lowest();
  for (const std::string& space : spaces()) {
    view x = make_row(std::vector<std::int64_t>{most, 2, 3}, space.c_str());
    view sums = make_row(std::vector<std::int64_t>(3), space.c_str());
    ASSERT_EQ(hpk_scan(sums, x, "sum", 0, nullptr), HPK_OK) << hpk_last_error();
    EXPECT_EQ(read<std::int64_t>(sums), (std::vector<std::int64_t>{most, least + 1, least + 4}));
    ASSERT_EQ(hpk_scan(x, x, "sum", 1, nullptr), HPK_OK) << hpk_last_error();
    EXPECT_EQ(read<std::int64_t>(x), (std::vector<std::int64_t>{0, most, least + 1}));
  }
}

TEST(CScan, of_views_that_overlap) {
  for (const std::string& space : spaces()) {
    for (const char* name : {"sum", "prod"}) {
      std::vector<double> v(3000);
      for (std::size_t i = 0; i != v.size(); ++i) v[i] = i % 3 == 0 ? 2 : i % 3 == 1 ? 0.5 : 1;
      view x = make_row(v, space.c_str());
      const std::int64_t begin[] = {0, 1};
      const std::int64_t count = 2999;
      view from;
      view to;
      ASSERT_EQ(hpk_view_slice(x, &begin[0], &count, nullptr, nullptr, from.out()), HPK_OK);
      ASSERT_EQ(hpk_view_slice(x, &begin[1], &count, nullptr, nullptr, to.out()), HPK_OK);
      ASSERT_EQ(hpk_scan(to, from, name, 0, nullptr), HPK_OK) << hpk_last_error();
      std::vector<double> expected(v.size(), v[0]);
      double last = *name == 's' ? 0 : 1;
      for (std::size_t i = 1; i != v.size(); ++i)
        expected[i] = last = *name == 's' ? last + v[i - 1] : last * v[i - 1];
      EXPECT_EQ(read<double>(x), expected) << space << ' ' << name;
    }
  }
}

TEST(CScan, of_wrong_arguments_is_an_error) {
  const view x = make(HPK_TYPE_FLOAT32, {2, 2});
  expect_error(hpk_scan(x, x, "sum", 0, nullptr), HPK_TYPE_MISMATCH,
               "hpk_scan \"x\": the rank is 2, and must be 1");
  const view b = make(HPK_TYPE_BOOL, {2});
  expect_error(hpk_scan(b, b, "sum", 0, nullptr), HPK_TYPE_MISMATCH, "copy them to integers");
  const view y = make(HPK_TYPE_FLOAT32, {2});
  expect_error(hpk_scan(y, y, "mean", 0, nullptr), HPK_INVALID_ARGUMENT, "there is no scan 'mean'");
  const view z = make(HPK_TYPE_COMPLEX64, {2});
  expect_error(hpk_scan(z, z, "max", 0, nullptr), HPK_TYPE_MISMATCH, "no order");
}

TEST(CSort, puts_nan_last_and_orders_infinities_and_signs) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> v{nan, 1, -infinity, -0.5, -nan, infinity, 0, -2};
  for (const int descending : {0, 1}) {
    view x = make_row(v);
    ASSERT_EQ(hpk_sort(x, descending, nullptr), HPK_OK);
    auto sorted = read<double>(x);
    EXPECT_TRUE(std::isnan(sorted[6]) && std::isnan(sorted[7]));
    sorted.resize(6);
    std::vector<double> expected{-infinity, -2, -0.5, 0, 1, infinity};
    if (descending != 0) std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(sorted, expected);
  }
}

TEST(CSort, by_key_keeps_the_order_of_equal_keys) {
  for (const std::string& space : spaces()) {
    for (const int descending : {0, 1}) {
      const std::size_t n = 3000;
      std::vector<std::int32_t> k(n);
      std::vector<std::complex<double>> p(n);
      for (std::size_t i = 0; i != n; ++i) {
        k[i] = static_cast<std::int32_t>((i * 7919) % 13) - 6;
        p[i] = {static_cast<double>(i), -1};
      }
      std::vector<std::size_t> order(n);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return descending != 0 ? k[a] > k[b] : k[a] < k[b];
      });
      view keys = make_row(k, space.c_str());
      view payload = make_row_with_gaps(p, space.c_str());
      ASSERT_EQ(hpk_sort_by_key(keys, payload, descending, nullptr), HPK_OK) << hpk_last_error();
      const auto sorted_keys = read<std::int32_t>(keys);
      const auto sorted = read<std::complex<double>>(payload);
      for (std::size_t i = 0; i != n; ++i) {
        ASSERT_EQ(sorted_keys[i], k[order[i]]);
        ASSERT_EQ(sorted[i], p[order[i]]) << space << ' ' << i;
      }
    }
  }
}

TEST(CSort, by_key_takes_zeros_of_both_signs_as_equal) {
  for (const int descending : {0, 1}) {
    view keys = make_row(std::vector<double>{0.0, -0.0, 0.0, -0.0});
    view values = make_row(std::vector<std::int32_t>{0, 1, 2, 3});
    ASSERT_EQ(hpk_sort_by_key(keys, values, descending, nullptr), HPK_OK);
    EXPECT_EQ(read<std::int32_t>(values), (std::vector<std::int32_t>{0, 1, 2, 3}));
    EXPECT_TRUE(std::signbit(read<double>(keys)[1]));
  }
  view x = make_row(std::vector<double>{0.0, -0.0});
  ASSERT_EQ(hpk_sort(x, 0, nullptr), HPK_OK);
  EXPECT_TRUE(std::signbit(read<double>(x)[0]) && !std::signbit(read<double>(x)[1]));
}

TEST(CSort, by_key_of_columns_but_not_of_the_same_elements) {
  view x = make(HPK_TYPE_INT32, {3, 2});
  write(x, std::vector<std::int32_t>{3, 10, 1, 20, 2, 30});
  const std::int64_t begin[][2] = {{0, 0}, {0, 1}};
  const std::int64_t count[] = {3, 1};
  const int drop[] = {0, 1};
  view keys;
  view values;
  ASSERT_EQ(hpk_view_slice(x, begin[0], count, nullptr, drop, keys.out()), HPK_OK);
  ASSERT_EQ(hpk_view_slice(x, begin[1], count, nullptr, drop, values.out()), HPK_OK);
  ASSERT_EQ(hpk_sort_by_key(keys, values, 0, nullptr), HPK_OK) << hpk_last_error();
  EXPECT_EQ(read<std::int32_t>(x), (std::vector<std::int32_t>{1, 20, 2, 30, 3, 10}));
  expect_error(hpk_sort_by_key(keys, keys, 0, nullptr), HPK_INVALID_ARGUMENT,
               "keys and values share elements");
}

TEST(CSort, of_wrong_arguments_is_an_error) {
  const view z = make(HPK_TYPE_COMPLEX64, {2});
  expect_error(hpk_sort(z, 0, nullptr), HPK_TYPE_MISMATCH,
               "hpk_sort \"x\": the elements are complex64");
  const view x = make(HPK_TYPE_INT32, {3});
  expect_error(hpk_sort_by_key(x, z, 0, nullptr), HPK_TYPE_MISMATCH,
               "hpk_sort_by_key \"x\": there are 3 keys and 2 values in \"x\"");
  expect_error(hpk_sort(make(HPK_TYPE_INT32, {2, 2}), 0, nullptr), HPK_TYPE_MISMATCH,
               "the rank is 2");
}

TEST(CRandom, depends_on_seed_and_position_alone) {
  view reference = make(HPK_TYPE_FLOAT64, {40, 50});
  ASSERT_EQ(hpk_fill_random(reference, "uniform", 7, -1, 3, nullptr), HPK_OK) << hpk_last_error();
  const auto expected = read<double>(reference);
  for (const std::string& space : spaces()) {
    view left = make(HPK_TYPE_FLOAT64, {40, 50}, space.c_str(), "x", HPK_LAYOUT_LEFT);
    ASSERT_EQ(hpk_fill_random(left, "uniform", 7, -1, 3, nullptr), HPK_OK);
    EXPECT_EQ(read<double>(left), expected) << space;
  }
  ASSERT_EQ(hpk_fill_random(reference, "uniform", 8, -1, 3, nullptr), HPK_OK);
  EXPECT_NE(read<double>(reference), expected);
}

TEST(CRandom, has_the_distribution) {
  for (const std::string& space : spaces()) {
    for (int t = HPK_TYPE_INT8; t <= HPK_TYPE_FLOAT64; ++t) {
      view x = make(static_cast<hpk_type>(t), {20000}, space.c_str());
      ASSERT_EQ(hpk_fill_random(x, "uniform", 3, 2, 12, nullptr), HPK_OK) << hpk_last_error();
      EXPECT_GE(reduce(x, "min"), 2);
      EXPECT_LT(reduce(x, "max"), 12);
      // The standard deviation of the mean is 0.02.
      EXPECT_NEAR(reduce(x, "sum") / 20000, t < HPK_TYPE_FLOAT16 ? 6.5 : 7, 0.12) << t;
    }
    view x = make(HPK_TYPE_FLOAT32, {20000}, space.c_str());
    ASSERT_EQ(hpk_fill_random(x, "normal", 5, 1, 2, nullptr), HPK_OK);
    EXPECT_NEAR(reduce(x, "sum") / 20000, 1, 0.08);
    hpk_scalar squares{};
    ASSERT_EQ(hpk_dot(x, x, nullptr, &squares), HPK_OK);
    EXPECT_NEAR(squares.f / 20000, 5, 0.25);
  }
}

TEST(CRandom, ends_where_the_type_has_no_number_between_the_bounds) {
  view x = make(HPK_TYPE_FLOAT32, {100});
  ASSERT_EQ(hpk_fill_random(x, "uniform", 1, 1 - 1e-12, 1, nullptr), HPK_OK) << hpk_last_error();
  EXPECT_EQ(read<float>(x), std::vector<float>(100, 1.0f));
  ASSERT_EQ(hpk_fill_random(x, "uniform", 1, 1, std::nextafter(1.0f, 2.0f), nullptr), HPK_OK);
  EXPECT_EQ(read<float>(x), std::vector<float>(100, 1.0f));
  expect_error(hpk_fill_random(x, "uniform", 1, 0, 1e300, nullptr), HPK_INVALID_ARGUMENT,
               "float32 elements can't be 1e+300");
}

TEST(CRandom, of_wrong_arguments_is_an_error) {
  const view whole = make(HPK_TYPE_INT32, {3});
  const view x = make(HPK_TYPE_FLOAT32, {3});
  expect_error(hpk_fill_random(x, "poisson", 1, 0, 1, nullptr), HPK_INVALID_ARGUMENT,
               "there is no distribution 'poisson'; write uniform or normal");
  expect_error(hpk_fill_random(whole, "normal", 1, 0, 1, nullptr), HPK_TYPE_MISMATCH,
               "normal distribution");
  expect_error(hpk_fill_random(whole, "uniform", 1, 5, 5, nullptr), HPK_INVALID_ARGUMENT,
               "bounds are 5 and 5");
  expect_error(hpk_fill_random(whole, "uniform", 1, 0.5, 5, nullptr), HPK_INVALID_ARGUMENT,
               "can't be 0.5");
  expect_error(hpk_fill_random(x, "normal", 1, 0, -1, nullptr), HPK_INVALID_ARGUMENT,
               "deviation -1");
  expect_error(
      hpk_fill_random(x, "uniform", 1, 0, std::numeric_limits<double>::infinity(), nullptr),
      HPK_INVALID_ARGUMENT, "finite bounds");
}
