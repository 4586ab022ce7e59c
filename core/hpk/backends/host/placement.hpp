// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which core a worker is bound to. Workers take neighbouring chunks of a launch, so neighbours get
// cores that share a cache and memory as far as possible, and the workers as a whole all caches and
// memories. What is planned follows from the topology alone; hwloc reads it, of the machine or, for
// tests, what HWLOC_SYNTHETIC describes.
#pragma once

#include <vector>

namespace hpk::host {

/// What a core is near to.
struct core_place {
  int cache = 0;   ///< its last level of cache
  int memory = 0;  ///< its NUMA domain
  friend bool operator==(const core_place&, const core_place&) = default;
};
/// A core of the machine on which workers may run.
struct core {
  std::vector<int> cpus;  ///< its hardware threads that the process may use; at least one
  core_place place;
};

/// The cores that the calling thread may use, from neighbour to neighbour. Without hwloc, or if it
/// finds none, each CPU of the mask is a core, and all are near to each other. Reads the topology,
/// which takes milliseconds.
std::vector<core> usable_cores();

/// The index of a worker's core, one of `cores`: ascending with the worker. Fewer workers than
/// cores are spread evenly; more share cores with their neighbours.
int core_of_worker(int worker, int workers, int cores) noexcept;

/// What workers that are bound to their cores are near to.
std::vector<core_place> places_of_workers(const std::vector<core>& cores, int workers);

/// Binds the calling thread to the hardware threads of a core. Returns whether it is bound.
bool bind_to(const core& where) noexcept;

/// The NUMA domains whose CPUs the threads of the process may use; 1 if that is unknown. Read once
/// for a process.
int memory_domains() noexcept;

}  // namespace hpk::host
