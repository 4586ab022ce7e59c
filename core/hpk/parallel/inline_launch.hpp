// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which launches of host spaces run inline, on the calling thread alone, because waking the
// workers would take longer than the work. The cost of an iteration is unknown, so it is measured.
// At first a kernel runs on the workers and the calling thread times its own chunk. Once a whole
// launch would take less than `overhead_ns` at that rate, launches of the kernel run inline and are
// still timed. If one takes over twice as long, the kernel returns to the workers. Worst case: one
// launch of heavy iterations on one thread. This is the only decision of hpk that depends on a
// clock; results have the same bits either way (R7). HPK_INLINE_LAUNCHES and the hints switch it
// off.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/base/meta.hpp>
#include <hpk/base/timer.hpp>
#include <hpk/parallel/property.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/seam/settings.hpp>

namespace hpk::detail {

/// The rough cost of waking the workers and waiting for them, on any machine and host space.
inline constexpr std::int64_t overhead_ns = 1000;
/// The longest range that is timed: even the lightest iterations take over 0.1 ns each.
inline constexpr index_t longest_timed = 8192;
/// Up to this many iterations run inline untimed with HintLightWeight.
inline constexpr index_t longest_light = 1024;

/// The measured cost of one kernel. Any thread; of two simultaneous updates one may be lost.
class cost_history {
 public:
  /// Whether n iterations are expected to take less than `overhead_ns`.
  bool allows(index_t n) const noexcept { return n <= limit_.load(memory_order::relaxed); }
  /// Whether to time this launch on the workers; heavy kernels are timed every 16th time.
  bool is_due() noexcept {
    const index_t untimed = untimed_.load(memory_order::relaxed);
    if (untimed != 0) untimed_.store(untimed - 1, memory_order::relaxed);
    return untimed == 0;
  }
  /// Records the time of the calling thread's chunk, of `share` iterations. The limit at most
  /// doubles per launch, and drops immediately.
  void learn_share(index_t share, std::int64_t nanoseconds) noexcept {
    const index_t fits = share * overhead_ns / (nanoseconds < 1 ? 1 : nanoseconds);
    if (fits < share) untimed_.store(15, memory_order::relaxed);
    const index_t now = limit_.load(memory_order::relaxed);
    const index_t more = now < 0 ? now + (fits < share ? 0 : 1) : 2 * now + 1;
    limit_.store(now >= 0 && fits < more ? fits : more, memory_order::relaxed);
  }
  /// Records that an inline launch took too long: the next 64 light launches still run on the
  /// workers.
  void learn_mistake() noexcept { limit_.store(-64, memory_order::relaxed); }

 private:
  atomic_word<index_t> limit_{0};    // if negative: this many light launches until it may grow
  atomic_word<index_t> untimed_{0};  // launches until the next timed one
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

/// The rule for n > 1 iterations or tiles. In order: HintHeavyWeight, the setting
/// HPK_INLINE_LAUNCHES, HintLightWeight, measurements.
template <unsigned Properties>
HPK_FORCEINLINE inline_rule find_inline_rule(index_t n) {
  if constexpr ((Properties & Experimental::WorkItemProperty::HintHeavyWeight.value) != 0) {
    return inline_rule::never;
  } else {
    const index_t asked = seam::inline_launches();
    if (asked != seam::inline_automatic)
      return n <= asked ? inline_rule::always : inline_rule::never;
    if constexpr ((Properties & Experimental::WorkItemProperty::HintLightWeight.value) != 0) {
      if (n <= longest_light) return inline_rule::always;
    }
    return n <= longest_timed ? inline_rule::measured : inline_rule::never;
  }
}

/// Decides whether one launch over n iterations or tiles runs inline, and measures its cost. Lives
/// on the stack of the launch.
class serial_cutoff {
 public:
  /// For a launch of a kernel F by a policy; on `groups` groups unless it runs inline.
  template <class Policy, class F>
  HPK_FORCEINLINE serial_cutoff(type_list<Policy, F>, index_t n, index_t groups) : groups_(groups) {
    if (groups <= 1) return;
    const inline_rule rule = find_inline_rule<Policy::work_item_property::value>(n);
    if (rule == inline_rule::always) groups_ = 1;
    // Not for plain functions: all of one signature would share a history.
    if constexpr (std::is_class_v<F>) {
      if (rule != inline_rule::measured) return;
      cost_history& history = history_of_kernel<Policy, F>;
      const bool allowed = history.allows(n);
      if (!allowed && !history.is_due()) return;
      history_ = &history;
      n_ = n;
      if (!allowed) return;
      groups_ = 1;
      ns_ = steady_nanoseconds();
    }
  }
  serial_cutoff(const serial_cutoff&) = delete;
  serial_cutoff& operator=(const serial_cutoff&) = delete;

  /// The number of groups to launch: 1 if the launch runs inline.
  index_t groups() const noexcept { return groups_; }
  /// The seam::shape of a launch of `groups` groups.
  seam::shape shape(index_t groups) noexcept {
    return {.groups = groups,
            .caller_elapsed_ns = history_ != nullptr && groups > 1 ? &ns_ : nullptr};
  }
  /// Call it after the launch, with the number of groups launched.
  HPK_FORCEINLINE void learn(index_t groups) noexcept {
    if (history_ == nullptr) return;
    if (groups_ == 1) {
      if (steady_nanoseconds() - ns_ > 2 * overhead_ns) history_->learn_mistake();
    } else if (ns_ != 0) {
      history_->learn_share(n_ / groups, ns_);
    }
  }

 private:
  index_t groups_;
  cost_history* history_ = nullptr;
  index_t n_ = 0;
  std::int64_t ns_ = 0;  // start of an inline launch, or elapsed time of a chunk; 0: unknown
};

}  // namespace hpk::detail
