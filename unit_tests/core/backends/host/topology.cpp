// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker counts (rule "worker count"): the smallest of affinity mask, cgroup quota and request.
// Quotas are read from fake files in place of /proc and /sys/fs/cgroup; masks are set in child
// processes.
#include <support/spaces.hpp>

#include <hpk/backends/host/topology.hpp>

#include <support/environment.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sched.h>
#include <unistd.h>

namespace hpk_test::topology_cases {

namespace fs = std::filesystem;
using hpk::host::affinity_cpus;
using hpk::host::cgroup_cpus;
using hpk::host::worker_count;

// A folder with a fake /proc/self/cgroup and a fake cgroup tree, removed at the end.
class Quota : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "hpk-cgroup-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const fs::path& file, const std::string& content) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << content;
  }
  int cpus(const std::string& proc) const {
    write("proc", proc);
    return cgroup_cpus((root_ / "proc").string(), root_.string());
  }

 private:
  fs::path root_;
};

TEST_F(Quota, is_read_from_version_2) {
  write("job/cpu.max", "400000 100000\n");
  EXPECT_EQ(cpus("0::/job\n"), 4);
  write("job/cpu.max", "250000 100000\n");
  EXPECT_EQ(cpus("0::/job\n"), 3);
  write("job/cpu.max", "1000 100000\n");
  EXPECT_EQ(cpus("0::/job\n"), 1);
  write("cpu.max", "200000 100000\n");
  EXPECT_EQ(cpus("0::/\n"), 2);
}

TEST_F(Quota, is_that_of_the_tightest_ancestor) {
  write("a/b/c/cpu.max", "800000 100000\n");
  write("a/b/cpu.max", "max 100000\n");
  write("a/cpu.max", "300000 100000\n");
  EXPECT_EQ(cpus("0::/a/b/c\n"), 3);
  EXPECT_EQ(cpus("0::/a/b\n"), 3);
  write("cpu.max", "150000 100000\n");
  EXPECT_EQ(cpus("0::/a/b/c\n"), 2);
}

TEST_F(Quota, is_read_from_version_1) {
  write("cpu,cpuacct/job/cpu.cfs_quota_us", "600000\n");
  write("cpu,cpuacct/job/cpu.cfs_period_us", "200000\n");
  EXPECT_EQ(cpus("12:memory:/job\n4:cpu,cpuacct:/job\n0::/\n"), 3);
  write("cpu,cpuacct/cpu.cfs_quota_us", "100000\n");
  write("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpus("4:cpu,cpuacct:/job\n"), 1);
  write("cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(cpus("4:cpu,cpuacct:/job\n"), 3);
}

TEST_F(Quota, is_zero_when_there_is_none) {
  EXPECT_EQ(cpus("0::/job\n"), 0);
  write("job/cpu.max", "max 100000\n");
  EXPECT_EQ(cpus("0::/job\n"), 0);
  EXPECT_EQ(cpus(""), 0);
  EXPECT_EQ(cgroup_cpus("/nonexistent/cgroup", "/nonexistent"), 0);
}

TEST_F(Quota, is_zero_when_it_cannot_be_read) {
  for (const std::string content : {"", "\n", "garbage", "garbage 100000", "100000", "100000 0",
                                    "100000 -5", "-100000 100000", "0 100000", "nan 100000"}) {
    SCOPED_TRACE(content);
    write("job/cpu.max", content);
    EXPECT_EQ(cpus("0::/job\n"), 0);
  }
  write("job/cpu.max", "200000 100000");
  for (const std::string proc : {"garbage", ":", "0", "0:", "\n\n", ":::::"}) {
    SCOPED_TRACE(proc);
    EXPECT_EQ(cpus(proc), 0);
  }
}

TEST_F(Quota, is_harmless_when_huge) {
  for (const std::string content : {"9223372036854775807 1", "1e300 100000", "inf 100000"}) {
    write("job/cpu.max", content);
    const int found = cpus("0::/job\n");
    EXPECT_TRUE(found == 0 || found >= 1 << 16) << content << ": " << found;
  }
}

TEST(WorkerCount, is_the_smallest_of_mask_quota_and_request) {
  const int quota = cgroup_cpus();
  const int most = quota > 0 ? std::min(quota, affinity_cpus()) : affinity_cpus();
  EXPECT_GE(most, 1);
  EXPECT_EQ(worker_count(0), most);
  EXPECT_EQ(worker_count(-3), most);
  EXPECT_EQ(worker_count(1), 1);
  EXPECT_EQ(worker_count(most), most);
  EXPECT_EQ(worker_count(most + 100), most);
}

TEST(WorkerCountDeathTest, comes_with_one_warning_if_more_were_asked_for) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  hpk::seam::settings asked;
  asked.num_threads = 7;
  EXPECT_EXIT(
      {
        hpk::seam::settings mute = asked;
        mute.disable_warnings = true;
        hpk::host::with_note(1, mute);
        hpk::host::with_note(7, asked);
        std::fprintf(stderr, "quiet, then ");
        std::_Exit(hpk::host::with_note(2, asked) + hpk::host::with_note(3, asked));
      },
      testing::ExitedWithCode(5),
      "^quiet, then hpk: num-threads asks for 7 workers; 2 run, [^;]*$");
}

// Exits with the result of `count` under a mask of one CPU.
template <class Count>
[[noreturn]] void exit_with_count_on_one_cpu(Count count) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) != 0) std::_Exit(99);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &mask)) ++cpu;
  CPU_ZERO(&mask);
  CPU_SET(cpu, &mask);
  if (sched_setaffinity(0, sizeof mask, &mask) != 0) std::_Exit(98);
  std::_Exit(count());
}

// The number of processes comes from variables that MPI launchers set.
TEST(WorkerCount, is_divided_among_the_processes_of_a_machine) {
  const int all = worker_count(0);
  if (affinity_cpus() < sysconf(_SC_NPROCESSORS_ONLN)) GTEST_SKIP() << "this process is bound";
  for (const char* name :
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE"}) {
    const variable processes(name, "2");
    EXPECT_EQ(hpk::host::processes_sharing_cpus(), 2) << name;
    EXPECT_EQ(worker_count(0), std::max(1, all / 2));
    EXPECT_EQ(worker_count(all), all);
    EXPECT_NE(hpk::host::describe_topology().find("divided among 2 processes"), std::string::npos);
  }
  const variable many("OMPI_COMM_WORLD_LOCAL_SIZE", "100000");
  EXPECT_EQ(worker_count(0), 1);
  const variable odd("OMPI_COMM_WORLD_LOCAL_SIZE", "two");
  EXPECT_EQ(worker_count(0), all);
}

TEST(AffinityDeathTest, holds_for_every_default_instance) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_count_on_one_cpu([] { return affinity_cpus(); }),
              testing::ExitedWithCode(1), "");
  EXPECT_EXIT(exit_with_count_on_one_cpu([] { return worker_count(64); }),
              testing::ExitedWithCode(1), "");
  EXPECT_EXIT(exit_with_count_on_one_cpu([] {
                // Restarts the default instances, because statics may have started them already.
                hpk::initialize(hpk::InitializationSettings().set_num_threads(64));
                int most = 0;
                hpk::detail::for_each_type(hpk::detail::enabled_spaces{}, [&](auto space) {
                  using exec = typename decltype(space)::type;
                  // The workers of a device are not CPUs.
                  if constexpr (hpk::SpaceAccessibility<exec, hpk::HostSpace>::accessible) {
                    const auto facts = exec().instance().properties();
                    most = std::max(most, static_cast<int>(facts.workers));
                  }
                });
                return most;
              }),
              testing::ExitedWithCode(1), "");
}

TEST(Topology, is_described) {
  EXPECT_TRUE(contains(hpk::host::describe_topology(), " CPUs in the mask, "));
}

}  // namespace hpk_test::topology_cases
