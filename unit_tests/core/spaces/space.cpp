// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Public traits of spaces, Device, the declarations and relations of memory spaces, and the global
// fence.
#include <hpk/spaces/space.hpp>

#include <support/elements.hpp>
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
static_assert(hpk::gpu_vendor_v<HostSpace> == hpk::gpu_vendor::none);
static_assert(hpk::MemorySpaceAccess<HostSpace, HostSpace>::assignable);
static_assert(hpk::MemorySpaceAccess<HostSpace, HostSpace>::accessible);
static_assert(hpk::MemorySpaceAccess<HostSpace, HostSpace>::deepcopy);

// is_space accepts any kind of space, const or not, but no reference and no other type.
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
// A class with this member alone is an execution space for programs, though not for hpk.
struct sketch_of_a_space {
  using execution_space = sketch_of_a_space;
};
static_assert(hpk::is_execution_space_v<sketch_of_a_space> &&
              hpk::ExecutionSpace<const sketch_of_a_space> &&
              !hpk::is_execution_space_v<sketch_of_a_space&> &&
              !hpk::is_space_v<sketch_of_a_space>);
// The corresponding concepts.
static_assert(hpk::ExecutionSpace<host_exec> && hpk::ExecutionSpace<const host_exec>);
static_assert(!hpk::ExecutionSpace<HostSpace> && !hpk::ExecutionSpace<host_device> &&
              !hpk::ExecutionSpace<host_exec&> && !hpk::ExecutionSpace<int>);
static_assert(hpk::MemorySpace<HostSpace> && hpk::MemorySpace<const HostSpace>);
static_assert(!hpk::MemorySpace<host_exec> && !hpk::MemorySpace<host_device> &&
              !hpk::MemorySpace<HostSpace&> && !hpk::MemorySpace<int>);
static_assert(hpk::Space<host_exec> && hpk::Space<HostSpace> && hpk::Space<const host_device>);
static_assert(!hpk::Space<host_exec&> && !hpk::Space<int> && !hpk::Space<hpk::View<int*>>);
// The more constrained overload is selected.
template <class T>
constexpr int kind_of() {
  return 0;
}
template <hpk::Space T>
constexpr int kind_of() {
  return 1;
}
static_assert(kind_of<host_exec>() == 1 && kind_of<int>() == 0);

// The member types of is_space.
template <class T, class Exec, class Memory>
constexpr bool has_members = std::is_same_v<typename hpk::is_space<T>::execution_space, Exec> &&
                             std::is_same_v<typename hpk::is_space<T>::memory_space, Memory>;
static_assert(has_members<host_device, host_exec, HostSpace>);
static_assert(has_members<const HostSpace, host_exec, HostSpace>);
static_assert(has_members<host_exec, host_exec, host_exec::memory_space>);
static_assert(has_members<int, void, void> && has_members<host_exec&, void, void>);

// The macros, the list of spaces and the two default spaces agree about the enabled spaces.
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

// Whether the traits of a pair are as in the text: A assignable, X accessible, D deep_copy.
template <class Dst, class Src>
constexpr bool relates(std::string_view wanted) {
  using two = hpk::MemorySpaceAccess<Dst, Src>;
  using any = hpk::SpaceAccessibility<Dst, Src>;
  return two::assignable == (wanted[0] == 'A') && two::accessible == (wanted[1] == 'X') &&
         two::deepcopy == (wanted[2] == 'D') && any::assignable == two::assignable &&
         any::accessible == two::accessible && any::deepcopy == two::deepcopy;
}
// The whole table: rows are destinations, columns are host memory and device, managed and pinned
// memory.
template <class Device, class Managed, class Pinned>
struct relations {
  template <class Dst>
  static constexpr bool row(std::string_view host, std::string_view device,
                            std::string_view managed, std::string_view pinned) {
    return relates<Dst, HostSpace>(host) && relates<Dst, Device>(device) &&
           relates<Dst, Managed>(managed) && relates<Dst, Pinned>(pinned);
  }
  static constexpr bool table =
      row<HostSpace>("AXD", "--D", "-XD", "AXD") && row<Device>("--D", "AXD", "AXD", "-XD") &&
      row<Managed>("--D", "-XD", "AXD", "-XD") && row<Pinned>("-XD", "--D", "-XD", "AXD");
};
static_assert(relates<HostSpace, HostSpace>("AXD"));
static_assert(relates<HostSpace, hpk::AnonymousSpace>("AXD") &&
              relates<hpk::AnonymousSpace, HostSpace>("AXD") &&
              relates<hpk::AnonymousSpace, hpk::AnonymousSpace>("AXD"));

// With an execution space or a Device the pair is not assignable.
using host_relation = hpk::SpaceAccessibility<host_exec, HostSpace>;
static_assert(host_relation::accessible && host_relation::deepcopy && !host_relation::assignable);
static_assert(std::is_same_v<host_relation::space, host_exec>);
static_assert(!hpk::SpaceAccessibility<host_device, HostSpace>::assignable);
static_assert(!hpk::SpaceAccessibility<HostSpace, host_device>::assignable);
static_assert(hpk::SpaceAccessibility<const HostSpace, const HostSpace>::assignable);

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

// Emulated devices have no vendor.
HPK_TYPED_TEST(Space, has_memory_of_a_vendor_or_of_none) {
  using hpk::gpu_vendor;
  const std::string_view name = TypeParam::name();
  const gpu_vendor expected = name == "Cuda"  ? gpu_vendor::nvidia
                              : name == "HIP" ? gpu_vendor::amd
                                              : gpu_vendor::none;
  EXPECT_EQ(hpk::gpu_vendor_v<typename TypeParam::memory_space>, expected);
  EXPECT_EQ(hpk::gpu_vendor_v<TypeParam>, expected);
}

HPK_TYPED_TEST(Space, relates_its_memories_to_each_other_and_the_hosts) {
  using device = typename TypeParam::memory_space;
  using managed = typename TypeParam::shared_memory_space;
  using pinned = typename TypeParam::pinned_memory_space;
  static_assert(relates<device, hpk::AnonymousSpace>("AXD") &&
                relates<hpk::AnonymousSpace, device>("AXD"));
  static_assert(relates<pinned, hpk::AnonymousSpace>("AXD") &&
                relates<hpk::AnonymousSpace, pinned>("AXD"));
  if constexpr (!hpk_test::is_host<TypeParam>) {
    static_assert(relations<device, managed, pinned>::table);
  } else {
    static_assert(std::is_same_v<device, HostSpace> && std::is_same_v<managed, HostSpace> &&
                  std::is_same_v<pinned, HostSpace>);
  }
  EXPECT_TRUE((hpk::SpaceAccessibility<TypeParam, managed>::accessible));
  EXPECT_TRUE((hpk::SpaceAccessibility<TypeParam, pinned>::accessible));
}

// `space` is the first of the two execution spaces that can access both memories.
HPK_TYPED_TEST(Space, is_found_as_the_one_that_reaches_two_memories) {
  using device = typename TypeParam::memory_space;
  using managed = typename TypeParam::shared_memory_space;
  using pinned = typename TypeParam::pinned_memory_space;
  const auto found = []<class A, class B>(hpk::detail::type_list<A, B>) {
    return hpk::detail::type_identity<typename hpk::SpaceAccessibility<A, B>::space>();
  };
  using self = hpk::detail::type_identity<TypeParam>;
  static_assert(std::is_same_v<decltype(found(hpk::detail::type_list<TypeParam, device>())), self>);
  static_assert(std::is_same_v<decltype(found(hpk::detail::type_list<TypeParam, pinned>())), self>);
  if constexpr (!hpk_test::is_host<TypeParam>) {
    using host = hpk::detail::type_identity<host_exec>;
    using none = hpk::detail::type_identity<void>;
    static_assert(std::is_same_v<decltype(found(hpk::detail::type_list<pinned, device>())), self>);
    static_assert(
        std::is_same_v<decltype(found(hpk::detail::type_list<HostSpace, managed>())), host>);
    static_assert(
        std::is_same_v<decltype(found(hpk::detail::type_list<TypeParam, HostSpace>())), none>);
    static_assert(
        std::is_same_v<decltype(found(hpk::detail::type_list<HostSpace, device>())), none>);
    static_assert(
        std::is_same_v<decltype(found(hpk::detail::type_list<hpk::AnonymousSpace, device>())),
                       self>);
  }
  EXPECT_TRUE((hpk::SpaceAccessibility<TypeParam, device>::accessible));
}

HPK_TYPED_TEST(Space, has_memories_of_known_names) {
  const std::string name = TypeParam::name();
  if constexpr (hpk_test::is_host<TypeParam>) {
    EXPECT_STREQ(TypeParam::memory_space::name(), "Host");
  } else {
    EXPECT_EQ(TypeParam::memory_space::name(), name);
    EXPECT_EQ(TypeParam::shared_memory_space::name(), name + (name == "Cuda" ? "UVM" : "Managed"));
    EXPECT_EQ(TypeParam::pinned_memory_space::name(), name + "HostPinned");
  }
}

template <class Device>
class MemorySpace : public testing::Test {};
TYPED_TEST_SUITE(MemorySpace, hpk_test::devices, hpk_test::device_names);

HPK_TYPED_TEST(MemorySpace, is_an_empty_tag_that_says_what_it_is) {
  using memory = typename TypeParam::memory_space;
  static_assert(hpk::is_memory_space_v<memory> && hpk::is_space_v<memory>);
  static_assert(!hpk::is_execution_space_v<memory> && !hpk::is_device_v<memory>);
  static_assert(std::is_same_v<typename memory::memory_space, memory>);
  using exec = typename memory::execution_space;
  static_assert(hpk::SpaceAccessibility<exec, memory>::accessible);
  static_assert(std::is_same_v<typename memory::device_type, hpk::Device<exec, memory>>);
  static_assert(std::is_same_v<typename memory::size_type, std::size_t>);
  static_assert(std::is_same_v<typename memory::index_type, std::int64_t>);
  static_assert(std::is_empty_v<memory> && std::is_trivially_copyable_v<memory> &&
                std::is_default_constructible_v<memory>);
  static_assert(!std::string_view(memory::name()).empty());
  // Pinned memory belongs to the default host space, which runs kernels for memory that names no
  // space.
  using pinned = typename TypeParam::execution_space::pinned_memory_space;
  EXPECT_EQ((std::is_same_v<exec, host_exec>),
            (std::is_same_v<memory, HostSpace> || std::is_same_v<memory, pinned>));
}

// New instances require explicit arguments: numbers and tags do not convert to a space. The
// exception is Serial, as programs for Kokkos expect.
HPK_TYPED_TEST(Space, takes_explicit_arguments_only) {
  static_assert(std::is_constructible_v<TypeParam, int> ||
                std::is_constructible_v<TypeParam, hpk::NewInstance>);
  static_assert(!std::is_convertible_v<int, TypeParam>);
  static_assert(std::string_view(TypeParam::name()) == "Serial" ||
                !std::is_convertible_v<hpk::NewInstance, TypeParam>);
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
  EXPECT_TRUE(hpk_test::contains(out.str(), hpk_test::is_on_cpu<TypeParam> ? "workers" : "device"));
}

HPK_TYPED_TEST(Space, fences_outside_of_kernels) {
  EXPECT_NO_THROW(hpk::fence());
  EXPECT_NO_THROW(TypeParam().fence("between"));
}

// A kernel of a device cannot throw.
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
