// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/host/placement.hpp>
#include <hpk/backends/host/topology.hpp>

#include <hpk/base/config.hpp>
#include <hpk/base/even_share.hpp>

#include <algorithm>
#include <set>

#if HPK_HAS_LINUX
#include <pthread.h>
#include <sched.h>
#endif
#if HPK_WITH_HWLOC
#include <hwloc.h>
#endif

namespace hpk::host {

namespace {

#if HPK_WITH_HWLOC
// The topology of the machine, if it can be read.
class topology {
 public:
  topology() {
    if (hwloc_topology_init(&read_) != 0) return;
    if (hwloc_topology_load(read_) == 0) mask_ = hwloc_bitmap_alloc();
  }
  ~topology() {
    hwloc_bitmap_free(mask_);
    if (read_ != nullptr) hwloc_topology_destroy(read_);
  }
  topology(const topology&) = delete;
  topology& operator=(const topology&) = delete;

  // The cores within the CPUs of the calling thread, or of all threads of the process.
  std::vector<core> cores(hwloc_cpubind_flags_t whose) const {
    std::vector<core> found;
    if (mask_ == nullptr || hwloc_get_cpubind(read_, mask_, whose) != 0) return found;
    for (hwloc_obj_t each = nullptr;
         (each = hwloc_get_next_obj_by_type(read_, HWLOC_OBJ_CORE, each)) != nullptr;) {
      core one{{}, {cache_of(each), memory_of(each)}};
      for (int cpu = -1; (cpu = hwloc_bitmap_next(each->cpuset, cpu)) >= 0;) {
        if (hwloc_bitmap_isset(mask_, static_cast<unsigned>(cpu)) != 0) one.cpus.push_back(cpu);
      }
      if (!one.cpus.empty()) found.push_back(one);
    }
    return found;
  }

 private:
  // The outermost cache that several cores share; if there is none, the package.
  int cache_of(hwloc_obj_t of) const {
    int found = -1;
    for (hwloc_obj_t up = of->parent; up != nullptr; up = up->parent) {
      const bool is_shared =
          hwloc_obj_type_is_dcache(up->type) != 0 &&
          hwloc_get_nbobjs_inside_cpuset_by_type(read_, up->cpuset, HWLOC_OBJ_CORE) > 1;
      if (is_shared || (found < 0 && up->type == HWLOC_OBJ_PACKAGE))
        found = static_cast<int>(up->logical_index);
    }
    return std::max(found, 0);
  }
  static int memory_of(hwloc_obj_t of) {
    return of->nodeset == nullptr ? 0 : std::max(hwloc_bitmap_first(of->nodeset), 0);
  }

  hwloc_topology_t read_ = nullptr;
  hwloc_bitmap_t mask_ = nullptr;
};
#endif

int count_memory_domains() {
#if HPK_WITH_HWLOC
  std::set<int> domains;
  for (const core& each : topology().cores(HWLOC_CPUBIND_PROCESS))
    domains.insert(each.place.memory);
  return std::max(static_cast<int>(domains.size()), 1);
#else
  return 1;
#endif
}

}  // namespace

std::vector<core> usable_cores() {
#if HPK_WITH_HWLOC
  if (std::vector<core> found = topology().cores(HWLOC_CPUBIND_THREAD); !found.empty())
    return found;
#endif
  std::vector<core> found;
  for (const int cpu : mask_cpus()) found.push_back({{cpu}, {}});
  return found;
}

int core_of_worker(int worker, int workers, int cores) noexcept {
  return static_cast<int>(detail::share_begin(cores, worker, workers));
}

std::vector<core_place> places_of_workers(const std::vector<core>& cores, int workers) {
  std::vector<core_place> found(static_cast<std::size_t>(workers));
  const int all = static_cast<int>(cores.size());
  for (int worker = 0; all != 0 && worker < workers; ++worker) {
    found[static_cast<std::size_t>(worker)] =
        cores[static_cast<std::size_t>(core_of_worker(worker, workers, all))].place;
  }
  return found;
}

bool bind_to([[maybe_unused]] const core& where) noexcept {
#if HPK_HAS_LINUX
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : where.cpus) {
    if (cpu >= CPU_SETSIZE) return false;
    CPU_SET(cpu, &set);
  }
  return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
#else
  return false;
#endif
}

int memory_domains() noexcept {
  static const int found = [] {
    try {
      return count_memory_domains();
    } catch (...) {
      return 1;
    }
  }();
  return found;
}

}  // namespace hpk::host
