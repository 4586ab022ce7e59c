// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/mpi/distribution.hpp>

#include "support.hpp"

#include <limits>

namespace distribution_test {
namespace {

using namespace mpi_test;
using hpk::index_t;
using hpk::mpi::Distribution;

// Checks that the parts are consecutive and every item is in its owner's part.
void expect_consistent(const Distribution& parts, index_t n) {
  const Communicator all = world();
  EXPECT_EQ(parts.size(), n);
  EXPECT_EQ(parts.begin(), parts.begin(all.rank()));
  EXPECT_EQ(parts.count(), parts.count(all.rank()));
  index_t next = 0;
  for (int rank = 0; rank < all.size(); ++rank) {
    EXPECT_EQ(parts.begin(rank), next);
    for (index_t k = 0; k < parts.count(rank); ++k) EXPECT_EQ(parts.owner(next + k), rank);
    next += parts.count(rank);
  }
  EXPECT_EQ(next, n);
}

TEST(Distribution, divides_evenly_without_a_table) {
  for (const index_t n : {0, 1, 2, 3, 7, 100}) {
    const Distribution parts(world(), n);
    expect_consistent(parts, n);
    EXPECT_LE(parts.count(), n / world().size() + 1);
  }
}
TEST(Distribution, takes_parts_of_any_length) {
  const Communicator all = world();
  // Odd ranks have no items.
  const index_t mine = all.rank() % 2 == 0 ? 3 + all.rank() : 0;
  index_t n = 0;
  for (int rank = 0; rank < all.size(); rank += 2) n += 3 + rank;
  const Distribution parts = Distribution::of_counts(all, mine);
  EXPECT_EQ(parts.count(), mine);
  expect_consistent(parts, n);
  expect_consistent(Distribution::of_counts(all, 0), 0);
}
TEST(Distribution, misuse_is_an_error) {
  const Communicator all = world();
  hpk_test::expect_error(
      [&] { Distribution(all, -1); },
      {"hpk::mpi::Distribution: -1 things can't be divided among", "distribution.cpp"});
  if (all.size() > 1) {
    hpk_test::expect_error([&] { Distribution(all, std::numeric_limits<index_t>::max()); },
                           {"can't be divided among"});
  }
  hpk_test::expect_error([&] { Distribution::of_counts(all, -3); },
                         {"Distribution::of_counts", "the count is -3; write 0 or more"});
}

}  // namespace
}  // namespace distribution_test
