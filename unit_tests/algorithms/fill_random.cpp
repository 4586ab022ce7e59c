// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fill_random: Views of every rank, layout and element type contain exactly the documented numbers,
// for any number of workers; the numbers of pools; errors.
#include <hpk/algorithms/fill_random.hpp>
#include <hpk/containers/dyn_rank_view.hpp>

#include <support/spaces.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace fill_random_test {

/// A user-defined type.
struct spin {
  int up = 0;
  HPK_FUNCTION friend bool operator==(const spin& a, const spin& b) { return a.up == b.up; }
};

}  // namespace fill_random_test

template <class Generator>
struct hpk::rand<Generator, fill_random_test::spin> {
  using spin = fill_random_test::spin;
  HPK_FUNCTION static spin max() { return {1}; }
  HPK_FUNCTION static spin draw(Generator& g) { return {g.rand(2) * 2 - 1}; }
  HPK_FUNCTION static spin draw(Generator& g, spin, spin) { return draw(g); }
};

namespace fill_random_test {
namespace {

using hpk::CounterRandom;
using hpk::Experimental::bhalf_t;
using hpk::Experimental::half_t;
using hpk_test::expect_error;

template <class Exec>
class FillRandom : public testing::Test {};
TYPED_TEST_SUITE(FillRandom, hpk_test::spaces, hpk_test::space_names);

// Visits the elements of a View, the last index fastest.
template <class V, class Visit, class... Is>
void visit_all(const V& view, const Visit& visit, Is... is) {
  if constexpr (sizeof...(Is) == V::rank()) {
    visit(view(is...));
  } else {
    for (std::size_t i = 0; i < view.extent(sizeof...(Is)); ++i) visit_all(view, visit, is..., i);
  }
}
template <class V>
auto elements_of(const V& view) {
  const auto host = hpk_test::on_host(view);
  std::vector<typename V::non_const_value_type> elements;
  visit_all(host, [&](const auto& element) { elements.push_back(element); });
  return elements;
}

// Returns the documented contents of a View of `rows` rows of `width` elements.
template <class T, class R>
std::vector<T> expected_of(const R& random, std::size_t rows, std::size_t width, std::size_t group,
                           const T& begin, const T& end) {
  using generator = std::remove_const_t<decltype(random.at(0))>;
  std::vector<T> elements;
  std::uint64_t k = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t first = 0; first < width; first += group, ++k) {
      auto g = random.at(k);
      for (std::size_t j = first; j < first + group && j < width; ++j)
        elements.push_back(hpk::rand<generator, T>::draw(g, begin, end));
    }
  }
  return elements;
}

template <class V, class... Extents>
void expect_filled(Extents... extents) {
  SCOPED_TRACE(V::rank());
  const V view("view", extents...);
  const std::size_t n[] = {static_cast<std::size_t>(extents)..., 1};
  std::size_t width = V::rank() > 0 ? n[V::rank() > 0 ? V::rank() - 1 : 0] : 1;
  if (view.size() == 0) width = 1;
  const std::size_t rows = view.size() / width;
  const CounterRandom<> random(11, 3);
  hpk::fill_random(view, random, -1.0, 3.0);
  EXPECT_EQ(elements_of(view), expected_of(random, rows, width, 2, -1.0, 3.0));
  hpk::fill_random(view, random, 5.0);
  EXPECT_EQ(elements_of(view), expected_of(random, rows, width, 2, 0.0, 5.0));
}
HPK_TYPED_TEST(FillRandom, fills_views_of_every_rank) {
  using right = hpk::LayoutRight;
  expect_filled<hpk::View<double, right, TypeParam>>();
  for (const int n : {0, 1, 2, 7, 5000}) expect_filled<hpk::View<double*, right, TypeParam>>(n);
  expect_filled<hpk::View<double**, right, TypeParam>>(1, 1);
  expect_filled<hpk::View<double**, right, TypeParam>>(0, 3);
  expect_filled<hpk::View<double**, right, TypeParam>>(3, 0);
  expect_filled<hpk::View<double**, right, TypeParam>>(1500, 3);
  expect_filled<hpk::View<double***, right, TypeParam>>(4, 5, 7);
  expect_filled<hpk::View<double****, right, TypeParam>>(2, 3, 4, 5);
  expect_filled<hpk::View<double*****, right, TypeParam>>(2, 3, 2, 1, 5);
  expect_filled<hpk::View<double******, right, TypeParam>>(2, 1, 3, 2, 2, 3);
  expect_filled<hpk::View<double*******, right, TypeParam>>(1, 2, 1, 3, 2, 2, 3);
  expect_filled<hpk::View<double********, right, TypeParam>>(2, 1, 2, 1, 3, 2, 2, 3);
}
HPK_TYPED_TEST(FillRandom, does_not_depend_on_the_layout) {
  using left = hpk::LayoutLeft;
  expect_filled<hpk::View<double**, left, TypeParam>>(0, 3);
  expect_filled<hpk::View<double**, left, TypeParam>>(1500, 3);
  expect_filled<hpk::View<double**, left, TypeParam>>(3, 1500);
  expect_filled<hpk::View<double** [7], left, TypeParam>>(4, 5, 7);
  expect_filled<hpk::View<double********, left, TypeParam>>(2, 1, 2, 1, 3, 2, 2, 3);
}

HPK_TYPED_TEST(FillRandom, fills_dyn_rank_views_as_views_of_their_rank) {
  const CounterRandom<> random(5);
  const TypeParam exec;
  const hpk::View<float**, TypeParam> view("view", 30, 7);
  hpk::fill_random(view, random, 1.0f, 2.0f);
  const hpk::DynRankView<float, TypeParam> matrix("matrix", 30, 7);
  hpk::fill_random(matrix, random, 1.0f, 2.0f);
  EXPECT_EQ(elements_of(hpk::as_view_of_rank<2>(matrix)), elements_of(view));
  hpk::fill_random(exec, view, random, 9.0f);
  hpk::fill_random(exec, matrix, random, 9.0f);
  EXPECT_EQ(elements_of(hpk::as_view_of_rank<2>(matrix)), elements_of(view));
  const hpk::DynRankView<float, TypeParam> one("one");
  hpk::fill_random(one, random, 3.0f, 4.0f);
  EXPECT_EQ(elements_of(hpk::as_view_of_rank<0>(one)), expected_of(random, 1, 1, 4, 3.0f, 4.0f));
}

HPK_TYPED_TEST(FillRandom, fills_parts_of_views) {
  const CounterRandom<> random(1);
  const hpk::View<double**, hpk::LayoutRight, TypeParam> view("view", 40, 30);
  const auto column = hpk::subview(view, hpk::ALL, 3);
  hpk::fill_random(column, random, 1.0, 2.0);
  const auto box = hpk::subview(view, hpk::pair<int, int>(5, 20), hpk::pair<int, int>(10, 17));
  hpk::fill_random(box, random, 1.0, 2.0);
  const auto expected_column = expected_of(random, 1, 40, 2, 1.0, 2.0);
  const auto expected_box = expected_of(random, 15, 7, 2, 1.0, 2.0);
  const auto host = hpk_test::on_host(view);
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < 30; ++j) {
      const bool in_box = i >= 5 && i < 20 && j >= 10 && j < 17;
      ASSERT_EQ(host(i, j), j == 3   ? expected_column[i]
                            : in_box ? expected_box[(i - 5) * 7 + j - 10]
                                     : 0.0);
    }
  }
}

template <class Random, class T, class Exec>
void expect_type(const T& begin, const T& end, std::size_t group) {
  const hpk::View<T*, Exec> view("view", 1001);
  const Random random(2);
  hpk::fill_random(view, random, begin, end);
  EXPECT_TRUE(elements_of(view) == expected_of(random, 1, 1001, group, begin, end));
}
template <class T, class Exec>
void expect_philox(const T& begin, const T& end, std::size_t group) {
  expect_type<CounterRandom<>, T, Exec>(begin, end, group);
}
HPK_TYPED_TEST(FillRandom, fills_elements_of_every_type) {
  using threefry = CounterRandom<hpk::Threefry>;
  expect_philox<double, TypeParam>(0, 1e-310, 2);
  expect_type<threefry, double, TypeParam>(0, 1, 4);
  expect_type<threefry, float, TypeParam>(0, 1, 8);
  expect_type<threefry, float, TypeParam>(-3, 5, 8);
  expect_philox<int, TypeParam>(-7, 3, 4);
  // Half of the draws are rejected.
  expect_philox<unsigned, TypeParam>(0, 0x80000001u, 4);
  expect_philox<std::int64_t, TypeParam>(-7, 3, 2);
  expect_type<threefry, std::uint64_t, TypeParam>(1, (std::uint64_t{1} << 63) + 2, 4);
  expect_philox<short, TypeParam>(-100, 100, 4);
  expect_philox<char, TypeParam>('a', 'z', 4);
  expect_philox<half_t, TypeParam>(half_t(-1), half_t(1), 4);
  expect_philox<bhalf_t, TypeParam>(bhalf_t(0), bhalf_t(1), 4);
  expect_philox<hpk::complex<float>, TypeParam>({0, 0}, {2, 3}, 2);
  expect_philox<hpk::complex<float>, TypeParam>({-1, 10}, {1, 20}, 2);
  expect_philox<hpk::complex<double>, TypeParam>({0, 0}, {2, 3}, 1);
  expect_philox<hpk::complex<double>, TypeParam>({-1, 0}, {1, 20}, 1);
  expect_philox<spin, TypeParam>({}, {}, 1);
}

HPK_TYPED_TEST(FillRandom, is_the_same_for_any_number_of_workers) {
  using pool64 = hpk::Random_XorShift64_Pool<TypeParam>;
  using pool1024 = hpk::Random_XorShift1024_Pool<TypeParam>;
  using philox = hpk::Random_Philox_Pool<TypeParam>;
  std::vector<double> first[6];
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    // Pools whose default number of states depends on the workers.
    const pool64 a(exec, 3);
    const pool1024 b(exec, 3);
    const philox c(exec, 3);
    for (int k = 0; k < 6; ++k) {
      const hpk::View<double**, TypeParam> view(hpk::view_alloc("view", exec), 37, 41);
      if (k % 3 == 0) hpk::fill_random(exec, view, a, 1.0);
      if (k % 3 == 1) hpk::fill_random(exec, view, b, 0.0, 1.0);
      if (k % 3 == 2) hpk::fill_random(exec, view, c, -1.0, 1.0);
      exec.fence();
      const auto elements = elements_of(view);
      if (first[k].empty()) first[k] = elements;
      EXPECT_EQ(elements, first[k]) << k;
    }
  }
  // A pool gives different numbers the second time.
  for (int k = 0; k < 3; ++k) EXPECT_NE(first[k], first[k + 3]) << k;
}

// Short groups are drawn one by one, full groups by several generators at a time.
template <class T, class Exec>
void expect_beginnings(const T& begin, const T& end) {
  const auto expect = [&](auto make) {
    const hpk::View<T*, Exec> all("all", 700);
    hpk::fill_random(all, make(), begin, end);
    const auto numbers = elements_of(all);
    for (const std::size_t n : {1u, 7u, 8u, 9u, 16u, 100u, 127u, 128u, 129u, 300u}) {
      const hpk::View<T*, Exec> view("view", n);
      hpk::fill_random(view, make(), begin, end);
      const auto some = elements_of(view);
      for (std::size_t k = 0; k < n; ++k) ASSERT_EQ(some[k], numbers[k]) << n << " " << k;
    }
  };
  expect([] { return hpk::Random_XorShift64_Pool<Exec>(6, 2); });
  expect([] { return hpk::Random_XorShift1024_Pool<Exec>(6, 2); });
  expect([] { return hpk::Random_SFC64_Pool<Exec>(6, 2); });
  expect([] { return hpk::Random_Philox_Pool<Exec>(6, 2); });
}
HPK_TYPED_TEST(FillRandom, of_a_short_view_has_the_first_numbers_of_a_long_one) {
  expect_beginnings<double, TypeParam>(0, 1);
  expect_beginnings<double, TypeParam>(-3, 5);
  expect_beginnings<float, TypeParam>(0, 2);
  expect_beginnings<int, TypeParam>(-10, 1000);
  expect_beginnings<hpk::complex<double>, TypeParam>({0, 0}, {2, 3});
  expect_beginnings<hpk::complex<float>, TypeParam>({-1, 1}, {2, 3});
}

HPK_TYPED_TEST(FillRandom, from_pools_of_equal_seed_is_equal) {
  const hpk::View<double*, hpk::LayoutRight, TypeParam> view("view", 1000);
  const hpk::View<double*, hpk::HostSpace> host("host", 1000);
  const auto expect_equal = [&](const auto& pool, const auto& other) {
    std::vector<double> last;
    for (int round = 0; round < 3; ++round) {
      hpk::fill_random(view, pool, 1.0, 2.0);
      hpk::fill_random(host, other, 1.0, 2.0);
      const auto elements = elements_of(view);
      EXPECT_EQ(elements, elements_of(host)) << round;
      EXPECT_NE(elements, last);
      last = elements;
    }
  };
  using host_space = hpk::DefaultHostExecutionSpace;
  // A copy of a pool continues its numbers.
  const hpk::Random_XorShift64_Pool<TypeParam> small(8, 3);
  const auto copy = small;
  hpk::Random_XorShift64_Pool<host_space> other(8, 77);
  hpk::fill_random(view, copy, 1.0);
  hpk::fill_random(host, other, 1.0);
  expect_equal(small, other);
  expect_equal(hpk::Random_XorShift1024_Pool<TypeParam>(8, 3),
               hpk::Random_XorShift1024_Pool<host_space>(8));
  expect_equal(hpk::Random_Threefry_Pool<TypeParam>(8, 3),
               hpk::Random_Threefry_Pool<host_space>(8));
  // Pools of other states of the same seed give different numbers.
  hpk::fill_random(host, hpk::Random_XorShift64_Pool<host_space>(8, 5, 5), 1.0);
  const auto part = elements_of(host);
  hpk::fill_random(host, hpk::Random_XorShift64_Pool<host_space>(8, 0, 5), 1.0);
  EXPECT_NE(part, elements_of(host));
  // Filling does not change the states.
  const hpk::Random_XorShift64_Pool<host_space> fresh(8, 77);
  EXPECT_EQ(other.get_state(5).urand64(), fresh.get_state(5).urand64());
}

TEST(FillRandomOnHost, sixteen_threads_fill_at_the_same_time) {
  using space = hpk::DefaultHostExecutionSpace;
  const hpk::Random_XorShift64_Pool<space> pool(8, 3);
  std::vector<hpk::View<double*, space>> views;
  for (int t = 0; t < 16; ++t) views.emplace_back("view", 100);
  std::vector<std::thread> threads;
  for (const auto& view : views)
    threads.emplace_back([&pool, view] { hpk::fill_random(view, pool, 1.0); });
  for (auto& thread : threads) thread.join();
  // All Views differ: each thread's fill took different numbers.
  for (std::size_t t = 1; t < views.size(); ++t) EXPECT_NE(views[0](0), views[t](0));
}

TEST(FillRandomOnHost, rejects_bounds_without_a_number) {
  const CounterRandom<> random(1);
  const hpk::View<double*, hpk::HostSpace> reals("reals", 3);
  const hpk::View<int*, hpk::HostSpace> integers("integers", 3);
  const hpk::View<unsigned*, hpk::HostSpace> naturals("naturals", 3);
  const hpk::View<hpk::complex<float>*, hpk::HostSpace> complexes("complexes", 3);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  expect_error([&] { hpk::fill_random(reals, random, 2.0, 1.0); },
               {"hpk::fill_random: View \"reals\", numbers from [2, 1): no number can be drawn",
                "write finite bounds", "fill_random.cpp"});
  expect_error([&] { hpk::fill_random(reals, random, -1.0); }, {"[0, -1)"});
  expect_error([&] { hpk::fill_random(reals, random, 0.0, infinite); }, {"[0, inf)"});
  expect_error([&] { hpk::fill_random(reals, random, std::nan(""), 1.0); }, {"[nan, 1)"});
  expect_error([&] { hpk::fill_random(integers, random, 4, 4); },
               {"View \"integers\", numbers from [4, 4)", "above the begin"});
  expect_error([&] { hpk::fill_random(integers, random, 0); }, {"[0, 0)"});
  expect_error([&] { hpk::fill_random(naturals, random, 5, 4); }, {"[5, 4)"});
  expect_error([&] { hpk::fill_random(complexes, random, {0, 3}, {1, 2}); },
               {"View \"complexes\"", "[3, 2)"});
  // A range that contains one real number.
  hpk::fill_random(reals, random, 2.0, 2.0);
  EXPECT_EQ(reals(2), 2.0);
}

}  // namespace
}  // namespace fill_random_test
