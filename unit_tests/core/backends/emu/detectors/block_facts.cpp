// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about addresses inside and after a block, after the block was freed, and about a block that
// replaces several freed ones.
#include <support/spaces.hpp>

#include <hpk/backends/emu/detectors/block_facts.hpp>

#include <sys/resource.h>

#include <cstdlib>

namespace hpk_test::emu_block_facts_cases {

using hpk::emu::arena;
using hpk::emu::find_block;

TEST(EmuBlockFacts, knows_what_an_address_is) {
  void* seen = arena::allocate(800, 64);
  arena::name(seen, "known");
  auto* bytes = static_cast<std::byte*>(seen);
  for (const std::byte* address : {bytes + 16, bytes + arena::shift(0) + 16}) {
    const auto facts = find_block(address);
    EXPECT_TRUE(facts.known);
    EXPECT_FALSE(facts.freed);
    EXPECT_EQ(facts.label, "known");
    EXPECT_EQ(facts.bytes, 800u);
    EXPECT_EQ(facts.offset, 16);
  }
  EXPECT_EQ(find_block(bytes + 900).offset, 900);
  arena::deallocate(seen);
  EXPECT_TRUE(find_block(bytes).freed);
  EXPECT_EQ(find_block(bytes).label, "known");
  int local = 0;
  EXPECT_FALSE(find_block(&local).known);
}

// Uses all of a small address space in pieces, then allocates a larger block from joined pieces.
[[noreturn]] void use_little_space() {
  const rlimit little{std::size_t{3} << 30, RLIM_INFINITY};
  if (setrlimit(RLIMIT_AS, &little) != 0) std::_Exit(99);
  constexpr std::size_t piece = std::size_t{4} << 20;
  std::size_t used = 0;
  for (int k = 0; k < 4000 && used < std::size_t{8} << 30; ++k, used += piece) {
    void* const seen = arena::allocate(piece, 64);
    if (seen == nullptr) std::_Exit(98);
    arena::deallocate(seen);
  }
  void* const larger = arena::allocate(8 * piece, 64);
  if (larger == nullptr) std::_Exit(97);
  if (find_block(larger).freed || find_block(larger).bytes != 8 * piece) std::_Exit(96);
  void* const within = static_cast<std::byte*>(larger) + 5 * piece;
  if (find_block(within).freed) std::_Exit(95);
  std::_Exit(0);
}

TEST(EmuBlockFactsDeathTest, joins_what_it_got_back) {
  if (HPK_HAS_ADDRESS_SANITIZER || HPK_HAS_THREAD_SANITIZER)
    GTEST_SKIP() << "sanitizers take more address space than the test leaves";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(use_little_space(), testing::ExitedWithCode(0), "");
}

}  // namespace hpk_test::emu_block_facts_cases
