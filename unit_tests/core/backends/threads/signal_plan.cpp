// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages of a launch, counted for 1 to 256 workers on synthetic machines: how many depend on
// each other, how many go to one cache line, and how many cross NUMA domains. Each worker is woken
// once per launch, and the last arrival completes it.
#include <hpk/core.hpp>

#include <gtest/gtest.h>

#include <hpk/backends/threads/signal_plan.hpp>

#include <support/topologies.hpp>

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

namespace hpk_test::signal_plan_cases {

using hpk::host::core_place;
using hpk::threads::signal_plan;
using places_list = std::vector<core_place>;

std::size_t at(int k) { return static_cast<std::size_t>(k); }

int log2_up(int n) { return n <= 1 ? 0 : std::bit_width(static_cast<unsigned>(n - 1)); }

struct traffic {
  int depth = 0;    // the longest chain of messages
  int at_line = 0;  // the most messages to one line
  int apart = 0;    // messages between NUMA domains
};

// The messages that start a launch for the ranks below `participants`.
traffic count_waking(const signal_plan& plan, const places_list& places, int participants) {
  std::vector<int> depth(at(participants), -1);
  depth[0] = 0;
  traffic found;
  // Lower ranks wake higher ranks.
  for (int rank = 0; rank < participants; ++rank) {
    EXPECT_GE(depth[at(rank)], 0) << rank << " sleeps";
    for (const int other : plan.woken_by(rank)) {
      EXPECT_GT(other, rank);
      if (other >= participants) continue;
      EXPECT_EQ(depth[at(other)], -1) << other << " is woken twice";
      depth[at(other)] = depth[at(rank)] + 1;
      found.apart += places[at(rank)].memory != places[at(other)].memory ? 1 : 0;
    }
  }
  found.at_line = participants > 1 ? 1 : 0;  // each message has its own line
  found.depth = *std::max_element(depth.begin(), depth.end());
  return found;
}

// The messages that end this launch, with arrivals in random order.
traffic count_arrivals(const signal_plan& plan, const places_list& places, int participants,
                       unsigned seed) {
  std::vector<int> order;
  for (int rank = 1; rank < participants; ++rank) order.push_back(rank);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  std::vector<int> arrived(at(plan.gates()), 0);
  std::vector<int> home(at(plan.gates()), -1);  // the domain that held the gate's line last
  home[signal_plan::last_gate] = places[0].memory;
  traffic found;
  int left = plan.arrivals(signal_plan::last_gate, participants);
  EXPECT_EQ(left == 0, participants == 1);
  for (const int rank : order) {
    EXPECT_GT(left, 0) << "done before " << rank;
    int gate = plan.gate_of(rank);
    for (int depth = 1;; ++depth) {
      int& here = home[at(gate)];
      if (here >= 0) found.apart += here != places[at(rank)].memory ? 1 : 0;
      if (gate != signal_plan::last_gate) here = places[at(rank)].memory;
      found.depth = std::max(found.depth, depth);
      const int count = ++arrived[at(gate)];
      found.at_line = std::max(found.at_line, count);
      EXPECT_LE(count, plan.arrivals(gate, participants));
      if (gate == signal_plan::last_gate) {
        --left;
        break;
      }
      if (count != plan.arrivals(gate, participants)) break;
      gate = plan.next_gate(gate);
    }
  }
  EXPECT_EQ(left, 0);
  return found;
}

// The cores of a synthetic hwloc machine.
std::vector<hpk::host::core> cores_of(const char* description) {
  const synthetic_topology machine(description);
  return hpk::host::usable_cores();
}

places_list nowhere(int workers) { return places_list(at(workers)); }

TEST(SignalPlan, takes_few_messages_in_a_row_and_few_to_a_line) {
  for (int workers = 1; workers <= 256; ++workers) {
    SCOPED_TRACE(workers);
    const places_list places = nowhere(workers);
    const signal_plan plan(places);
    const traffic waking = count_waking(plan, places, workers);
    EXPECT_LE(waking.depth, log2_up(workers));
    EXPECT_LE(plan.woken_by(0).size(), at(log2_up(workers)));
    const traffic arrivals = count_arrivals(plan, places, workers, 1);
    EXPECT_LE(arrivals.at_line, signal_plan::most_arrivals);
    const int levels = workers <= 9 ? 1 : workers <= 65 ? 2 : 3;  // ranks 1, 2, ... arrive
    EXPECT_LE(arrivals.depth, levels);
    if (workers <= 9) {
      EXPECT_EQ(plan.gates(), 1) << "as few as a counter";
    }
  }
}

TEST(SignalPlan, wakes_and_waits_for_those_that_take_part) {
  for (const int workers : {2, 3, 9, 10, 17, 64, 100, 128, 256}) {
    const places_list places = nowhere(workers);
    const signal_plan plan(places);
    for (int participants = 1; participants <= workers; participants += 1 + participants / 5) {
      SCOPED_TRACE(testing::Message() << participants << " of " << workers);
      EXPECT_LE(count_waking(plan, places, participants).depth, log2_up(workers));
      for (const unsigned seed : {1u, 2u, 3u}) count_arrivals(plan, places, participants, seed);
    }
  }
}

// Each NUMA domain gets one message from another domain at the start of a launch and sends one at
// its end.
TEST(SignalPlan, crosses_each_border_between_domains_once) {
  for (const char* machine : {two_of_64, eight_of_16, eight_of_16_twice}) {
    if (HPK_WITH_HWLOC == 0) GTEST_SKIP() << "no hwloc";
    const std::vector<hpk::host::core> cores = cores_of(machine);
    for (int workers = 1; workers <= 256; ++workers) {
      SCOPED_TRACE(testing::Message() << machine << ", " << workers << " workers");
      const places_list places = hpk::host::places_of_workers(cores, workers);
      int domains = 1;
      for (int rank = 1; rank < workers; ++rank)
        domains += places[at(rank)].memory != places[at(rank - 1)].memory ? 1 : 0;
      const signal_plan plan(places);
      const traffic waking = count_waking(plan, places, workers);
      EXPECT_EQ(waking.apart, domains - 1);
      EXPECT_LE(waking.depth, log2_up(workers) + 1);
      const traffic arrivals = count_arrivals(plan, places, workers, 7);
      EXPECT_LE(arrivals.at_line, signal_plan::most_arrivals);
      EXPECT_LE(arrivals.depth, 4);
      // Fewer than ten workers arrive at one gate, wherever they are.
      if (workers > signal_plan::most_arrivals + 1) {
        EXPECT_EQ(arrivals.apart, domains - 1);
      }
    }
  }
}

// The figures of docs/scaling.md.
TEST(SignalPlan, has_the_documented_figures) {
  const places_list flat = nowhere(128);
  const signal_plan plan(flat);
  EXPECT_EQ(count_waking(plan, flat, 128).depth, 7);
  EXPECT_EQ(count_arrivals(plan, flat, 128, 1).depth, 3);
  EXPECT_EQ(count_arrivals(plan, flat, 128, 1).at_line, 8);
}

// Domains of one worker each, and a single small domain among large ones.
TEST(SignalPlan, copes_with_odd_machines) {
  const auto try_places = [](const places_list& places) {
    const int workers = static_cast<int>(places.size());
    const signal_plan plan(places);
    EXPECT_LE(count_waking(plan, places, workers).depth, log2_up(workers) + 2);
    EXPECT_LE(count_arrivals(plan, places, workers, 3).at_line, signal_plan::most_arrivals);
  };
  places_list alone, uneven;
  for (int rank = 0; rank < 40; ++rank) {
    alone.push_back({rank, rank});
    uneven.push_back({rank < 1 ? 0 : rank < 4 ? 1 : 2, rank < 4 ? 0 : 1});
  }
  try_places(alone);
  try_places(uneven);
  try_places({{0, 0}});
}

}  // namespace hpk_test::signal_plan_cases
