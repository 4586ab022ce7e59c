// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block distribution.
#include <hpk/mpi/block.hpp>

#include "support.hpp"

namespace block_test {
namespace {

using hpk::index_t;
using hpk::mpi::block_begin;
using hpk::mpi::block_of;

TEST(Block, parts_follow_each_other_and_differ_by_at_most_one) {
  for (const index_t n : {0, 1, 2, 7, 12, 100}) {
    for (index_t parts = 1; parts <= 13; ++parts) {
      EXPECT_EQ(block_begin(n, parts, 0), 0);
      EXPECT_EQ(block_begin(n, parts, parts), n);
      for (index_t k = 0; k < parts; ++k) {
        const index_t size = block_begin(n, parts, k + 1) - block_begin(n, parts, k);
        EXPECT_GE(size, n / parts);
        EXPECT_LE(size, (n + parts - 1) / parts);
      }
    }
  }
}

TEST(Block, knows_the_part_of_each_index) {
  for (const index_t n : {1, 2, 7, 12, 100}) {
    for (index_t parts = 1; parts <= 13; ++parts) {
      for (index_t i = 0; i < n; ++i) {
        const index_t k = block_of(n, parts, i);
        EXPECT_LE(block_begin(n, parts, k), i);
        EXPECT_GT(block_begin(n, parts, k + 1), i);
      }
    }
  }
  static_assert(block_of(index_t{1} << 40, 100'000, (index_t{1} << 40) - 1) == 99'999);
}

}  // namespace
}  // namespace block_test
