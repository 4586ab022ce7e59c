// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/openmp/openmp.hpp>

#include <hpk/backends/host/topology.hpp>
#include <hpk/base/compiler.hpp>
#include <hpk/base/text.hpp>
#include <hpk/seam/fork.hpp>

#include <omp.h>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <type_traits>

namespace hpk {

OpenMP::OpenMP(int workers) : space(new seam::machine<OpenMP>(workers)) {}

namespace {
int default_workers(const seam::settings& s) {
  // omp_get_max_threads() reflects OMP_NUM_THREADS and omp_set_num_threads().
  const int asked = s.num_threads > 0 ? s.num_threads : omp_get_max_threads();
  // With OMP_PROC_BIND the runtime has already bound this thread to one place, but still knows how
  // many CPUs there were. Without it, libomp reports the mask with which its process began.
  int workers = std::min(asked, omp_get_num_procs());
  if (omp_get_proc_bind() == omp_proc_bind_false)
    workers = std::min(workers, host::affinity_cpus());
  if (const int quota = host::cgroup_cpus(); quota > 0) workers = std::min(workers, quota);
  // Without a request for a number, the processes of an MPI launcher divide the CPUs.
  const bool is_asked = s.num_threads > 0 || std::getenv("OMP_NUM_THREADS") != nullptr ||
                        asked != omp_get_num_procs();
  if (!is_asked) workers /= host::processes_sharing_cpus();
  return host::with_note(std::max(1, workers), s);
}
int workers_for(const NewInstance& what) {
  host::check_request(what, OpenMP::name());
  return default_workers(seam::current_settings());
}
}  // namespace

OpenMP::OpenMP(NewInstance what) : OpenMP(workers_for(what)) {}

template class host::pooled_machine<OpenMP>;

namespace seam {

namespace {
// Whether the thread called fork() and is now the first one of the child.
constinit thread_local bool has_forked = false;
}  // namespace

machine<OpenMP>::machine(int workers) : pooled_machine(workers) {
  static const bool watched = (on_fork([] { has_forked = true; }), true);
  static_cast<void>(watched);
}

constinit host::instances<machine<OpenMP>> machine<OpenMP>::all;

machine<OpenMP>* machine<OpenMP>::make(const settings& s) {
  return new machine(default_workers(s));
}

int machine<OpenMP>::worker_rank() noexcept { return omp_get_thread_num(); }

void machine<OpenMP>::describe(fact_sink& sink) const {
  sink.section("OpenMP");
  sink.fact("workers", (detail::text() << workers()).str());
  sink.fact("OpenMP version", (detail::text() << _OPENMP).str());
  sink.fact("binding", omp_get_proc_bind() == omp_proc_bind_false ? "none" : "by OMP_PROC_BIND");
}

namespace {
// A vector of integers: g++ passes these to its threads by value but class objects by address,
// which would be one more cache line to fetch from this CPU. Aligned, so that it is a single line,
// which no other data shares.
#if HPK_HAS_GNU_ATTRIBUTES
using line __attribute__((vector_size(64))) = std::uint64_t;
#else
struct alignas(64) line {
  std::uint64_t words[8];
};
#endif
static_assert(sizeof(host::erased_launch) <= sizeof(line) &&
              std::is_trivially_copyable_v<host::erased_launch>);

void run_region(const host::erased_launch& launched, int threads) {
  line packed{};
  std::memcpy(&packed, &launched, sizeof launched);
#pragma omp parallel num_threads(threads) default(none) firstprivate(packed)
  {
    host::erased_launch unpacked;
    std::memcpy(static_cast<void*>(&unpacked), &packed, sizeof unpacked);
    // The runtime may provide fewer threads than requested; all groups still run.
    host::run_groups(omp_get_thread_num(), omp_get_num_threads(), unpacked);
  }
}
}  // namespace

void machine<OpenMP>::run(const host::erased_launch& launched) {
  const int threads = static_cast<int>(std::min(launched.groups(), workers()));
  // libgomp reuses the threads of a region for later regions of the thread that began it. After
  // fork() a thread would wait for threads that are only in the parent. A new thread does not.
  if (has_forked) [[unlikely]] {
    std::thread([&] { run_region(launched, threads); }).join();
  } else {
    run_region(launched, threads);
  }
}

}  // namespace seam
}  // namespace hpk
