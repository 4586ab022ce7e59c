// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scratch of a team: requests one behind the other, aligned, and an error when it is spent.
#include <hpk/seam/scratch_space.hpp>

#include <support/spaces.hpp>

#include <cstdint>

namespace seam_scratch_space_test {
namespace {

using scratch = hpk::ScratchMemorySpace<hpk::DefaultHostExecutionSpace>;
static_assert(hpk::is_memory_space_v<scratch>);
static_assert(std::is_same_v<scratch::execution_space, hpk::DefaultHostExecutionSpace>);
static_assert(hpk::SpaceAccessibility<hpk::DefaultHostExecutionSpace, scratch>::accessible);

alignas(64) std::byte memory[256];

TEST(ScratchSpace, GivesBytesOneBehindTheOther) {
  const scratch space(memory, sizeof memory);
  EXPECT_EQ(space.get_shmem(3), memory);
  EXPECT_EQ(space.get_shmem(8), memory + 8);
  EXPECT_EQ(space.get_shmem_aligned(1, 64), memory + 64);
  EXPECT_EQ(space.get_shmem(0), memory + 72);
  EXPECT_EQ(space.get_shmem(256 - 72), memory + 72);
  EXPECT_EQ(space.get_shmem(0), memory + 256);
}

TEST(ScratchSpace, SaysSoWhenItIsSpent) {
  const scratch space(memory, 64);
  (void)space.get_shmem(40);
  hpk_test::expect_error([&] { (void)space.get_shmem(25); },
                         {"asks for 25 bytes of scratch, and 24 are left; ask for more by "
                          "set_scratch_size"});
  EXPECT_EQ(space.get_shmem(24), memory + 40);
  const scratch none(nullptr, 0);
  EXPECT_THROW((void)none.get_shmem(1), hpk::error);
  EXPECT_EQ(none.get_shmem(0), nullptr);
}

struct alignas(32) wide {
  double values[4];
};

// What shmem_size says is enough, in any order of Views.
TEST(ScratchSpace, HoldsViewsOfTheSizesThatTheyTell) {
  using doubles = hpk::View<double*, scratch, hpk::MemoryUnmanaged>;
  using chars = hpk::View<char*, scratch, hpk::MemoryUnmanaged>;
  using wides = hpk::View<wide*, scratch, hpk::MemoryUnmanaged>;
  using planes = hpk::View<int* [3], hpk::LayoutLeft, scratch>;
  const std::size_t bytes =
      chars::shmem_size(3) + doubles::shmem_size(1) + wides::shmem_size(2) + planes::shmem_size(2);
  const scratch space(memory, bytes);
  const chars a(space, 3);
  const doubles b(space, 1);
  const wides c(space, 2);
  const planes d(space, 2);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(c.data()) % 32, 0u);
  EXPECT_EQ(d.extent(0), 2u);
  EXPECT_EQ(d.extent(1), 3u);
  EXPECT_LE(reinterpret_cast<std::byte*>(d.data() + 6), memory + bytes);
  EXPECT_GE(reinterpret_cast<std::byte*>(b.data()), memory + 3);
  const volatile int unknown = 256;  // g++ warns of memory that nobody reaches, if it knows
  const int too_many = unknown;
  EXPECT_THROW(chars(space, too_many), hpk::error);
  EXPECT_THROW(doubles(space, -1), hpk::error);
}

}  // namespace
}  // namespace seam_scratch_space_test
