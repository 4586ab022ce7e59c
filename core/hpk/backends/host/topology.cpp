// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/host/topology.hpp>

#include <hpk/base/config.hpp>
#include <hpk/base/text.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <thread>
#include <vector>

#if HPK_HAS_LINUX
#include <sched.h>
#include <unistd.h>
#endif
#if HPK_WITH_HWLOC
#include <hwloc.h>
#endif

namespace hpk::host {

std::vector<int> mask_cpus() {
  std::vector<int> cpus;
#if HPK_HAS_LINUX
  for (int capacity = 1024; capacity <= 1 << 20; capacity *= 4) {
    cpu_set_t* set = CPU_ALLOC(capacity);
    if (set == nullptr) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(capacity);
    CPU_ZERO_S(bytes, set);
    const bool read = sched_getaffinity(0, bytes, set) == 0;
    for (int cpu = 0; read && cpu < capacity; ++cpu) {
      if (CPU_ISSET_S(cpu, bytes, set)) cpus.push_back(cpu);
    }
    CPU_FREE(set);
    if (read) break;
  }
#endif
  return cpus;
}

namespace {

// quota / period of a cgroup directory; 0 without a quota.
double quota_of(const std::string& directory) {
  std::string quota;
  double period = 0;
  if (std::ifstream v2(directory + "/cpu.max"); v2 >> quota >> period) {
    if (quota == "max" || period <= 0) return 0;
    return std::strtod(quota.c_str(), nullptr) / period;
  }
  double v1_quota = 0;
  std::ifstream quota_file(directory + "/cpu.cfs_quota_us");
  std::ifstream period_file(directory + "/cpu.cfs_period_us");
  if (quota_file >> v1_quota && period_file >> period && v1_quota > 0 && period > 0)
    return v1_quota / period;
  return 0;
}

double tighter(double a, double b) { return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b); }

}  // namespace

int affinity_cpus() noexcept {
  try {
    const auto in_mask = static_cast<int>(mask_cpus().size());
    return std::max(1,
                    in_mask > 0 ? in_mask : static_cast<int>(std::thread::hardware_concurrency()));
  } catch (...) {
    return 1;
  }
}

int cgroup_cpus(const std::string& proc_cgroup, const std::string& root) noexcept {
  try {
    double allowed = 0;
    std::ifstream groups(proc_cgroup);
    for (std::string line; std::getline(groups, line);) {
      const auto first = line.find(':');
      const auto second = line.find(':', first + 1);
      if (first == std::string::npos || second == std::string::npos) continue;
      const std::string controllers = line.substr(first + 1, second - first - 1);
      const bool unified = controllers.empty();
      if (!unified && controllers.find("cpu") == std::string::npos) continue;
      const std::string base = unified ? root : root + "/" + controllers;
      // The quotas of all ancestors apply as well.
      for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {
        allowed = tighter(allowed, quota_of(base + path));
        if (path.empty() || path.rfind('/') == std::string::npos) break;
      }
    }
    return static_cast<int>(std::ceil(std::min(allowed, 1e6)));
  } catch (...) {
    return 0;
  }
}

int processes_sharing_cpus() noexcept {
#if HPK_HAS_LINUX
  // A launcher that binds its processes has divided the CPUs itself.
  if (affinity_cpus() < sysconf(_SC_NPROCESSORS_ONLN)) return 1;
#endif
  // Open MPI, MPICH and Intel MPI, MVAPICH2.
  for (const char* name :
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE"}) {
    const char* const text = std::getenv(name);
    if (text == nullptr) continue;
    int count = 0;
    const std::string_view all(text);
    const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), count);
    if (error == std::errc() && end == all.data() + all.size() && count > 0) return count;
  }
  return 1;
}

int worker_count(int asked) noexcept {
  int workers = affinity_cpus();
  if (const int quota = cgroup_cpus(); quota > 0) workers = std::min(workers, quota);
  if (asked > 0) return std::min(workers, asked);
  return std::max(1, workers / processes_sharing_cpus());
}

int with_note(int workers, const seam::settings& asked) noexcept {
  static std::atomic<bool> noted{false};
  if (asked.num_threads > workers && !asked.disable_warnings && !noted.exchange(true)) {
    std::fprintf(stderr,
                 "hpk: num-threads asks for %d workers; %d run, as many as the affinity mask and "
                 "the cgroup quota of this process have CPUs\n",
                 asked.num_threads, workers);
  }
  return workers;
}

std::string describe_topology() {
  detail::text out;
  out << affinity_cpus() << " CPUs in the mask, ";
  if (const int quota = cgroup_cpus(); quota > 0) {
    out << "cgroup quota of " << quota;
  } else {
    out << "no cgroup quota";
  }
  if (const int processes = processes_sharing_cpus(); processes > 1)
    out << ", divided among " << processes << " processes";
  // An OpenMP runtime may bind the program's first thread before its mask can be read.
  const char* bind = std::getenv("OMP_PROC_BIND");
  const bool binds = bind != nullptr && *bind != 'f' && *bind != 'F';
  if (binds || std::getenv("GOMP_CPU_AFFINITY") != nullptr)
    out << " (OMP_PROC_BIND may have narrowed the mask)";
#if HPK_WITH_HWLOC
  out << ", hwloc " << (hwloc_get_api_version() >> 16) << '.'
      << (hwloc_get_api_version() >> 8 & 0xff);
#else
  out << ", built without hwloc";
#endif
  return out.str();
}

}  // namespace hpk::host
