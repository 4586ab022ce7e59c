// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads: hpk's own pool of std::threads. A launch costs a fraction of an OpenMP region, and idle
// workers sleep. It uses only std::atomic, which ThreadSanitizer understands.
#pragma once

#include <hpk/backends/host/pooled_machine.hpp>
#include <hpk/backends/host/space.hpp>

namespace hpk {

namespace threads {
class pool;
}

/// Runs kernels on hpk's own worker threads; the launching thread is one of the workers.
class Threads : public host::space<Threads> {
 public:
  /// The default instance. The number of workers follows the rule "worker count" from
  /// --hpk-num-threads or HPK_NUM_THREADS. Under OMP_PROC_BIND the OpenMP runtime may have bound
  /// the program's first thread to one CPU before hpk can read its mask; then there is one worker.
  /// Threads(n) gives more.
  Threads() = default;
  /// An instance with a pool of exactly `workers` workers, even if that is more than the number of
  /// CPUs. Throws hpk::error when `workers` < 1.
  explicit Threads(int workers);
  /// A new instance with as many workers as the default one. Throws hpk::error for a device other
  /// than 0.
  explicit Threads(NewInstance what);
  /// "Threads"
  static constexpr const char* name() noexcept { return "Threads"; }
};

namespace seam {

/// The machine of Threads.
template <>
class machine<Threads> : public host::pooled_machine<Threads> {
 public:
  machine(int workers, bool pin, std::int64_t spin_microseconds);
  ~machine() override;
  static constexpr backend_option options[] = {
      {"spin-microseconds", "N",
       "how long idle workers of Threads, and threads that wait for them, spin before they sleep",
       "an integer of 0 or more", 2000, [](std::int64_t value) { return value >= 0; }}};
  /// The value of the option spin-microseconds (--hpk-spin-microseconds, HPK_SPIN_MICROSECONDS).
  static std::int64_t spin(const settings& s);
  static HPK_EXPORT constinit host::instances<machine> all;
  static machine* make(const settings& s);
  void describe(fact_sink& sink) const;
  static constexpr std::uint32_t tool_id() noexcept { return 6u << 24; }
  /// Whether a worker sleeps; false in every 16th call, so that launches in close succession wake
  /// the workers.
  bool workers_sleep() noexcept;
  /// The rank of the calling worker in the launch that it runs; 0 for other threads.
  static int worker_rank() noexcept;

 protected:
  void run(const host::erased_launch& launched) override;

 private:
  threads::pool* pool_;
};

}  // namespace seam

extern template class host::pooled_machine<Threads>;

}  // namespace hpk
