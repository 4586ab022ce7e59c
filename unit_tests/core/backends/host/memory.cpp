// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HostSpace memory: alignment of small and huge blocks, failure by null, and who may reach it.
#include "support/spaces.hpp"

#include <cstring>

namespace hpk_test::host_memory_cases {

using memory = hpk::seam::memory<hpk::HostSpace>;

TEST(HostMemory, IsAlignedAndUsable) {
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

TEST(HostMemory, StartsLargeBlocksOnAHugePage) {
  constexpr std::size_t bytes = std::size_t{8} << 20;
  void* data = memory::allocate(bytes, 8);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % (std::size_t{2} << 20), 0u);
  memory::deallocate(data, bytes, 8);
}

TEST(HostMemory, IsReachedByHostAndEveryHostSpace) {
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

}  // namespace hpk_test::host_memory_cases
