// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emulated device memory: every byte has two addresses, memory is poisoned before the first write,
// and every block ends at the end of its pages.
#include <support/spaces.hpp>

#include <hpk/backends/emu/arena.hpp>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace hpk_test::emu_arena_cases {

using hpk::emu::arena;

TEST(EmuArena, gives_memory_that_only_kernels_reach) {
  void* seen = arena::allocate(1000, 64);
  ASSERT_NE(seen, nullptr);
  EXPECT_TRUE(arena::contains(seen));
  void* real = arena::resolve(seen);
  EXPECT_EQ(static_cast<std::byte*>(real) - static_cast<std::byte*>(seen), arena::shift(0));
  EXPECT_FALSE(arena::contains(real));
  std::memset(real, 1, 1000);
  EXPECT_EQ(arena::resolve(real), real);
  int local = 0;
  EXPECT_EQ(arena::resolve(&local), &local);
  arena::deallocate(seen);
}

TEST(EmuArena, poisons_what_it_gives) {
  void* seen = arena::allocate(24, 8);
  double values[3];
  std::memcpy(values, arena::resolve(seen), sizeof values);
  for (const double v : values) EXPECT_TRUE(std::isnan(v));
  arena::deallocate(seen);
}

TEST(EmuArena, keeps_any_alignment_and_ends_blocks_with_their_pages) {
  for (const std::size_t align : {1, 8, 64, 256, 4096, 65536}) {
    for (const std::size_t bytes : {1, 63, 64, 4096, 4097, 100000}) {
      void* seen = arena::allocate(bytes, align);
      ASSERT_NE(seen, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(seen) % align, 0u);
      std::memset(arena::resolve(seen), 7, bytes);
      if (align <= 64) {
        const auto end = reinterpret_cast<std::uintptr_t>(seen) + bytes;
        EXPECT_LT((4096 - end % 4096) % 4096, align);
      }
      arena::deallocate(seen);
    }
  }
}

TEST(EmuArena, rests_addresses_before_it_uses_them_again) {
  void* first = arena::allocate(100, 64);
  arena::deallocate(first);
  for (int k = 0; k < 100; ++k) {
    void* other = arena::allocate(100, 64);
    EXPECT_NE(other, first);
    arena::deallocate(other);
  }
}

TEST(EmuArena, refuses_more_than_it_has) {
  EXPECT_EQ(arena::allocate(std::size_t{1} << 45, 64), nullptr);
}

TEST(EmuArena, serves_many_threads) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&wrong, t] {
      for (int k = 0; k < 100; ++k) {
        void* seen = arena::allocate(5000, 64);
        arena::name(seen, "threads");
        auto* real = static_cast<unsigned char*>(arena::resolve(seen));
        std::memset(real, t, 5000);
        for (int b = 0; b < 5000; b += 100) wrong += real[b] != t;
        arena::deallocate(seen);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(EmuArena, gives_all_devices_addresses_that_differ_by_whole_lock_periods) {
  EXPECT_EQ(arena::shift(0) % (std::ptrdiff_t{1} << 22), 0);
}

}  // namespace hpk_test::emu_arena_cases
