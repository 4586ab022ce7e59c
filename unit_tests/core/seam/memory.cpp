// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which space may access which memory, and which Views convert to which, computed from two facts of
// each memory space. The conformance ladder tests allocate and deallocate.
#include <hpk/seam/memory.hpp>

#include <support/spaces.hpp>

namespace seam_memory_test {
// Not in an anonymous namespace, because seam templates are specialised for these types below.
struct device_exec {
  using execution_space = device_exec;
  using memory_space = struct device_memory;
  hpk::seam::machine<device_exec>& instance() const;
};
struct device_memory {
  using memory_space = device_memory;
  using execution_space = device_exec;
};
struct managed_memory {
  using memory_space = managed_memory;
  using execution_space = device_exec;
};
struct alias_of_memory {
  using memory_space = managed_memory;
  using execution_space = device_exec;
};
}  // namespace seam_memory_test

namespace hpk::seam {
template <>
class machine<seam_memory_test::device_exec> {
 public:
  static constexpr bool runs_on_host = false;
};
template <>
class memory<seam_memory_test::device_memory> {
 public:
  using home = seam_memory_test::device_exec;
  static constexpr accessibility access = accessibility::device;
  static void* allocate(std::size_t, std::size_t) { return nullptr; }
  static void deallocate(void*, std::size_t, std::size_t) noexcept {}
};
template <>
class memory<seam_memory_test::managed_memory> {
 public:
  using home = seam_memory_test::device_exec;
  static constexpr accessibility access = accessibility::both;
  using converts_to = seam_memory_test::device_memory;
  static void* allocate(std::size_t, std::size_t) { return nullptr; }
  static void deallocate(void*, std::size_t, std::size_t) {}
};
}  // namespace hpk::seam

namespace seam_memory_test {
namespace {

using hpk::HostSpace;
using hpk::seam::host_may_access;
using hpk::seam::kernel_may_access;

static_assert(hpk::seam::memory_like<hpk::seam::memory<HostSpace>>);
static_assert(hpk::seam::memory_like<hpk::seam::memory<device_memory>>);
static_assert(!hpk::seam::memory_like<hpk::seam::memory<managed_memory>>, "deallocate may throw");

static_assert(hpk::seam::memory_space<HostSpace> && hpk::seam::memory_space<device_memory>);
static_assert(!hpk::seam::memory_space<alias_of_memory> && !hpk::seam::memory_space<int>);

static_assert(host_may_access<HostSpace> && host_may_access<managed_memory>);
static_assert(!host_may_access<device_memory>);
static_assert(kernel_may_access<device_exec, device_memory>);
static_assert(kernel_may_access<device_exec, managed_memory>);
static_assert(!kernel_may_access<device_exec, HostSpace>);

// Views convert only where a memory declares converts_to, and only in that direction.
using hpk::seam::may_become;
static_assert(may_become<device_memory, managed_memory> &&
              !may_become<managed_memory, device_memory>);
static_assert(!may_become<HostSpace, managed_memory> && !may_become<HostSpace, device_memory> &&
              !may_become<device_memory, HostSpace> && !may_become<managed_memory, HostSpace>);
static_assert(may_become<HostSpace, HostSpace> && may_become<device_memory, device_memory> &&
              may_become<managed_memory, managed_memory>);

// Views of AnonymousSpace convert to and from every memory.
using hpk::AnonymousSpace;
static_assert(hpk::seam::is_anonymous<AnonymousSpace> && !hpk::seam::is_anonymous<HostSpace> &&
              !hpk::seam::is_anonymous<device_memory>);
static_assert(host_may_access<AnonymousSpace> && kernel_may_access<device_exec, AnonymousSpace>);
static_assert(may_become<AnonymousSpace, device_memory> &&
              may_become<device_memory, AnonymousSpace> && may_become<HostSpace, AnonymousSpace> &&
              may_become<AnonymousSpace, AnonymousSpace>);

template <class Exec>
class MemoryReach : public testing::Test {};
TYPED_TEST_SUITE(MemoryReach, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(MemoryReach, of_host_spaces_is_all_that_the_host_reaches) {
  if constexpr (hpk::seam::machine<TypeParam>::runs_on_host) {
    static_assert(kernel_may_access<TypeParam, HostSpace>);
    static_assert(kernel_may_access<TypeParam, managed_memory>);
    static_assert(!kernel_may_access<TypeParam, device_memory>);
  }
  EXPECT_TRUE((kernel_may_access<TypeParam, typename TypeParam::memory_space>));
}

HPK_TYPED_TEST(MemoryReach, is_told_by_the_public_traits) {
  EXPECT_TRUE((hpk::SpaceAccessibility<TypeParam, typename TypeParam::memory_space>::accessible));
  EXPECT_EQ((hpk::SpaceAccessibility<TypeParam, device_memory>::accessible),
            (kernel_may_access<TypeParam, device_memory>));
}

// Two devices are related only by what each declares. A copy between them goes through buffers.
HPK_TYPED_TEST(MemoryReach, relates_no_unlike_devices) {
  using own_memory = typename TypeParam::memory_space;
  using to_own = hpk::MemorySpaceAccess<device_memory, own_memory>;
  static_assert(!to_own::assignable && !to_own::accessible && to_own::deepcopy);
  using from_own = hpk::MemorySpaceAccess<own_memory, device_memory>;
  static_assert(!from_own::assignable && !from_own::accessible && from_own::deepcopy);
  static_assert(std::is_void_v<typename hpk::SpaceAccessibility<TypeParam, device_memory>::space>);
  EXPECT_FALSE((hpk::SpaceAccessibility<own_memory, device_memory>::assignable));
}

}  // namespace
}  // namespace seam_memory_test
