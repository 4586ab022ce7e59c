// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scratch of a group.
#include <hpk/core.hpp>
#include <hpk/parallel/team/group.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace hpk_test::group_cases {

static_assert(hpk::detail::is_shuffled<double>);
static_assert(!hpk::detail::is_shuffled<std::vector<int>>);

// Scratch is aligned to 16 bytes. Values may require more.
struct alignas(64) wide {
  std::uint64_t words[3];
};
struct alignas(32) less_wide {
  char letters[5];
};
static_assert(hpk::detail::value_scratch_bytes<double>(256) == 2048);
static_assert(hpk::detail::value_scratch_bytes<wide>(4) == 256 + 48);

struct with_scratch {
  std::byte* data;
  std::byte* scratch(int) const { return data; }
};

TEST(GroupScratch, is_aligned_for_its_values) {
  alignas(64) std::byte memory[64 * 8];
  const auto expect_room = [&]<class V>(hpk::detail::type_identity<V>) {
    for (std::size_t offset = 0; offset < 64; offset += 16) {
      with_scratch lane{memory + offset};
      V* values = hpk::detail::value_scratch<V>(lane);
      const auto* begin = reinterpret_cast<std::byte*>(values);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(begin) % alignof(V), 0u);
      EXPECT_GE(begin, lane.data);
      EXPECT_LE(begin + 4 * sizeof(V), lane.data + hpk::detail::value_scratch_bytes<V>(4));
    }
  };
  expect_room(hpk::detail::type_identity<wide>{});
  expect_room(hpk::detail::type_identity<less_wide>{});
  expect_room(hpk::detail::type_identity<double>{});
}

}  // namespace hpk_test::group_cases
