// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which launches of host spaces run inline, on the calling thread alone, because workers
// could not shorten them. A launch that takes T seconds on one thread takes T / w + overhead on w
// workers, so workers help if T > overhead * w / (w - 1), the break-even time. T is the number of
// iterations times the cost of one, which is unknown until the kernel has run. So a kernel first
// runs on the workers, and the calling thread times its chunk. Once a whole launch would take less
// than the break-even time at that rate, launches of the kernel run inline. The first 64 inline
// launches are timed, then 64 times one of 16, then one of 64. A launch that takes 1.5 times too
// long puts the kernel on probation: if another of the next 16 does, the kernel returns to the
// workers and must prove itself again. Worst case: a kernel that was light in a thousand launches
// and turns heavy runs 65 times on one thread.
//
// A chunk can take long only because its data is in the caches of other workers: a reduction
// deals the pieces of a short range to the workers in turn, while earlier loops gave each worker
// one contiguous piece. So launches that seem to take up to eight times the break-even time are
// tried inline now and then. They stay inline for a while if they take less than twice the
// break-even time, and no longer than on the workers: for 16 timed launches at first, then for
// twice as many, up to 256.
//
// This is the only decision of hpk that depends on a clock. Results have the same bits inline and
// on workers (rule "same bits"). HPK_INLINE_LAUNCHES and the hints switch the measurements off.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/parallel/kernel/property.hpp>
#include <hpk/seam/abilities.hpp>
#include <hpk/seam/launch.hpp>

namespace hpk::detail {

/// The cost, in ns, of sharing a launch with workers that are awake: 1 to 2 us to signal and to
/// wait, and as much to fetch data that earlier launches wrote on other workers. About the same on
/// every machine and host space.
inline constexpr std::int64_t overhead_ns = 4000;
/// The time of a launch, in ns, below which `workers` >= 2 workers can't shorten it.
constexpr std::int64_t break_even_ns(index_t workers) noexcept {
  return overhead_ns * workers / (workers - 1);
}
/// The number of break-even times up to which launches may run inline. If workers sleep, these
/// launches run inline, since the system takes 10 to 50 us to wake a thread. Otherwise they are
/// tried inline.
inline constexpr index_t most_break_evens = 8;
/// The longest range that may run inline without a hint: even the lightest iterations take over 0.1
/// ns each.
inline constexpr index_t longest_measured = 8192;
/// The longest range that runs inline untimed with HintLightWeight.
inline constexpr index_t longest_light = 1024;

/// The measured cost of one kernel. Any thread; one of two simultaneous updates may be lost.
class cost_history {
 public:
  /// A timed launch on the workers.
  struct shared_launch {
    index_t n;           ///< iterations
    index_t share;       ///< iterations of the calling thread
    std::int64_t own;    ///< nanoseconds of these iterations
    std::int64_t total;  ///< nanoseconds of the launch
  };

  /// Whether a launch of n iterations is expected to be too short for the workers.
  bool allows(index_t n) const noexcept { return n <= limit_.load(memory_order::relaxed); }
  /// Whether to time this launch. Call it once for each launch.
  bool is_due() noexcept {
    const index_t untimed = untimed_.load(memory_order::relaxed);
    if (untimed != 0) untimed_.store(untimed - 1, memory_order::relaxed);
    return untimed == 0;
  }
  /// Records a launch on the workers. The limit at most doubles per launch, and drops immediately.
  /// Heavy kernels are timed again after 15 launches, or at once if a trial follows soon.
  void learn_workers(const shared_launch& launch, std::int64_t break_even) noexcept;
  /// Whether to try a launch of n iterations inline although allows(n) is false. Call it once for
  /// each launch on the workers that is timed.
  bool wants_trial(index_t n) noexcept;
  /// Records the time of a trial. Launches of n iterations stay inline if the trial took at most
  /// the break-even time, or at most twice the break-even time and no longer than on the workers.
  void learn_trial(index_t n, std::int64_t nanoseconds, std::int64_t break_even) noexcept;
  /// Records the time of an inline launch of n iterations that is no trial. Two of 17 that took too
  /// long send the kernel back to the workers, where it needs 64 light launches to return. A kernel
  /// that runs inline only because of a trial returns to the workers after a while, to be tried
  /// again.
  void learn_inline(index_t n, std::int64_t nanoseconds, std::int64_t break_even) noexcept;

 private:
  static constexpr index_t short_period = 16;
  static constexpr index_t long_period = 64;
  static constexpr index_t trial_period = 256;
  static constexpr index_t first_trial = 4;
  static constexpr index_t first_stay = 16;
  static constexpr index_t longest_stay = 256;
  static constexpr index_t proofs_needed = 64;
  static constexpr index_t probation = 16;
  // Returns the longest time, in ns, that n iterations may take inline.
  std::int64_t longest_inline(index_t n, std::int64_t break_even) const noexcept;

  // The longest range that may run inline. If negative, minus the number of light launches until it
  // may grow.
  atomic_word<index_t> limit_{0};
  atomic_word<index_t> untimed_{0};                // launches until the next timed one
  atomic_word<index_t> until_trial_{first_trial};  // timed launches on workers until the next trial
  atomic_word<index_t> until_return_{0};           // timed inline launches left after a trial
  atomic_word<index_t> next_stay_{first_stay};  // timed inline launches that the next trial permits
  // The time of launches of shared_n_ iterations on workers. It follows shorter launches at once
  // and longer ones slowly, because workers may have slept or other programs may have used their
  // CPUs.
  atomic_word<index_t> shared_n_{0};
  atomic_word<std::int64_t> shared_{0};
  // The number of short timed inline launches since the last long one. Negative on probation.
  atomic_word<index_t> proofs_{0};
};

/// The history of each kernel type with each policy type.
template <class Policy, class F>
inline HPK_EXPORT_TEMPLATE constinit cost_history history_of_kernel{};

/// Which threads run a launch.
enum class inline_rule {
  never,    ///< the workers
  always,   ///< the calling thread
  measured  ///< decided by the kernel's cost_history
};

/// Returns the rule for n > 1 iterations or tiles of a policy with these work item properties.
/// Precedence: HintHeavyWeight, the setting HPK_INLINE_LAUNCHES, HintLightWeight, measurements.
inline_rule find_inline_rule(unsigned properties, index_t n);

/// The facts that decide whether the launches of one kernel by one policy run inline.
struct inline_facts {
  cost_history* history;  ///< null for plain functions: all of one signature would share a history
  unsigned properties;    ///< the policy's work item properties
};
/// The facts of a kernel F and a policy.
template <class Policy, class F>
inline constexpr inline_facts facts_of_kernel{
    std::is_class_v<F> ? &history_of_kernel<Policy, F> : nullptr,
    Policy::work_item_property::value};

/// Decides whether one launch over n iterations or tiles runs inline, and measures its cost. Exists
/// on the stack of the launch.
class serial_cutoff {
 public:
  /// For a launch that uses `groups` groups unless it runs inline.
  template <class Machine>
  HPK_FORCEINLINE serial_cutoff(const inline_facts& facts, Machine& machine, index_t n,
                                index_t groups)
      : groups_(groups) {
    if (groups <= 1) return;
    [[maybe_unused]] const bool gains_from_sleepers = decide(facts, n);
    if constexpr (seam::has_sleeping_workers<Machine>) {
      if (!gains_from_sleepers && groups_ > 1 && machine.workers_sleep()) {
        groups_ = 1;
        timed_.history = nullptr;
      }
    }
  }
  serial_cutoff(const serial_cutoff&) = delete;
  serial_cutoff& operator=(const serial_cutoff&) = delete;

  /// The number of groups to launch: 1 if the launch runs inline.
  index_t groups() const noexcept { return groups_; }
  /// Returns the seam::shape of a launch of `groups` groups.
  seam::shape shape(index_t groups) noexcept {
    return {
        .groups = groups,
        .caller_elapsed_ns = timed_.history != nullptr && groups > 1 ? &timed_.own_ns : nullptr};
  }
  /// Records the elapsed time. Call it after the launch, with the number of groups launched.
  HPK_FORCEINLINE void learn(index_t groups) noexcept {
    if (timed_.history != nullptr) record(timed_, groups);
  }

 private:
  struct timed_launch {
    cost_history* history = nullptr;  // null: the launch is not timed
    index_t n = 0;
    bool is_inline = false;
    bool is_trial = false;
    std::int64_t break_even = 0;
    std::int64_t start = 0;
    std::int64_t own_ns = 0;  // elapsed time of the calling thread's chunk; 0: unknown
  };
  // Returns whether the launch would be shorter even with workers that sleep.
  bool decide(const inline_facts& facts, index_t n) noexcept;
  // By value, so that on spaces without workers the compiler sees that no launch is timed.
  static void record(timed_launch launch, index_t groups) noexcept;

  index_t groups_;
  timed_launch timed_;
};

}  // namespace hpk::detail
