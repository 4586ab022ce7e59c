// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work of a library that reaches the callbacks of tools as hpk's own work does.
#include <hpk/runtime/tool_reports.hpp>

#include <support/recorded_events.hpp>
#include <support/spaces.hpp>

#include <string>

namespace runtime_tool_reports_test {
namespace {

namespace tools = hpk::Tools::Experimental;
using hpk_test::record_event;
using hpk_test::take_events;

void begins(const char* name, std::uint32_t device, std::uint64_t* handle) {
  record_event("begin " + std::string(name) + " on " + std::to_string(device));
  *handle = 7;
}
void ends(std::uint64_t handle) { record_event("end " + std::to_string(handle)); }
void allocates(tools::SpaceHandle space, const char* label, const void*, std::uint64_t bytes) {
  record_event(std::string(space.name) + " " + label + " " + std::to_string(bytes));
}

TEST(ToolReports, reach_the_callbacks) {
  (void)take_events();
  tools::set_begin_parallel_for_callback(begins);
  tools::set_end_parallel_for_callback(ends);
  tools::set_begin_fence_callback(begins);
  tools::set_allocate_data_callback(allocates);
  std::uint64_t handle = 0;
  hpk::Tools::beginParallelFor("outside", 3, &handle);
  EXPECT_EQ(handle, 7u);
  hpk::Tools::endParallelFor(handle);
  hpk::Tools::beginFence("a fence", 2, &handle);
  hpk::Tools::allocateData(hpk::Tools::make_space_handle("Pool"), "block", &handle, 8);
  tools::set_begin_parallel_for_callback(nullptr);
  tools::set_end_parallel_for_callback(nullptr);
  tools::set_begin_fence_callback(nullptr);
  tools::set_allocate_data_callback(nullptr);
  using lines = std::vector<std::string>;
  EXPECT_EQ(take_events(),
            (lines{"begin outside on 3", "end 7", "begin a fence on 2", "Pool block 8"}));
}

TEST(ToolReports, do_nothing_without_callbacks) {
  std::uint64_t handle = 5;
  hpk::Tools::beginParallelScan("outside", 3, &handle);
  EXPECT_EQ(handle, 0u);
  hpk::Tools::endParallelScan(handle);
}

TEST(ToolReports, handles_of_spaces_hold_63_characters) {
  const auto handle = hpk::Tools::make_space_handle(std::string(100, 'x'));
  EXPECT_EQ(std::string(handle.name), std::string(63, 'x'));
}

}  // namespace
}  // namespace runtime_tool_reports_test
