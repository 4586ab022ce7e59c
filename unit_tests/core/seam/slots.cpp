// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slots: a thread keeps the slot that it took, other threads take idle slots away if none is free,
// and no slot has two holders at a time.
#include <hpk/seam/slots.hpp>

#include <support/test.hpp>
#include <support/wait.hpp>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace seam_slots_test {
namespace {

using hpk::seam::held_slot;
using hpk::seam::slot_failure;
using hpk::seam::slot_row;

// A row of slots: of two words, which threads may own, or of one word. Tests take slots as
// RandomPool does.
class slots {
 public:
  explicit slots(int count, int words = 2)
      : words_(static_cast<std::size_t>(count * 8)), row_{words_.data(), count, 8, words == 2} {}
  const slot_row& row() const { return row_; }

  held_slot take(int patience = 60) const {
    held_slot taken;
    if (row_.may_own && hpk::seam::take_owned_slot(row_, taken)) return taken;
    failure = slot_failure::none;
    return hpk::seam::take_any_slot(row_, patience, failure);
  }
  // Returns the slot as RandomPool does. False if no thread holds it under this mark.
  bool give(const held_slot& slot) const {
    if (row_.may_own && hpk::seam::is_held_by_owner(slot)) {
      hpk::seam::return_owned_slot(slot);
      return true;
    }
    if (!hpk::seam::is_held_by_lock(slot)) return false;
    hpk::seam::return_locked_slot(slot);
    return true;
  }
  // Whether this thread owns a slot and takes it again without a lock.
  bool keeps() const {
    held_slot taken;
    if (!hpk::seam::take_owned_slot(row_, taken)) return false;
    give(taken);
    return true;
  }
  std::size_t index(const held_slot& slot) const {
    return static_cast<std::size_t>((slot.at - slot.row) / row_.stride);
  }
  static thread_local slot_failure failure;

 private:
  mutable std::vector<std::uint64_t> words_;
  slot_row row_;
};
thread_local slot_failure slots::failure = slot_failure::none;

TEST(Slots, a_thread_finds_its_slot_again) {
  const slots some(5);
  const held_slot first = some.take();
  ASSERT_EQ(first.row, some.row().first);
  EXPECT_TRUE(some.give(first));
  EXPECT_FALSE(some.give(first)) << "given back twice";
  EXPECT_EQ(some.keeps(), hpk::seam::threads_own_slots());
  const held_slot again = some.take();
  EXPECT_EQ(again.at, first.at);
  EXPECT_NE(again.mark, first.mark);
  EXPECT_FALSE(some.give(first)) << "held by somebody else";
  EXPECT_TRUE(some.give(again));
}

TEST(Slots, a_thread_that_holds_one_takes_others) {
  for (const int words : {1, 2}) {
    const slots some(3, words);
    for (int round = 0; round < 3; ++round) {
      std::vector<held_slot> held;
      for (int k = 0; k < 3; ++k) {
        held.push_back(some.take());
        ASSERT_NE(held.back().row, nullptr);
        for (int other = 0; other < k; ++other)
          EXPECT_NE(held[static_cast<std::size_t>(other)].at, held.back().at);
      }
      EXPECT_EQ(some.take().row, nullptr);
      EXPECT_EQ(slots::failure, slot_failure::holds_all);
      for (const held_slot& slot : held) EXPECT_TRUE(some.give(slot));
    }
    EXPECT_EQ(some.row().may_own && some.keeps(), words == 2 && hpk::seam::threads_own_slots());
  }
}

TEST(Slots, are_given_back_by_their_number) {
  for (const int words : {1, 2}) {
    const slots some(2, words);
    EXPECT_FALSE(hpk::seam::return_slot(some.row(), 0));
    const held_slot a = some.take();
    const held_slot b = some.take();
    for (const held_slot& slot : {a, b}) {
      const auto k = static_cast<std::int64_t>(some.index(slot));
      EXPECT_TRUE(hpk::seam::return_slot(some.row(), k));
      EXPECT_FALSE(hpk::seam::return_slot(some.row(), k));
    }
  }
}

TEST(Slots, idle_ones_are_taken_away_from_their_threads) {
  const slots some(1);
  some.give(some.take());
  std::thread([&] {
    const held_slot taken = some.take();
    EXPECT_NE(taken.row, nullptr);
    some.give(taken);
    EXPECT_FALSE(some.keeps()) << "kept a second time";
  }).join();
  EXPECT_FALSE(some.keeps());
  // Afterwards everything works with locks.
  for (int round = 0; round < 3; ++round) EXPECT_TRUE(some.give(some.take()));
  EXPECT_FALSE(some.keeps());
}

TEST(Slots, held_ones_are_not_taken_away) {
  const slots some(1);
  const held_slot held = some.take();
  std::atomic<bool> has_tried = false;
  std::atomic<bool> has = false;
  std::thread other([&] {
    EXPECT_EQ(some.take(0).row, nullptr);
    EXPECT_EQ(slots::failure, slot_failure::waited);
    has_tried = true;
    const held_slot taken = some.take();
    has = true;
    some.give(taken);
  });
  while (!has_tried) std::this_thread::yield();
  hpk_test::let_others_run();
  EXPECT_FALSE(has);
  EXPECT_TRUE(some.give(held));
  other.join();
  EXPECT_TRUE(has);
  EXPECT_TRUE(some.give(some.take()));
}

TEST(Slots, of_threads_that_ended_are_found_by_others) {
  const slots some(3);
  for (int round = 0; round < 20; ++round)
    std::thread([&] { EXPECT_TRUE(some.give(some.take())); }).join();
}

// The thread uses the rows in turn and owns a slot of each.
TEST(Slots, of_several_rows_are_kept) {
  const slots one(4);
  const slots other(7);
  const slots small(1);
  for (int round = 0; round < 3; ++round) {
    for (const slots* some : {&one, &other, &small}) {
      const held_slot taken = some->take();
      ASSERT_NE(taken.row, nullptr);
      EXPECT_TRUE(some->give(taken));
      EXPECT_EQ(some->keeps(), hpk::seam::threads_own_slots());
    }
  }
}

// Threads take one or two slots at a time from a small row. Each counts in plain words of the slot,
// which detects two holders of one slot.
void expect_exclusive(const slots& some, int threads, int rounds) {
  const auto count = static_cast<std::size_t>(some.row().count);
  std::vector<std::atomic<int>> holders(count);
  std::vector<long> visits(count);
  std::atomic<int> wrong = 0;
  std::atomic<int> ready = 0;
  const auto visit = [&](const held_slot& slot) {
    const std::size_t k = some.index(slot);
    if (holders[k].exchange(1) != 0) ++wrong;
    ++visits[k];
  };
  const auto leave = [&](const held_slot& slot) {
    if (holders[some.index(slot)].exchange(0) != 1) ++wrong;
    if (!some.give(slot)) ++wrong;
  };
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      ++ready;
      while (ready < threads) std::this_thread::yield();
      for (int round = 0; round < rounds; ++round) {
        const held_slot slot = some.take();
        visit(slot);
        // Only one thread takes two slots. Otherwise all threads could wait for a second one.
        if (t == 0 && round % 3 == 0) {
          const held_slot second = some.take();
          visit(second);
          leave(second);
        }
        leave(slot);
      }
    });
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(wrong, 0);
  long sum = 0;
  for (const long n : visits) sum += n;
  EXPECT_EQ(sum, static_cast<long>(threads) * rounds + (rounds + 2) / 3);
}
TEST(Slots, are_held_by_one_at_a_time) {
  for (const int words : {1, 2}) {
    expect_exclusive(slots(5, words), 4, 3000);  // enough slots: every thread keeps its own
    expect_exclusive(slots(2, words), 4, 3000);
    expect_exclusive(slots(7, words), 16, 500);
  }
}

// A slot changes from owned to locked only once, so the test uses many rows.
TEST(Slots, are_held_by_one_while_they_are_taken_away) {
  constexpr int rows = 300;
  for (int k = 0; k < rows; ++k) expect_exclusive(slots(2), 3, 20);
}

}  // namespace
}  // namespace seam_slots_test
