// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose turn it is on an instance. Work that several host threads give one instance (launches,
// copies, fills) never overlaps: each takes its turn, first come, first served (R6). A thread holds
// one turn at most, and one that runs a kernel takes none, so that nobody waits in a circle.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/seam/abilities.hpp>
#include <hpk/seam/launch.hpp>

#include <cstdint>

namespace hpk::seam {

/// What the calling thread does for instances.
enum class occupation : unsigned char {
  none,
  submits,  ///< holds the turn of one
  works     ///< runs its part of a launch, or of the queue of an instance
};
/// Changed by `turn` and `working_scope` only.
inline constinit thread_local occupation occupation_of_thread = occupation::none;
/// Reads it.
inline occupation load_occupation() noexcept { return load_of_thread(occupation_of_thread); }
/// Sets it.
inline void store_occupation(occupation now) noexcept {
  store_of_thread(occupation_of_thread, now);
}

/// The line in which host threads wait for an instance. Thread-safe.
class turn_queue {
 public:
  /// Waits for the caller's turn.
  HPK_FORCEINLINE void take() noexcept {
    if (detail::is_only_thread()) {
      next_.store(next_.load(detail::memory_order::relaxed) + 1, detail::memory_order::relaxed);
      return;
    }
    const std::uint32_t mine = next_.fetch_add(1, detail::memory_order::seq_cst);
    if (serving_.load(detail::memory_order::seq_cst) != mine) wait_for(mine);
  }
  /// Ends it: the turn of who came next.
  HPK_FORCEINLINE void give() noexcept {
    const std::uint32_t following = serving_.load(detail::memory_order::relaxed) + 1;
    if (detail::is_only_thread()) {
      serving_.store(following, detail::memory_order::relaxed);
      return;
    }
    serving_.exchange(following, detail::memory_order::seq_cst);
    if (next_.load(detail::memory_order::seq_cst) != following) wake();
  }
  /// Whether all who came have had their turn.
  bool is_free() const noexcept {
    return serving_.load(detail::memory_order::acquire) ==
           next_.load(detail::memory_order::relaxed);
  }
  /// The number of who comes next.
  std::uint32_t next() const noexcept { return next_.load(detail::memory_order::acquire); }
  /// Whether all who came before that one have had their turn.
  bool is_past(std::uint32_t number) const noexcept {
    return static_cast<std::int32_t>(serving_.load(detail::memory_order::acquire) - number) >= 0;
  }

 private:
  void wait_for(std::uint32_t mine) noexcept;
  static void wake() noexcept;

  detail::atomic_word<std::uint32_t> next_{0};
  detail::atomic_word<std::uint32_t> serving_{0};
};

/// Holds the turn of a machine for the lifetime of the object, unless the thread holds one already
/// or runs a kernel: what is nested belongs to what it is nested in. Machines without `turns` have
/// no order to keep. Patterns of several launches, copies and fills take it around all of them.
class turn {
 public:
  template <class Machine>
  HPK_FORCEINLINE explicit turn([[maybe_unused]] Machine& machine) noexcept {
    if constexpr (has_turns<Machine>) {
      if (load_occupation() != occupation::none) return;
      queue_ = &machine.turns;
      queue_->take();
      store_occupation(occupation::submits);
    }
  }
  HPK_FORCEINLINE ~turn() {
    if (queue_ == nullptr) return;
    store_occupation(occupation::none);
    queue_->give();
  }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;

 private:
  turn_queue* queue_ = nullptr;
};

/// Marks the calling thread as one that works, for the lifetime of the object.
class working_scope {
 public:
  working_scope() noexcept : outer_(load_occupation()) { store_occupation(occupation::works); }
  ~working_scope() { store_occupation(outer_); }
  working_scope(const working_scope&) = delete;
  working_scope& operator=(const working_scope&) = delete;

 private:
  occupation outer_;
};

/// Whether what the calling thread launches is nested in a kernel, that runs it inline.
inline bool is_nested() noexcept {
  return load_occupation() == occupation::works || inside_kernel();
}

}  // namespace hpk::seam
