// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenMPTarget without an offload device, so that target regions run on the host: who can access
// its memory, the threads of its lanes, the order of the work of instances, and errors caused by
// the program or the OpenMP runtime. The conformance ladder and the typed tests cover the rest.
#include <support/fork.hpp>
#include <support/spaces.hpp>
#include <support/wait.hpp>

#if defined(HPK_TEST_OPENMPTARGET)
#include <hpk/device.hpp>

#include <omp.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace hpk_test::openmp_target_cases {

using hpk::OpenMPTarget;
using hpk::OpenMPTargetSpace;
using hpk::View;
using host = hpk::DefaultHostExecutionSpace;

static_assert(hpk::is_execution_space_v<OpenMPTarget> && hpk::is_memory_space_v<OpenMPTargetSpace>);
static_assert(std::is_same_v<OpenMPTarget::memory_space, OpenMPTargetSpace> &&
              std::is_same_v<OpenMPTarget::array_layout, hpk::LayoutLeft>);
static_assert(hpk::SpaceAccessibility<OpenMPTarget, OpenMPTargetSpace>::accessible &&
              !hpk::SpaceAccessibility<OpenMPTarget, hpk::HostSpace>::accessible &&
              !hpk::SpaceAccessibility<host, OpenMPTargetSpace>::accessible);
#ifndef HPK_DEFAULT_EXECUTION_SPACE
static_assert(!std::is_same_v<hpk::DefaultExecutionSpace, OpenMPTarget>, "never unless asked");
#endif

TEST(OpenMPTarget, has_the_names_that_programs_know) {
  EXPECT_STREQ(OpenMPTarget::name(), "OpenMPTarget");
  EXPECT_STREQ(OpenMPTargetSpace::name(), "OpenMPTarget");
  std::ostringstream out;
  OpenMPTarget().print_configuration(out);
  EXPECT_TRUE(contains(out.str(), "OpenMPTarget"));
  EXPECT_TRUE(contains(out.str(), "runs on: the host"));
}

TEST(OpenMPTarget, is_the_host_without_a_device) {
  EXPECT_EQ(OpenMPTarget().omp_device(), omp_get_initial_device());
  EXPECT_EQ(hpk::num_devices<OpenMPTarget>(), 1);
  const hpk::DeviceProperties facts = hpk::device_properties(OpenMPTarget());
  EXPECT_EQ(facts.space, "OpenMPTarget");
  EXPECT_EQ(facts.device, 0);
  EXPECT_EQ(facts.warp_size, 1);
  EXPECT_TRUE(contains(facts.name, "the host"));
  EXPECT_EQ(OpenMPTarget(hpk::NewInstance{.device = 0}).omp_device(), omp_get_initial_device());
  expect_error([] { OpenMPTarget(hpk::NewInstance{.device = 1}); },
               {"hpk::OpenMPTarget: device 1 was asked for", "there is 1, device 0"});
}

// OpenMP teams take groups in turn. The lanes of a group are different OpenMP threads in one
// parallel region.
TEST(OpenMPTarget, has_lanes_that_are_threads_of_openmp) {
  auto& machine = OpenMPTarget().instance();
  const int lanes = machine.properties().largest_lanes;
  const int groups = 11;
  const View<int*, shared_device<OpenMPTarget>> threads("threads", groups * lanes);
  const View<int*, shared_device<OpenMPTarget>> sizes("sizes", groups * lanes);
  const View<int*, shared_device<OpenMPTarget>> teams("teams", groups * lanes);
  machine.launch({.groups = groups, .lanes = lanes},
                 [=](auto& lane) {
                   const auto slot = lane.group() * lane.lanes() + lane.lane_index();
                   threads(slot) = omp_get_thread_num();
                   sizes(slot) = omp_get_num_threads();
                   teams(slot) = omp_get_team_num();
                 },
                 {});
  for (int k = 0; k < groups * lanes; ++k) {
    EXPECT_EQ(threads(k), k % lanes);
    EXPECT_EQ(sizes(k), lanes);
    EXPECT_EQ(teams(k), teams(k / lanes * lanes));
  }
}

TEST(OpenMPTarget, has_done_its_work_when_a_call_returns) {
  const View<int*, shared_device<OpenMPTarget>> all("all", 1000);
  const OpenMPTarget exec(hpk::NewInstance{});
  hpk::parallel_for("set", hpk::RangePolicy(exec, 0, 1000), HPK_LAMBDA(int i) { all(i) = i; });
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(all(i), i);
  EXPECT_TRUE(exec.idle());
  EXPECT_TRUE(exec.record().ready());
  exec.wait(exec.record());
}

// Each launch of any thread adds to the result of the previous one.
TEST(OpenMPTarget, keeps_the_work_of_an_instance_apart) {
  const OpenMPTarget shared(hpk::NewInstance{});
  const View<long*, OpenMPTarget> sums("sums", 100);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([=] {
      for (int round = 0; round < 25; ++round) {
        hpk::parallel_for(
            "add", hpk::RangePolicy(shared, 0, 100), HPK_LAMBDA(int i) { sums(i) = sums(i) + 1; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto seen = on_host(sums);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(seen(i), 100);
}

TEST(OpenMPTarget, does_not_wait_to_record_an_event) {
  static std::atomic<bool> entered;
  static std::atomic<bool> open;
  entered = open = false;
  const OpenMPTarget exec;
  std::thread other([&] {
    hpk::parallel_for(hpk::RangePolicy<OpenMPTarget>(exec, 0, 1), [](int) {
      entered = true;
      wait_until([] { return open.load(); });
    });
  });
  ASSERT_TRUE(wait_until([] { return entered.load(); }));
  EXPECT_FALSE(exec.idle());
  const hpk::Event behind = exec.record();
  EXPECT_FALSE(behind.ready());
  open = true;
  behind.wait();
  EXPECT_TRUE(behind.ready());
  other.join();
  EXPECT_TRUE(exec.idle());
}

TEST(OpenMPTarget, says_that_a_fork_left_it_behind) {
  const OpenMPTarget exec;
  const auto launch = [&] {
    hpk::parallel_for(hpk::RangePolicy<OpenMPTarget>(exec, 0, 100), HPK_LAMBDA(int){});
  };
  launch();
  EXPECT_EQ(result_in_child([&] {
              const bool refused = contains(error_of(launch), "the child of a fork()");
              exec.fence();
              return refused ? 0 : 1;
            }),
            0);
  launch();
}

TEST(OpenMPTarget, takes_launches_of_threads_of_openmp) {
  constexpr int n = 3;
  const View<int*, OpenMPTarget> sums("sums", n);
#pragma omp parallel for num_threads(n)
  for (int t = 0; t < n; ++t) {
    int sum = 0;
    hpk::parallel_reduce(
        "sum", hpk::RangePolicy<OpenMPTarget>(0, 1001), HPK_LAMBDA(int i, int& s) { s += i; }, sum);
    hpk::deep_copy(hpk::subview(sums, t), sum);
  }
  const auto seen = on_host(sums);
  for (int t = 0; t < n; ++t) EXPECT_EQ(seen(t), 500500);
}

TEST(OpenMPTarget, runs_the_patterns) {
  constexpr int n = 12345;
  const View<long*, OpenMPTarget> squares("squares", n);
  const View<long*, OpenMPTarget> sums("sums", n);
  hpk::parallel_for(
      "squares", hpk::RangePolicy<OpenMPTarget>(0, n),
      HPK_LAMBDA(int i) { squares(i) = long{i} * i % 1009; });
  long total = 0;
  hpk::parallel_scan(
      "sums", hpk::RangePolicy<OpenMPTarget>(0, n),
      HPK_LAMBDA(int i, long& sum, bool final) {
        sum += squares(i);
        if (final) sums(i) = sum;
      },
      total);
  const auto seen = on_host(sums);
  long expected = 0;
  for (int i = 0; i < n; ++i) {
    expected += long{i} * i % 1009;
    ASSERT_EQ(seen(i), expected) << i;
  }
  EXPECT_EQ(total, expected);

  long found = 0;
  hpk::parallel_reduce(
      "box", hpk::MDRangePolicy<OpenMPTarget, hpk::Rank<2>>({0, 0}, {123, 45}),
      HPK_LAMBDA(int i, int j, long& sum) { sum += i * 1000 + j; }, found);
  EXPECT_EQ(found, 123L * 122 / 2 * 45 * 1000 + 45L * 44 / 2 * 123);

  using policy = hpk::TeamPolicy<OpenMPTarget>;
  using member = policy::member_type;
  long of_teams = 0;
  hpk::parallel_reduce(
      "teams", policy(20, hpk::AUTO),
      HPK_LAMBDA(const member& team, long& sum) {
        long part = 0;
        hpk::parallel_reduce(hpk::TeamThreadRange(team, 100), [](int k, long& s) { s += k; }, part);
        hpk::single(hpk::PerTeam(team), [&] { sum += part + team.league_rank(); });
      },
      of_teams);
  EXPECT_EQ(of_teams, 20 * 4950 + 190);
}

TEST(OpenMPTarget, aligns_and_knows_its_memory) {
  using memory = hpk::seam::memory<OpenMPTargetSpace>;
  void* const data = memory::allocate(1000, 4096);
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 4096, 0u);
  memory::deallocate(data, 1000, 4096);
  EXPECT_EQ(memory::allocate(std::size_t{1} << 62, 64), nullptr);
  EXPECT_EQ(memory::allocate(~std::size_t{0} - 10, 64), nullptr);
}

struct OpenMPTargetMisuse : testing::Test {
  // In a separate process, which starts without threads.
  OpenMPTargetMisuse() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(OpenMPTargetMisuse, host_code_reads_an_element) {
  const View<int**, OpenMPTarget> a("field", 3, 4);
  expect_error([&] { static_cast<void>(a(1, 2)); },
               {"hpk::View \"field\" in OpenMPTargetSpace: host code accesses element (1, 2)",
                "hpk::create_mirror_view"});
}

TEST_F(OpenMPTargetMisuse, more_lanes_than_a_group_may_have) {
  using policy = hpk::TeamPolicy<OpenMPTarget>;
  expect_error(
      [] { hpk::parallel_for("wide", policy(1, 4096), HPK_LAMBDA(const policy::member_type&){}); },
      {"wide", "4096"});
}

TEST_F(OpenMPTargetMisuse, launch_inside_of_a_kernel) {
  EXPECT_DEATH(hpk::parallel_for("outer", hpk::RangePolicy<OpenMPTarget>(0, 1),
                                 [](int) {
                                   hpk::parallel_for("inner", hpk::RangePolicy<OpenMPTarget>(0, 1),
                                                     [](int) {});
                                 }),
               "parallel_for \"outer\": an exception left the kernel, which a device can't do: .*"
               "inside the kernel parallel_for \"outer\"");
}

TEST_F(OpenMPTargetMisuse, exception_in_a_kernel) {
  EXPECT_DEATH(hpk::parallel_for("throws", hpk::RangePolicy<OpenMPTarget>(0, 50),
                                 [](int i) {
                                   if (i == 30) throw std::runtime_error("thirty");
                                 }),
               "hpk: parallel_for \"throws\": an exception left the kernel, which a device can't "
               "do: thirty \\(launched at .*openmp_target.cpp:");
  EXPECT_DEATH(hpk::parallel_for(hpk::RangePolicy<OpenMPTarget>(0, 2), [](int) { throw 5; }),
               "an exception left the kernel, which a device can't do: not a std::exception");
}

TEST_F(OpenMPTargetMisuse, index_past_the_end) {
  const View<int*, OpenMPTarget> a("short", 10);
  EXPECT_DEATH(
      hpk::parallel_for(
          "beyond", hpk::RangePolicy<OpenMPTarget>(0, 11), HPK_LAMBDA(int i) { a(i) = i; }),
      "short.*10");
}

// Sets a variable that the OpenMP runtime reads at program start.
template <class Call>
void with_variable(const char* name, const char* value, Call&& call) {
  const char* const outer = std::getenv(name);
  const std::string before = outer == nullptr ? "" : outer;
  setenv(name, value, 1);
  call();
  if (outer == nullptr) {
    unsetenv(name);
  } else {
    setenv(name, before.c_str(), 1);
  }
}

// OpenMP may give a parallel region fewer threads than a group has lanes.
TEST_F(OpenMPTargetMisuse, too_few_threads_of_openmp) {
  const auto launch = [] {
    const View<int, shared_device<OpenMPTarget>> ran("ran");
    try {
      OpenMPTarget().instance().launch(
          {.groups = 2, .lanes = 256}, [=](auto&) { ran() = 1; },
          {.pattern = "parallel_for", .label = "hungry", .where = std::source_location::current()});
      std::fprintf(stderr, "all of them");
    } catch (const hpk::error& caught) {
      std::fprintf(stderr, "%s; %s", caught.what(), ran() == 0 ? "nothing was run" : "some were");
    }
    std::exit(0);
  };
  const char* const expected =
      std::thread::hardware_concurrency() >= 256
          ? "all of them|OMP_DYNAMIC"
          : "hpk::parallel_for \"hungry\": a group has 256 lanes, but OpenMP gave a team [0-9]+ "
            "thread.*OMP_DYNAMIC=false.*openmp_target.cpp.*; nothing was run";
  with_variable("OMP_THREAD_LIMIT", "1000", [&] {
    with_variable("OMP_DYNAMIC", "true",
                  [&] { EXPECT_EXIT(launch(), testing::ExitedWithCode(0), expected); });
  });
}

TEST_F(OpenMPTargetMisuse, groups_are_no_larger_than_the_limit_of_openmp) {
  const auto launch = [] {
    long sum = 0;
    hpk::parallel_reduce(
        hpk::RangePolicy<OpenMPTarget>(0, 10000), HPK_LAMBDA(int i, long& s) { s += i; }, sum);
    std::fprintf(stderr, "%d lanes, %ld", OpenMPTarget().instance().properties().largest_lanes,
                 sum);
    std::exit(0);
  };
  with_variable("OMP_THREAD_LIMIT", "3",
                [&] { EXPECT_EXIT(launch(), testing::ExitedWithCode(0), "3 lanes, 49995000"); });
}

}  // namespace hpk_test::openmp_target_cases
#endif
