// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pool reuses blocks that are large enough, never a leased block, and frees all at the end.
#include <support/spaces.hpp>

#include <hpk/backends/gpu/workspace_pool.hpp>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

namespace hpk_test::workspace_pool_cases {

int live = 0;
std::size_t live_bytes = 0;

void* take(void* context, std::size_t bytes) {
  EXPECT_EQ(context, &live);
  ++live;
  live_bytes += bytes;
  return std::malloc(bytes);
}
void give(void* data, std::size_t bytes) noexcept {
  --live;
  live_bytes -= bytes;
  std::free(data);
}

TEST(WorkspacePool, uses_blocks_again) {
  {
    hpk::gpu::workspace_pool pool({&take, &give, &live});
    const auto first = pool.lease(100);
    EXPECT_GE(first.bytes, 100u);
    const auto second = pool.lease(100);
    EXPECT_NE(first.data, second.data);
    pool.give_back(first);
    EXPECT_EQ(pool.lease(first.bytes).data, first.data);
    pool.give_back(first);
    const auto large = pool.lease(first.bytes + 1);
    EXPECT_GT(large.bytes, first.bytes);
    EXPECT_EQ(live, 3);
    pool.give_back(large);
    pool.give_back(second);
    pool.clear();
    EXPECT_EQ(live, 0);
    pool.give_back(pool.lease(0));
    EXPECT_EQ(live, 1);
  }
  EXPECT_EQ(live, 0);
  EXPECT_EQ(live_bytes, 0u);
}

TEST(WorkspacePool, keeps_what_a_graph_holds) {
  {
    hpk::gpu::workspace_pool pool({&take, &give, &live});
    pool.give_back(pool.lease(100));
    pool.disable_reuse();
    const auto first = pool.lease(100);
    pool.give_back(first);
    const auto second = pool.lease(100);
    EXPECT_NE(first.data, second.data);
    EXPECT_GE(second.bytes, 100u);
    pool.give_back(second);
    EXPECT_EQ(live, 3);
  }
  EXPECT_EQ(live, 0);
}

TEST(WorkspacePool, leases_the_smallest_block_that_suffices) {
  {
    hpk::gpu::workspace_pool pool({&take, &give, &live});
    const auto large = pool.lease(std::size_t{5} << 20);
    EXPECT_LT(large.bytes, std::size_t{6} << 20);
    const auto small = pool.lease(1);
    pool.give_back(large);
    pool.give_back(small);
    EXPECT_EQ(pool.lease(1).data, small.data);
    EXPECT_EQ(pool.lease(std::size_t{5} << 20).data, large.data);
    EXPECT_EQ(live, 2);
    pool.give_back(small);
    pool.give_back(large);
  }
  EXPECT_EQ(live, 0);
}

TEST(WorkspacePool, keeps_as_many_bytes_as_allowed) {
  {
    hpk::gpu::workspace_pool pool({&take, &give, &live, std::size_t{3} << 20});
    const auto first = pool.lease(std::size_t{2} << 20);
    const auto second = pool.lease(std::size_t{2} << 20);
    pool.give_back(first);
    EXPECT_EQ(live, 2);
    pool.give_back(second);
    EXPECT_EQ(live, 1);
    EXPECT_EQ(pool.lease(std::size_t{2} << 20).data, first.data);
    pool.give_back(first);
    // Pools without permission to free keep their blocks.
    hpk::gpu::workspace_pool other({&take, &give, &live});
    other.give_back(other.lease(1));
    EXPECT_EQ(live, 2);
    EXPECT_TRUE(hpk::gpu::workspace_pool::trim_all());
    EXPECT_EQ(live, 1);
    EXPECT_FALSE(hpk::gpu::workspace_pool::trim_all());
  }
  EXPECT_EQ(live, 0);
  EXPECT_EQ(live_bytes, 0u);
}

std::atomic<int> allocated{0};
void* count_and_take(void*, std::size_t bytes) {
  ++allocated;
  return std::malloc(bytes);
}
void only_give(void* data, std::size_t) noexcept { std::free(data); }

TEST(WorkspacePool, serves_many_threads) {
  hpk::gpu::workspace_pool pool({&count_and_take, &only_give, nullptr});
  std::vector<std::thread> threads;
  std::atomic<int> shared{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 500; ++k) {
        const auto block = pool.lease(4);
        auto& word = *static_cast<int*>(block.data);
        word = k;
        std::this_thread::yield();
        if (word != k) ++shared;
        pool.give_back(block);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(shared, 0);
  EXPECT_LE(allocated, 8);
}

}  // namespace hpk_test::workspace_pool_cases
