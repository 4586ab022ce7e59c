// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs concurrently, what runs in order, and where, on each level of parallelism of each space
// that runs on CPUs: the cells of the table in docs/host-parallelism.md.
#include <hpk/device.hpp>

#include <support/spaces.hpp>
#include <support/wait.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace hpk_test::level_cases {

constexpr int most = 1024;

// The log of what happened, in order. It is a static, because kernels of Emu can access statics of
// the program but not memory of the test that they captured.
struct happening {
  std::thread::id thread;
  int what;
};
std::array<happening, 4 * most> log_of_all;
std::atomic<int> logged{0};
void note(int what) {
  log_of_all[static_cast<std::size_t>(logged++)] = {std::this_thread::get_id(), what};
}
std::vector<happening> take_log() {
  hpk::fence();
  return {log_of_all.begin(), log_of_all.begin() + logged.exchange(0)};
}
std::set<std::thread::id> threads_of(const std::vector<happening>& all) {
  std::set<std::thread::id> found;
  for (const happening& h : all) found.insert(h.thread);
  return found;
}

// Of threads that wait for each other: how many arrived, and how many gave up waiting.
std::atomic<int> arrived{0};
std::atomic<int> missed{0};

template <class Exec>
int workers_of(const Exec& exec) {
  return static_cast<int>(exec.instance().properties().workers);
}

template <class Exec>
class Levels : public testing::Test {
 public:
  using policy = hpk::TeamPolicy<Exec>;
  using member = typename policy::member_type;
  static constexpr bool has_lanes = !hpk::seam::machine<Exec>::lane::single;
};
TYPED_TEST_SUITE(Levels, hpk_test::cpu_spaces, hpk_test::space_names);

// Teams: as many run at the same time as there are workers.
TYPED_TEST(Levels, teams_run_at_the_same_time_on_the_workers) {
  const TypeParam exec = with_workers<TypeParam>(3);
  static int workers;
  workers = workers_of(exec);
  arrived = missed = 0;
  hpk::parallel_for(typename TestFixture::policy(exec, workers, 1),
                    [](const typename TestFixture::member& team) {
                      if (!wait_for_all(arrived, workers)) ++missed;
                      note(team.league_rank());
                    });
  const auto log = take_log();
  EXPECT_EQ(missed, 0);
  EXPECT_EQ(log.size(), static_cast<std::size_t>(workers));
  EXPECT_EQ(threads_of(log).size(), static_cast<std::size_t>(workers));
}

// With one worker, as in Serial, teams run in order.
TYPED_TEST(Levels, teams_of_one_worker_run_in_order) {
  if constexpr (!TestFixture::has_lanes) {
    const TypeParam exec = with_workers<TypeParam>(1);
    hpk::parallel_for(typename TestFixture::policy(exec, 20, 1),
                      [](const typename TestFixture::member& team) { note(team.league_rank()); });
    const auto log = take_log();
    ASSERT_EQ(log.size(), 20u);
    EXPECT_EQ(threads_of(log), std::set{std::this_thread::get_id()});
    for (int k = 0; k < 20; ++k) EXPECT_EQ(log[static_cast<std::size_t>(k)].what, k);
  } else {
    EXPECT_FALSE(hpk::seam::machine<TypeParam>::synchronous);
  }
}

// The size of the mapped address space of the process, in MiB.
long mapped_mebibytes() {
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * (sysconf(_SC_PAGESIZE) >> 10) >> 10;
}

// Fibres: each worker keeps the stacks that its largest team needs and reuses them. A stack has 256
// KiB. The C library may map 128 MiB of address space for the allocations of a thread.
TYPED_TEST(Levels, stacks_of_teams_are_used_again) {
  if (HPK_HAS_THREAD_SANITIZER || HPK_HAS_ADDRESS_SANITIZER)
    GTEST_SKIP() << "the sanitizer maps memory of its own";
  constexpr int size = 160;
  const TypeParam exec = with_workers<TypeParam>(3);
  // A device reserves its address space at the first allocation.
  const hpk::View<int, typename TypeParam::memory_space> reserved("reserved");
  const long before = mapped_mebibytes();
  ASSERT_GT(before, 0);
  for (int k = 0; k < 40; ++k) {
    hpk::parallel_for(typename TestFixture::policy(exec, 6, size - k % 3),
                      [](const typename TestFixture::member& team) { team.team_barrier(); });
  }
  exec.fence();
  const long stacks = size / 4 + 1;
  EXPECT_LE(mapped_mebibytes() - before, (workers_of(exec) + 1) * (stacks + 128));
}

// Threads of a team: all run on one OS thread, in the order of their ranks between barriers. Each
// continues only when the previous one waits.
TYPED_TEST(Levels, threads_of_a_team_take_turns_on_one_worker) {
  constexpr int size = 9;
  constexpr int phases = 3;
  hpk::parallel_for(typename TestFixture::policy(TypeParam(), 1, size),
                    [](const typename TestFixture::member& team) {
                      for (int phase = 0; phase < phases; ++phase) {
                        note(team.team_rank());
                        note(team.team_rank());
                        team.team_barrier();
                      }
                    });
  const auto log = take_log();
  ASSERT_EQ(log.size(), 2u * size * phases);
  EXPECT_EQ(threads_of(log).size(), 1u);
  std::array<int, size> seen{};
  for (std::size_t k = 0; k < log.size(); k += 2) {
    const int rank = log[k].what;
    EXPECT_EQ(log[k + 1].what, rank);
    const int phase = static_cast<int>(k) / (2 * size);
    EXPECT_EQ(seen[static_cast<std::size_t>(rank)]++, phase);
    // Emu shuffles the order by its seed.
    if (!TestFixture::has_lanes) {
      EXPECT_EQ(rank, static_cast<int>(k) / 2 % size);
    }
  }
}

// Automatic team size: one on hosts, where inner loops become plain loops.
TYPED_TEST(Levels, teams_of_automatic_size_are_one_thread_on_hosts) {
  static std::atomic<int> size;
  size = 0;
  hpk::parallel_for(typename TestFixture::policy(TypeParam(), 1, hpk::AUTO),
                    [](const typename TestFixture::member& team) {
                      size = team.team_size();
                      hpk::parallel_for(hpk::TeamThreadRange(team, 100), [](int i) {
                        if (i < 100) note(i);
                      });
                    });
  const auto log = take_log();
  ASSERT_EQ(log.size(), 100u);
  if (TestFixture::has_lanes) {
    EXPECT_GT(size, 1);
  } else {
    EXPECT_EQ(size, 1);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(log[static_cast<std::size_t>(i)].what, i);
  }
}

// Vector lanes: on hosts a thread has one lane, which runs the loop. On Emu each lane runs the
// kernel, and the lanes divide the loop.
TYPED_TEST(Levels, vector_lanes_are_loops_on_hosts_and_lanes_on_devices) {
  static std::atomic<int> calls;
  static std::array<std::atomic<int>, 64> done_by_call;
  calls = 0;
  for (auto& d : done_by_call) d = 0;
  const int length = std::min(4, TestFixture::policy::vector_length_max());
  hpk::parallel_for(typename TestFixture::policy(TypeParam(), 1, 2, length),
                    [](const typename TestFixture::member& team) {
                      const int call = calls++;
                      hpk::parallel_for(hpk::ThreadVectorRange(team, 16), [=](int) {
                        ++done_by_call[static_cast<std::size_t>(call)];
                      });
                    });
  hpk::fence();
  const int lanes = TestFixture::has_lanes ? length : 1;
  ASSERT_EQ(calls, 2 * lanes);
  for (int call = 0; call < calls; ++call)
    EXPECT_EQ(done_by_call[static_cast<std::size_t>(call)], 16 / lanes);
}

// Iterations of a range: on hosts each worker runs consecutive iterations in order.
TYPED_TEST(Levels, iterations_are_pieces_of_neighbours) {
  const TypeParam exec = with_workers<TypeParam>(3);
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(exec, 0, most), [](int i) { note(i); });
  const auto log = take_log();
  ASSERT_EQ(log.size(), static_cast<std::size_t>(most));
  std::set<int> all;
  for (const happening& h : log) all.insert(h.what);
  EXPECT_EQ(all.size(), static_cast<std::size_t>(most));
  if constexpr (!TestFixture::has_lanes) {
    EXPECT_LE(threads_of(log).size(), static_cast<std::size_t>(workers_of(exec)));
    for (const std::thread::id worker : threads_of(log)) {
      int before = -1;
      int jumps = 0;
      for (const happening& h : log) {
        if (h.thread != worker) continue;
        EXPECT_GT(h.what, before);
        jumps += before >= 0 && h.what != before + 1;
        before = h.what;
      }
      // A worker may take over the piece of a worker that starts late.
      EXPECT_LT(jumps, workers_of(exec));
    }
  }
}

// Scratch of a team: available when the kernel starts, and separate for teams that run
// concurrently.
TYPED_TEST(Levels, scratch_is_there_and_apart) {
  const TypeParam exec = with_workers<TypeParam>(3);
  static int workers;
  workers = workers_of(exec);
  arrived = missed = 0;
  typename TestFixture::policy policy(exec, workers, 1);
  policy.set_scratch_size(0, hpk::PerTeam(sizeof(int)));
  hpk::parallel_for(policy, [](const typename TestFixture::member& team) {
    int& stored = *static_cast<int*>(team.team_scratch(0).get_shmem(sizeof(int)));
    stored = team.league_rank();
    if (!wait_for_all(arrived, workers) || stored != team.league_rank()) ++missed;
  });
  hpk::fence();
  EXPECT_EQ(missed, 0);
}

// The launch: host spaces return when all work is done, Emu returns at once.
TYPED_TEST(Levels, launches_return_when_done_on_hosts_and_at_once_on_devices) {
  static std::atomic<bool> go;
  static std::atomic<bool> finished;
  go = !TestFixture::has_lanes;
  finished = false;
  hpk::parallel_for(hpk::RangePolicy<TypeParam>(TypeParam(), 0, 1), [](int) {
    while (!go) std::this_thread::yield();
    finished = true;
  });
  EXPECT_EQ(finished, !TestFixture::has_lanes);
  go = true;
  hpk::fence();
  EXPECT_TRUE(finished);
}

}  // namespace hpk_test::level_cases
