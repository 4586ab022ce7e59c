// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/parallel/inline_launch.hpp>

#include <hpk/base/timer.hpp>
#include <hpk/seam/settings.hpp>

namespace hpk::detail {

void cost_history::learn_workers(index_t share, std::int64_t own, std::int64_t total,
                                 std::int64_t break_even) noexcept {
  const std::int64_t before = on_workers_.load(memory_order::relaxed);
  on_workers_.store(before == 0 ? total : (3 * before + total) / 4, memory_order::relaxed);
  const index_t fits = share * break_even / (own < 1 ? 1 : own);
  if (fits < share) untimed_.store(short_period - 1, memory_order::relaxed);
  const index_t now = limit_.load(memory_order::relaxed);
  const index_t more = now < 0 ? now + (fits < share ? 0 : 1) : 2 * now + 1;
  limit_.store(now >= 0 && fits < more ? fits : more, memory_order::relaxed);
}

bool cost_history::wants_trial(index_t n) noexcept {
  constexpr index_t most_break_evens = 4;
  constexpr index_t trial_period = 256;
  const index_t limit = limit_.load(memory_order::relaxed);
  if (limit <= 0 || (n - 1) / most_break_evens >= limit) return false;
  const index_t left = until_trial_.load(memory_order::relaxed);
  until_trial_.store(left == 0 ? trial_period - 1 : left - 1, memory_order::relaxed);
  return left == 0;
}

void cost_history::learn_inline(std::int64_t nanoseconds, std::int64_t break_even) noexcept {
  const index_t proofs = proofs_.load(memory_order::relaxed);
  if (2 * nanoseconds > 3 * longest_inline(break_even)) {
    limit_.store(-proofs_needed, memory_order::relaxed);
    proofs_.store(0, memory_order::relaxed);
    return;
  }
  if (proofs < 2 * proofs_needed) proofs_.store(proofs + 1, memory_order::relaxed);
  if (proofs < proofs_needed) return;
  const index_t period = proofs < 2 * proofs_needed ? short_period : long_period;
  untimed_.store(period - 1, memory_order::relaxed);
}

inline_rule find_inline_rule(unsigned properties, index_t n) {
  using hint = Experimental::WorkItemProperty;
  if ((properties & hint::HintHeavyWeight.value) != 0) return inline_rule::never;
  const index_t asked = seam::inline_launches();
  if (asked != seam::inline_automatic) return n <= asked ? inline_rule::always : inline_rule::never;
  if ((properties & hint::HintLightWeight.value) != 0 && n <= longest_light)
    return inline_rule::always;
  return n <= longest_measured ? inline_rule::measured : inline_rule::never;
}

bool serial_cutoff::decide(const inline_facts& facts, index_t cost) noexcept {
  const inline_rule rule = find_inline_rule(facts.properties, n_);
  const index_t groups = groups_;
  if (rule == inline_rule::always) groups_ = 1;
  if (rule != inline_rule::measured || facts.history == nullptr) return true;
  cost_history& history = *facts.history;
  if (history.allows(n_)) groups_ = 1;
  if (history.is_due()) {
    history_ = &history;
    break_even_ = cost * break_even_ns(groups);
    if (groups_ > 1 && history.wants_trial(n_)) {
      is_trial_ = true;
      groups_ = 1;
    }
    start_ = steady_nanoseconds();
  }
  return !history.allows((n_ - 1) / cost_of_waking + 1);
}

void serial_cutoff::record(index_t groups) noexcept {
  const std::int64_t elapsed = steady_nanoseconds() - start_;
  if (is_trial_) {
    history_->learn_trial(n_, elapsed, break_even_);
  } else if (groups_ == 1) {
    history_->learn_inline(elapsed, break_even_);
  } else if (own_ns_ != 0) {
    history_->learn_workers(n_ / groups, own_ns_, elapsed, break_even_);
  }
}

}  // namespace hpk::detail
