// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that host code and kernels can access, by names that exist for every default space.
#include <hpk/runtime/shared_space.hpp>

#include <hpk/core.hpp>

#include <support/spaces.hpp>

namespace runtime_shared_space_test {
namespace {

static_assert(hpk::has_shared_space && hpk::has_shared_host_pinned_space);
static_assert(hpk::SpaceAccessibility<hpk::DefaultExecutionSpace, hpk::SharedSpace>::accessible);
static_assert(
    hpk::SpaceAccessibility<hpk::DefaultHostExecutionSpace, hpk::SharedSpace>::accessible);
static_assert(
    hpk::SpaceAccessibility<hpk::DefaultExecutionSpace, hpk::SharedHostPinnedSpace>::accessible);
static_assert(hpk::SpaceAccessibility<hpk::DefaultHostExecutionSpace,
                                      hpk::SharedHostPinnedSpace>::accessible);

template <class Exec>
class SharedMemory : public testing::Test {};
TYPED_TEST_SUITE(SharedMemory, hpk_test::spaces, hpk_test::space_names);

template <class Exec, class Memory>
void use_memory() {
  static_assert(hpk::seam::host_may_access<Memory> && hpk::seam::kernel_may_access<Exec, Memory>);
  const hpk::View<int*, hpk::Device<Exec, Memory>> view("view", 100);
  for (int i = 0; i < 100; ++i) view(i) = i;
  hpk::parallel_for(hpk::RangePolicy<Exec>(0, 100), HPK_LAMBDA(int i) { view(i) *= 2; });
  hpk::fence();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(view(i), 2 * i);
}

HPK_TYPED_TEST(SharedMemory, is_reached_from_both_sides) {
  use_memory<TypeParam, typename TypeParam::shared_memory_space>();
  use_memory<TypeParam, typename TypeParam::pinned_memory_space>();
}

}  // namespace
}  // namespace runtime_shared_space_test
