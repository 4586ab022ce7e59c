// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many workers this process may run (ruling R14) and where they may be bound. Everything here
// is best effort: a broken or absent topology, cgroup file or hwloc is never an error.
#pragma once

#include <string>

namespace hpk::host {

/// CPUs in the affinity mask of the process; at least 1.
int affinity_cpus() noexcept;

/// CPUs that the cgroup quota of the process allows, rounded up; 0 when there is no quota or it
/// can't be read. `proc_cgroup` is /proc/self/cgroup and `root` is /sys/fs/cgroup, or stand-ins for
/// tests.
int cgroup_cpus(const std::string& proc_cgroup = "/proc/self/cgroup",
                const std::string& root = "/sys/fs/cgroup") noexcept;

/// min(affinity mask, cgroup quota, asked for), at least 1. `asked` <= 0 means not asked.
int worker_count(int asked) noexcept;

/// Binds the calling thread to the `rank`-th CPU of the mask, spread over cores when hwloc is
/// there. Returns whether it is bound now.
bool bind_this_thread(int rank) noexcept;

/// One line for print_configuration, e.g. "2 CPUs in the mask, no cgroup quota, hwloc 2.9".
std::string describe_topology();

}  // namespace hpk::host
