// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block that is opened for plain pointers: until it is closed, its host addresses show what
// kernels see.
#include <support/spaces.hpp>

#include <hpk/backends/emu/detectors/plain_pointers.hpp>

namespace hpk_test::emu_plain_pointers_cases {

using hpk::emu::arena;
using hpk::emu::open_block;

TEST(EmuPlainPointers, open_a_block_and_close_it) {
  auto* seen = static_cast<int*>(arena::allocate(sizeof(int), alignof(int)));
  ASSERT_TRUE(open_block(seen));
  *seen = 42;
  EXPECT_EQ(*static_cast<int*>(arena::resolve(seen)), 42);
  hpk::emu::close_blocks();
  arena::deallocate(seen);
  EXPECT_FALSE(open_block(seen));
}

}  // namespace hpk_test::emu_plain_pointers_cases
