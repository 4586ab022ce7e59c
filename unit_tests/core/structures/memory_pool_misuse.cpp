// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools with valid and invalid sizes, arguments that deallocate() refuses, and pools that
// threads of the program share.
#include <hpk/core.hpp>
#include <hpk/memory_pool.hpp>

#include <support/output.hpp>
#include <support/spaces.hpp>

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

namespace view_memory_pool_misuse_test {
namespace {

using hpk_test::contains;
using hpk_test::error_of;

std::string rejected(std::size_t total, std::size_t min_block, std::size_t max_block,
                     std::size_t superblock) {
  return error_of([&] {
    const hpk::MemoryPool<hpk::HostSpace> p("nodes", hpk::HostSpace(), total, min_block, max_block,
                                            superblock);
  });
}

TEST(MemoryPoolSizes, that_do_not_fit_are_named) {
  EXPECT_TRUE(contains(rejected(1000, 128, 100, 512),
                       "hpk::MemoryPool \"nodes\": 1000 bytes in superblocks of 512, blocks of 128 "
                       "to 100: the min block is larger than the max block"));
  EXPECT_TRUE(contains(rejected(1000, 64, 513, 512), "max block is larger than a superblock"));
  EXPECT_TRUE(contains(rejected(1000, 64, 128, 1001), "superblock is larger than the total"));
  EXPECT_TRUE(contains(rejected(1000, 2000, 0, 0), "larger than"));
  EXPECT_TRUE(contains(rejected(0, 0, 0, 0), "write MemoryPool() for none"));
  const std::size_t large = std::size_t{1} << 33;
  EXPECT_TRUE(contains(rejected(large, 64, 64, (large >> 2) + 1), "2 GiB at most"));
  EXPECT_TRUE(contains(rejected(~std::size_t{0}, 0, 0, 0), "no memory has so many bytes"));
  const std::string full = rejected(std::size_t{1} << 60, 0, 0, 0);
  EXPECT_TRUE(contains(full, "\"nodes\"") &&
              contains(full, "Host memory space failed to allocate"));
}

void expect_sizes(const hpk::MemoryPool<hpk::HostSpace>& p, std::size_t capacity,
                  std::size_t min_block, std::size_t max_block, hpk::index_t superblocks) {
  EXPECT_EQ(p.capacity(), capacity);
  EXPECT_EQ(p.min_block_size(), min_block);
  EXPECT_EQ(p.max_block_size(), max_block);
  EXPECT_EQ(p.number_of_superblocks(), superblocks);
}

TEST(MemoryPoolSizes, have_defaults_and_are_rounded_up) {
  using pool = hpk::MemoryPool<hpk::HostSpace>;
  const hpk::HostSpace space;
  constexpr std::size_t mega = 1 << 20;
  expect_sizes(pool(space, 5 * mega), 5 * mega, 64, 4096, 5);
  expect_sizes(pool(space, 5 * mega + 1), 6 * mega, 64, 4096, 6);
  expect_sizes(pool(space, 10000), 16384, 64, 4096, 1);
  expect_sizes(pool(space, 1000), 1024, 64, 1024, 1);
  expect_sizes(pool(space, 5), 8, 8, 8, 1);
  expect_sizes(pool(space, 1), 1, 1, 1, 1);
  // Only the superblock size has its default: derived from the min block, and at least the max
  // block.
  expect_sizes(pool(space, mega, 3, 100), mega, 4, 128, 16);
  expect_sizes(pool(space, mega, 1, 100'000), mega, 1, 131'072, 8);
  // Only the max block has its default.
  expect_sizes(pool(space, mega, 100, 0, 5000), mega, 128, 8192, 128);
  // Sizes that are given are used.
  expect_sizes(pool(space, mega, 0, 32, 1024), mega, 32, 32, 1024);
  expect_sizes(pool(space, mega, 0, 0, 2048), mega, 64, 2048, 512);
  expect_sizes(pool(space, mega, 0, 8192), mega, 64, 8192, 1);
}

// On the host errors are reported by hpk::error.
TEST(MemoryPoolOnHost, refuses_what_is_not_its_own) {
  const hpk::MemoryPool<hpk::HostSpace> p("nodes", hpk::HostSpace(), 8192, 64, 256, 1024);
  const hpk::MemoryPool<hpk::HostSpace> empty;
  const std::string large = error_of([&] { p.allocate(257); });
  EXPECT_TRUE(contains(large, "\"nodes\": allocate(257) is more than the max block of 256"));
  EXPECT_TRUE(contains(error_of([&] { empty.allocate(1); }), "without memory: allocate(1)"));
  int variable = 0;
  const std::string foreign = error_of([&] { p.deallocate(&variable, 4); });
  EXPECT_TRUE(contains(foreign, "\"nodes\" of 8192 bytes at ") &&
              contains(foreign, "does not lie in it"));
  EXPECT_TRUE(contains(error_of([&] { empty.deallocate(&variable); }), "does not lie in it"));
  auto* const block = static_cast<std::byte*>(p.allocate(100));
  auto* const neighbour = static_cast<std::byte*>(p.allocate(100));
  ASSERT_EQ(neighbour - block, 128);
  EXPECT_TRUE(contains(error_of([&] { p.deallocate(block + 1); }), "not the beginning of a block"));
  EXPECT_TRUE(contains(error_of([&] { p.deallocate(block + 64); }), "not the beginning"));
  EXPECT_TRUE(contains(error_of([&] { p.deallocate(block + 256); }), "is not taken"));
  EXPECT_TRUE(contains(error_of([&] { p.deallocate(block + 1024); }), "is not taken"));
  EXPECT_TRUE(contains(error_of([&] { p.deallocate(block - 1); }), "does not lie in it"));
  EXPECT_TRUE(contains(error_of([&] { p.deallocate(block + 8192); }), "does not lie in it"));
  p.deallocate(block);
  EXPECT_TRUE(contains(error_of([&] { p.deallocate(block); }), "given back before"));
  p.deallocate(neighbour);
  EXPECT_TRUE(contains(error_of([&] { p.deallocate(neighbour); }), "given back before"));
  // None of the errors changed the pool.
  hpk::MemoryPoolUsage usage;
  p.get_usage_statistics(usage);
  EXPECT_EQ(usage.consumed_blocks, 0u);
  std::vector<void*> all;
  while (void* const b = p.allocate(256)) all.push_back(b);
  EXPECT_EQ(all.size(), 32u);
  for (void* const b : all) p.deallocate(b, 256);
}

// In kernels the error names the kernel. Where a kernel cannot throw, the program ends.
template <class Exec>
class MemoryPoolDeathTest : public testing::Test {};
TYPED_TEST_SUITE(MemoryPoolDeathTest, hpk_test::spaces, hpk_test::space_names);

template <class Exec>
void misuse(int how) noexcept(!hpk_test::is_host<Exec>) {
  const hpk::MemoryPool<Exec> p("nodes", typename Exec::memory_space(), 8192, 64, 256, 1024);
  hpk::parallel_for(
      "misuse", hpk::RangePolicy<Exec>(0, 1), HPK_LAMBDA(int) {
        if (how == 0) p.allocate(1000);
        auto* const block = static_cast<std::byte*>(p.allocate(64));
        p.deallocate(how == 1 ? block + 8192 : how == 2 ? block + 32 : block);
        if (how == 3) p.deallocate(block);
      });
  hpk::fence();
}

HPK_TYPED_TEST(MemoryPoolDeathTest, names_kernel_and_misuse) {
  const char* const messages[] = {"allocate(1000) is more than the max block of 256",
                                  "does not lie in it", "is not the beginning of a block",
                                  "given back before"};
  for (int how = 0; how < 4; ++how) {
    if constexpr (hpk_test::is_host<TypeParam>) {
      const std::string text = error_of([&] { misuse<TypeParam>(how); });
      EXPECT_TRUE(contains(text, messages[how]));
      EXPECT_TRUE(contains(text, "\"nodes\"") && contains(text, "parallel_for \"misuse\""));
    } else {
      GTEST_FLAG_SET(death_test_style, "threadsafe");
      const auto die = [&] {
        hpk_test::print_to_stderr();
        misuse<TypeParam>(how);
      };
      EXPECT_DEATH(die(), how == 0 ? "allocate\\(" : "deallocate\\(");
    }
  }
}

// All freed blocks are found, whatever words of the bit field they are in, and no others.
TEST(MemoryPoolOnHost, finds_the_blocks_that_were_given_back) {
  const hpk::MemoryPool<hpk::HostSpace> p(hpk::HostSpace(), 16384, 16, 16, 4096);
  std::vector<void*> blocks;
  while (void* const block = p.allocate(16)) blocks.push_back(block);
  ASSERT_EQ(blocks.size(), 1024u);
  for (const std::size_t apart : {1u, 7u, 63u, 64u, 100u, 250u, 512u, 1023u}) {
    for (std::size_t first = 0; first < apart && first < 3; ++first) {
      std::vector<void*> given;
      for (std::size_t k = first; k < blocks.size(); k += apart) {
        given.push_back(blocks[k]);
        p.deallocate(blocks[k]);
      }
      std::vector<void*> taken;
      while (void* const block = p.allocate(9)) taken.push_back(block);
      std::sort(given.begin(), given.end());
      std::sort(taken.begin(), taken.end());
      EXPECT_EQ(given, taken) << apart << ' ' << first;
    }
  }
}

// Threads of the program allocate concurrently from too few blocks.
TEST(MemoryPoolOnHost, serves_many_threads) {
  constexpr std::size_t threads_there = 8;
  const hpk::MemoryPool<hpk::HostSpace> p(hpk::HostSpace(), 4096, 32, 512, 512);
  std::vector<std::thread> threads;
  std::vector<long> wrong(threads_there);
  std::vector<long> served(threads_there);
  for (std::size_t t = 0; t < threads_there; ++t) {
    threads.emplace_back([&p, t, errors = &wrong[t], got = &served[t]] {
      std::vector<std::pair<unsigned char*, std::size_t>> held;
      for (std::size_t round = 0; round < 3000; ++round) {
        const std::size_t bytes = (round * 131 + t * 17) % 512 + 1;
        if (void* const block = p.allocate(bytes)) {
          held.emplace_back(static_cast<unsigned char*>(block), bytes);
          std::fill_n(held.back().first, bytes, static_cast<unsigned char>(t + 1));
          ++*got;
        }
        while (held.size() > round % 4) {
          const auto [block, size] = held.front();
          for (std::size_t k = 0; k < size; ++k) *errors += block[k] != t + 1 ? 1 : 0;
          p.deallocate(block, size);
          held.erase(held.begin());
        }
        if (round % 500 == 0) {
          hpk::MemoryPoolUsage usage;
          p.get_usage_statistics(usage);
          if (usage.consumed_bytes > 4096) ++*errors;
        }
      }
      for (const auto& [block, size] : held) p.deallocate(block, size);
    });
  }
  for (auto& thread : threads) thread.join();
  for (std::size_t t = 0; t < threads_there; ++t) {
    EXPECT_EQ(wrong[t], 0);
    EXPECT_GT(served[t], 0);
  }
  hpk::MemoryPoolUsage usage;
  p.get_usage_statistics(usage);
  EXPECT_EQ(usage.consumed_blocks, 0u);
}

// As many threads as blocks, and each thread holds one block at a time, so a block is always free,
// even if a search runs concurrently with other allocations.
TEST(MemoryPoolOnHost, finds_the_last_block_wherever_it_is) {
  constexpr std::size_t threads_there = 6;
  const hpk::MemoryPool<hpk::HostSpace> p(hpk::HostSpace(), threads_there * 64, 64, 64, 64);
  std::vector<std::thread> threads;
  std::vector<long> refused(threads_there);
  for (std::size_t t = 0; t < threads_there; ++t) {
    threads.emplace_back([&p, failures = &refused[t]] {
      for (int round = 0; round < 20'000; ++round) {
        void* const block = p.allocate(64);
        if (block == nullptr) ++*failures;
        p.deallocate(block, 64);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(refused, std::vector<long>(threads_there));
}

}  // namespace
}  // namespace view_memory_pool_misuse_test
