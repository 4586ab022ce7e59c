// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches of host spaces run inline: on the calling thread alone, because their work takes
// less time than to wake workers up for it. How long an iteration takes is not known from outside,
// so it is measured: a kernel runs on the workers at first, as if there were no such rule, and the
// calling thread times its own share. A launch that would be done soon at that rate runs inline
// from then on, and is timed too; one that took longer than expected sends its kernel back to the
// workers. So few heavy iterations always run in parallel, but for a launch that is heavier than
// those timed before it, and that costs less than a launch would take twice. Results have the same
// bits either way (R7).
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/timer.hpp>
#include <hpk/parallel/property.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/seam/machine.hpp>

namespace hpk::detail {

/// Longer ranges are not asked about: iterations of a tenth of a nanosecond, the fastest there are,
/// take longer than a launch.
inline constexpr index_t longest_timed = 8192;
/// Up to so many iterations of HintLightWeight run inline unmeasured: at half a nanosecond each,
/// about what a launch takes.
inline constexpr index_t longest_light = 1024;

/// What launches of a kernel have shown so far. Any thread; what a launch learns may get lost when
/// another one learns at the same time.
class launch_memory {
 public:
  /// Whether n iterations are expected to be done soon.
  bool allows(index_t n) const noexcept { return n <= limit_.load(memory_order::relaxed); }
  /// Whether a launch on the workers shall be timed: of heavy ones every 16th, since the clock
  /// takes 45 ns.
  bool is_due() noexcept {
    const index_t untimed = untimed_.load(memory_order::relaxed);
    if (untimed == 0) return true;
    untimed_.store(untimed - 1, memory_order::relaxed);
    return false;
  }
  /// The calling thread's share of a launch on the workers took so long; a launch is worth the time
  /// of `worth` nanoseconds. Trust in light iterations grows from launch to launch, to twice as
  /// many at once; trust that was wrong is lost at once.
  void learn_share(index_t share, std::int64_t nanoseconds, std::int64_t worth) noexcept;
  /// A launch that ran inline took much longer than expected. Each time it takes more light
  /// launches until the kernel is trusted again, up to 64, so that kernels that are light and heavy
  /// in turn mostly stay with the workers; no more, since on a busy machine the thread may just
  /// have been interrupted.
  void learn_mistake() noexcept;

 private:
  atomic_word<index_t> limit_{0};  // below zero: so many light launches until trust begins to grow
  atomic_word<index_t> penalty_{0};
  atomic_word<index_t> untimed_{0};  // launches until the next that is timed
};

/// Of each kernel of each policy.
template <class Policy, class F>
inline constinit launch_memory memory_of_kernel{};

/// How a launch of a host space is run.
enum class inline_rule {
  never,    ///< by workers
  always,   ///< by the calling thread
  measured  ///< as its launch_memory says
};

/// The rule for n > 1 pieces of work: properties first, then the settings, then what is measured.
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

/// One launch over n pieces of work: whether it runs inline, and what is learnt from it. Lives on
/// the stack of the launch.
class launch_gauge {
 public:
  /// For a launch of `groups` groups of Policy's space.
  template <class Policy, class F, class Machine>
  HPK_FORCEINLINE launch_gauge(type_list<Policy, F>, const Machine& machine, index_t n,
                               index_t groups)
      : groups_(groups) {
    if (groups <= 1) return;
    const inline_rule rule = find_inline_rule<Policy::work_item_property::value>(n);
    if (rule == inline_rule::always) groups_ = 1;
    // Plain functions share their type, and so would what is remembered of one.
    if constexpr (std::is_class_v<F>) {
      if (rule != inline_rule::measured) return;
      const std::int64_t worth = machine.properties().launch_nanoseconds;
      if (worth == 0) return;
      launch_memory& memory = memory_of_kernel<Policy, F>;
      const bool allowed = memory.allows(n);
      if (!allowed && !memory.is_due()) return;
      memory_ = &memory;
      worth_ = worth;
      n_ = n;
      if (!allowed) return;
      groups_ = 1;
      nanoseconds_ = steady_nanoseconds();
    }
  }
  launch_gauge(const launch_gauge&) = delete;
  launch_gauge& operator=(const launch_gauge&) = delete;

  /// How many groups to launch.
  index_t groups() const noexcept { return groups_; }
  /// The shape of a launch of so many.
  seam::shape shape(index_t groups) noexcept {
    return {.groups = groups,
            .own_nanoseconds = memory_ != nullptr && groups > 1 ? &nanoseconds_ : nullptr};
  }
  /// After a launch of so many groups.
  HPK_FORCEINLINE void learn(index_t groups) noexcept {
    if (memory_ == nullptr) return;
    if (groups_ == 1) {
      if (steady_nanoseconds() - nanoseconds_ > 2 * worth_) memory_->learn_mistake();
    } else if (nanoseconds_ != 0) {
      memory_->learn_share(n_ / groups, nanoseconds_, worth_);
    }
  }

 private:
  index_t groups_;
  launch_memory* memory_ = nullptr;
  std::int64_t worth_ = 0;
  index_t n_ = 0;
  std::int64_t nanoseconds_ = 0;  // when an inline launch began; how long a share took; 0: unknown
};

}  // namespace hpk::detail
