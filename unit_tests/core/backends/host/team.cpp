// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a host group: all of them run, wait at barriers, and errors are reported.
#include <hpk/backends/host/team.hpp>

#include <support/spaces.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

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
  const context calls{body, lanes};
  const auto call = [](const void* c, int index) {
    const context& given = *static_cast<const context*>(c);
    team_lane lane(7, 9, index, given.lanes, nullptr, nullptr);
    given.body(lane);
  };
  hpk::host::run_lanes({call, &calls}, 7, lanes);
}

TEST(HostTeam, runs_every_lane_once_and_meets_at_barriers) {
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

#if defined(__linux__)
TEST(HostTeam, leaves_the_memory_of_its_stacks_as_it_found_it) {
  // AddressSanitizer marks the frames of stacks. The next user of their addresses must not be
  // blamed.
  constexpr std::uintptr_t page = 4096;
  constexpr std::uintptr_t bytes = 16 * page;
  std::uintptr_t inside = 0;
  std::thread([&] {
    run(4, [&](team_lane& lane) {
      lane.barrier();
      if (lane.lane_index() != 0) return;
      inside = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    });
  }).join();
  void* const wanted = reinterpret_cast<void*>(inside / page * page - bytes + page);
  void* const again = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (again == MAP_FAILED) GTEST_SKIP() << "another has the addresses already";
  for (std::uintptr_t k = 0; k < bytes; ++k) static_cast<volatile char*>(again)[k] = 1;
  munmap(again, bytes);
}
#endif

TEST(HostTeam, passes_on_what_a_lane_throws) {
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

TEST(HostTeam, names_the_kernel_whose_lanes_wait_for_ever) {
  const hpk::seam::launch_info info{.pattern = "parallel_for", .label = "odd ones", .where = {}};
  const hpk::seam::kernel_scope scope(info);
  hpk_test::expect_error(
      [] {
        run(8, [](team_lane& lane) {
          if (lane.lane_index() % 2 == 1) lane.barrier();
        });
      },
      {"hpk::parallel_for \"odd ones\": thread 1 of team 7 waits at a barrier that not all threads "
       "of the team reach: 4 of 8 wait, 4 left the kernel"});
  run(2, [](team_lane& lane) { lane.barrier(); });
}

TEST(HostTeam, exchanges_in_blocks_of_every_width) {
  for (const int lanes : {1, 2, 33, 70, 200}) {
    std::atomic<int> wrong = 0;
    run(lanes, [&](team_lane& lane) {
      const int me = lane.lane_index();
      EXPECT_EQ(lane.subgroup(), lanes == 1 ? 1 : 32);
      for (int phase = 0; phase != 4; ++phase) {
        for (int width = 1; width <= lane.subgroup(); width *= 2) {
          const int first = me / width * width;
          const int there = std::min(width, lanes - first);
          // Narrow blocks synchronise a different number of times before the next wider blocks do.
          for (int round = 0; round <= (me / width + phase) % 3; ++round) {
            const int from = (me - first + 1) % there;
            const int shown = 1000 * phase + 100 * round + me;
            if (lane.shuffle(shown, from, width) != shown - me + first + from) ++wrong;
            if (lane.shuffle(shown, there, width) != shown) ++wrong;
            lane.sync(width);
          }
        }
        if (phase == 2) lane.barrier();
        const int first = me / 32 * 32;
        std::uint64_t odd = 0;
        for (int k = first; k < std::min(first + 32, lanes); ++k)
          odd |= static_cast<std::uint64_t>(k % 3 == 1) << (k - first);
        if (lane.ballot(me % 3 == 1) != odd || lane.any(false) || !lane.any(me == first)) ++wrong;
      }
    });
    EXPECT_EQ(wrong, 0) << lanes;
  }
}

TEST(HostTeam, names_lanes_that_wait_in_blocks_of_unlike_width) {
  // The next group reuses the stacks of a group that failed.
  for (int k = 0; k != 2; ++k) {
    hpk_test::expect_error(
        [] { run(12, [](team_lane& lane) { lane.sync(lane.lane_index() < 4 ? 16 : 4); }); },
        {"thread 0 of team 7 waits at an operation of its sub-group that not all lanes of the "
         "sub-group reach: 4 of 12 wait, 8 left the kernel"});
    run(12, [](team_lane& lane) { EXPECT_TRUE(lane.any(true)); });
  }
}

TEST(HostTeam, runs_one_in_a_lane_of_another) {
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
