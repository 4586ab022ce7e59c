// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scratch of a team: consecutive aligned requests, and an error when the scratch is used up.
#include <hpk/spaces/scratch_space.hpp>

#include <support/spaces.hpp>

#include <cstdint>
#include <string>

namespace seam_scratch_space_test {
namespace {

using scratch = hpk::ScratchMemorySpace<hpk::DefaultHostExecutionSpace>;
static_assert(hpk::is_memory_space_v<scratch>);
static_assert(std::is_same_v<scratch::execution_space, hpk::DefaultHostExecutionSpace>);
static_assert(hpk::SpaceAccessibility<hpk::DefaultHostExecutionSpace, scratch>::accessible);

alignas(64) std::byte memory[256];

// The scratch levels of a team: `bytes` bytes in level 0, 64 others in level 1.
struct pools {
  explicit pools(std::size_t bytes)
      : levels{{memory, memory + bytes}, {memory + sizeof memory - 64, memory + sizeof memory}} {}
  scratch of_team(int level = 0) { return {levels, level}; }
  scratch of_thread(int threads, int thread) { return {levels, 0, threads, thread}; }
  hpk::detail::scratch_pool levels[2];
};

TEST(ScratchSpace, gives_bytes_one_behind_the_other) {
  pools all(sizeof memory);
  const scratch space = all.of_team();
  EXPECT_EQ(space.get_shmem(3), memory);
  EXPECT_EQ(space.get_shmem(8), memory + 8);
  EXPECT_EQ(space.get_shmem_aligned(1, 64), memory + 64);
  EXPECT_EQ(all.of_team().get_shmem(0), memory + 72);
  EXPECT_EQ(space.get_shmem(256 - 72), memory + 72);
  EXPECT_EQ(space.get_shmem(0), memory + 256);
}

TEST(ScratchSpace, gives_bytes_of_a_level) {
  pools all(128);
  std::byte* const second = memory + sizeof memory - 64;
  EXPECT_EQ(all.of_team().get_shmem(8, 1), second);
  EXPECT_EQ(all.of_team(1).get_shmem(8), second + 8);
  EXPECT_EQ(all.of_team(1).get_shmem_aligned(8, 32, -1), second + 32);
  EXPECT_EQ(all.of_team(1).get_shmem(8, 0), memory);
}

// Each thread has a separate piece, outside the piece of the team.
TEST(ScratchSpace, gives_pieces_to_threads) {
  for (const int threads : {1, 2, 3, 7}) {
    std::byte* pieces[2][7] = {};
    for (int t = 0; t < threads; ++t) {
      pools all(sizeof memory);
      EXPECT_EQ(all.of_team().get_shmem(16), memory);
      pieces[0][t] = static_cast<std::byte*>(all.of_thread(threads, t).get_shmem(9));
      pieces[1][t] = static_cast<std::byte*>(all.of_thread(threads, t).get_shmem_aligned(4, 12));
      EXPECT_EQ(all.of_team().get_shmem(8), memory + 16);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pieces[0][t]) % 8, 0u);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pieces[1][t]) % 12, 0u);
    }
    EXPECT_LE(pieces[0][threads - 1] + 9, memory + sizeof memory);
    for (int t = 1; t < threads; ++t) EXPECT_GE(pieces[0][t], pieces[0][t - 1] + 9);
    EXPECT_LE(pieces[1][threads - 1] + 4, pieces[0][0]);
    for (int t = 1; t < threads; ++t) EXPECT_GE(pieces[1][t], pieces[1][t - 1] + 4);
    EXPECT_GE(pieces[1][0], memory + 24);
  }
}

TEST(ScratchSpace, says_so_when_it_is_spent) {
  pools all(64);
  const scratch space = all.of_team();
  (void)space.get_shmem(40);
  hpk_test::expect_error([&] { (void)space.get_shmem(25); },
                         {"a team asks for 25 bytes of scratch, and 24 are left; ask for more by "
                          "set_scratch_size"});
  for (const std::size_t bytes : {std::size_t{13}, std::size_t{24}, SIZE_MAX / 2, SIZE_MAX}) {
    const std::string asks =
        "each of 2 threads of a team asks for " + std::to_string(bytes) + " bytes of scratch";
    hpk_test::expect_error([&] { (void)all.of_thread(2, 1).get_shmem(bytes); }, {asks.c_str()});
  }
  EXPECT_EQ(space.get_shmem(24), memory + 40);
  hpk_test::expect_error([&] { (void)all.of_thread(1, 0).get_shmem(1); },
                         {"each of 1 thread of a team asks for 1 bytes"});
  hpk::detail::scratch_pool none[2] = {};
  const scratch empty(none, 0);
  EXPECT_THROW((void)empty.get_shmem(1), hpk::error);
  EXPECT_EQ(empty.get_shmem(0), nullptr);
}

// The setting that a layer above hpk may use.
TEST(ScratchSpace, gives_null_when_it_is_spent_where_a_rule_says_so) {
  auto& rule = hpk::seam::guards.null_scratch;
  const bool before = rule.exchange(true, hpk::detail::memory_order::seq_cst);
  pools all(64);
  EXPECT_EQ(all.of_team().get_shmem(65), nullptr);
  EXPECT_EQ(all.of_thread(2, 0).get_shmem(33), nullptr);
  EXPECT_NE(all.of_team().get_shmem(64), nullptr);
  rule.store(before, hpk::detail::memory_order::seq_cst);
}

struct alignas(32) wide {
  double values[4];
};

// shmem_size() is large enough, in any order of Views.
TEST(ScratchSpace, holds_views_of_the_sizes_that_they_tell) {
  using doubles = hpk::View<double*, scratch, hpk::MemoryUnmanaged>;
  using chars = hpk::View<char*, scratch, hpk::MemoryUnmanaged>;
  using wides = hpk::View<wide*, scratch, hpk::MemoryUnmanaged>;
  using planes = hpk::View<int* [3], hpk::LayoutLeft, scratch>;
  const std::size_t bytes =
      chars::shmem_size(3) + doubles::shmem_size(1) + wides::shmem_size(2) + planes::shmem_size(2);
  pools all(bytes);
  const scratch space = all.of_team();
  const chars a(space, 3);
  const doubles b(space, 1);
  const wides c(space, 2);
  const planes d(space, 2);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(c.data()) % 32, 0u);
  EXPECT_EQ(d.extent(0), 2u);
  EXPECT_EQ(d.extent(1), 3u);
  EXPECT_LE(reinterpret_cast<std::byte*>(d.data() + 6), memory + bytes);
  EXPECT_GE(reinterpret_cast<std::byte*>(b.data()), memory + 3);
  const volatile int unknown = 256;  // volatile, because g++ would warn about the unused memory
  const int too_many = unknown;
  EXPECT_THROW(chars(space, too_many), hpk::error);
  EXPECT_THROW(doubles(space, -1), hpk::error);
}

struct triple {
  double values[3];
};

// The size of the data plus room for the alignment to the element size, as programs for Kokkos
// expect.
TEST(ScratchSpace, tells_sizes_with_room_to_align) {
  EXPECT_EQ((hpk::View<std::int64_t***, scratch>::shmem_size(5, 6, 7)), 1688u);
  EXPECT_EQ((hpk::View<char*, scratch>::shmem_size(3)), 11u);
  EXPECT_EQ((hpk::View<wide*, scratch>::shmem_size(2)), 96u);
  EXPECT_EQ((hpk::View<triple*, scratch>::shmem_size(2)), 72u);
  pools all(256);
  (void)hpk::View<int, scratch>(all.of_team());
  const hpk::View<triple*, scratch> triples(all.of_team(), 2);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(triples.data()) % sizeof(triple), 0u);
}

}  // namespace
}  // namespace seam_scratch_space_test
