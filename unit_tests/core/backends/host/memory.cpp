// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HostSpace memory: alignment of small and huge blocks, null on failure, which spaces can access
// it, and the memory that blocks in quarantine hold.
#include <support/spaces.hpp>

#include <cstdint>
#include <cstring>
#include <fstream>

#if HPK_HAS_LINUX
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace hpk_test::host_memory_cases {

using memory = hpk::seam::memory<hpk::HostSpace>;

TEST(HostMemory, is_aligned_and_usable) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{64}, std::size_t{4096},
                                  std::size_t{4} << 20, (std::size_t{5} << 20) + 3}) {
    for (const std::size_t align : {std::size_t{1}, std::size_t{64}, std::size_t{4096}}) {
      void* data = memory::allocate(bytes, align);
      ASSERT_NE(data, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % std::max<std::size_t>(align, 64), 0u);
      std::memset(data, 1, bytes);
      memory::deallocate(data, bytes, align);
    }
  }
}

TEST(HostMemory, starts_large_blocks_on_a_huge_page) {
  constexpr std::size_t bytes = std::size_t{8} << 20;
  void* data = memory::allocate(bytes, 8);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % (std::size_t{2} << 20), 0u);
  memory::deallocate(data, bytes, 8);
}

TEST(HostMemory, is_null_where_no_memory_is_so_large) {
  EXPECT_EQ(memory::allocate(SIZE_MAX, 64), nullptr);
  EXPECT_EQ(memory::allocate(SIZE_MAX - 70, 64), nullptr);
}

// Returns the address of a freed block that is in quarantine.
void* resting_block(std::size_t bytes) {
  void* const data = memory::allocate(bytes, 64);
  std::memset(data, 1, bytes);
  auto* const record =
      hpk::seam::make_record(data, bytes, 64, "resting", "Host", &memory::deallocate);
  record->release_pages = &memory::release_pages;
  const hpk::seam::allocation_handle last(record);
  return data;
}

#if HPK_HAS_LINUX
TEST(HostMemory, takes_little_where_it_rests) {
  constexpr std::size_t bytes = (std::size_t{8} << 20) + 100;
  auto* const large = static_cast<unsigned char*>(memory::allocate(bytes, 64));
  std::memset(large, 1, bytes);
  EXPECT_LT(memory::release_pages(large, bytes),
            2 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
  // The pages inside are new ones.
  if (!HPK_HAS_ADDRESS_SANITIZER) {
    EXPECT_EQ(large[bytes / 2], 0);
  }
  memory::deallocate(large, bytes, 64);
  void* const small = memory::allocate(100, 64);
  EXPECT_EQ(memory::release_pages(small, 100), 100u);
  memory::deallocate(small, 100, 64);
}

// Exits with 0 if an allocation succeeds that has room only after another block leaves the
// quarantine.
[[noreturn]] void allocate_where_only_one_has_room() {
  constexpr std::size_t bytes = std::size_t{40} << 20;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  hpk::detail::empty_quarantine();
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + 3 * bytes / 2;
  setrlimit(RLIMIT_AS, &limit);
  const void* const first = resting_block(bytes);
  const bool rested = hpk::detail::is_poisoned(first);
  const void* const second = memory::allocate(bytes, 64);
  std::_Exit(rested && second != nullptr && !hpk::detail::is_poisoned(first) ? 0 : 1);
}

TEST(HostMemoryDeathTest, ends_the_rest_of_blocks_when_there_is_no_other) {
  if (HPK_HAS_ADDRESS_SANITIZER || HPK_HAS_THREAD_SANITIZER)
    GTEST_SKIP() << "the sanitizer keeps blocks of its own";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(allocate_where_only_one_has_room(), testing::ExitedWithCode(0), "");
}
#endif

TEST(HostMemoryDeathTest, is_poisoned_for_address_sanitizer_where_it_rests) {
  if (!HPK_HAS_ADDRESS_SANITIZER) GTEST_SKIP() << "built without it";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const std::size_t bytes : {std::size_t{100}, std::size_t{1} << 20}) {
    EXPECT_DEATH(
        {
          const auto* const data = static_cast<const volatile char*>(resting_block(bytes));
          static_cast<void>(data[bytes - 1]);
        },
        "use-after-poison");
  }
}

TEST(HostMemory, is_reached_by_host_and_every_host_space) {
  static_assert(hpk::is_memory_space_v<hpk::HostSpace>);
  static_assert(hpk::seam::host_may_access<hpk::HostSpace>);
  static_assert(std::is_same_v<memory::home, hpk::DefaultHostExecutionSpace>);
  hpk::detail::for_each_type(hpk::detail::enabled_spaces{}, [](auto space) {
    using Exec = typename decltype(space)::type;
    static_assert(!hpk::seam::machine<Exec>::runs_on_host ||
                  hpk::SpaceAccessibility<Exec, hpk::HostSpace>::accessible);
  });
  EXPECT_STREQ(hpk::HostSpace::name(), "Host");
}

// Under AddressSanitizer the size and alignment at deallocation must match those at allocation.
TEST(HostMemory, is_given_back_as_it_was_taken) {
  constexpr std::size_t huge = std::size_t{4} << 20;
  for (std::size_t bytes : {huge - 65, huge - 64, huge - 63, huge - 1, huge, huge + 1}) {
    void* const data = memory::allocate(bytes, 8);
    ASSERT_NE(data, nullptr);
    memory::deallocate(data, bytes, 8);
  }
}

}  // namespace hpk_test::host_memory_cases
