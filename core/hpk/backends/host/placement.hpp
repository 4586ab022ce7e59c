// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the core that a worker is bound to. Neighbouring workers take neighbouring chunks of a
// launch, so they get cores that share a cache and memory as far as possible, and all workers
// together get all caches and memories. The choice follows from the topology alone. hwloc reads the
// topology of the machine or, for tests, the one that HWLOC_SYNTHETIC describes.
#pragma once

#include <vector>

namespace hpk::host {

/// The cache and the memory that a core is near to.
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

/// Returns the cores that the calling thread may use, ordered so that neighbours are adjacent.
/// Without hwloc, or if hwloc finds none, each CPU of the mask is a core, and all are near to each
/// other. Reads the topology, which takes milliseconds.
std::vector<core> usable_cores();

/// Returns the index of a worker's core, less than `cores` and ascending with the worker. Fewer
/// workers than cores are spread evenly; more workers share cores with their neighbours.
int core_of_worker(int worker, int workers, int cores) noexcept;

/// Returns the places of workers that are bound to their cores.
std::vector<core_place> places_of_workers(const std::vector<core>& cores, int workers);

/// Binds the calling thread to the hardware threads of a core. Returns whether it is bound.
bool bind_to(const core& where) noexcept;

/// Returns the number of NUMA domains whose CPUs the threads of the process may use; 1 if that is
/// unknown. Read once per process.
int memory_domains() noexcept;

}  // namespace hpk::host
