// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Even shares cover everything once and differ by at most one item. Shares of the same whole in
// larger or smaller items begin at the same place.
#include <hpk/base/even_share.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace hpk_test::even_share_cases {

using hpk::index_t;
using hpk::detail::share_begin;

TEST(EvenShare, covers_everything_and_differs_by_one) {
  for (const index_t n : {0, 1, 2, 3, 7, 64, 100, 1023, 1024, 4097}) {
    for (const index_t parts : {1, 2, 3, 5, 16, 100, 1000}) {
      EXPECT_EQ(share_begin(n, 0, parts), 0);
      EXPECT_EQ(share_begin(n, parts, parts), n);
      for (index_t rank = 0; rank < parts; ++rank) {
        const index_t length = share_begin(n, rank + 1, parts) - share_begin(n, rank, parts);
        ASSERT_TRUE(length == n / parts || length == n / parts + 1) << n << ' ' << parts;
      }
    }
  }
}

// The share of the elements begins less than a row after the share of the rows.
TEST(EvenShare, begins_where_that_of_smaller_items_does) {
  for (const index_t rows : {1, 10, 999, 1000, 1001}) {
    for (const index_t columns : {1, 3, 64, 1000}) {
      for (const index_t parts : {2, 7, 64, 128}) {
        for (index_t rank = 0; rank <= parts; ++rank) {
          const index_t apart =
              share_begin(rows * columns, rank, parts) - share_begin(rows, rank, parts) * columns;
          ASSERT_TRUE(0 <= apart && apart < columns);
        }
      }
    }
  }
}

TEST(EvenShare, does_not_overflow) {
  constexpr index_t most = std::numeric_limits<index_t>::max();
  constexpr index_t parts = std::numeric_limits<int>::max();
  static_assert(share_begin(most, 16, 16) == most);
  static_assert(share_begin(most, parts, parts) == most);
  static_assert(share_begin(most, parts - 1, parts) < most);
  static_assert(share_begin(parts - 1, parts / 2, parts) == parts / 2 - 1);
}

TEST(EvenShare, divides_numbers_of_any_size) {
  using hpk::detail::quotient;
  constexpr index_t most = std::numeric_limits<index_t>::max();
  constexpr index_t wide = index_t{1} << 32;
  static_assert(quotient(0, 1) == 0 && quotient(7, 2) == 3 && quotient(wide - 1, 1) == wide - 1);
  static_assert(quotient(wide, 3) == wide / 3 && quotient(wide - 1, wide) == 0);
  static_assert(quotient(most, most) == 1 && quotient(most, 2) == most / 2);
}

}  // namespace hpk_test::even_share_cases
