// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callbacks that a program sets for launches, with their names and devices, for marks of the
// program, and all together. Also the layout of the structs that hpk shares with tools for Kokkos.
#include <hpk/profiling.hpp>

#include <support/recorded_events.hpp>
#include <support/spaces.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace tools_launches_test {
namespace {

namespace tools = hpk::Tools::Experimental;
using hpk_test::record_event;
using hpk_test::take_events;
using lines = std::vector<std::string>;

// The position of a function in EventSet, counted in function pointers.
#define HPK_TEST_PLACE(member) (offsetof(tools::EventSet, member) / sizeof(void (*)()))
static_assert(HPK_TEST_PLACE(init) == 0 && HPK_TEST_PLACE(begin_parallel_for) == 4);
static_assert(HPK_TEST_PLACE(push_region) == 10 && HPK_TEST_PLACE(allocate_data) == 12);
static_assert(HPK_TEST_PLACE(profile_event) == 18 && HPK_TEST_PLACE(begin_fence) == 21);
static_assert(HPK_TEST_PLACE(sync_dual_view) == 23 && HPK_TEST_PLACE(request_tool_settings) == 27);
static_assert(HPK_TEST_PLACE(declare_output_type) == 37 && HPK_TEST_PLACE(more_reserved) == 43);
static_assert(sizeof(tools::EventSet) == 275 * sizeof(void (*)()));
static_assert(sizeof(tools::SpaceHandle) == 64 && sizeof(tools::ToolSettings) == 256);
static_assert(sizeof(tools::ToolProgrammingInterface) == 32 * sizeof(void (*)()));
static_assert(!std::is_copy_constructible_v<hpk::Tools::ScopedRegion> &&
              !std::is_move_constructible_v<hpk::Tools::ScopedRegion>);
static_assert(!std::is_copy_constructible_v<hpk::Tools::ProfilingSection> &&
              !std::is_move_constructible_v<hpk::Tools::ProfilingSection>);

std::uint32_t last_device = 0;
std::uint64_t handles = 0;

template <char Kind>
void begins(const char* name, std::uint32_t device, std::uint64_t* handle) {
  record_event(std::string(1, Kind) + ' ' + name);
  last_device = device;
  *handle = ++handles;
}
template <char Kind>
void ended(std::uint64_t handle) {
  EXPECT_EQ(handle, handles);
  record_event(std::string("end ") + Kind);
}

tools::EventSet listeners() {
  tools::EventSet set{};
  set.begin_parallel_for = begins<'f'>;
  set.end_parallel_for = ended<'f'>;
  set.begin_parallel_reduce = begins<'r'>;
  set.end_parallel_reduce = ended<'r'>;
  set.begin_parallel_scan = begins<'s'>;
  set.end_parallel_scan = ended<'s'>;
  set.begin_fence = begins<'w'>;
  set.end_fence = ended<'w'>;
  set.push_region = [](const char* name) { record_event(std::string("push ") + name); };
  set.pop_region = [] { record_event("pop"); };
  set.profile_event = [](const char* name) { record_event(std::string("event ") + name); };
  set.declare_metadata = [](const char* key, const char* value) {
    record_event(std::string(key) + '=' + value);
  };
  set.create_profile_section = [](const char* name, std::uint32_t* id) {
    record_event(std::string("section ") + name);
    *id = 7;
  };
  set.start_profile_section = [](std::uint32_t id) { record_event("start " + std::to_string(id)); };
  set.stop_profile_section = [](std::uint32_t id) { record_event("stop " + std::to_string(id)); };
  set.destroy_profile_section = [](std::uint32_t id) {
    record_event("destroy " + std::to_string(id));
  };
  return set;
}
struct listening {
  listening() {
    (void)take_events();
    tools::set_callbacks(listeners());
  }
  ~listening() { tools::set_callbacks({}); }
};

struct Tag {};
struct Named {
  HPK_FUNCTION void operator()(int) const {}
  HPK_FUNCTION void operator()(Tag, int) const {}
  HPK_FUNCTION void operator()(int i, long& sum) const { sum += i; }
  HPK_FUNCTION void operator()(int i, long& sum, bool) const { sum += i; }
};

template <class Exec>
class ToolLaunches : public testing::Test {};
TYPED_TEST_SUITE(ToolLaunches, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(ToolLaunches, have_labels_or_the_names_of_types) {
  using range = hpk::RangePolicy<TypeParam>;
  const std::string type(hpk::type_name<Named>());
  const std::string tag(hpk::type_name<Tag>());
  const TypeParam exec;
  const listening here;
  hpk::parallel_for("label", range(exec, 0, 3), Named());
  EXPECT_EQ(last_device, tools::device_id(exec));
  const std::string long_label(1000, 'x');
  hpk::parallel_for(long_label, range(exec, 0, 3), Named());
  hpk::parallel_for(range(exec, 0, 3), Named());
  hpk::parallel_for(hpk::RangePolicy<TypeParam, Tag>(exec, 0, 3), Named());
  EXPECT_EQ(take_events(), (lines{"f label", "end f", "f " + long_label, "end f", "f " + type,
                                  "end f", "f " + type + '/' + tag, "end f"}));
}

// The end callback comes before the fence for the result.
HPK_TYPED_TEST(ToolLaunches, end_before_the_fence_of_their_result) {
  using range = hpk::RangePolicy<TypeParam>;
  const TypeParam exec;
  long sum = 0;
  const listening here;
  hpk::parallel_reduce("sum", range(exec, 0, 3), Named(), sum);
  hpk::parallel_scan("scan", range(exec, 0, 3), Named(), sum);
  const lines seen = take_events();
  ASSERT_EQ(seen.size(), 8u);
  for (std::size_t k : {std::size_t{0}, std::size_t{4}}) {
    EXPECT_EQ(seen[k], k == 0 ? "r sum" : "s scan");
    EXPECT_EQ(seen[k + 1], k == 0 ? "end r" : "end s");
    EXPECT_EQ(seen[k + 2].substr(0, 15), "w hpk::parallel");
    EXPECT_EQ(seen[k + 3], "end w");
  }
}

HPK_TYPED_TEST(ToolLaunches, tell_devices_and_instances_apart) {
  const TypeParam exec;
  const auto two = hpk::Experimental::partition_space(exec, 1, 1);
  const auto root = tools::identifier_from_devid(tools::device_id_root<TypeParam>());
  const auto mine = tools::identifier_from_devid(tools::device_id(exec));
  const auto new_one = tools::identifier_from_devid(tools::device_id(two[0]));
  EXPECT_EQ(root.instance_id, 0u);
  EXPECT_EQ(root.type, mine.type);
  EXPECT_EQ(new_one.type, mine.type);
  EXPECT_NE(mine.instance_id, 0u);
  EXPECT_NE(new_one.instance_id, 0u);
  EXPECT_NE(new_one.instance_id, mine.instance_id);
  EXPECT_NE(tools::device_id(two[0]), tools::device_id(two[1]));
  EXPECT_EQ(tools::device_id(TypeParam()), tools::device_id(exec));
}

struct One {
  int value = 1;
};

// The kernels among the recorded lines. Checks that each begin is followed by an end.
lines take_kernels() {
  lines kernels;
  lines events = take_events();
  for (std::size_t k = 0; k != events.size(); ++k) {
    if (events[k].front() != 'f') continue;
    EXPECT_EQ(events.at(k + 1), "end f") << events[k];
    kernels.push_back(events[k].substr(2));
  }
  return kernels;
}

HPK_TYPED_TEST(ToolLaunches, are_told_where_views_are_initialised) {
  const listening here;
  const hpk::View<int*, TypeParam> zeros("zeros", 3);
  EXPECT_EQ(take_kernels(), lines{"hpk::View::initialization [zeros] via memset"});
  {
    const hpk::View<One*, TypeParam> ones("ones", 3);
    EXPECT_EQ(take_kernels(), lines{"hpk::View::initialization [ones]"});
  }
  const hpk::View<int*, TypeParam> bare(hpk::view_alloc("bare", hpk::WithoutInitializing), 3);
  EXPECT_EQ(take_kernels(), lines{});
}

HPK_TYPED_TEST(ToolLaunches, are_told_where_elements_are_filled_or_copied) {
  const hpk::View<int**, hpk::LayoutLeft, TypeParam> left("left", 3, 4);
  const hpk::View<int**, hpk::LayoutRight, TypeParam> right("right", 3, 4);
  const hpk::View<long*, TypeParam> longs("longs", 3);
  const hpk::View<int*, TypeParam> ints("ints", 3);
  const listening here;
  hpk::deep_copy(left, 1);
  EXPECT_EQ(take_kernels(), lines{"hpk::ViewFill-1D"});
  hpk::deep_copy(hpk::subview(left, std::pair(0, 2), hpk::ALL), 1);
  EXPECT_EQ(take_kernels(), lines{"hpk::ViewFill-2D"});
  hpk::deep_copy(TypeParam(), right, left);
  EXPECT_EQ(take_kernels(), lines{"hpk::ViewCopy-2D"});
  hpk::deep_copy(longs, ints);
  EXPECT_EQ(take_kernels(), lines{"hpk::ViewCopy-1D"});
  // No kernels run: the copy is contiguous, and the fill sets zeros.
  const hpk::View<int*, TypeParam> others(hpk::view_alloc("others", hpk::WithoutInitializing), 3);
  hpk::deep_copy(others, ints);
  hpk::deep_copy(left, 0);
  EXPECT_EQ(take_kernels(), lines{});
}

// A layer above hpk replaces the prefix of the names that the library gives.
HPK_TYPED_TEST(ToolLaunches, have_the_prefix_of_a_layer) {
  hpk::seam::guards.tool_prefix.store("other::", hpk::detail::memory_order::release);
  {
    const listening here;
    const hpk::View<int*, TypeParam> zeros("zeros", 3);
    TypeParam().fence();
    hpk::parallel_for("hpkless", hpk::RangePolicy<TypeParam>(0, 1), Named());
    const std::string space = TypeParam::name();
    EXPECT_EQ(take_events(), (lines{"f other::View::initialization [zeros] via memset", "end f",
                                    "w other::View::initialization via memset", "end w",
                                    "w other::" + space + "::fence: Unnamed Instance Fence",
                                    "end w", "f hpkless", "end f"}));
  }
  hpk::seam::guards.tool_prefix.store(nullptr, hpk::detail::memory_order::release);
}

TEST(DeviceIds, have_three_parts) {
  const auto parts = tools::identifier_from_devid((2u << 24) | (5u << 17) | 0x1ffffu);
  EXPECT_EQ(parts.type, tools::DeviceType::Cuda);
  EXPECT_EQ(parts.device_id, 5u);
  EXPECT_EQ(parts.instance_id, 0x1ffffu);
  EXPECT_EQ(tools::identifier_from_devid(~0u).type, tools::DeviceType::Unknown);
}

TEST(HostLaunches, that_throw_have_an_end) {
  using range = hpk::RangePolicy<hpk::DefaultHostExecutionSpace>;
  const listening here;
  EXPECT_THROW(hpk::parallel_for("fails", range(0, 3),
                                 [](int i) {
                                   if (i == 1) throw std::runtime_error("on purpose");
                                 }),
               std::runtime_error);
  EXPECT_EQ(take_events(), (lines{"f fails", "end f"}));
}

TEST(HostLaunches, inside_of_kernels_are_not_told) {
  using range = hpk::RangePolicy<hpk::DefaultHostExecutionSpace>;
  const listening here;
  hpk::parallel_for("outer", range(0, 1),
                    [](int) { hpk::parallel_for("inner", range(0, 1), [](int) {}); });
  EXPECT_EQ(take_events(), (lines{"f outer", "end f"}));
}

TEST(Marks, are_told) {
  const listening here;
  {
    const hpk::Tools::ScopedRegion region("region");
    hpk::Tools::markEvent("now");
  }
  hpk::Profiling::pushRegion("pushed");
  hpk::Profiling::popRegion();
  hpk::Tools::declareMetadata("key", "value");
  std::uint32_t id = 0;
  hpk::Tools::createProfileSection("raw", &id);
  EXPECT_EQ(id, 7u);
  hpk::Tools::startSection(id);
  hpk::Tools::stopSection(id);
  hpk::Tools::destroyProfileSection(id);
  {
    hpk::Tools::ProfilingSection section("again and again");
    section.start();
    section.start();
    section.stop();
  }
  EXPECT_EQ(take_events(),
            (lines{"push region", "event now", "pop", "push pushed", "pop", "key=value",
                   "section raw", "start 7", "stop 7", "destroy 7", "section again and again",
                   "start 7", "start 7", "stop 7", "destroy 7"}));
}

TEST(Marks, cost_nothing_and_say_nothing_without_a_tool) {
  std::uint32_t id = 5;
  hpk::Tools::createProfileSection("raw", &id);
  EXPECT_EQ(id, 0u);
  EXPECT_FALSE(hpk::Tools::profileLibraryLoaded());
  hpk::Tools::popRegion();
  EXPECT_EQ(take_events(), lines());
}

TEST(AllCallbacks, are_set_read_paused_and_resumed) {
  const tools::EventSet set = listeners();
  {
    const listening here;
    EXPECT_TRUE(hpk::Tools::profileLibraryLoaded());
    EXPECT_EQ(tools::get_callbacks().begin_parallel_scan, set.begin_parallel_scan);
    EXPECT_EQ(tools::get_callbacks().init, nullptr);
    tools::pause_tools();
    tools::pause_tools();
    hpk::Tools::markEvent("unheard");
    EXPECT_FALSE(hpk::Tools::profileLibraryLoaded());
    tools::resume_tools();
    hpk::Tools::markEvent("heard");
    tools::resume_tools();
    tools::set_profile_event_callback(nullptr);
    hpk::Tools::markEvent("unheard");
    hpk::Tools::pushRegion("heard");
    EXPECT_EQ(take_events(), (lines{"event heard", "push heard"}));
  }
  EXPECT_EQ(tools::get_callbacks().push_region, nullptr);
}

}  // namespace
}  // namespace tools_launches_test
