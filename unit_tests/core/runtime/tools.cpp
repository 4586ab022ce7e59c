// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callbacks that a program sets for allocations, frees, copies and their buffers, and for fences.
// Without callbacks nothing is recorded.
#include <hpk/runtime/tools.hpp>

#include <support/recorded_events.hpp>
#include <support/spaces.hpp>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace runtime_tools_test {
namespace {

namespace tools = hpk::Tools::Experimental;
using hpk_test::record_event;
using hpk_test::take_events;

void allocated(tools::SpaceHandle space, const char* label, const void* data, std::uint64_t bytes) {
  EXPECT_NE(data, nullptr);
  record_event(std::string("new ") + space.name + " " + label + " " + std::to_string(bytes));
}
void freed(tools::SpaceHandle space, const char* label, const void* data, std::uint64_t bytes) {
  EXPECT_NE(data, nullptr);
  record_event(std::string("free ") + space.name + " " + label + " " + std::to_string(bytes));
}
void copy_begins(tools::SpaceHandle to, const char* to_label, const void* to_data,
                 tools::SpaceHandle from, const char* from_label, const void* from_data,
                 std::uint64_t bytes) {
  EXPECT_NE(to_data, nullptr);
  EXPECT_NE(from_data, nullptr);
  record_event(std::string("copy ") + to.name + " " + to_label + " <- " + from.name + " " +
               from_label + " " + std::to_string(bytes));
}
void copy_ended() { record_event("copied"); }

// Sets the callbacks during its lifetime.
struct listener {
  listener() {
    (void)take_events();
    tools::set_allocate_data_callback(allocated);
    tools::set_deallocate_data_callback(freed);
    tools::set_begin_deep_copy_callback(copy_begins);
    tools::set_end_deep_copy_callback(copy_ended);
  }
  ~listener() {
    tools::set_allocate_data_callback(nullptr);
    tools::set_deallocate_data_callback(nullptr);
    tools::set_begin_deep_copy_callback(nullptr);
    tools::set_end_deep_copy_callback(nullptr);
  }
};

using lines = std::vector<std::string>;

template <class Exec>
class ToolCallbacks : public testing::Test {};
TYPED_TEST_SUITE(ToolCallbacks, hpk_test::spaces, hpk_test::space_names);

HPK_TYPED_TEST(ToolCallbacks, hear_of_memory) {
  const listener here;
  const std::string space = TypeParam::memory_space::name();
  {
    const hpk::View<double*, TypeParam> v("field", 10);
    const hpk::View<double*, TypeParam> share = v;
    EXPECT_EQ(take_events(), lines{"new " + space + " field 80"});
  }
  EXPECT_EQ(take_events(), lines{"free " + space + " field 80"});
  {
    const hpk::View<double**, TypeParam> v("empty", 0, 3);
  }
  EXPECT_EQ(take_events(), (lines{"new " + space + " empty 0", "free " + space + " empty 0"}));
}

HPK_TYPED_TEST(ToolCallbacks, hear_of_copies) {
  using view = hpk::View<double*, TypeParam>;
  const std::string space = TypeParam::memory_space::name();
  const std::string host = hpk::HostSpace::name();
  const view a("a", 10);
  const view b("b", 10);
  const hpk::View<const double*, TypeParam, hpk::MemoryUnmanaged> guest = a;
  const hpk::View<double, TypeParam> one("one");
  double value = 0;
  const TypeParam exec;
  const listener here;
  hpk::deep_copy(a, b);
  EXPECT_EQ(take_events(), (lines{"copy " + space + " a <- " + space + " b 80", "copied"}));
  hpk::deep_copy(exec, b, guest);
  exec.fence();
  EXPECT_EQ(take_events(), (lines{"copy " + space + " b <- " + space + "  80", "copied"}));
  hpk::deep_copy(hpk::subview(a, std::pair(1, 4)), 2.0);
  EXPECT_EQ(take_events(), (lines{"copy " + space + " a <- " + host + " Scalar 24", "copied"}));
  hpk::deep_copy(value, one);
  EXPECT_EQ(take_events(), (lines{"copy " + host + " Scalar <- " + space + " one 8", "copied"}));
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(0, 10), HPK_LAMBDA(int i) { a(i) = b(i); });
  exec.fence();
  EXPECT_EQ(take_events(), lines{});
}

// A copy reports its buffers if no execution space can access both memories.
HPK_TYPED_TEST(ToolCallbacks, hear_of_the_buffers_of_a_copy) {
  using memory = typename TypeParam::memory_space;
  const std::string host = hpk::HostSpace::name();
  const hpk::View<int**, hpk::LayoutRight, hpk::HostSpace> rows("rows", 3, 4);
  const hpk::View<int**, hpk::LayoutLeft, TypeParam> columns("columns", 3, 4);
  const listener here;
  hpk::deep_copy(columns, rows);
  const lines seen = take_events();
  const lines direct = {"copy " + std::string(memory::name()) + " columns <- " + host + " rows 48",
                        "copied"};
  if constexpr (hpk::SpaceAccessibility<TypeParam, hpk::HostSpace>::accessible) {
    EXPECT_EQ(seen, direct);
  } else {
    const std::string buffer = host + " hpk::deep_copy: buffer for \"rows\" 48";
    EXPECT_EQ(seen, (lines{direct[0], "new " + buffer, "free " + buffer, direct[1]}));
  }
}

TEST(Tools, end_with_null_and_hear_each_kind_alone) {
  const hpk::View<int*, hpk::HostSpace> v("v", 3);
  (void)take_events();
  tools::set_end_deep_copy_callback(copy_ended);
  hpk::deep_copy(v, 1);
  EXPECT_EQ(take_events(), lines{"copied"});
  tools::set_end_deep_copy_callback(nullptr);
  tools::set_begin_deep_copy_callback(copy_begins);
  hpk::deep_copy(v, 1);
  EXPECT_EQ(take_events().size(), 1u);
  tools::set_begin_deep_copy_callback(nullptr);
  hpk::deep_copy(v, 1);
  EXPECT_EQ(take_events(), lines{});
}

TEST(Tools, end_the_copy_that_throws) {
  const hpk::View<int*, hpk::HostSpace> v("v", 3);
  const hpk::View<int*, hpk::HostSpace> longer("longer", 4);
  const listener here;
  EXPECT_THROW(hpk::deep_copy(v, longer), hpk::error);
  EXPECT_EQ(take_events().back(), "copied");
}

TEST(Tools, hear_from_any_thread) {
  {
    const listener here;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([] {
        for (int k = 0; k < 100; ++k) hpk::View<int*, hpk::HostSpace>("v", 3);
      });
    }
    for (std::thread& t : threads) t.join();
  }
  EXPECT_EQ(take_events().size(), 800u);
}

// Fences, by name and device. The end callback receives the handle that the begin callback set.
std::uint64_t open_fences = 0;
void fence_begins(const char* name, std::uint32_t device, std::uint64_t* handle) {
  record_event(std::string("fence ") + name + " on " + std::to_string(device >> 24));
  const std::lock_guard lock(hpk_test::events_guard);
  *handle = ++open_fences + 41;
}
void fence_ended(std::uint64_t handle) { record_event("fenced " + std::to_string(handle - 41)); }

struct fence_listener {
  fence_listener() {
    open_fences = 0;
    (void)take_events();
    tools::set_begin_fence_callback(fence_begins);
    tools::set_end_fence_callback(fence_ended);
  }
  ~fence_listener() {
    tools::set_begin_fence_callback(nullptr);
    tools::set_end_fence_callback(nullptr);
  }
};

template <class Exec>
class ToolsFences : public testing::Test {};
TYPED_TEST_SUITE(ToolsFences, hpk_test::spaces, hpk_test::space_names);

// The lines of one fence of the space.
template <class Exec>
std::vector<std::string> one_fence(const std::string& name) {
  const auto device = Exec().instance().tool_id() >> 24;
  return {"fence " + name + " on " + std::to_string(device), "fenced 1"};
}
using lines = std::vector<std::string>;

HPK_TYPED_TEST(ToolsFences, of_an_instance_have_the_name_given_or_a_default) {
  const TypeParam exec;
  exec.fence();
  {
    const fence_listener on;
    exec.fence("my own");
    EXPECT_EQ(take_events(), one_fence<TypeParam>("my own"));
  }
  {
    const fence_listener on;
    exec.fence();
    EXPECT_EQ(take_events(), one_fence<TypeParam>(std::string("hpk::") + TypeParam::name() +
                                                  "::fence: Unnamed Instance Fence"));
  }
  exec.fence("nobody listens");
  EXPECT_EQ(take_events(), lines());
}

HPK_TYPED_TEST(ToolsFences, of_all_are_told_for_each_backend_in_use) {
  TypeParam().fence();
  const fence_listener on;
  for (const std::string name : {"", "everything"}) {
    if (name.empty()) {
      hpk::fence();
    } else {
      hpk::fence(name);
    }
    const lines events = take_events();
    ASSERT_GE(events.size(), 2u);
    for (std::size_t k = 0; k < events.size(); k += 2) {
      EXPECT_EQ(events[k].find("fence " +
                               (name.empty() ? "hpk::fence: Unnamed Global Fence" : name) + " on "),
                0u);
      EXPECT_EQ(events[k + 1].find("fenced "), 0u);
    }
  }
}

template <class Exec>
void fold_and_scan(const Exec& exec, const hpk::View<long, Exec>& place, long& sum) {
  const hpk::RangePolicy<Exec> range(exec, 0, 100);
  hpk::parallel_reduce(range, HPK_LAMBDA(int i, long& s) { s += i; }, place);
  hpk::parallel_for(range, HPK_LAMBDA(int){});
  hpk::parallel_reduce(range, HPK_LAMBDA(int i, long& s) { s += i; }, sum);
  hpk::parallel_scan(range, HPK_LAMBDA(int i, long& s, bool) { s += i; }, sum);
}

HPK_TYPED_TEST(ToolsFences, are_told_of_results_in_variables_only) {
  const hpk::View<long, TypeParam> place("place");
  long sum = 0;
  const fence_listener on;
  fold_and_scan(TypeParam(), place, sum);
  const auto device = std::to_string(TypeParam().instance().tool_id() >> 24);
  EXPECT_EQ(
      take_events(),
      (lines{"fence hpk::parallel_reduce: fence due to result being value, not view on " + device,
             "fenced 1",
             "fence hpk::parallel_scan: fence due to result being a value, not a view on " + device,
             "fenced 2"}));
}

template <class Exec>
void fold_twice_and_arrays(const Exec& exec, long& a, long& b, long (&both)[2]) {
  const hpk::RangePolicy<Exec> range(exec, 0, 100);
  hpk::parallel_reduce(
      range,
      HPK_LAMBDA(int i, long& s, long& t) {
        s += i;
        t += 1;
      },
      a, b);
  hpk::parallel_reduce(range, HPK_LAMBDA(int i, long* s) { s[i % 2] += i; }, both);
}

HPK_TYPED_TEST(ToolsFences, are_told_of_several_results_and_arrays) {
  long a = 0;
  long b = 0;
  long both[2] = {};
  const fence_listener on;
  fold_twice_and_arrays(TypeParam(), a, b, both);
  const auto device = std::to_string(TypeParam().instance().tool_id() >> 24);
  const std::string name =
      "fence hpk::parallel_reduce: fence due to result being value, not view on " + device;
  EXPECT_EQ(take_events(), (lines{name, "fenced 1", name, "fenced 2"}));
}

HPK_TYPED_TEST(ToolsFences, are_told_of_views_made_without_an_instance) {
  const fence_listener on;
  const hpk::View<int*, TypeParam> with(hpk::view_alloc(TypeParam(), "with"), 10);
  EXPECT_EQ(take_events(), lines());
  const hpk::View<int*, TypeParam> without("without", 10);
  EXPECT_EQ(take_events(), one_fence<TypeParam>("hpk::View::initialization via memset"));
}

// Each of the two callbacks may be set alone.
TEST(ToolsFenceEnds, may_be_heard_of_at_one_end_only) {
  (void)take_events();
  tools::set_end_fence_callback(fence_ended);
  hpk::DefaultHostExecutionSpace().fence();
  tools::set_end_fence_callback(nullptr);
  EXPECT_EQ(take_events().size(), 1u);
  tools::set_begin_fence_callback(fence_begins);
  hpk::DefaultHostExecutionSpace().fence();
  tools::set_begin_fence_callback(nullptr);
  EXPECT_EQ(take_events().size(), 1u);
}

}  // namespace
}  // namespace runtime_tools_test
