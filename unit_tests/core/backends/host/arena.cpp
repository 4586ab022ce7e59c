// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary memory of host launches: aligned, reused, and separate for concurrent leases.
#include <hpk/backends/host/arena.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

namespace hpk_test::arena_cases {

using hpk::host::arena_lease;
using hpk::host::workspace;

bool aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 64 == 0; }

TEST(ArenaLease, is_aligned_and_null_when_nothing_is_asked) {
  EXPECT_EQ(arena_lease(0).data(), nullptr);
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{1} << 20}) {
    const arena_lease lease(bytes);
    ASSERT_NE(lease.data(), nullptr);
    EXPECT_TRUE(aligned(lease.data()));
    std::memset(lease.data(), 1, bytes);
  }
}

TEST(ArenaLease, gives_the_same_block_again) {
  const std::byte* first = arena_lease(5000).data();
  EXPECT_EQ(arena_lease(4000).data(), first);
}

TEST(ArenaLease, keeps_leases_apart_that_overlap_in_time) {
  const arena_lease outer(1000);
  std::memset(outer.data(), 7, 1000);
  {
    const arena_lease inner(1000);
    const arena_lease third(1 << 20);
    EXPECT_TRUE(aligned(inner.data()) && aligned(third.data()));
    std::memset(inner.data(), 8, 1000);
    std::memset(third.data(), 9, 1 << 20);
  }
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(outer.data()[k], std::byte{7});
}

TEST(ArenaLease, is_of_its_thread) {
  const arena_lease here(100);
  const std::byte* there = nullptr;
  std::thread([&] { there = arena_lease(100).data(); }).join();
  EXPECT_NE(there, here.data());
}

TEST(Workspace, holds_small_requests_itself_and_spills_larger_ones) {
  int machine = 0;
  const workspace small(machine, 8192);
  const workspace large(machine, 8193);
  const auto inside = [](const workspace& w) {
    const auto* begin = reinterpret_cast<const std::byte*>(&w);
    const auto* data = static_cast<const std::byte*>(w.data());
    return data >= begin && data < begin + sizeof w;
  };
  EXPECT_TRUE(inside(small));
  EXPECT_FALSE(inside(large));
  EXPECT_TRUE(aligned(small.data()) && aligned(large.data()));
  std::memset(large.data(), 1, 8193);
}

// Launches from destructors that run after the thread's block was freed still get memory.
struct leases_late {
  std::byte** seen = nullptr;
  ~leases_late() {
    if (seen == nullptr) return;
    const hpk::host::arena_lease late(1 << 16);
    late.data()[(1 << 16) - 1] = std::byte{1};
    *seen = late.data();
  }
};

TEST(ArenaLease, serves_destructors_that_run_after_the_block_is_gone) {
  std::byte* seen = nullptr;
  std::thread([&seen] {
    static thread_local leases_late late;
    late.seen = &seen;
    // Constructed after `late`, so destroyed before it.
    const hpk::host::arena_lease first(1 << 16);
    EXPECT_NE(first.data(), nullptr);
  }).join();
  EXPECT_NE(seen, nullptr);
}

}  // namespace hpk_test::arena_cases
