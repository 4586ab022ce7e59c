// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How iterations are divided: static chunks cover everything once and differ little. The blocks of
// reductions have the documented shape, which is a contract because it determines the bits of
// results.
#include <support/spaces.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace hpk_test::walk_cases {

using hpk::index_t;
using hpk::detail::block_plan;
using hpk::detail::index_range;
using hpk::detail::plan_blocks;
using hpk::detail::static_chunk;

TEST(StaticPieces, cover_everything_once_in_order) {
  for (const index_t n : {0, 1, 2, 3, 7, 64, 100, 1023, 1024, 4097}) {
    for (const index_t parts : {1, 2, 3, 5, 16, 100}) {
      for (const index_t chunk : {1, 2, 3, 64, 5000}) {
        SCOPED_TRACE(testing::Message() << n << " in " << parts << " parts, chunk " << chunk);
        index_t next = 0;
        index_t longest = 0;
        index_t shortest = n + chunk;
        for (index_t rank = 0; rank < parts; ++rank) {
          const index_range p = static_chunk(n, rank, parts, chunk);
          if (p.begin >= p.end) {
            shortest = 0;
            continue;
          }
          EXPECT_EQ(p.begin, next);
          if (p.end != n) {
            EXPECT_EQ(p.end % chunk, 0);
          }
          longest = std::max(longest, p.end - p.begin);
          shortest = std::min(shortest, p.end - p.begin);
          next = p.end;
        }
        EXPECT_EQ(next, n);
        // They differ by at most one chunk, and the last chunk may be short.
        if (n > 0) {
          EXPECT_LE(longest - shortest, chunk == 1 ? 1 : 2 * chunk - 1);
        }
      }
    }
  }
}

TEST(StaticPieces, do_not_overflow_near_the_largest_count) {
  constexpr index_t most = std::numeric_limits<index_t>::max();
  static_assert(static_chunk(most, 0, 16).begin == 0);
  static_assert(static_chunk(most, 15, 16).end == most);
  static_assert(static_chunk(most, 7, 16).end == static_chunk(most, 8, 16).begin);
  static_assert(static_chunk(most, 15, 16, 1000).end == most);
}

// Chunks of workers cover everything once, in order, and no chunk is much longer than an even
// share.
TEST(WorkerChunks, cover_everything_once_in_order) {
  using hpk::detail::usable_margin;
  using hpk::detail::worker_chunk;
  for (const index_t n : {0, 1, 2, 7, 64, 100, 1023, 4097, 100'000}) {
    for (const index_t parts : {1, 2, 3, 16, 100}) {
      for (const index_t chunk : {0, 1, 3, 64, 5000}) {
        for (const index_t before : {0, 1, 5, 1000, -3}) {
          SCOPED_TRACE(testing::Message() << n << " in " << parts << " parts, chunk " << chunk
                                          << ", " << before << " before");
          const index_t margin = chunk > 1 ? 0 : usable_margin(before, n, parts);
          index_t next = 0;
          index_t longest = 0;
          for (index_t rank = 0; rank < parts; ++rank) {
            const index_range p = worker_chunk(n, rank, parts, chunk, margin);
            ASSERT_EQ(p.begin, next);
            ASSERT_LE(p.begin, p.end);
            if (chunk > 1 && p.end != n) {
              ASSERT_EQ(p.end % chunk, 0);
            }
            longest = std::max(longest, p.end - p.begin);
            next = p.end;
          }
          EXPECT_EQ(next, n);
          const index_t even = n / parts + 1;
          EXPECT_LE(longest, chunk > 1 ? even + chunk : even + (margin > 0 ? even / 16 : 0));
        }
      }
    }
  }
}

// The interior of a View is divided at the same places as the View.
TEST(WorkerChunks, of_an_interior_are_those_of_the_whole) {
  using hpk::detail::usable_margin;
  using hpk::detail::worker_chunk;
  for (const index_t n : {1000, 4096, 100'001}) {
    for (const index_t parts : {2, 7, 16}) {
      for (const index_t margin : {1, 2, 13}) {
        ASSERT_EQ(usable_margin(margin, n - 2 * margin, parts), margin);
        for (index_t rank = 0; rank < parts; ++rank) {
          const index_range whole = worker_chunk(n, rank, parts, 1, 0);
          const index_range inner = worker_chunk(n - 2 * margin, rank, parts, 1, margin);
          EXPECT_EQ(inner.begin + margin, std::max(whole.begin, margin));
          EXPECT_EQ(inner.end + margin, std::min(whole.end, n - margin));
        }
      }
    }
  }
}

TEST(WorkerChunks, leave_few_iterations_alone) {
  using hpk::detail::usable_margin;
  EXPECT_EQ(usable_margin(1, 32, 2), 0);
  EXPECT_EQ(usable_margin(1, 31, 1), 0);
  EXPECT_EQ(usable_margin(1, 64, 16), 0);
  EXPECT_EQ(usable_margin(1, 96, 2), 1);
  EXPECT_EQ(usable_margin(1000, 1000, 2), 0);
  constexpr index_t most = std::numeric_limits<index_t>::max();
  static_assert(usable_margin(most / 2, most, 2) == 0);
  static_assert(hpk::detail::worker_chunk(most, 15, 16, 0, 0).end == most);
  static_assert(hpk::detail::worker_chunk(most, 15, 16, 1000, 0).end == most);
}

// Blocks of a worker begin at most half a block away from its chunk.
TEST(WorkerChunks, have_the_blocks_that_are_closest) {
  for (const index_t n : {100'000, 274'489, 5'000'000}) {
    const block_plan plan = plan_blocks(n, 8);
    for (const index_t parts : {2, 3, 7}) {
      index_t next = 0;
      for (index_t rank = 0; rank < parts; ++rank) {
        const index_range blocks = hpk::detail::worker_blocks(plan, rank, parts, 0);
        const index_range own = hpk::detail::worker_chunk(n, rank, parts, 1, 0);
        EXPECT_EQ(blocks.begin, next);
        EXPECT_LE(std::abs(plan.begin(blocks.begin) - own.begin), plan.length / 2 + 1);
        next = blocks.end;
      }
      EXPECT_EQ(next, plan.count());
    }
  }
}

// The contract: at most 64 blocks up to 64 Ki iterations, then one per 1 Ki, at most 1024. Block
// lengths of 32 and more are multiples of 16, the number of accumulators.
static_assert(hpk::detail::interleaved_accumulators == 16);
static_assert(hpk::detail::short_range_accumulators == 64);
static_assert(hpk::detail::longest_short_range == 8192);
static_assert(plan_blocks(0).count() == 0);
static_assert(plan_blocks(1).count() == 1 && plan_blocks(1).length == 1);
static_assert(plan_blocks(64).count() == 64 && plan_blocks(64).length == 1);
static_assert(plan_blocks(65).count() == 33 && plan_blocks(65).length == 2);
static_assert(plan_blocks(1984).length == 31);
static_assert(plan_blocks(1985).length == 32);
static_assert(plan_blocks(2049).length == 48);
static_assert(plan_blocks(65536).count() == 64 && plan_blocks(65536).length == 1024);
static_assert(plan_blocks(102400).count() == 100 && plan_blocks(102400).length == 1024);
static_assert(plan_blocks(1 << 20).count() == 1024 && plan_blocks(1 << 20).length == 1024);
static_assert(plan_blocks(1 << 24).count() == 1024 && plan_blocks(1 << 24).length == 16384);
static_assert(plan_blocks(100, 64).count() == 2 && plan_blocks(100, 64).length == 64);
static_assert(plan_blocks(100, 8).count() == 13 && plan_blocks(100, 8).length == 8);
// A chunk size requests its own block length, shorter or longer, within 1024 blocks.
static_assert(plan_blocks(100, 8, 1).length == 1 && plan_blocks(100, 8, 1).count() == 100);
static_assert(plan_blocks(5000, 8, 3).length == 5 && plan_blocks(100, 8, 30).length == 30);
static_assert(plan_blocks(100, 8, 33).length == 48 && plan_blocks(100, 8, 1000).count() == 1);

TEST(BlockPlans, cover_everything_once) {
  for (const index_t chunk : {0, 0, 1, 7, 64, 3000}) {
    for (index_t n = 0; n < 200000; n += n < 5000 ? 1 : 977) {
      const block_plan plan = plan_blocks(n, n % 3 == 0 ? 64 : 8, chunk);
      ASSERT_EQ(plan.n, n);
      ASSERT_LE(plan.count(), 1024);
      index_t next = 0;
      for (index_t block = 0; block < plan.count(); ++block) {
        ASSERT_EQ(plan.begin(block), next);
        ASSERT_GT(plan.end(block), next);
        next = plan.end(block);
      }
      ASSERT_EQ(next, n);
      if (plan.count() > 1 && plan.length >= 32) {
        ASSERT_EQ(plan.length % 16, 0);
      }
    }
  }
}

TEST(BlockPlans, do_not_overflow_near_the_largest_count) {
  constexpr block_plan plan = plan_blocks(std::numeric_limits<index_t>::max() - 1024);
  static_assert(plan.count() >= 1 && plan.count() <= 1024);
  static_assert(plan.end(plan.count() - 1) == std::numeric_limits<index_t>::max() - 1024);
  static_assert(plan.begin(plan.count() - 1) < plan.end(plan.count() - 1));
}

static_assert(hpk::detail::index_after(-128, 255) == 127);
static_assert(hpk::detail::index_after<signed char>(-128, 255) == 127);
static_assert(hpk::detail::index_after(std::numeric_limits<int>::min(), 4294967295L) ==
              std::numeric_limits<int>::max());
static_assert(hpk::detail::index_after(std::uint64_t{1} << 63, 5) == (std::uint64_t{1} << 63) + 5);

static_assert(hpk::detail::distance(-1500000000, 1500000000) == 3000000000u);
static_assert(hpk::detail::distance<signed char>(-128, 127) == 255);
static_assert(hpk::detail::distance<unsigned char>(3, 3) == 0);

// Assumptions that hpk gives the compiler, violated as by a faulty backend.

TEST(BrokenPromises, a_body_outside_of_a_kernel_scope_is_found) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const hpk::View<int*, hpk::HostSpace> v("v", 4);
  const auto kernel = [=](int i) { v(i) = i; };
  constexpr bool copied = hpk::detail::copied_into_loops<decltype(kernel)>;
  static_assert(copied == (HPK_HAS_CUDA_COMPILER == 0 && HPK_ON_DEVICE == 0));
  if (!copied) GTEST_SKIP() << "nvcc does not tell lambdas from functors: hpk promises nothing";
  const hpk::detail::range_walk<int> walk(0);
  EXPECT_DEATH(hpk::detail::for_indices<void>(kernel, walk, 0, 4),
               "outside of a seam::kernel_scope; its launch\\(\\) must hold a "
               "seam::kernel_scope\\(info\\) on each thread that runs lanes");
  const hpk::seam::launch_info info{.pattern = "parallel_for", .label = "right", .where = {}};
  const hpk::seam::kernel_scope inside(info);
  hpk::detail::for_indices<void>(kernel, walk, 0, 4);
  EXPECT_EQ(v(3), 3);
}

// The cursor is at the end of a row.
struct box_with_a_wrong_cursor {
  using index_type = int;
  static constexpr int rank = 2;
  static constexpr int fastest = 1;
  static constexpr int slow(int) { return 0; }
  int lower[2] = {0, 0};
  index_t extent[2] = {3, 4};
  void unflatten(index_t, int* index) const { index[0] = 0, index[1] = 4; }
};

TEST(BrokenPromises, an_empty_row_of_a_box_is_found) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const hpk::detail::mdrange_walk<box_with_a_wrong_cursor> walk{{}, 12};
  EXPECT_DEATH(walk.each<void>([](int, int) {}, 0, 1), "a walk through a box has an empty row");
}

}  // namespace hpk_test::walk_cases
