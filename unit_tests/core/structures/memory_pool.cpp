// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools: blocks that many lanes allocate and free concurrently never overlap and are never
// lost. Also the statistics of a pool.
#include <hpk/structures/memory_pool.hpp>

#include <hpk/core.hpp>
#include <hpk/memory_pool.hpp>

#include <support/elements.hpp>

#include <cstdint>
#include <sstream>

namespace view_memory_pool_test {
namespace {

using hpk_test::contains;

static_assert(std::is_same_v<hpk::MemoryPool<hpk::HostSpace>::execution_space,
                             hpk::HostSpace::execution_space>);
using of_default = hpk::MemoryPool<hpk::DefaultExecutionSpace>;
static_assert(std::is_same_v<of_default::memory_space, hpk::DefaultExecutionSpace::memory_space>);
static_assert(std::is_same_v<of_default::device_type, hpk::DefaultExecutionSpace::device_type>);

// A word of the block at an address, accessed through a View where accesses of lanes are watched.
template <class Device>
HPK_FUNCTION std::uint32_t& word_of(std::uintptr_t block, std::size_t number) {
  return hpk::View<std::uint32_t*, Device>(reinterpret_cast<std::uint32_t*>(block),
                                           number + 1)(number);
}
HPK_FUNCTION std::uintptr_t address_of(void* block) {
  return reinterpret_cast<std::uintptr_t>(block);
}
HPK_FUNCTION void* pointer_of(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

template <class Device>
class MemoryPool : public testing::Test {
 public:
  using exec = typename Device::execution_space;
  using memory = typename Device::memory_space;
  using pool = hpk::MemoryPool<Device>;
  using addresses = hpk::View<std::uintptr_t*, Device>;
  using numbers = hpk::View<std::size_t*, Device>;

  /// Lane i takes sizes(i) bytes and fills them with its number.
  static void take_all(const exec& on, const pool& p, const numbers& sizes, const addresses& blocks,
                       std::uint32_t mark) {
    hpk::parallel_for(
        hpk::RangePolicy<exec>(on, 0, static_cast<int>(sizes.extent(0))), HPK_LAMBDA(int i) {
          blocks(i) = address_of(p.allocate(sizes(i)));
          if (blocks(i) == 0) return;
          for (std::size_t k = 0; k < sizes(i) / 4; ++k)
            word_of<Device>(blocks(i), k) = mark + static_cast<std::uint32_t>(i);
        });
  }
  /// The number of words that differ from what take_all() wrote.
  static long count_changed(const exec& on, const numbers& sizes, const addresses& blocks,
                            std::uint32_t mark) {
    long changed = 0;
    hpk::parallel_reduce(
        hpk::RangePolicy<exec>(on, 0, static_cast<int>(sizes.extent(0))),
        HPK_LAMBDA(int i, long& sum) {
          if (blocks(i) == 0) return;
          for (std::size_t k = 0; k < sizes(i) / 4; ++k)
            if (word_of<Device>(blocks(i), k) != mark + static_cast<std::uint32_t>(i)) ++sum;
        },
        changed);
    return changed;
  }
  /// Frees the blocks of lanes first, first + step, ...
  static void give_back(const exec& on, const pool& p, const addresses& blocks, int first,
                        int step) {
    hpk::parallel_for(
        hpk::RangePolicy<exec>(on, 0, static_cast<int>(blocks.extent(0))), HPK_LAMBDA(int i) {
          if (i % step != first) return;
          p.deallocate(pointer_of(blocks(i)), 1);
          blocks(i) = 0;
        });
  }
  static long count_taken(const exec& on, const addresses& blocks) {
    long taken = 0;
    hpk::parallel_reduce(
        hpk::RangePolicy<exec>(on, 0, static_cast<int>(blocks.extent(0))),
        HPK_LAMBDA(int i, long& sum) { sum += blocks(i) != 0 ? 1 : 0; }, taken);
    return taken;
  }
  static void fill_sizes(const numbers& sizes, std::size_t first, std::size_t step,
                         std::size_t most) {
    hpk::parallel_for(
        hpk::RangePolicy<exec>(0, static_cast<int>(sizes.extent(0))),
        HPK_LAMBDA(int i) { sizes(i) = (first + static_cast<std::size_t>(i) * step) % most + 1; });
    hpk::fence();
  }
  static hpk::MemoryPoolUsage usage_of(const pool& p) {
    hpk::MemoryPoolUsage usage;
    p.get_usage_statistics(usage);
    return usage;
  }
};
TYPED_TEST_SUITE(MemoryPool, hpk_test::all_devices, hpk_test::device_names);

HPK_TYPED_TEST(MemoryPool, gives_blocks_that_overlap_nowhere) {
  using test = MemoryPool<TypeParam>;
  constexpr int lanes = 1500;
  for (const auto& on : hpk_test::instances<typename test::exec>()) {
    const typename test::pool p("blocks", typename test::memory(), 4 << 20, 16, 1024, 16384);
    const typename test::numbers sizes("sizes", lanes);
    const typename test::addresses blocks("addresses", lanes);
    test::fill_sizes(sizes, 3, 37, 1024);
    for (std::uint32_t round = 0; round < 3; ++round) {
      const std::uint32_t mark = 10'000 * round;
      test::take_all(on, p, sizes, blocks, mark);
      EXPECT_EQ(test::count_taken(on, blocks), lanes);
      EXPECT_EQ(test::count_changed(on, sizes, blocks, mark), 0);
      EXPECT_EQ(test::usage_of(p).consumed_blocks, static_cast<std::size_t>(lanes));
      test::give_back(on, p, blocks, 0, 1);
      on.fence();
      EXPECT_EQ(test::usage_of(p).consumed_blocks, 0u);
      EXPECT_EQ(test::usage_of(p).consumed_superblocks, 0u);
    }
  }
}

HPK_TYPED_TEST(MemoryPool, is_exhausted_by_as_many_as_it_has) {
  using test = MemoryPool<TypeParam>;
  constexpr int blocks_there = 96;
  constexpr int lanes = 131;
  for (const auto& on : hpk_test::instances<typename test::exec>()) {
    const typename test::pool p(typename test::memory(), blocks_there * 128, 32, 128, 1024);
    const typename test::numbers sizes("sizes", lanes);
    const typename test::addresses blocks("addresses", lanes);
    hpk::deep_copy(sizes, 100);
    for (std::uint32_t round = 0; round < 3; ++round) {
      test::take_all(on, p, sizes, blocks, round);
      EXPECT_EQ(test::count_taken(on, blocks), blocks_there);
      EXPECT_EQ(test::count_changed(on, sizes, blocks, round), 0);
      EXPECT_EQ(test::usage_of(p).reserved_blocks, 0u);
      // Frees every second block. Blocks that stay allocated must not be handed out again.
      test::give_back(on, p, blocks, 0, 2);
      const long left = test::count_taken(on, blocks);
      const typename test::addresses more("more", lanes);
      test::take_all(on, p, sizes, more, 5000 + round);
      EXPECT_EQ(test::count_taken(on, more), blocks_there - left);
      EXPECT_EQ(test::count_changed(on, sizes, blocks, round), 0);
      EXPECT_EQ(test::count_changed(on, sizes, more, 5000 + round), 0);
      test::give_back(on, p, more, 0, 1);
      test::give_back(on, p, blocks, 0, 1);
      on.fence();
    }
    EXPECT_EQ(test::usage_of(p).consumed_blocks, 0u);
  }
}

// Each lane holds one block at a time, and there are as many blocks as concurrent lanes, so one is
// free whatever the other lanes do. The second half requests blocks of all sizes, which may fail;
// the last request of a lane must succeed.
HPK_TYPED_TEST(MemoryPool, loses_no_block_while_lanes_take_and_give_back) {
  using test = MemoryPool<TypeParam>;
  constexpr int lanes = 400;
  constexpr int rounds = 60;
  for (const auto& on : hpk_test::instances<typename test::exec>()) {
    const std::size_t at_once =
        hpk_test::is_host<typename test::exec> ? static_cast<std::size_t>(on.concurrency()) : lanes;
    const typename test::pool p(typename test::memory(), at_once * 64 + 128, 64, 64, 128);
    const typename test::pool mixed(typename test::memory(), 64 << 10, 16, 1024, 2048);
    hpk::View<long, typename test::exec> refused("refused");
    hpk::View<long, typename test::exec> changed("changed");
    hpk::parallel_for(
        hpk::RangePolicy<typename test::exec>(on, 0, lanes), HPK_LAMBDA(int i) {
          const auto pattern = static_cast<std::uint32_t>(i);
          for (int round = 0; round < rounds; ++round) {
            void* const block = p.allocate(64);
            if (block == nullptr) {
              hpk::atomic_inc(&refused());
              continue;
            }
            for (std::size_t k = 0; k < 16; ++k) word_of<TypeParam>(address_of(block), k) = pattern;
            const std::size_t bytes = 4 + static_cast<std::size_t>((i * 7 + round * 97) % 1020);
            void* const other = mixed.allocate(bytes, 2);
            if (other != nullptr) {
              word_of<TypeParam>(address_of(other), 0) = ~pattern;
              word_of<TypeParam>(address_of(other), bytes / 4 - 1) = ~pattern;
            }
            for (std::size_t k = 0; k < 16; ++k) {
              if (word_of<TypeParam>(address_of(block), k) != pattern) hpk::atomic_inc(&changed());
            }
            if (other != nullptr &&
                (word_of<TypeParam>(address_of(other), 0) != ~pattern ||
                 word_of<TypeParam>(address_of(other), bytes / 4 - 1) != ~pattern))
              hpk::atomic_inc(&changed());
            p.deallocate(block, 64);
            mixed.deallocate(other, bytes);
          }
        });
    EXPECT_EQ(hpk_test::value_at(refused), 0);
    EXPECT_EQ(hpk_test::value_at(changed), 0);
    EXPECT_EQ(test::usage_of(p).consumed_blocks, 0u);
    EXPECT_EQ(test::usage_of(mixed).consumed_blocks, 0u);
  }
}

// One lane allocates blocks of every size.
template <class Device>
struct sizes_work {
  hpk::MemoryPool<Device> pool;
  hpk::View<int, Device> wrong;
  HPK_FUNCTION void operator()() const {
    for (std::size_t bytes = 1; bytes <= pool.max_block_size(); ++bytes) {
      const std::size_t size = pool.allocate_block_size(bytes);
      std::size_t expected = pool.min_block_size();
      while (expected < bytes) expected *= 2;
      void* const block = pool.allocate(bytes);
      const auto address = reinterpret_cast<std::uintptr_t>(block);
      if (size != expected || block == nullptr || address % (size < 64 ? size : 64) != 0)
        wrong() += 1;
      // There are at least two blocks of each size, next to each other in their superblock.
      void* const next = pool.allocate(bytes);
      const auto distance = reinterpret_cast<std::uintptr_t>(next) - address;
      if (next == nullptr || distance != size) wrong() += 1;
      pool.deallocate(block, bytes);
      pool.deallocate(next);
    }
    if (pool.allocate(0) != nullptr) wrong() += 1;
    if (pool.allocate(4, 0) != nullptr) wrong() += 1;
    pool.deallocate(nullptr, 4);
    if (pool.allocate_block_size(pool.max_block_size() + 1) != 0) wrong() += 1;
  }
};

HPK_TYPED_TEST(MemoryPool, has_blocks_for_every_size_from_1_byte_on) {
  using test = MemoryPool<TypeParam>;
  for (const std::size_t smallest : {1u, 8u, 64u, 256u}) {
    const typename test::pool p(typename test::memory(), 16384, smallest, 512, 1024);
    const hpk::View<int, TypeParam> wrong("wrong");
    hpk_test::in_kernel_of<typename test::exec>(sizes_work<TypeParam>{p, wrong});
    EXPECT_EQ(hpk_test::value_at(wrong), 0) << smallest;
    EXPECT_EQ(p.min_block_size(), smallest);
    EXPECT_EQ(p.max_block_size(), 512u);
  }
}

// A superblock has one block size while it is in use, and may get another one afterwards.
template <class Device>
struct mixed_work {
  hpk::MemoryPool<Device> pool;
  hpk::View<int*, Device> seen;
  HPK_FUNCTION void operator()() const {
    void* const large = pool.allocate(256);
    void* const small = pool.allocate(4);  // of the larger size: no superblock is free
    seen(0) = large != nullptr && small != nullptr;
    int block = 0;
    int blocks = 0;
    int used = 0;
    pool.superblock_state(0, block, blocks, used);
    seen(1) = block;
    seen(2) = blocks;
    seen(3) = used;
    pool.deallocate(large);
    void* const more = pool.allocate(1);
    void* const full[] = {pool.allocate(1), pool.allocate(1), pool.allocate(1)};
    seen(4) = more != nullptr && full[1] != nullptr && full[2] == nullptr;
    pool.deallocate(small);
    pool.deallocate(more);
    pool.deallocate(full[0]);
    pool.deallocate(full[1]);
    pool.superblock_state(0, block, blocks, used);
    seen(5) = block + blocks + used;
    // Now the superblock has small blocks, and no large block fits.
    void* const first = pool.allocate(16);
    seen(6) = first != nullptr && pool.allocate(256) == nullptr && pool.allocate(17) == nullptr;
    long size = 0;
    long count = 0;
    long taken = 0;
    pool.superblock_state(0, size, count, taken);
    seen(7) = static_cast<int>(size * 10000 + count * 10 + taken);
    pool.deallocate(first);
  }
};

HPK_TYPED_TEST(MemoryPool, gives_superblocks_another_size_when_they_are_free) {
  using test = MemoryPool<TypeParam>;
  const typename test::pool p(typename test::memory(), 1024, 16, 256, 1024);
  const hpk::View<int*, TypeParam> seen("seen", 8);
  hpk_test::in_kernel_of<typename test::exec>(mixed_work<TypeParam>{p, seen});
  const int expected[] = {1, 256, 4, 2, 1, 0, 1, 160641};
  for (int k = 0; k < 8; ++k) EXPECT_EQ(hpk_test::value_at(seen, k), expected[k]) << k;
}

HPK_TYPED_TEST(MemoryPool, says_how_much_is_in_use) {
  using test = MemoryPool<TypeParam>;
  const typename test::pool p("nodes", typename test::memory(), 16 * 4096, 64, 1024, 4096);
  const typename test::numbers sizes("sizes", 70);
  const typename test::addresses blocks("addresses", 70);
  test::fill_sizes(sizes, 49, 0, 1024);
  test::take_all(typename test::exec(), p, sizes, blocks, 0);
  const typename test::addresses large("large", 1);
  hpk::parallel_for(
      hpk::RangePolicy<typename test::exec>(0, 1),
      HPK_LAMBDA(int i) { large(i) = address_of(p.allocate(1000)); });
  hpk::MemoryPoolUsage usage = test::usage_of(p);
  EXPECT_EQ(usage.capacity_bytes, 65536u);
  EXPECT_EQ(usage.superblock_bytes, 4096u);
  EXPECT_EQ(usage.max_block_bytes, 1024u);
  EXPECT_EQ(usage.min_block_bytes, 64u);
  EXPECT_EQ(usage.capacity_superblocks, 16u);
  EXPECT_EQ(usage.consumed_superblocks, 3u);
  EXPECT_EQ(usage.consumed_blocks, 71u);
  EXPECT_EQ(usage.consumed_bytes, 70u * 64 + 1024);
  EXPECT_EQ(usage.reserved_blocks, 2u * 64 - 70 + 3);
  EXPECT_EQ(usage.reserved_bytes, (2u * 64 - 70) * 64 + 3 * 1024);
  EXPECT_EQ(p.capacity(), 65536u);
  EXPECT_EQ(p.number_of_superblocks(), 16);
  const std::string text = p.print_state();
  EXPECT_TRUE(contains(text,
                       "hpk::MemoryPool \"nodes\": 65536 bytes in superblocks of 4096, blocks of "
                       "64 to 1024; 5504 bytes in 71 blocks are taken, 3 of 16 superblocks"));
  EXPECT_TRUE(contains(text, "superblock 0: 64 of 64 blocks of 64 bytes\n"));
  EXPECT_TRUE(contains(text, "superblock 1: 6 of 64 blocks of 64 bytes\n"));
  EXPECT_TRUE(contains(text, "superblock 2: 1 of 4 blocks of 1024 bytes\n"));
  std::ostringstream stream;
  p.print_state(stream);
  EXPECT_EQ(stream.str(), text);
}

HPK_TYPED_TEST(MemoryPool, is_shared_by_copies) {
  using test = MemoryPool<TypeParam>;
  typename test::pool empty;
  EXPECT_EQ(empty.capacity(), 0u);
  EXPECT_EQ(empty.number_of_superblocks(), 0);
  EXPECT_EQ(empty.min_block_size() + empty.max_block_size() + empty.allocate_block_size(0), 0u);
  EXPECT_EQ(empty.allocate(0), nullptr);
  EXPECT_EQ(test::usage_of(empty).capacity_superblocks, 0u);
  EXPECT_TRUE(contains(empty.print_state(), "without memory"));
  const typename test::pool p(typename test::memory(), 4096);
  const typename test::pool other(typename test::memory(), 4096);
  EXPECT_TRUE(empty == typename test::pool());
  EXPECT_TRUE(p != empty && p != other);
  empty = p;
  EXPECT_TRUE(p == empty);
  EXPECT_EQ(p.label(), "hpk::MemoryPool");
  const typename test::addresses blocks("addresses", 1);
  hpk::parallel_for(
      hpk::RangePolicy<typename test::exec>(0, 1),
      HPK_LAMBDA(int i) { blocks(i) = address_of(empty.allocate(1)); });
  EXPECT_EQ(test::usage_of(p).consumed_blocks, 1u);
  test::give_back(typename test::exec(), p, blocks, 0, 1);
  EXPECT_EQ(test::usage_of(empty).consumed_blocks, 0u);
}

struct node {
  node* next;
  int value;
};

HPK_TYPED_TEST(MemoryPool, gives_memory_that_plain_pointers_reach) {
  using test = MemoryPool<TypeParam>;
  const typename test::pool p(typename test::memory(), 1 << 16);
  const typename test::addresses lists("lists", 50);
  hpk::parallel_for(
      hpk::RangePolicy<typename test::exec>(0, 50), HPK_LAMBDA(int i) {
        node* list = nullptr;
        for (int k = 0; k < 5; ++k) {
          node* const added = static_cast<node*>(p.allocate(sizeof(node)));
          added->next = list;
          added->value = i * k;
          list = added;
        }
        lists(i) = address_of(list);
      });
  long sum = 0;
  hpk::parallel_reduce(
      hpk::RangePolicy<typename test::exec>(0, 50),
      HPK_LAMBDA(int i, long& s) {
        node* list = static_cast<node*>(pointer_of(lists(i)));
        while (list != nullptr) {
          node* const next = list->next;
          s += list->value;
          p.deallocate(list, sizeof(node));
          list = next;
        }
      },
      sum);
  EXPECT_EQ(sum, 1225 * 10);
  EXPECT_EQ(test::usage_of(p).consumed_blocks, 0u);
}

// Kernels may know an element by another address than host code.
HPK_TYPED_TEST(MemoryPool, takes_a_block_by_the_address_of_its_first_element) {
  using test = MemoryPool<TypeParam>;
  const typename test::pool p(typename test::memory(), 1 << 16);
  hpk::parallel_for(
      hpk::RangePolicy<typename test::exec>(0, 100),
      HPK_LAMBDA(int) { p.deallocate(&word_of<TypeParam>(address_of(p.allocate(8)), 0)); });
  EXPECT_EQ(test::usage_of(p).consumed_blocks, 0u);
}

}  // namespace
}  // namespace view_memory_pool_test
