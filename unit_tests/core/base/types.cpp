// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number types of the library: an index is 64 bits wide and signed.
#include <hpk/base/types.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <type_traits>

namespace base_types_test {
namespace {

static_assert(std::is_signed_v<hpk::index_t> && sizeof(hpk::index_t) == 8);
static_assert(hpk::max_rank == 8);

TEST(IndexType, counts_past_32_bits_and_below_zero) {
  const hpk::index_t large = hpk::index_t{1} << 40;
  EXPECT_EQ(hpk::index_t{0} - large, -large);
  EXPECT_GT(std::numeric_limits<hpk::index_t>::max(), large);
}

}  // namespace
}  // namespace base_types_test
