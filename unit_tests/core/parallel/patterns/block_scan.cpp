// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans by groups of one lane: the fixed blocks, long ranges whose folds run concurrently with
// final passes, in-place scans, more workers than CPUs, many threads that scan concurrently, and
// which exception is reported. The tests of parallel/launch/fold.hpp cover the bits.
#include <hpk/parallel/patterns/block_scan.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

namespace hpk_test::block_scan_cases {

using hpk::detail::plan_scan_blocks;

static_assert(plan_scan_blocks(0).count() == 0);
static_assert(plan_scan_blocks(512).count() == 1);
static_assert(plan_scan_blocks(513).length == 128 && plan_scan_blocks(513).count() == 5);
// 16 more than a multiple of 256.
static_assert(plan_scan_blocks(16384).length == 272 && plan_scan_blocks(32768).length == 528);
static_assert(plan_scan_blocks(1 << 20).length == 1040);
static_assert(plan_scan_blocks(1 << 30).length == 4112);
static_assert(plan_scan_blocks(1 << 30).end(plan_scan_blocks(1 << 30).count() - 1) == 1 << 30);

template <class Exec>
class BlockScan : public testing::Test {};
TYPED_TEST_SUITE(BlockScan, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
class BlockScanOnHost : public testing::Test {};
TYPED_TEST_SUITE(BlockScanOnHost, hpk_test::host_spaces, hpk_test::space_names);

// The exclusive scan of x, in place.
template <class T, class Exec>
void scan_in_place(const Exec& exec, const hpk::View<T*, shared_device<Exec>>& x, T& total) {
  hpk::parallel_scan(
      "in place", hpk::RangePolicy(exec, 0, x.extent_int(0)),
      HPK_LAMBDA(int i, T& update, bool final) {
        const T here = x(i);
        if (final) x(i) = update;
        update += here;
      },
      total);
}
template <class T, class Exec>
void expect_in_place(const Exec& exec, int n) {
  const hpk::View<T*, shared_device<Exec>> x("x", n);
  for (int i = 0; i < n; ++i) x(i) = static_cast<T>(i % 23 - 11);
  T total = T(7);
  scan_in_place(exec, x, total);
  T sum = 0;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += x(i) != sum;
    sum += static_cast<T>(i % 23 - 11);
  }
  EXPECT_EQ(wrong, 0) << n;
  EXPECT_EQ(total, sum) << n;
}

HPK_TYPED_TEST(BlockScan, writes_over_what_it_reads) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {0, 1, 2, 513, 10007, 262145}) {
      expect_in_place<double>(exec, n);
      expect_in_place<int>(exec, n);
    }
  }
  // Blocks of the maximum length, several parts per worker.
  expect_in_place<int>(TypeParam(), 1200001);
  if constexpr (is_host<TypeParam>) expect_in_place<double>(TypeParam(), 4300003);
}

// The first and last of the joined values, and the number of neighbours that do not fit. Joins in
// another order are detected.
struct stretch {
  int first = -1;
  int last = -1;
  int breaks = 0;
};
template <class Exec>
struct stretches {
  using value_type = stretch;
  hpk::View<int*, shared_device<Exec>> wrong;
  HPK_FUNCTION void operator()(int i, stretch& update, bool final) const {
    join(update, {i, i, 0});
    if (final && (update.first != 0 || update.last != i || update.breaks != 0)) wrong(i) += 1;
  }
  HPK_FUNCTION void init(stretch& s) const { s = stretch(); }
  HPK_FUNCTION void join(stretch& to, const stretch& from) const {
    if (from.first < 0) return;
    to.breaks += from.breaks + (to.first >= 0 && to.last + 1 != from.first ? 1 : 0);
    if (to.first < 0) to.first = from.first;
    to.last = from.last;
  }
};
HPK_TYPED_TEST(BlockScan, joins_neighbours_only) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    for (const int n : {1, 2, 513, 1023, 10007, 300007}) {
      const stretches<TypeParam> kernel{hpk::View<int*, shared_device<TypeParam>>("wrong", n)};
      stretch all;
      hpk::parallel_scan(hpk::RangePolicy(exec, 0, n), kernel, all);
      EXPECT_EQ(all.first, 0);
      EXPECT_EQ(all.last, n - 1);
      EXPECT_EQ(all.breaks, 0);
      int wrong = 0;
      for (int i = 0; i < n; ++i) wrong += kernel.wrong(i);
      EXPECT_EQ(wrong, 0) << n;
    }
  }
}

// There is one final call for each index.
template <class Exec>
void expect_one_final_call(const Exec& exec, int n) {
  std::vector<int> finals(static_cast<std::size_t>(n));
  long total = -1;
  hpk::parallel_scan(
      hpk::RangePolicy(exec, 0, n),
      [&](int i, long& update, bool final) {
        update += i;
        if (final) ++finals[static_cast<std::size_t>(i)];
      },
      total);
  EXPECT_EQ(std::count(finals.begin(), finals.end(), 1), n);
  EXPECT_EQ(total, static_cast<long>(n) * (n - 1) / 2);
}
HPK_TYPED_TEST(BlockScanOnHost, runs_at_the_same_time_from_many_threads) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&exec, t] {
        for (int round = 0; round < 10; ++round) expect_one_final_call(exec, 1000 + 1500 * t);
        expect_one_final_call(exec, 270000 + t);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

// The exception of the lowest failing index is reported, whichever passes find it.
HPK_TYPED_TEST(BlockScanOnHost, reports_the_lowest_failure_of_a_long_range) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    constexpr int n = 270001;
    const auto lowest_of = [&](auto zero, bool only_final, std::vector<int> failing) {
      using value = decltype(zero);
      return thrown_by([&] {
        hpk::parallel_scan(hpk::RangePolicy(exec, 0, n), [&](int i, value& update, bool final) {
          update += 1;
          if (only_final && !final) return;
          for (const int f : failing) {
            if (i == f) throw i;
          }
        });
      });
    };
    for (const std::vector<int>& failing :
         {std::vector<int>{n - 1, 0}, {n / 2, n / 2 - 1}, {131000, 66000, 65900}, {n - 1}}) {
      for (const bool only_final : {false, true}) {
        SCOPED_TRACE(testing::Message() << "lowest " << failing.back() << ", " << only_final);
        EXPECT_EQ(lowest_of(0.0, only_final, failing), failing.back());
      }
      EXPECT_EQ(lowest_of(0L, true, failing), failing.back());
    }
    EXPECT_EQ(lowest_of(0.0, false, {}), -1);
  }
}

// Inside a kernel a scan runs on the calling thread.
HPK_TYPED_TEST(BlockScanOnHost, runs_inside_of_a_kernel) {
  for (const TypeParam& exec : hpk_test::instances<TypeParam>()) {
    std::atomic<int> wrong{0};
    hpk::parallel_for(hpk::RangePolicy(exec, 0, 5), [&](int k) {
      double total = -1;
      hpk::parallel_scan(
          hpk::RangePolicy(exec, 0, 1000 * k), [](int i, double& update, bool) { update += i; },
          total);
      if (total != 500.0 * k * (1000 * k - 1)) ++wrong;
    });
    EXPECT_EQ(wrong, 0);
  }
}

}  // namespace hpk_test::block_scan_cases
