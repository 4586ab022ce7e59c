// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placement of workers on cores, for synthetic hwloc machines of 2 x 64 and 8 x 16 cores:
// neighbours share caches and memories, and fewer workers than cores still use all memories.
#include <hpk/core.hpp>

#include <gtest/gtest.h>

#include <hpk/backends/host/placement.hpp>

#include <support/topologies.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include <sched.h>

namespace hpk_test::placement_cases {

using hpk::host::core;
using hpk::host::core_of_worker;
using hpk::host::core_place;
using hpk::host::places_of_workers;
using hpk::host::usable_cores;

// The cores of a synthetic hwloc machine.
std::vector<core> cores_of(const char* description) {
  const synthetic_topology machine(description);
  return usable_cores();
}

// How many pairs of neighbouring workers differ in this member of their places.
template <class What>
int borders(const std::vector<core_place>& places, What what) {
  int count = 0;
  for (std::size_t k = 1; k < places.size(); ++k)
    count += places[k].*what != places[k - 1].*what ? 1 : 0;
  return count;
}

struct machine {
  const char* description;
  int cores, threads, caches, memories;
};
constexpr machine machines[] = {
    {two_of_64, 128, 1, 2, 2}, {eight_of_16, 128, 1, 16, 8}, {eight_of_16_twice, 128, 2, 16, 8}};

TEST(Placement, keeps_neighbours_together_and_uses_all_memories) {
  for (const machine& m : machines) {
    SCOPED_TRACE(m.description);
    if (HPK_WITH_HWLOC == 0) GTEST_SKIP() << "no hwloc";
    const std::vector<core> cores = cores_of(m.description);
    ASSERT_EQ(cores.size(), static_cast<std::size_t>(m.cores));
    for (const int workers : {2, 3, 8, 16, 48, 64, 100, 127, 128, 256, 300}) {
      const std::vector<core_place> places = places_of_workers(cores, workers);
      ASSERT_EQ(places.size(), static_cast<std::size_t>(workers));
      const int memories = std::min(workers, m.memories);
      const int caches = std::min(workers, m.caches);
      EXPECT_EQ(borders(places, &core_place::memory), memories - 1) << workers;
      EXPECT_EQ(borders(places, &core_place::cache), caches - 1) << workers;
      // Workers are spread evenly over the memories.
      std::map<int, int> of_memory;
      for (const core_place& each : places) ++of_memory[each.memory];
      for (const auto& [memory, count] : of_memory) {
        EXPECT_GE(count, workers / m.memories) << memory;
        EXPECT_LE(count, workers / m.memories + 1) << memory;
      }
    }
  }
}

TEST(Placement, gives_cores_their_hardware_threads) {
  if (HPK_WITH_HWLOC == 0) GTEST_SKIP() << "no hwloc";
  const std::vector<core> cores = cores_of(eight_of_16_twice);
  std::set<int> cpus;
  for (const core& each : cores) {
    EXPECT_EQ(each.cpus.size(), 2u);
    cpus.insert(each.cpus.begin(), each.cpus.end());
  }
  EXPECT_EQ(cpus.size(), 256u);
}

TEST(Placement, gives_each_worker_a_core_of_its_own_while_there_are_enough) {
  for (const int cores : {1, 2, 7, 64, 128}) {
    for (const int workers : {1, 2, 3, 64, 128, 500}) {
      std::map<int, int> of_core;
      for (int worker = 0; worker < workers; ++worker) {
        const int own = core_of_worker(worker, workers, cores);
        ASSERT_TRUE(0 <= own && own < cores);
        if (worker > 0) {
          ASSERT_GE(own, core_of_worker(worker - 1, workers, cores));
        }
        ++of_core[own];
      }
      for (const auto& [which, count] : of_core)
        EXPECT_LE(count, (workers + cores - 1) / cores) << which;
    }
  }
}

int cpus_of_this_thread() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  return sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 0;
}

TEST(Placement, knows_the_cpus_of_this_process) {
  const std::vector<core> cores = usable_cores();
  ASSERT_FALSE(cores.empty());
  std::size_t cpus = 0;
  for (const core& each : cores) {
    EXPECT_FALSE(each.cpus.empty());
    cpus += each.cpus.size();
  }
  EXPECT_EQ(cpus, static_cast<std::size_t>(cpus_of_this_thread()));
  EXPECT_GE(hpk::host::memory_domains(), 1);
}

TEST(Placement, is_best_effort) {
  std::thread([] {
    EXPECT_TRUE(hpk::host::bind_to(usable_cores().front()));
    EXPECT_EQ(usable_cores().size(), 1u);
    EXPECT_EQ(usable_cores().front().cpus.size(), static_cast<std::size_t>(cpus_of_this_thread()));
    EXPECT_FALSE(hpk::host::bind_to(core{{1 << 20}, {}}));
  }).join();
  EXPECT_TRUE(places_of_workers({}, 0).empty());
  EXPECT_EQ(places_of_workers({}, 3), std::vector<core_place>(3));
}

}  // namespace hpk_test::placement_cases
