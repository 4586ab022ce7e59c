// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes how many workers this process may run (rule "worker count"). All of it is best effort: a
// broken or missing topology, cgroup file or hwloc is never an error.
#pragma once

#include <hpk/seam/settings.hpp>

#include <string>
#include <vector>

namespace hpk::host {

/// The numbers of the CPUs in the affinity mask of the calling thread; empty if the system does not
/// report them.
std::vector<int> mask_cpus();
/// The number of CPUs in the affinity mask of the process; at least 1.
int affinity_cpus() noexcept;

/// The number of CPUs that the cgroup quota of the process allows, rounded up; 0 without a readable
/// quota. Tests replace `proc_cgroup` and `root`.
int cgroup_cpus(const std::string& proc_cgroup = "/proc/self/cgroup",
                const std::string& root = "/sys/fs/cgroup") noexcept;

/// Returns the number of processes that an MPI launcher started on this machine without binding
/// them, so that they share the CPUs. 1 if the launcher bound them, or if no environment variable
/// gives a number.
int processes_sharing_cpus() noexcept;

/// Returns min(affinity mask, cgroup quota, asked), at least 1. `asked` <= 0 is no request; then
/// processes that share the CPUs divide them.
int worker_count(int asked) noexcept;
/// Returns `workers`. Warns, once per process, if the settings ask for more workers.
int with_note(int workers, const seam::settings& asked) noexcept;

/// Returns one line for print_configuration, e.g. "2 CPUs in the mask, no cgroup quota, hwloc 2.9".
std::string describe_topology();

}  // namespace hpk::host
