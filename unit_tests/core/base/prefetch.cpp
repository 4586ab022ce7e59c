// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prefetching lines for stores changes no byte, for every alignment and size.
#include <hpk/base/prefetch.hpp>

#include <gtest/gtest.h>

#include <array>

namespace hpk_test::prefetch_cases {

TEST(Prefetch, changes_no_byte) {
  std::array<unsigned char, 8192> memory;
  for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = static_cast<unsigned char>(k % 251);
  const auto before = memory;
  for (const std::size_t first : {0u, 1u, 63u}) {
    for (const std::size_t bytes : {0u, 1u, 64u, 65u, 4096u, 4097u, 8000u})
      hpk::detail::fetch_for_stores(memory.data() + first, bytes);
  }
  EXPECT_EQ(memory, before);
}

TEST(Prefetch, takes_no_memory_at_all) { hpk::detail::fetch_for_stores(nullptr, 0); }

}  // namespace hpk_test::prefetch_cases
