// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/parallel/kernel/inline_launch.hpp>

#include <hpk/base/timer.hpp>
#include <hpk/seam/settings.hpp>

namespace hpk::detail {

void cost_history::learn_workers(const shared_launch& launch, std::int64_t break_even) noexcept {
  std::int64_t total = launch.total;
  if (shared_n_.load(memory_order::relaxed) == launch.n) {
    const std::int64_t before = shared_.load(memory_order::relaxed);
    if (total > before) total = before + (total - before) / 8;
  } else {
    shared_n_.store(launch.n, memory_order::relaxed);
  }
  shared_.store(total, memory_order::relaxed);
  const index_t share = launch.share;
  const index_t fits = share * break_even / (launch.own < 1 ? 1 : launch.own);
  const bool trial_is_near = until_trial_.load(memory_order::relaxed) <= first_trial &&
                             (launch.n - 1) / most_break_evens < fits;
  if (fits < share && !trial_is_near) untimed_.store(short_period - 1, memory_order::relaxed);
  const index_t now = limit_.load(memory_order::relaxed);
  const index_t more = now < 0 ? now + (fits < share ? 0 : 1) : 2 * now + 1;
  limit_.store(now >= 0 && fits < more ? fits : more, memory_order::relaxed);
}

bool cost_history::wants_trial(index_t n) noexcept {
  const index_t limit = limit_.load(memory_order::relaxed);
  if (limit <= 0 || (n - 1) / most_break_evens >= limit) return false;
  const index_t left = until_trial_.load(memory_order::relaxed);
  until_trial_.store(left == 0 ? trial_period - 1 : left - 1, memory_order::relaxed);
  return left == 0;
}

std::int64_t cost_history::longest_inline(index_t n, std::int64_t break_even) const noexcept {
  if (shared_n_.load(memory_order::relaxed) != n) return break_even;
  const std::int64_t shared = shared_.load(memory_order::relaxed);
  if (shared < break_even) return break_even;
  return shared < 2 * break_even ? shared : 2 * break_even;
}

void cost_history::learn_trial(index_t n, std::int64_t nanoseconds,
                               std::int64_t break_even) noexcept {
  if (nanoseconds > longest_inline(n, break_even)) return;
  limit_.store(n, memory_order::relaxed);
  const index_t stay = next_stay_.load(memory_order::relaxed);
  until_return_.store(stay, memory_order::relaxed);
  if (stay < longest_stay) next_stay_.store(2 * stay, memory_order::relaxed);
}

void cost_history::learn_inline(index_t n, std::int64_t nanoseconds,
                                std::int64_t break_even) noexcept {
  const index_t proofs = proofs_.load(memory_order::relaxed);
  if (2 * nanoseconds > 3 * longest_inline(n, break_even)) {
    if (proofs < 0) limit_.store(-proofs_needed, memory_order::relaxed);
    proofs_.store(proofs < 0 ? 0 : -probation, memory_order::relaxed);
    return;
  }
  if (nanoseconds > break_even) {
    const index_t left = until_return_.load(memory_order::relaxed);
    if (left > 0) {
      until_return_.store(left - 1, memory_order::relaxed);
    } else {
      until_trial_.store(first_trial, memory_order::relaxed);
      limit_.store(n * break_even / nanoseconds, memory_order::relaxed);
    }
  }
  if (proofs < 2 * proofs_needed) proofs_.store(proofs + 1, memory_order::relaxed);
  if (proofs < proofs_needed) return;
  const index_t period = proofs < 2 * proofs_needed ? short_period : long_period;
  untimed_.store(period - 1, memory_order::relaxed);
}

inline_rule find_inline_rule(unsigned properties, index_t n) {
  using hint = Experimental::WorkItemProperty;
  if ((properties & hint::HintHeavyWeight.value) != 0) return inline_rule::never;
  const index_t setting = seam::inline_launches();
  if (setting != seam::inline_automatic)
    return n <= setting ? inline_rule::always : inline_rule::never;
  if ((properties & hint::HintLightWeight.value) != 0 && n <= longest_light)
    return inline_rule::always;
  return n <= longest_measured ? inline_rule::measured : inline_rule::never;
}

bool serial_cutoff::decide(const inline_facts& facts, index_t n) noexcept {
  const inline_rule rule = find_inline_rule(facts.properties, n);
  const index_t groups = groups_;
  if (rule == inline_rule::always) groups_ = 1;
  if (rule != inline_rule::measured || facts.history == nullptr) return true;
  cost_history& history = *facts.history;
  if (history.allows(n)) groups_ = 1;
  if (history.is_due()) {
    timed_.is_inline = groups_ == 1;
    if (groups_ > 1 && history.wants_trial(n)) {
      timed_.is_trial = true;
      groups_ = 1;
    }
    timed_.history = &history;
    timed_.n = n;
    timed_.break_even = break_even_ns(groups);
    timed_.start = steady_nanoseconds();
  }
  return !history.allows((n - 1) / most_break_evens + 1);
}

void serial_cutoff::record(timed_launch launch, index_t groups) noexcept {
  const std::int64_t elapsed = steady_nanoseconds() - launch.start;
  if (launch.is_trial) {
    launch.history->learn_trial(launch.n, elapsed, launch.break_even);
  } else if (launch.is_inline) {
    launch.history->learn_inline(launch.n, elapsed, launch.break_even);
  } else if (launch.own_ns != 0) {
    const index_t share = launch.n / groups;
    launch.history->learn_workers(
        {.n = launch.n, .share = share, .own = launch.own_ns, .total = elapsed}, launch.break_even);
  }
}

}  // namespace hpk::detail
