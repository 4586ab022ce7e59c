// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A complete host backend outside of hpk: the execution space TBB runs kernels on oneTBB's threads.
// hpk requires only a space class and seam::machine for it. The memory space is HostSpace, and
// host::pooled_machine does what all host machines share: inline launches, copies, lanes,
// workspace, the default instance. Include this header and use the space, or register the folder:
// cmake -Dhpk_EXTRA_BACKENDS=<this folder> (backend.cmake).
#pragma once

#include <hpk/backends/host/pooled_machine.hpp>
#include <hpk/backends/host/space.hpp>
#include <hpk/backends/host/topology.hpp>

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <algorithm>
#include <string>

namespace tbb_backend {

/// Runs kernels on the threads of oneTBB.
class TBB : public hpk::host::space<TBB> {
 public:
  /// The default instance: affinity mask, quota and --hpk-num-threads determine the number of
  /// workers.
  TBB() = default;
  /// An instance with a separate arena for `workers` workers; oneTBB runs them on at most as many
  /// threads as there are CPUs. Throws hpk::error when `workers` < 1.
  explicit TBB(int workers);
  /// "TBB"
  static constexpr const char* name() noexcept { return "TBB"; }
};

}  // namespace tbb_backend

namespace hpk::seam {

/// The machine of TBB: how its threads run the groups of a launch, and how it starts and stops.
template <>
class machine<tbb_backend::TBB> : public host::pooled_machine<tbb_backend::TBB> {
 public:
  explicit machine(int workers)
      : pooled_machine(workers), arena_(std::min(workers, tbb::info::default_concurrency())) {}
  static inline constinit host::instances<machine> all;
  static machine* make(const settings& s) { return new machine(host::worker_count(s.num_threads)); }
  void describe(fact_sink& sink) const {
    sink.section("TBB");
    sink.fact("workers", std::to_string(workers()));
    sink.fact("version", TBB_runtime_version());
  }
  static constexpr std::uint32_t tool_id() noexcept { return 200u << 24; }

 protected:
  void run(const host::erased_launch& launched) override {
    const index_t ranks = std::min(launched.groups(), workers());
    arena_.execute([&] {
      // One rank is one task; run_groups catches exceptions of kernels, so none enters TBB.
      tbb::parallel_for(
          index_t{0}, ranks, [&](index_t rank) { host::run_groups(rank, ranks, launched); },
          tbb::static_partitioner());
    });
  }

 private:
  tbb::task_arena arena_;
};

}  // namespace hpk::seam

inline tbb_backend::TBB::TBB(int workers) : space(new hpk::seam::machine<TBB>(workers)) {}
