// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenMP: the threads of the OpenMP runtime. The parallel region is compiled once, in openmp.cpp,
// so that programs need no -fopenmp.
#pragma once

#include <hpk/backends/host/pooled_machine.hpp>
#include <hpk/backends/host/space.hpp>
#include <hpk/base/macros.hpp>

#include <concepts>

namespace hpk {

/// Runs kernels on the threads of the OpenMP runtime.
class OpenMP : public host::space<OpenMP> {
 public:
  /// The default instance. The number of workers follows the rule "worker count" from
  /// --hpk-num-threads, HPK_NUM_THREADS or else OMP_NUM_THREADS.
  OpenMP() = default;
  /// An instance with exactly `workers` workers, even if that is more than the number of CPUs.
  /// Throws hpk::error when `workers` < 1.
  explicit OpenMP(int workers);
  /// Makes the same instance by conversion from int, in programs of the drop-in for Kokkos. Other
  /// numbers do not convert, because calls of functions that take an instance or a number would be
  /// ambiguous.
  template <std::same_as<int> Number>
    requires(HPK_PERMISSIVE != 0)
  OpenMP(Number workers) : OpenMP(workers) {}
  /// A new instance with as many workers as the default one. Throws hpk::error for a device other
  /// than 0.
  explicit OpenMP(NewInstance what);
  /// "OpenMP"
  static constexpr const char* name() noexcept { return "OpenMP"; }
};

namespace seam {

/// The machine of OpenMP.
template <>
class machine<OpenMP> : public host::pooled_machine<OpenMP> {
 public:
  explicit machine(int workers);
  static HPK_EXPORT constinit host::instances<machine> all;
  static machine* make(const settings& s);
  void describe(fact_sink& sink) const;
  static constexpr std::uint32_t tool_id() noexcept { return 1u << 24; }
  /// The rank of the calling worker in the launch that it runs; 0 for other threads.
  static int worker_rank() noexcept;

 protected:
  void run(const host::erased_launch& launched) override;
};

}  // namespace seam

extern template class host::pooled_machine<OpenMP>;

}  // namespace hpk
