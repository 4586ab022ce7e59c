// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/process_fence.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/seam/slots.hpp>

#include <chrono>
#include <thread>

namespace hpk::seam {

namespace {

using detail::memory_order;

// Values of the first word of a slot. An owned slot holds the number of its owner in the upper half
// and an owner_state in the lower half. A locked slot holds the mark of the lane that locked it:
// the number of its thread in the upper half; in the lower half `locked`, `shared` if the slot can
// only be locked, and the number of the thread's search.
constexpr std::uint64_t unused = 0;       // free, can be owned or locked
constexpr std::uint64_t free_shared = 1;  // free, can be locked but not owned
enum owner_state : std::uint64_t {
  owned = 0,     // the thread owns the slot
  revoking = 1,  // another thread is revoking the slot
  revoked = 2,   // the former owner cannot take the slot any more, but may still hold it
};
constexpr std::uint64_t locked = slot_is_locked;
constexpr std::uint64_t shared = slot_was_shared;
constexpr std::uint64_t turns = shared - 1;

constexpr std::uint64_t thread_in(std::uint64_t value) noexcept { return value >> 32; }
constexpr bool is_locked(std::uint64_t owner_word) noexcept { return (owner_word & locked) != 0; }
constexpr bool is(std::uint64_t owner_word, owner_state what) noexcept {
  return thread_in(owner_word) != 0 && (owner_word & 0xffffffffu) == what;
}

std::uint64_t number_of_thread() noexcept {
  thread_of_slots& thread = slots_of_thread;
  std::uint64_t self = load_of_thread(thread.self);
  if (self == ~std::uint64_t{0}) {
    const std::uint32_t next = slot_threads.fetch_add(1, memory_order::relaxed) + 1;
    self = std::uint64_t{next} << 32;
    store_of_thread(thread.self, self);
    // Threads start their searches at different slots.
    store_of_thread(thread.last, std::int64_t{next & 0xffff});
  }
  return self;
}

// One search for a slot by one thread.
class search {
 public:
  explicit search(const slot_row& row) noexcept
      : row_(row), self_(number_of_thread()), owns_slots_(row.may_own && threads_own_slots()) {
    const std::uint32_t turn = load_of_thread(slots_of_thread.turn);
    store_of_thread(slots_of_thread.turn, turn + 1);
    lock_ = self_ | locked | (turn & turns);
    first_ = load_of_thread(slots_of_thread.last);
    if (first_ >= row.count) first_ %= row.count;
    // The thread still holds the slot that it owns, so it needs a second slot for a short time.
    is_second_ = load_slot_word(row.at(first_)) == self_;
  }

  // Looks at all slots once.
  held_slot look() noexcept {
    seen_ = 0;
    holds_all_ = true;
    for (std::int64_t tries = 0, k = first_; tries < row_.count; ++tries) {
      const held_slot taken = look_at(k);
      if (taken.row != nullptr) return taken;
      if (++k == row_.count) k = 0;
    }
    return {};
  }
  // Revokes an idle slot from its owner and locks it. Returns no slot if none is idle.
  held_slot revoke() noexcept {
    if (!owns_slots_) return {};
    for (std::int64_t tries = 0, k = first_; tries < row_.count; ++tries) {
      const held_slot taken = revoke(k);
      if (taken.row != nullptr) return taken;
      if (++k == row_.count) k = 0;
    }
    return {};
  }
  // Hash of the words of all slots. Differs from the previous look if a slot has been taken or
  // returned in between.
  std::uint64_t seen() const noexcept { return seen_; }
  bool holds_all() const noexcept { return holds_all_; }

 private:
  static bool exchange(std::uint64_t* at, std::uint64_t from, std::uint64_t to) noexcept {
    return detail::word_ref<std::uint64_t>(*at).compare_exchange(from, to, memory_order::acq_rel);
  }
  held_slot found(std::int64_t k, std::uint64_t mark) const noexcept {
    if (!is_second_) store_of_thread(slots_of_thread.last, k);
    return {row_.first, row_.at(k), mark};
  }

  held_slot look_at(std::int64_t k) noexcept {
    std::uint64_t* const at = row_.at(k);
    const std::uint64_t owner_word = load_slot_word(at);
    if (owner_word == unused || owner_word == free_shared) {
      if (owner_word == unused && owns_slots_ && !is_second_) {
        if (exchange(at, unused, self_)) {
          // The marks of different slots are far apart.
          store_slot_word(at + 1, first_mark(k));
          const held_slot taken = take_owned(k);
          if (taken.row != nullptr) return taken;
        }
      } else {
        const held_slot taken =
            lock(k, owner_word, owner_word == free_shared ? lock_ | shared : lock_);
        if (taken.row != nullptr) return taken;
      }
      holds_all_ = false;
      return {};
    }
    if (!is_locked(owner_word)) {
      const std::uint64_t mark = load_slot_word(at + 1);
      seen_ = seen_ * 31 + mark;
      if (mark % 2 == 0) {
        const held_slot taken = owner_word == self_       ? take_owned(k)
                                : is(owner_word, revoked) ? lock(k, owner_word, lock_ | shared)
                                                          : held_slot();
        if (taken.row != nullptr) return taken;
        holds_all_ = false;
      }
    }
    holds_all_ = holds_all_ && thread_in(owner_word) == thread_in(self_);
    seen_ = seen_ * 31 + owner_word;
    return {};
  }
  // The initial second word: even, at least 2^62, and far from the marks of other slots.
  std::uint64_t first_mark(std::int64_t k) const noexcept {
    constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
    std::uint64_t mixed = (reinterpret_cast<std::uintptr_t>(row_.at(k)) ^ lock_) * step;
    mixed = (mixed ^ mixed >> 32) * step;
    return (mixed >> 2 | std::uint64_t{1} << 62) & ~std::uint64_t{1};
  }
  held_slot take_owned(std::int64_t k) const noexcept {
    store_of_thread(slots_of_thread.last, k);
    held_slot taken;
    take_owned_slot(row_, taken);
    return taken;
  }
  held_slot lock(std::int64_t k, std::uint64_t owner_word, std::uint64_t mark) const noexcept {
    return exchange(row_.at(k), owner_word, mark) ? found(k, mark) : held_slot();
  }

  held_slot revoke(std::int64_t k) const noexcept {
    std::uint64_t* const at = row_.at(k);
    const std::uint64_t owner_word = load_slot_word(at);
    if (is_locked(owner_word) || !is(owner_word, owned) || load_slot_word(at + 1) % 2 != 0)
      return {};
    if (!exchange(at, owner_word, owner_word | revoking)) return {};
    if (!detail::fence_process()) {
      exchange(at, owner_word | revoking, owner_word);
      return {};
    }
    // From here on the owner either holds the slot, so that its second word is odd, or has seen
    // that it has lost the slot.
    exchange(at, owner_word | revoking, owner_word | revoked);
    return load_slot_word(at + 1) % 2 == 0 ? lock(k, owner_word | revoked, lock_ | shared)
                                           : held_slot();
  }

  const slot_row& row_;
  std::uint64_t self_;
  std::uint64_t lock_;
  std::int64_t first_;
  bool owns_slots_;
  bool is_second_;
  std::uint64_t seen_ = 0;
  bool holds_all_ = false;
};

}  // namespace

bool threads_own_slots() noexcept { return detail::can_fence_process(); }

held_slot take_any_slot(const slot_row& row, int patience, slot_failure& failure) {
  using clock = std::chrono::steady_clock;
  constexpr int rounds_awake = 1000;
  search by(row);
  held_slot taken = by.look();
  if (taken.row != nullptr) return taken;
  clock::time_point since = clock::now();
  for (int round = 0;; ++round) {
    taken = by.revoke();
    if (taken.row != nullptr) return taken;
    failure = by.holds_all()                                          ? slot_failure::holds_all
              : clock::now() - since > std::chrono::seconds(patience) ? slot_failure::waited
                                                                      : slot_failure::none;
    if (failure != slot_failure::none) return {};
    if (round < rounds_awake) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    const std::uint64_t before = by.seen();
    taken = by.look();
    if (taken.row != nullptr) return taken;
    if (by.seen() != before) since = clock::now();
  }
}

}  // namespace hpk::seam
