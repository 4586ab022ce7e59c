// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools step by step: an allocation or deallocation is interrupted before each of its atomic
// operations in turn, where other lanes allocate and free blocks. The tests use no threads, so that
// every step is reached and runs are reproducible.
#include <hpk/core.hpp>
#include <hpk/memory_pool.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace view_memory_pool_steps_test {
namespace {

using pool = hpk::MemoryPool<hpk::HostSpace>;

// Runs the work of the other lanes before those atomic operations of this lane whose bits in
// `steps` are set.
class interruption {
 public:
  template <class Work>
  interruption(unsigned long long steps, const Work& work)
      : work_(&work),
        call_([](const void* w) { (*static_cast<const Work*>(w))(); }),
        steps_(steps) {
    now = this;
    hpk::seam::atomic_watch = [](const void*, hpk::detail::atomic_mode) { now->count(); };
  }
  ~interruption() { hpk::seam::atomic_watch = nullptr; }
  interruption(const interruption&) = delete;
  interruption& operator=(const interruption&) = delete;
  /// Whether all the chosen operations took place.
  bool happened() const { return steps_ == 0; }

 private:
  void count() {
    const bool is_now = steps_ % 2 != 0;
    steps_ /= 2;
    if (!is_now) return;
    const auto watch = std::exchange(hpk::seam::atomic_watch, nullptr);
    call_(work_);
    hpk::seam::atomic_watch = watch;
  }
  static inline interruption* now = nullptr;
  const void* work_;
  void (*call_)(const void*);
  unsigned long long steps_;
};

// The blocks that lanes hold. Reports overlapping blocks.
class holdings {
 public:
  explicit holdings(const pool& p) : pool_(p) {}
  bool take(std::size_t bytes) { return add(pool_.allocate(bytes), bytes); }
  bool add(void* block, std::size_t bytes) {
    if (block == nullptr) return false;
    const auto* const first = static_cast<std::byte*>(block);
    for (const auto& [other, size] : held_)
      EXPECT_TRUE(first + bytes <= other || other + size <= first) << "blocks overlap";
    held_.emplace_back(static_cast<std::byte*>(block), bytes);
    return true;
  }
  std::byte* remove(std::size_t k) {
    std::byte* const block = held_[k].first;
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(k));
    return block;
  }
  void give_back(std::size_t k) { pool_.deallocate(remove(k)); }
  std::size_t count() const { return held_.size(); }
  void give_all_back() {
    while (count() > 0) give_back(0);
  }

 private:
  const pool& pool_;
  std::vector<std::pair<std::byte*, std::size_t>> held_;
};

std::size_t blocks_in_use(const pool& p) {
  hpk::MemoryPoolUsage usage;
  p.get_usage_statistics(usage);
  return usage.consumed_blocks;
}

// Frees everything, then expects that no block counts as used and that all can be allocated again.
void expect_whole(const pool& p, holdings& held) {
  held.give_all_back();
  EXPECT_EQ(blocks_in_use(p), 0u);
  while (held.take(p.max_block_size())) {
  }
  EXPECT_EQ(held.count(), p.capacity() / p.max_block_size());
  held.give_all_back();
  EXPECT_EQ(blocks_in_use(p), 0u);
}

// Both lanes want the last block.
TEST(MemoryPoolSteps, the_last_block_goes_to_one) {
  bool was_faster = false;
  bool was_slower = false;
  bool happened = true;
  for (int step = 0; happened; ++step) {
    const pool p(hpk::HostSpace(), 128, 64, 64, 128);
    holdings held(p);
    held.take(64);
    bool other = false;
    const auto take_last = [&] { other = held.take(64); };
    void* allocated = nullptr;
    {
      const interruption at(1ull << step, take_last);
      allocated = p.allocate(64);
      happened = at.happened();
    }
    held.add(allocated, 64);
    EXPECT_TRUE((allocated != nullptr) != (happened && other)) << step;
    was_faster = was_faster || other;
    was_slower = was_slower || (happened && !other);
    expect_whole(p, held);
  }
  EXPECT_TRUE(was_faster && was_slower);
}

// One of two superblocks is free at any time, but not always the same one: another lane moves its
// block before any subset of the steps. The search for small blocks begins in the second
// superblock.
TEST(MemoryPoolSteps, the_free_block_is_found_though_it_moves) {
  for (unsigned long long steps = 0; steps < 1ull << 13; ++steps) {
    const pool p(hpk::HostSpace(), 128, 32, 64, 64);
    holdings held(p);
    held.take(64);
    held.take(32);
    held.give_back(1);
    bool is_small = false;
    const auto move = [&] {
      if (held.count() > 0) held.give_back(0);
      is_small = !is_small;
      held.take(is_small ? 32 : 64);
    };
    void* allocated = nullptr;
    {
      const interruption at(steps, move);
      allocated = p.allocate(64);
    }
    ASSERT_NE(allocated, nullptr) << steps;
    held.add(allocated, 64);
    expect_whole(p, held);
  }
}

// The superblock that a lane is about to allocate from gets another block size.
TEST(MemoryPoolSteps, a_superblock_may_change_its_size) {
  bool happened = true;
  for (int step = 0; happened; ++step) {
    const pool p(hpk::HostSpace(), 512, 16, 256, 256);
    holdings held(p);
    held.take(64);
    const auto change = [&] {
      held.give_back(0);
      for (int k = 0; k < 20; ++k) held.take(16);
    };
    void* allocated = nullptr;
    {
      const interruption at(1ull << step, change);
      allocated = p.allocate(64);
      happened = at.happened();
    }
    held.add(allocated, 64);
    expect_whole(p, held);
  }
}

// Random earlier and concurrent operations of the lanes, and random sizes.
TEST(MemoryPoolSteps, blocks_never_overlap_and_are_never_lost) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  constexpr std::size_t block = 64;
  for (int round = 0; round < 3000; ++round) {
    const bool one_size = below(2) == 0;
    const std::size_t superblocks = 1 + below(3);
    const std::size_t superblock = block << below(3);
    const pool p(hpk::HostSpace(), superblocks * superblock, one_size ? block : 16, block,
                 superblock);
    holdings held(p);
    std::size_t most_held = 0;
    const auto play = [&](std::size_t moves) {
      for (std::size_t k = 0; k < moves; ++k) {
        if (held.count() > 0 && below(2) == 0)
          held.give_back(below(held.count()));
        else
          held.take(one_size ? block : 1 + below(block));
        most_held = std::max(most_held, held.count());
      }
    };
    play(2 * p.capacity() / block);
    const bool gives_back = held.count() > 0 && below(3) == 0;
    const std::size_t bytes = one_size ? block : 1 + below(block);
    most_held = held.count();
    std::byte* const given = gives_back ? held.remove(below(held.count())) : nullptr;
    const std::size_t moves = 1 + below(6);
    const auto meanwhile = [&] { play(moves); };
    void* allocated = nullptr;
    {
      const interruption at(random() % (1u << 14), meanwhile);
      if (gives_back)
        p.deallocate(given, bytes);
      else
        allocated = p.allocate(bytes);
    }
    // If there were always enough blocks, this lane must have got one.
    const bool must_have = one_size && !gives_back && most_held < p.capacity() / block;
    EXPECT_TRUE(!must_have || allocated != nullptr);
    held.add(allocated, bytes);
    EXPECT_EQ(blocks_in_use(p), held.count());
    expect_whole(p, held);
    if (testing::Test::HasFailure()) FAIL() << "round " << round;
  }
}

}  // namespace
}  // namespace view_memory_pool_steps_test
