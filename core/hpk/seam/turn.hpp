// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns serialise the use of an instance: the launches, copies and fills that several host threads
// submit to one instance never overlap and are served first come, first served (rule "one instance,
// one launch at a time"). A thread holds at most one turn, and a thread that runs a kernel takes no
// turn, so there is no deadlock.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/seam/abilities.hpp>
#include <hpk/seam/launch.hpp>

#include <cstdint>

namespace hpk::seam {

/// Pauses between two polls of a condition: yields in early rounds, sleeps in later ones. `round`
/// is the number of earlier pauses.
void pause_between_polls(int round) noexcept;

/// The role of the calling thread for an instance.
enum class occupation : unsigned char {
  none,
  submits,  ///< holds the turn of an instance
  works     ///< runs part of a launch, or of an instance's queue
};
/// Set by `turn` and `working_scope` only.
extern HPK_EXPORT constinit thread_local occupation occupation_of_thread;
/// Reads occupation_of_thread.
inline occupation load_occupation() noexcept { return load_of_thread(occupation_of_thread); }
/// Sets occupation_of_thread.
inline void store_occupation(occupation now) noexcept {
  store_of_thread(occupation_of_thread, now);
}

/// A ticket lock for the host threads that use an instance. Thread-safe.
class turn_queue {
 public:
  turn_queue();
  turn_queue(const turn_queue&) = delete;
  turn_queue& operator=(const turn_queue&) = delete;
  /// After the destruction all marks of the queue's turns are past.
  ~turn_queue();
  /// Waits for the caller's turn.
  HPK_FORCEINLINE void take() noexcept {
    if (detail::is_only_thread()) {
      next_.store(next_.load(detail::memory_order::relaxed) + 1, detail::memory_order::relaxed);
      return;
    }
    const std::uint64_t ticket = next_.fetch_add(1, detail::memory_order::seq_cst);
    if (serving_.load(detail::memory_order::seq_cst) != ticket) wait_for(ticket);
  }
  /// Ends the turn and starts the turn of the next waiting thread.
  HPK_FORCEINLINE void give() noexcept {
    const std::uint64_t following = serving_.load(detail::memory_order::relaxed) + 1;
    if (detail::is_only_thread()) {
      serving_.store(following, detail::memory_order::relaxed);
      return;
    }
    serving_.exchange(following, detail::memory_order::seq_cst);
    if (next_.load(detail::memory_order::seq_cst) != following) wake();
  }
  /// Whether no thread holds or awaits a turn.
  bool is_free() const noexcept {
    return serving_.load(detail::memory_order::acquire) ==
           next_.load(detail::memory_order::relaxed);
  }
  /// The ticket number of the next thread that calls take().
  std::uint64_t next() const noexcept { return next_.load(detail::memory_order::acquire); }
  /// Whether all turns with smaller ticket numbers have ended.
  bool is_past(std::uint64_t number) const noexcept {
    return serving_.load(detail::memory_order::acquire) >= number;
  }

  /// Ends the turns of all other threads, in the child of a fork(). The calling thread keeps its
  /// turn if it holds one.
  void end_turns_of_others() noexcept;

 private:
  void wait_for(std::uint64_t ticket) noexcept;
  static void wake() noexcept;

  // 64 bits never wrap around, so a mark stays valid after any number of turns.
  detail::atomic_word<std::uint64_t> next_{0};
  detail::atomic_word<std::uint64_t> serving_{0};
};

/// Marks all turns that threads have already taken in a queue. May outlive the queue. Thread-safe.
class turn_mark {
 public:
  explicit turn_mark(turn_queue& queue);
  ~turn_mark();
  turn_mark(const turn_mark&) = delete;
  turn_mark& operator=(const turn_mark&) = delete;
  /// Whether all these turns have ended.
  bool is_past() const noexcept;
  /// Waits until all these turns have ended. Polls, because such waits are rare.
  void wait() const noexcept;

 private:
  friend class turn_queue;
  turn_queue* queue_;  // null after the queue's destruction
  const std::uint64_t number_;
};

/// Takes a turn, unless the thread already has an occupation. Returns the queue, or null if no turn
/// was taken. Not inline, for `turn` with Inline == false.
turn_queue* enter(turn_queue& queue) noexcept;
/// Ends the turn that enter() took.
void leave(turn_queue& queue) noexcept;

/// Holds the turn of a machine for the lifetime of the object. Takes no turn if the machine has no
/// `turns`, or if the thread already holds a turn or runs a kernel, because nested work belongs to
/// the enclosing work. Patterns that consist of several launches, copies and fills hold one turn
/// around all of them. If `Inline` is false, it calls enter() and leave() to keep the code small
/// that is compiled for each kernel.
template <class Machine, bool Inline = !erases_bodies<Machine>>
class turn {
 public:
  HPK_FORCEINLINE explicit turn([[maybe_unused]] Machine& machine) noexcept {
    if constexpr (!Inline) {
      queue_ = enter(machine.turns);
    } else if constexpr (has_turns<Machine>) {
      if (load_occupation() != occupation::none) return;
      queue_ = &machine.turns;
      queue_->take();
      store_occupation(occupation::submits);
    }
  }
  HPK_FORCEINLINE ~turn() {
    if (queue_ == nullptr) return;
    if constexpr (!Inline) {
      leave(*queue_);
    } else {
      store_occupation(occupation::none);
      queue_->give();
    }
  }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;

 private:
  turn_queue* queue_ = nullptr;
};

/// Marks the calling thread as running part of a launch or queue, for the lifetime of the object.
class working_scope {
 public:
  working_scope() noexcept : outer_(load_occupation()) { store_occupation(occupation::works); }
  ~working_scope() { store_occupation(outer_); }
  working_scope(const working_scope&) = delete;
  working_scope& operator=(const working_scope&) = delete;

 private:
  occupation outer_;
};

/// Whether the calling thread runs a kernel, so that its launches are nested and run inline.
inline bool is_nested() noexcept {
  return load_occupation() == occupation::works || inside_kernel();
}

}  // namespace hpk::seam
