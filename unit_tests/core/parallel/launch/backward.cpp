// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backward scans: what all higher indices contributed, over counts, ranges and boxes, with every
// kind of total and operation. Joins run in the order of the walk, once per index, with the same
// bits for any number of workers.
#include <support/bits.hpp>
#include <support/scans.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace hpk_test::backward_cases {

constexpr std::int64_t sizes[] = {0,   1,   2,   3,   63,   64,   65,   511,  512,   513,
                                  640, 641, 767, 768, 1000, 1025, 4097, 8193, 100003};

template <class Exec>
class Backward : public testing::Test {};
TYPED_TEST_SUITE(Backward, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
class BackwardOnHost : public testing::Test {};
TYPED_TEST_SUITE(BackwardOnHost, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(Backward, gives_what_all_higher_indices_contributed) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const std::int64_t n : sizes) {
      SCOPED_TRACE(n);
      expect_sums_of_weights<walk::backward, long>(exec, 0, n);
      expect_sums_of_weights<walk::backward, double>(exec, 0, n);
    }
    expect_sums_of_weights<walk::backward, int>(exec, -500, 1000);
    expect_sums_of_weights<walk::backward, float>(exec, std::int64_t{1} << 40, 4097);
  }
  // Ranges so long that folds run concurrently with final passes.
  expect_sums_of_weights<walk::backward, int>(TypeParam(), 0, 300007);
  expect_sums_of_weights<walk::backward, double>(TypeParam(), 0, 300007);
}

HPK_TYPED_TEST(Backward, takes_every_form_of_the_call) {
  const index_sums<TypeParam> kernel;
  const auto expect_sums = [&] {
    const auto found = on_host(kernel.found);
    EXPECT_EQ(found(0), 499500);
    EXPECT_EQ(found(999), 999);
    hpk::deep_copy(kernel.found, -1);
  };
  const auto policy = hpk::backward(hpk::RangePolicy<TypeParam>(0, 1000));
  hpk::parallel_scan(policy, kernel);
  expect_sums();
  hpk::parallel_scan("label", policy, kernel);
  expect_sums();
  hpk::parallel_scan(hpk::backward(1000), kernel);
  expect_sums();
  hpk::parallel_scan("label", hpk::backward(1000u), kernel);
  expect_sums();
  const hpk::View<long, TypeParam> in_space("in space");
  hpk::parallel_scan(policy, kernel, in_space);
  expect_sums();
  EXPECT_EQ(on_host(in_space)(), 499500);
  long total = -1;
  hpk::parallel_scan("label", policy, kernel, total);
  expect_sums();
  EXPECT_EQ(total, 499500);
  hpk::parallel_scan(hpk::backward(hpk::RangePolicy<TypeParam>(5, 5)), kernel, total);
  EXPECT_EQ(total, 0);
}

std::vector<affine> postfix_maps(std::int64_t n) {
  std::vector<affine> maps(static_cast<std::size_t>(n + 1));
  for (std::int64_t i = n; i > 0; --i)
    maps[static_cast<std::size_t>(i - 1)] = then(maps[static_cast<std::size_t>(i)], map_of(i - 1));
  return maps;
}

HPK_TYPED_TEST(Backward, joins_in_the_order_of_the_walk) {
  for (const std::int64_t n : sizes) {
    SCOPED_TRACE(n);
    const std::vector<affine> wanted = postfix_maps(n);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      const hpk::View<affine*, shared_device<TypeParam>> found("found", n);
      affine total{7, 7};
      hpk::parallel_scan(hpk::backward(hpk::RangePolicy<composing, TypeParam>(exec, 0, n)),
                         compose{found.data()}, total);
      EXPECT_TRUE(std::equal(wanted.begin() + 1, wanted.end(), found.data()));
      EXPECT_EQ(total, wanted[0]);
    }
  }
}

HPK_TYPED_TEST(Backward, goes_over_boxes_from_their_last_point) {
  using hpk::Iterate;
  using right = hpk::Rank<2, Iterate::Right, Iterate::Right>;
  for (const std::int64_t rows : {0, 1, 9, 100, 1500}) {
    SCOPED_TRACE(rows);
    const std::vector<affine> wanted = postfix_maps(rows * 7);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      const hpk::View<affine*, shared_device<TypeParam>> found("found", rows * 7);
      affine total{7, 7};
      hpk::parallel_scan(
          "box",
          hpk::backward(hpk::MDRangePolicy<composing, TypeParam, right>(exec, {0, 0}, {rows, 7})),
          compose{found.data()}, total);
      EXPECT_TRUE(std::equal(wanted.begin() + 1, wanted.end(), found.data()));
      EXPECT_EQ(total, wanted[0]);
    }
  }
}

// Nonzero bounds, three dimensions, the first index fastest.
template <class Exec>
void expect_left_box() {
  using left = hpk::Rank<3, hpk::Iterate::Left, hpk::Iterate::Left>;
  const hpk::View<long***, shared_device<Exec>> found("found", 5, 6, 30);
  for (const Exec& exec : hpk_test::instances<Exec>()) {
    double total = -1;
    hpk::parallel_scan(
        hpk::backward(hpk::MDRangePolicy<Exec, left>(exec, {-2, 1, 10}, {3, 7, 40})),
        HPK_LAMBDA(int i, int j, int k, double& update, bool final) {
          if (final) found(i + 2, j - 1, k - 10) = static_cast<long>(update);
          update += 1;
        },
        total);
    EXPECT_EQ(total, 900);
    long wrong = 0;
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 6; ++j)
        for (int k = 0; k < 30; ++k) wrong += found(i, j, k) != 899 - (i + 5 * (j + 6 * k));
    EXPECT_EQ(wrong, 0);
  }
}
HPK_TYPED_TEST(Backward, follows_the_order_of_a_box) { expect_left_box<TypeParam>(); }

template <class Exec>
void expect_suffix_maxima(const Exec& exec, int n) {
  const hpk::View<int*, shared_device<Exec>> found("found", n);
  int most = -1;
  hpk::parallel_scan(
      "maxima", hpk::backward(hpk::RangePolicy(exec, 0, n)),
      HPK_LAMBDA(int i, int& update, bool final) {
        const int here = (i * 7919) % 1009;
        if (here > update) update = here;
        if (final) found(i) = update;
      },
      hpk::Max<int>(most));
  int expected = std::numeric_limits<int>::lowest();
  int wrong = 0;
  for (int i = n - 1; i >= 0; --i) {
    expected = std::max(expected, (i * 7919) % 1009);
    wrong += found(i) != expected;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(most, expected);
}
HPK_TYPED_TEST(Backward, takes_a_reducer_as_its_operation) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {0, 1, 600, 10007}) expect_suffix_maxima(exec, n);
  }
}

// Index types that cannot count their whole range, and indices at the ends of the type.
template <class I, class Exec>
void expect_whole_range_of() {
  constexpr int n = 255;
  for (const I begin : {std::numeric_limits<I>::min(),
                        static_cast<I>(std::numeric_limits<I>::max() - static_cast<I>(n))}) {
    const hpk::View<int*, shared_device<Exec>> found("found", n);
    double total = -1;
    hpk::parallel_scan(
        hpk::backward(hpk::RangePolicy<Exec, hpk::IndexType<I>>(begin, static_cast<I>(begin + n))),
        HPK_LAMBDA(I i, double& update, bool final) {
          update += 1;
          if (final) found(static_cast<I>(i - begin)) = static_cast<int>(update);
        },
        total);
    EXPECT_EQ(total, n);
    for (std::int64_t k = 0; k < n; ++k) ASSERT_EQ(found(k), n - k);
  }
}
HPK_TYPED_TEST(Backward, counts_in_any_index_type) {
  expect_whole_range_of<unsigned char, TypeParam>();
  expect_whole_range_of<std::uint64_t, TypeParam>();
  expect_whole_range_of<std::int64_t, TypeParam>();
  expect_whole_range_of<int, TypeParam>();
}

template <class Exec>
void scan_in_place(const Exec& exec, const hpk::View<double*, shared_device<Exec>>& x) {
  hpk::parallel_scan(
      hpk::backward(hpk::RangePolicy(exec, 0, x.extent_int(0))),
      HPK_LAMBDA(int i, double& update, bool final) {
        const double here = x(i);
        if (final) x(i) = update;
        update += here;
      });
  exec.fence();
}
HPK_TYPED_TEST(Backward, writes_over_what_it_reads) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {1, 513, 10007, 300007}) {
      const hpk::View<double*, shared_device<TypeParam>> x("x", n);
      for (int i = 0; i < n; ++i) x(i) = i % 17 - 8;
      scan_in_place(exec, x);
      double sum = 0;
      int wrong = 0;
      for (int i = n - 1; i >= 0; --i) {
        wrong += x(i) != sum;
        sum += i % 17 - 8;
      }
      EXPECT_EQ(wrong, 0) << n;
    }
  }
}

// A backward scan of x has the bits of a forward scan of reversed x.
template <class Exec>
void scan_wild(const Exec& exec, const hpk::View<double*, shared_device<Exec>>& out, bool back) {
  const int n = out.extent_int(0);
  const auto forward = HPK_LAMBDA(int i, double& update, bool final) {
    update += wild<double>(i);
    if (final) out(i) = update;
  };
  const auto turned = HPK_LAMBDA(int i, double& update, bool final) {
    update += wild<double>(n - 1 - i);
    if (final) out(n - 1 - i) = update;
  };
  const hpk::RangePolicy<Exec> policy(exec, 0, n);
  if (back) {
    hpk::parallel_scan(hpk::backward(policy), turned);
  } else {
    hpk::parallel_scan(policy, forward);
  }
  exec.fence();
}
HPK_TYPED_TEST(Backward, has_the_bits_of_a_forward_scan_for_any_number_of_workers) {
  for (const int n : {1, 512, 513, 4097, 100003, 262145}) {
    const hpk::View<double*, shared_device<TypeParam>> wanted("wanted", n);
    scan_wild(TypeParam(), wanted, false);
    for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
      const hpk::View<double*, shared_device<TypeParam>> found("found", n);
      scan_wild(exec, found, true);
      EXPECT_EQ(std::memcmp(found.data(), wanted.data(), static_cast<std::size_t>(n) * 8), 0) << n;
    }
  }
}

HPK_TYPED_TEST(BackwardOnHost, takes_values_with_a_destructor) {
  std::vector<std::string> wanted(600);
  std::string all;
  for (int i = 599; i >= 0; --i) {
    wanted[static_cast<std::size_t>(i)] = all;
    all += std::to_string(i) + ";";
  }
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    std::vector<std::string> found(600);
    std::string total = "old";
    hpk::parallel_scan(
        hpk::backward(hpk::RangePolicy(exec, 0, 600)),
        [&](int i, std::string& update, bool final) {
          if (final) found[static_cast<std::size_t>(i)] = update;
          update += std::to_string(i) + ";";
        },
        total);
    EXPECT_EQ(found, wanted);
    EXPECT_EQ(total, all);
  }
}

HPK_TYPED_TEST(BackwardOnHost, never_copies_the_kernel) {
  const pinned_scan<TypeParam> kernel;
  long total = -1;
  hpk::parallel_scan(hpk::backward(100001), kernel, total);
  EXPECT_EQ(total, 5000050000);
  hpk::parallel_scan(hpk::backward(hpk::MDRangePolicy<TypeParam, hpk::Rank<2>>({0, 0}, {1000, 10})),
                     kernel, total);
  EXPECT_EQ(total, 49995000);
}

HPK_TYPED_TEST(BackwardOnHost, reports_the_first_failure_of_the_walk) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {10, 1000, 10007, 300007}) {
      for (const bool only_final : {false, true}) {
        const int caught = thrown_by([&] {
          hpk::parallel_scan(hpk::backward(hpk::RangePolicy(exec, 0, n)),
                             [&](int i, double& update, bool final) {
                               update += i;
                               if (only_final && !final) return;
                               if (i == n / 4 || i == n / 2 || i == n / 3) throw i;
                             });
        });
        EXPECT_EQ(caught, n / 2) << n << ' ' << only_final;
      }
    }
  }
}

}  // namespace hpk_test::backward_cases
