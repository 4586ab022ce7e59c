// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes: every point once, in every rank, order, schedule and tiling. Reductions of every kind have
// the same bits for any number of workers, and scans follow the order of the points.
#include <hpk/parallel/launch/mdrange_launch.hpp>

#include <support/factor.hpp>
#include <support/spaces.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace parallel_mdrange_launch_test {
namespace {

using hpk::Iterate;
using hpk::MDRangePolicy;
using hpk::Rank;
using hpk_test::factor;
using hpk_test::factor_of;
using hpk_test::product;
using hpk_test::times;

// The number of a point in a box with extents up to 9 and lower bounds 1, 2, 3, ...
template <class... Is>
HPK_FUNCTION int number_of(Is... is) {
  int number = 0;
  int begin = 1;
  ((number = number * 9 + static_cast<int>(is) - begin++), ...);
  return number;
}

template <class Exec>
struct count_visits {
  hpk::View<int*, Exec, hpk::MemoryTraits<hpk::Atomic>> seen;
  template <class... Is>
  HPK_FUNCTION void operator()(Is... is) const {
    seen(number_of(is...)) += 1;
  }
};

constexpr int extents_of[] = {3, 9, 1, 4, 2, 1, 3, 2};

template <class Exec, int N, class... Args>
void check_visits(bool tiled) {
  int points = 1;
  for (int r = 0; r < N; ++r) points *= 9;
  int lower[N];
  int upper[N];
  int tile[N];
  for (int r = 0; r < N; ++r) {
    lower[r] = r + 1;
    upper[r] = r + 1 + extents_of[r];
    tile[r] = tiled ? 1 + r % 3 : 0;
  }
  // Ranks above 5 would need too much memory with this numbering.
  const hpk::View<int*, Exec> seen("seen", points);
  hpk::parallel_for("box", MDRangePolicy<Exec, Args...>(lower, upper, tile),
                    count_visits<Exec>{seen});
  const auto host = hpk_test::on_host(seen);
  for (int k = 0; k < points; ++k) {
    bool inside = true;
    int rest = k;
    for (int r = N - 1; r >= 0; --r) {
      inside = inside && rest % 9 < extents_of[r];
      rest /= 9;
    }
    ASSERT_EQ(host(k), inside ? 1 : 0) << "rank " << N << ", point " << k;
  }
}

template <class Exec, int N>
void check_rank() {
  constexpr unsigned n = static_cast<unsigned>(N);
  using hpk::Dynamic;
  using hpk::Schedule;
  check_visits<Exec, N, Rank<n>>(false);
  check_visits<Exec, N, Rank<n, Iterate::Left, Iterate::Left>>(false);
  check_visits<Exec, N, Rank<n, Iterate::Right, Iterate::Right>, Schedule<Dynamic>, int>(false);
  check_visits<Exec, N, Rank<n>>(true);
  check_visits<Exec, N, Rank<n, Iterate::Left, Iterate::Right>, Schedule<Dynamic>>(true);
  check_visits<Exec, N, Rank<n, Iterate::Right, Iterate::Left>, hpk::IndexType<unsigned>>(true);
}

template <class Exec>
class Box : public testing::Test {};
TYPED_TEST_SUITE(Box, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Box, visits_every_point_once_in_every_rank) {
  [&]<int... Ranks>(std::integer_sequence<int, Ranks...>) {
    (check_rank<TypeParam, Ranks + 1>(), ...);
  }(std::make_integer_sequence<int, 5>());
}

// Ranks 6 to 8: compares the number of points and a sum to which each point contributes.
HPK_TYPED_TEST(Box, visits_points_of_eight_dimensions) {
  long sum = 0;
  hpk::parallel_reduce(
      MDRangePolicy<TypeParam, Rank<8>>({0, 0, 0, 0, 0, 0, 0, 0}, {2, 3, 1, 2, 3, 2, 2, 2}),
      HPK_LAMBDA(int a, int b, int c, int d, int e, int f, int g, int h, long& u) {
        u += 1 + 10 * a + 100 * b + 1000 * c + d + e + f + g + 10000 * h;
      },
      sum);
  const long n = 2 * 3 * 1 * 2 * 3 * 2 * 2 * 2;
  EXPECT_EQ(sum, n + 10 * n / 2 + 100 * n + n / 2 + n + n / 2 + n / 2 + 10000 * n / 2);
  const hpk::View<int, TypeParam> count("count");
  const hpk::View<int, TypeParam, hpk::MemoryTraits<hpk::Atomic>> atomic = count;
  hpk::parallel_for(
      MDRangePolicy<TypeParam, Rank<7>>({0, 0, 0, 0, 0, 0, 0}, {2, 3, 1, 2, 3, 2, 5}),
      HPK_LAMBDA(int, int, int, int, int, int, int) { atomic() += 1; });
  EXPECT_EQ(hpk_test::on_host(count)(), 2 * 3 * 2 * 3 * 2 * 5);
}

template <class Exec>
struct tagged {
  struct fill {};
  struct sum {};
  hpk::View<int**, Exec> v;
  HPK_FUNCTION void operator()(fill, int i, int j) const { v(i, j) = 100 * i + j; }
  HPK_FUNCTION void operator()(sum, int i, int j, long& u) const { u += v(i, j); }
};

HPK_TYPED_TEST(Box, calls_by_tag) {
  using functor = tagged<TypeParam>;
  const functor f{hpk::View<int**, TypeParam>("v", 6, 7)};
  hpk::parallel_for(MDRangePolicy<TypeParam, Rank<2>, typename functor::fill>({0, 0}, {6, 7}), f);
  long sum = 0;
  hpk::parallel_reduce(MDRangePolicy<TypeParam, typename functor::sum, Rank<2>>({0, 0}, {6, 7}), f,
                       sum);
  EXPECT_EQ(sum, 100 * 15 * 7 + 21 * 6);
}

// Views of either layout, which determine the loop order on hosts.
template <class Exec, class Layout>
void check_order() {
  constexpr int n = 37;
  const hpk::View<int***, Layout, Exec> v("v", n, 5, n + 1);
  for (int round = 0; round < 3; ++round) {
    hpk::parallel_for(
        MDRangePolicy<Exec, Rank<3>>({1, 0, 2}, {n, 5, n}),
        HPK_LAMBDA(int i, int j, int k) { v(i, j, k) += i + 1000 * k + j; });
  }
  const auto found = hpk_test::on_host(v);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 5; ++j) {
      for (int k = 0; k < n + 1; ++k) {
        const bool inside = i >= 1 && k >= 2 && k < n;
        wrong += found(i, j, k) != (inside ? 3 * (i + 1000 * k + j) : 0);
      }
    }
  }
  EXPECT_EQ(wrong, 0);
}

HPK_TYPED_TEST(Box, runs_every_point_once_in_either_loop_order) {
  check_order<TypeParam, hpk::LayoutRight>();
  check_order<TypeParam, hpk::LayoutLeft>();
}

HPK_TYPED_TEST(Box, of_no_points_is_left_alone) {
  int result = -1;
  hpk::parallel_for(
      MDRangePolicy<TypeParam, Rank<2>>({0, 5}, {1000, 5}),
      HPK_LAMBDA(int, int) { hpk::abort("there are no points"); });
  hpk::parallel_for(
      MDRangePolicy<TypeParam, Rank<2>>({0, 5}, {0, 1000}, {2, 2}),
      HPK_LAMBDA(int, int) { hpk::abort("there are no points"); });
  hpk::parallel_reduce(
      MDRangePolicy<TypeParam, Rank<3>>({0, 0, 0}, {4, 0, 4}),
      HPK_LAMBDA(int, int, int, int& u) { u += 1; }, result);
  EXPECT_EQ(result, 0);
  hpk::parallel_reduce(
      MDRangePolicy<TypeParam, Rank<2>>(), HPK_LAMBDA(int, int, int& u) { u += 1; },
      hpk::Prod<int>(result));
  EXPECT_EQ(result, 1);
}

HPK_TYPED_TEST(Box, folds_into_results_of_every_kind) {
  for (const int n : {1, 5, 33, 200}) {
    const MDRangePolicy<TypeParam, Rank<2, Iterate::Right, Iterate::Right>> policy({0, 0},
                                                                                   {n, n + 3});
    long expected = 0;
    factor expected_product{1, 0, 0, 1};
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n + 3; ++j) {
        expected += i * 7 + j;
        expected_product = times(expected_product, factor_of(i, j));
      }
    }
    long sum = -1;
    hpk::parallel_reduce("sum", policy, HPK_LAMBDA(int i, int j, long& u) { u += i * 7 + j; }, sum);
    EXPECT_EQ(sum, expected);
    const hpk::View<double, TypeParam> real("real");
    hpk::parallel_reduce(policy, HPK_LAMBDA(int i, int j, double& u) { u += i * 7 + j; }, real);
    EXPECT_EQ(hpk_test::on_host(real)(), static_cast<double>(expected));
    hpk::ValLocScalar<int, int> place{};
    hpk::parallel_reduce(
        policy,
        HPK_LAMBDA(int i, int j, hpk::ValLocScalar<int, int>& u) {
          if (i * 1000 + j > u.val) u = {i * 1000 + j, i};
        },
        hpk::MaxLoc<int, int>(place));
    EXPECT_EQ(place.val, (n - 1) * 1000 + n + 2);
    EXPECT_EQ(place.loc, n - 1);
    factor all{};
    hpk::parallel_reduce(
        policy, HPK_LAMBDA(int i, int j, factor& u) { u = times(u, factor_of(i, j)); },
        product{&all});
    EXPECT_EQ(all.a, expected_product.a);
    EXPECT_EQ(all.d, expected_product.d);
  }
}

HPK_TYPED_TEST(Box, has_the_same_bits_for_any_number_of_workers) {
  for (const int n : {3, 40, 333}) {
    double first = 0;
    bool is_first = true;
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      for (const bool dynamic : {false, true}) {
        double sum = 0;
        const auto kernel = HPK_LAMBDA(int i, int j, int k, double& u) {
          u += 1.0 / (1 + i + 7 * j + 31 * k);
        };
        if (dynamic) {
          hpk::parallel_reduce(MDRangePolicy<TypeParam, Rank<3>, hpk::Schedule<hpk::Dynamic>>(
                                   exec, {0, 0, 0}, {n, 5, n + 1}),
                               kernel, sum);
        } else {
          hpk::parallel_reduce(MDRangePolicy<TypeParam, Rank<3>>(exec, {0, 0, 0}, {n, 5, n + 1}),
                               kernel, sum);
        }
        if (is_first) first = sum;
        is_first = false;
        EXPECT_EQ(std::memcmp(&sum, &first, sizeof sum), 0) << n;
      }
    }
  }
}

HPK_TYPED_TEST(Box, scans_its_points_in_their_order) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {1, 9, 60}) {
      const hpk::View<long**, TypeParam> before("before", n, n + 2);
      long total = -1;
      hpk::parallel_scan(
          "points",
          MDRangePolicy<TypeParam, Rank<2, Iterate::Right, Iterate::Right>>(exec, {0, 0},
                                                                            {n, n + 2}),
          HPK_LAMBDA(int i, int j, long& u, bool last) {
            if (last) before(i, j) = u;
            u += i + 1;
          },
          total);
      const auto host = hpk_test::on_host(before);
      long expected = 0;
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n + 2; ++j) {
          ASSERT_EQ(host(i, j), expected);
          expected += i + 1;
        }
      }
      EXPECT_EQ(total, expected);
    }
  }
}

// A scan that returns early keeps the Views of its kernel.
HPK_TYPED_TEST(Box, keeps_the_views_of_a_scan_until_it_is_done) {
  const TypeParam exec;
  hpk::View<long**, TypeParam> result("result", 30, 30);
  {
    const hpk::View<long**, TypeParam> v("v", 30, 30);
    const hpk::View<long**, TypeParam> out = result;
    hpk::parallel_for(
        MDRangePolicy<TypeParam, Rank<2>>(exec, {0, 0}, {30, 30}),
        HPK_LAMBDA(int i, int j) { v(i, j) = 1; });
    hpk::parallel_scan(
        MDRangePolicy<TypeParam, Rank<2, Iterate::Right, Iterate::Right>>(exec, {0, 0}, {30, 30}),
        HPK_LAMBDA(int i, int j, long& u, bool last) {
          u += v(i, j);
          if (last) out(i, j) = u;
        });
  }
  EXPECT_EQ(hpk_test::on_host(result)(29, 29), 900);
}

template <class Exec>
class BoxOnHost : public testing::Test {};
TYPED_TEST_SUITE(BoxOnHost, hpk_test::host_spaces, hpk_test::space_names);

// The pieces of the workers may begin anywhere, in rows of any length.
TYPED_TEST(BoxOnHost, is_cut_anywhere) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int rows : {1, 2, 7}) {
      for (const int length : {1, 3, 1000}) {
        std::vector<std::atomic<int>> seen(static_cast<std::size_t>(rows * length));
        hpk::parallel_for(MDRangePolicy<TypeParam, Rank<2, Iterate::Left, Iterate::Left>>(
                              exec, {0, 0}, {length, rows}),
                          [&](int i, int j) { ++seen[static_cast<std::size_t>(j * length + i)]; });
        for (const auto& s : seen) ASSERT_EQ(s, 1);
      }
    }
  }
}

TYPED_TEST(BoxOnHost, passes_on_what_a_kernel_throws) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    EXPECT_THROW(hpk::parallel_for(MDRangePolicy<TypeParam, Rank<2>>(exec, {0, 0}, {100, 100}),
                                   [](int i, int j) {
                                     if (i == 50 && j == 50) throw std::runtime_error("no");
                                   }),
                 std::runtime_error);
  }
}

TYPED_TEST(BoxOnHost, names_the_kernel_whose_index_type_is_too_small) {
  try {
    hpk::parallel_for("narrow", MDRangePolicy<TypeParam, Rank<2>>({0, 0}, {1, 300}),
                      [](signed char, signed char) {});
    FAIL() << "nobody noticed";
  } catch (const hpk::error& e) {
    EXPECT_NE(std::string(e.what()).find("hpk::parallel_for \"narrow\": the range [0, 300) does "
                                         "not fit the kernel's index type, which ends at 127"),
              std::string::npos)
        << e.what();
  }
}

// Each dimension has its own index type.
TYPED_TEST(BoxOnHost, takes_indices_of_several_types) {
  const std::int64_t far = std::int64_t{1} << 32;
  std::atomic<int> right = 0;
  hpk::parallel_for(MDRangePolicy<TypeParam, Rank<2>>({0L, far}, {2L, far + 4}),
                    [&](int i, std::int64_t j) { right += i < 2 && j >= far; });
  EXPECT_EQ(right, 8);
  EXPECT_THROW(hpk::parallel_for(MDRangePolicy<TypeParam, Rank<2>>({0L, far}, {2L, far + 4}),
                                 [&](std::int64_t, int) { ++right; }),
               hpk::error);
  EXPECT_EQ(right, 8);
}

// A functor is not copied: it may be the base of another object, or not copyable.
struct shape_of_one {
  virtual ~shape_of_one() = default;
  virtual int value() const { return 1; }
  void operator()(int, int, long& u) const { u += value(); }
};
struct shape_of_ten : shape_of_one {
  int value() const override { return 10; }
};
struct not_copied {
  std::atomic<long>* calls;
  explicit not_copied(std::atomic<long>* c) : calls(c) {}
  not_copied(const not_copied&) = delete;
  void operator()(int, int, long& u, bool) const { u += 1; }
  void operator()(int, int, long& u) const {
    u += 1;
    ++*calls;
  }
};

TYPED_TEST(BoxOnHost, calls_the_functor_that_it_was_given) {
  const shape_of_ten ten;
  const shape_of_one& one = ten;
  const MDRangePolicy<TypeParam, Rank<2>> policy({0, 0}, {20, 50});
  long sum = 0;
  hpk::parallel_reduce(policy, one, sum);
  EXPECT_EQ(sum, 10000);
  std::atomic<long> calls = 0;
  hpk::parallel_reduce(policy, not_copied(&calls), sum);
  EXPECT_EQ(sum, 1000);
  EXPECT_EQ(calls, 1000);
  hpk::parallel_scan(policy, not_copied(&calls), sum);
  EXPECT_EQ(sum, 1000);
}

TYPED_TEST(BoxOnHost, runs_inside_of_a_kernel) {
  std::atomic<int> count = 0;
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 10), [&](int) {
    hpk::parallel_for(MDRangePolicy<TypeParam, Rank<2>>({0, 0}, {64, 64}),
                      [&](int, int) { ++count; });
  });
  EXPECT_EQ(count, 10 * 64 * 64);
}

TYPED_TEST(BoxOnHost, borrows_the_views_of_its_kernel) {
  const hpk::View<double**, TypeParam> v("v", 300, 300);
  double sum = 0;
  hpk::parallel_for(MDRangePolicy<TypeParam, Rank<2>>({0, 0}, {300, 300}),
                    [=](int i, int j) { hpk::subview(v, i, hpk::ALL)(j) += 1; });
  hpk::parallel_reduce(
      MDRangePolicy<TypeParam, Rank<2>>({0, 0}, {300, 300}),
      [=](int i, int j, double& u) { u += hpk::subview(v, hpk::ALL, j)(i); }, sum);
  EXPECT_EQ(sum, 90000);
  EXPECT_EQ(v.use_count(), 1);
}

TYPED_TEST(BoxOnHost, has_no_points_where_one_extent_is_none) {
  constexpr std::int64_t huge = std::int64_t{1} << 40;
  const MDRangePolicy<TypeParam, Rank<3>> box({0L, 0L, 0L}, {huge, huge, 0L});
  int calls = 0;
  hpk::parallel_for(box, [&](std::int64_t, std::int64_t, std::int64_t) { ++calls; });
  double sum = -1;
  hpk::parallel_reduce(
      box, [](std::int64_t, std::int64_t, std::int64_t, double& u) { u += 1; }, sum);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(sum, 0);
  EXPECT_EQ(box.resolved().iterations, 0);
}

}  // namespace
}  // namespace parallel_mdrange_launch_test
