// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a host group: all of them run, meet at barriers, and what goes wrong is said.
#include <hpk/backends/host/team.hpp>

#include <hpk/core.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace host_team_test {
namespace {

using hpk::host::team_lane;

// Calls body(team_lane&) for every lane.
template <class Body>
void run(int lanes, const Body& body) {
  struct context {
    const Body& body;
    int lanes;
  };
  const context mine{body, lanes};
  const auto call = [](const void* c, int index) {
    const context& given = *static_cast<const context*>(c);
    team_lane lane(7, 9, index, given.lanes, nullptr, nullptr);
    given.body(lane);
  };
  hpk::host::run_lanes({call, &mine}, 7, lanes);
}

TEST(HostTeam, RunsEveryLaneOnceAndMeetsAtBarriers) {
  for (const int lanes : {1, 2, 3, 64, 257, 1024}) {
    std::vector<int> seen(static_cast<std::size_t>(lanes));
    std::atomic<int> wrong = 0;
    run(lanes, [&](team_lane& lane) {
      EXPECT_EQ(lane.group(), 7);
      EXPECT_EQ(lane.groups(), 9);
      const auto me = static_cast<std::size_t>(lane.lane_index());
      for (int round = 1; round != 4; ++round) {
        seen[me] += 1;
        lane.barrier();
        for (const int s : seen) wrong += s != round;
        lane.barrier();
      }
    });
    EXPECT_EQ(wrong, 0) << lanes;
  }
}

TEST(HostTeam, PassesOnWhatALaneThrows) {
  std::atomic<int> ended = 0;
  struct counts {
    std::atomic<int>& ended;
    ~counts() { ++ended; }
  };
  EXPECT_THROW(run(8,
                   [&](team_lane& lane) {
                     const counts here{ended};
                     if (lane.lane_index() == 3) throw std::runtime_error("no");
                     lane.barrier();
                   }),
               std::runtime_error);
  EXPECT_EQ(ended, 4);  // 0, 1 and 2 waited and were unwound
}

TEST(HostTeam, NamesTheKernelWhoseLanesWaitForEver) {
  const hpk::seam::launch_info info{.pattern = "parallel_for", .label = "odd ones", .where = {}};
  const hpk::seam::kernel_scope scope(info);
  try {
    run(8, [](team_lane& lane) {
      if (lane.lane_index() % 2 == 1) lane.barrier();
    });
    FAIL() << "nobody noticed";
  } catch (const hpk::error& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("hpk::parallel_for \"odd ones\": lane 1 of team 7 waits at a barrier that "
                        "not all lanes of the team reach: 4 of 8 wait, 4 left the kernel"),
              std::string::npos)
        << text;
  }
  run(2, [](team_lane& lane) { lane.barrier(); });
}

TEST(HostTeam, RunsOneInALaneOfAnother) {
  std::atomic<int> sum = 0;
  run(3, [&](team_lane& outer) {
    outer.barrier();
    run(4, [&](team_lane& inner) {
      sum += 1;
      inner.barrier();
    });
    outer.barrier();
  });
  EXPECT_EQ(sum, 12);
}

}  // namespace
}  // namespace host_team_test
