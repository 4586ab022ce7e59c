// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Public traits of spaces, Device, the relations of memory spaces, and the global fence.
#include <hpk/seam/space.hpp>

#include <support/spaces.hpp>

#include <cstdint>
#include <sstream>
#include <string_view>

namespace seam_space_test {
namespace {

using hpk::HostSpace;
using host_device = hpk::Device<hpk::DefaultHostExecutionSpace, HostSpace>;

static_assert(hpk::is_memory_space_v<HostSpace> && hpk::is_memory_space<const HostSpace>::value);
static_assert(!hpk::is_execution_space_v<HostSpace> && !hpk::is_execution_space<int>::value);
static_assert(hpk::is_device_v<host_device> && !hpk::is_device_v<HostSpace>);
static_assert(!hpk::is_execution_space_v<host_device> && !hpk::is_memory_space_v<host_device>);
static_assert(std::is_same_v<host_device::execution_space, hpk::DefaultHostExecutionSpace>);
static_assert(std::is_same_v<host_device::memory_space, HostSpace>);
static_assert(std::is_same_v<host_device::device_type, host_device>);
static_assert(std::is_same_v<HostSpace::execution_space, hpk::DefaultHostExecutionSpace>);
static_assert(hpk::MemorySpaceAccess<HostSpace, HostSpace>::assignable);
static_assert(hpk::MemorySpaceAccess<HostSpace, HostSpace>::accessible);
static_assert(hpk::MemorySpaceAccess<HostSpace, HostSpace>::deepcopy);

// Any kind of space, const or not; no reference to one, and nothing else.
using host_exec = hpk::DefaultHostExecutionSpace;
static_assert(hpk::is_space_v<host_exec> && hpk::is_space_v<HostSpace> &&
              hpk::is_space_v<host_device> && hpk::is_space_v<const host_device>);
static_assert(hpk::is_space<const host_exec>::value && hpk::is_space<const HostSpace>::value);
static_assert(!hpk::is_space_v<int> && !hpk::is_space_v<hpk::LayoutLeft> &&
              !hpk::is_space_v<hpk::View<int*>>);
static_assert(!hpk::is_space_v<host_exec&> && !hpk::is_space_v<HostSpace&> &&
              !hpk::is_space_v<host_device&> && !hpk::is_space<host_exec&>::value);
static_assert(!hpk::is_execution_space_v<host_exec&> && !hpk::is_memory_space_v<HostSpace&> &&
              !hpk::is_device_v<host_device&> && !hpk::is_device<host_device&>::value);

// What is enabled, by name: the macros, the list of spaces and the two defaults agree.
template <class... Execs>
constexpr bool is_listed(hpk::detail::type_list<Execs...>, std::string_view name) {
  return ((Execs::name() == name) || ...);
}
constexpr bool is_enabled(std::string_view name) {
  return is_listed(hpk::detail::enabled_spaces{}, name);
}
static_assert(is_enabled("OpenMP") == (HPK_ENABLE_OPENMP == 1));
static_assert(is_enabled("Threads") == (HPK_ENABLE_THREADS == 1));
static_assert(is_enabled("Serial") == (HPK_ENABLE_SERIAL == 1));
static_assert(is_enabled("Emu") == (HPK_ENABLE_EMU == 1));
constexpr std::string_view best_host_space = is_enabled("OpenMP")    ? "OpenMP"
                                             : is_enabled("Threads") ? "Threads"
                                                                     : "Serial";
static_assert(hpk::DefaultHostExecutionSpace::name() == best_host_space);
static_assert(std::string_view(hpk::DefaultExecutionSpace::name()) == (is_enabled("Cuda") ? "Cuda"
                                                                       : is_enabled("HIP")
                                                                           ? "HIP"
                                                                           : best_host_space));

template <class Exec>
class Space : public testing::Test {};
TYPED_TEST_SUITE(Space, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(Space, is_an_execution_space) {
  static_assert(hpk::is_execution_space_v<TypeParam> && hpk::is_execution_space_v<const TypeParam>);
  static_assert(!hpk::is_memory_space_v<TypeParam> && !hpk::is_device_v<TypeParam>);
  static_assert(std::is_same_v<typename TypeParam::execution_space, TypeParam>);
  static_assert(hpk::is_memory_space_v<typename TypeParam::memory_space>);
  static_assert(hpk::is_array_layout_v<typename TypeParam::array_layout>);
  using device = typename TypeParam::device_type;
  static_assert(std::is_same_v<device, hpk::Device<TypeParam, typename TypeParam::memory_space>>);
  static_assert(std::is_same_v<typename TypeParam::size_type, std::size_t>);
  static_assert(std::is_same_v<typename TypeParam::index_type, std::int64_t>);
  static_assert(!hpk::is_execution_space_v<TypeParam&> && !hpk::is_space_v<TypeParam&>);
  EXPECT_STRNE(TypeParam::name(), "");
}

// An instance is asked for in full: no number or tag turns into a space by itself.
HPK_TYPED_TEST(Space, takes_explicit_arguments_only) {
  static_assert(std::is_constructible_v<TypeParam, int> ||
                std::is_constructible_v<TypeParam, hpk::NewInstance>);
  static_assert(!std::is_convertible_v<int, TypeParam>);
  static_assert(!std::is_convertible_v<hpk::NewInstance, TypeParam>);
  EXPECT_EQ(TypeParam(), TypeParam());
}

HPK_TYPED_TEST(Space, tells_its_concurrency) {
  EXPECT_GE(TypeParam().concurrency(), 1);
  if constexpr (std::is_constructible_v<TypeParam, int>) {
    for (const int workers : {1, 2, 5}) EXPECT_EQ(TypeParam(workers).concurrency(), workers);
    for (const int workers : {0, -1}) {
      const std::string text = hpk_test::error_of([&] { TypeParam{workers}; });
      EXPECT_TRUE(hpk_test::contains(text, TypeParam::name()));
      EXPECT_TRUE(hpk_test::contains(text, std::to_string(workers)));
    }
  }
}

HPK_TYPED_TEST(Space, describes_itself) {
  std::ostringstream out;
  TypeParam().print_configuration(out);
  EXPECT_TRUE(hpk_test::contains(out.str(), TypeParam::name()));
  EXPECT_TRUE(hpk_test::contains(out.str(), "workers"));
}

HPK_TYPED_TEST(Space, fences_outside_of_kernels) {
  EXPECT_NO_THROW(hpk::fence());
  EXPECT_NO_THROW(TypeParam().fence("between"));
}

// A kernel of a device can't throw.
template <class Exec>
class HostOnlySpace : public testing::Test {};
TYPED_TEST_SUITE(HostOnlySpace, hpk_test::host_spaces, hpk_test::space_names);

HPK_TYPED_TEST(HostOnlySpace, refuses_a_fence_in_a_kernel) {
  const auto launch = [](auto&& body) {
    hpk::parallel_for("waits for itself", hpk::RangePolicy<TypeParam>(0, 1), body);
  };
  const std::string global =
      hpk_test::error_of([&] { launch([](int) { hpk::fence("my fence"); }); });
  EXPECT_TRUE(hpk_test::contains(global, "my fence"));
  EXPECT_TRUE(hpk_test::contains(global, "waits for itself"));
  const std::string own =
      hpk_test::error_of([&] { launch([](int) { TypeParam().fence("own"); }); });
  EXPECT_TRUE(hpk_test::contains(own, "own"));
  EXPECT_TRUE(hpk_test::contains(own, "waits for itself"));
}

}  // namespace
}  // namespace seam_space_test
