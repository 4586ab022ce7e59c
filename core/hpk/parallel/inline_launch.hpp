// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which launches of host spaces run inline, on the calling thread alone, because workers
// could not gain anything. A launch of T seconds takes T / w + overhead on w workers, so it gains
// if T > overhead * w / (w - 1), the break-even time. T is the number of iterations times the cost
// of one, which nothing tells before the kernel has run: a kernel runs on the workers at first, and
// the calling thread times its own chunk. Once a whole launch would take less than the break-even
// time at that rate, launches of the kernel run inline. The first 64 of them are timed, then 64
// times one of 16, then one of 64. If one takes 1.5 times too long, the kernel returns to the
// workers, and trust begins anew. Worst case: a kernel that was light in a thousand launches and
// turns heavy runs 64 times on one thread.
//
// A chunk may take long only because other workers have its data in their caches. So launches that
// would take up to four times the break-even time are tried inline now and then. They stay there if
// they take less than twice the break-even time, and no longer than on the workers.
//
// This is the only decision of hpk that depends on a clock; results have the same bits either way
// (R7). HPK_INLINE_LAUNCHES and the hints switch it off.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/parallel/property.hpp>
#include <hpk/seam/abilities.hpp>
#include <hpk/seam/launch.hpp>

namespace hpk::detail {

/// The cost of sharing a launch with workers that are awake: 1 to 2 us to signal and to wait, and
/// as much to fetch what launches before it wrote on other workers. About the same on any machine
/// and host space.
inline constexpr std::int64_t overhead_ns = 4000;
/// The time of a launch below which it can't gain from `workers` >= 2 workers.
constexpr std::int64_t break_even_ns(index_t workers) noexcept {
  return overhead_ns * workers / (workers - 1);
}
/// A reduction over a short range must be so many times longer to gain: its accumulators give each
/// worker every other piece of the elements, which in the launches before and after it are in the
/// caches of other workers.
inline constexpr index_t cost_of_accumulators = 4;
/// With workers that sleep, a launch must be so many times longer to gain: the system takes 10 to
/// 50 us to wake a thread.
inline constexpr index_t cost_of_waking = 8;
/// The longest range that may run inline without a hint: even the lightest iterations take over 0.1
/// ns each.
inline constexpr index_t longest_measured = 8192;
/// Up to this many iterations run inline untimed with HintLightWeight.
inline constexpr index_t longest_light = 1024;

/// The measured cost of one kernel. Any thread; of two simultaneous updates one may be lost.
class cost_history {
 public:
  /// Whether a launch of n iterations is expected to be too short for the workers.
  bool allows(index_t n) const noexcept { return n <= limit_.load(memory_order::relaxed); }
  /// Whether to time this launch. Call it once for each launch.
  bool is_due() noexcept {
    const index_t untimed = untimed_.load(memory_order::relaxed);
    if (untimed != 0) untimed_.store(untimed - 1, memory_order::relaxed);
    return untimed == 0;
  }
  /// Records a launch on the workers that took `total` nanoseconds, the calling thread's chunk of
  /// `share` iterations `own` of them. The limit at most doubles per launch, and drops immediately.
  /// Heavy kernels are due again after 15 launches.
  void learn_workers(index_t share, std::int64_t own, std::int64_t total,
                     std::int64_t break_even) noexcept;
  /// Whether to try a launch of n iterations inline although allows(n) is false. Call it once for
  /// each launch on the workers that is timed.
  bool wants_trial(index_t n) noexcept;
  /// Records the time of such a launch. Those of n iterations stay inline if it took at most the
  /// break-even time; or twice that, but not longer than launches on the workers.
  void learn_trial(index_t n, std::int64_t nanoseconds, std::int64_t break_even) noexcept {
    if (nanoseconds <= longest_inline(break_even)) limit_.store(n, memory_order::relaxed);
  }
  /// Records the time of another inline launch. One that took too long sends the kernel back to the
  /// workers, where it needs 64 light launches to return.
  void learn_inline(std::int64_t nanoseconds, std::int64_t break_even) noexcept;

 private:
  static constexpr index_t short_period = 16;
  static constexpr index_t long_period = 64;
  static constexpr index_t proofs_needed = 64;
  // Launches on the workers may take long because other programs use their CPUs.
  std::int64_t longest_inline(std::int64_t break_even) const noexcept {
    const std::int64_t other = on_workers_.load(memory_order::relaxed);
    if (other < break_even) return break_even;
    return other < 2 * break_even ? other : 2 * break_even;
  }
  atomic_word<index_t> limit_{0};        // if negative: this many light launches until it may grow
  atomic_word<index_t> untimed_{0};      // launches until the next timed one
  atomic_word<index_t> until_trial_{4};  // timed launches on workers until the next trial
  // Smoothed time of launches on workers.
  atomic_word<std::int64_t> on_workers_{0};
  atomic_word<index_t> proofs_{0};  // timed inline launches that were short, since the last mistake
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

/// The rule for n > 1 iterations or tiles of a policy with these work item properties. In order:
/// HintHeavyWeight, the setting HPK_INLINE_LAUNCHES, HintLightWeight, measurements.
inline_rule find_inline_rule(unsigned properties, index_t n);

/// What decides whether the launches of one kernel by one policy run inline.
struct inline_facts {
  cost_history* history;  ///< null for plain functions: all of one signature would share a history
  unsigned properties;    ///< of the policy's work items
};
/// Those of a kernel F and a policy.
template <class Policy, class F>
inline constexpr inline_facts facts_of_kernel{
    std::is_class_v<F> ? &history_of_kernel<Policy, F> : nullptr,
    Policy::work_item_property::value};

/// Decides whether one launch over n iterations or tiles runs inline, and measures its cost. Lives
/// on the stack of the launch.
class serial_cutoff {
 public:
  /// For a launch on `groups` groups unless it runs inline. `cost` is 1, or cost_of_accumulators.
  template <class Machine>
  HPK_FORCEINLINE serial_cutoff(const inline_facts& facts, Machine& machine, index_t n,
                                index_t groups, index_t cost = 1)
      : groups_(groups), n_(n) {
    if (groups <= 1) return;
    [[maybe_unused]] const bool gains_from_sleepers = decide(facts, cost);
    if constexpr (seam::has_sleeping_workers<Machine>) {
      if (!gains_from_sleepers && groups_ > 1 && machine.workers_sleep()) {
        groups_ = 1;
        history_ = nullptr;
      }
    }
  }
  serial_cutoff(const serial_cutoff&) = delete;
  serial_cutoff& operator=(const serial_cutoff&) = delete;

  /// The number of groups to launch: 1 if the launch runs inline.
  index_t groups() const noexcept { return groups_; }
  /// The seam::shape of a launch of `groups` groups.
  seam::shape shape(index_t groups) noexcept {
    return {.groups = groups,
            .caller_elapsed_ns = history_ != nullptr && groups > 1 ? &own_ns_ : nullptr};
  }
  /// Call it after the launch, with the number of groups launched.
  HPK_FORCEINLINE void learn(index_t groups) noexcept {
    if (history_ != nullptr) record(groups);
  }

 private:
  // Returns whether the launch would gain from workers that sleep.
  bool decide(const inline_facts& facts, index_t cost) noexcept;
  void record(index_t groups) noexcept;

  index_t groups_;
  index_t n_;
  bool is_trial_ = false;
  cost_history* history_ = nullptr;  // of a launch that is timed
  std::int64_t break_even_ = 0;
  std::int64_t start_ = 0;
  std::int64_t own_ns_ = 0;  // elapsed time of the calling thread's chunk; 0: unknown
};

}  // namespace hpk::detail
