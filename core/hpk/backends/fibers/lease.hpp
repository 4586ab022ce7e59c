// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stacks that a thread reuses for its groups: one set for each group in progress, since a lane
// may run a nested group. Inline, because every team takes a lease, and calls are slow compared
// with a switch of stacks. Only for .cpp files.
#pragma once

#include <hpk/backends/fibers/fiber.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace hpk::fibers {

/// Set when the stacks of the thread are destroyed: destructors of static objects may run groups
/// after that.
inline HPK_EXPORT constinit thread_local bool stacks_are_destroyed = false;

/// The stacks of one thread.
class thread_stacks {
 public:
  thread_stacks() = default;
  thread_stacks(const thread_stacks&) = delete;
  thread_stacks& operator=(const thread_stacks&) = delete;
  ~thread_stacks() { stacks_are_destroyed = true; }
  /// Returns the stacks of the calling thread.
  static thread_stacks& of_this_thread() {
    static thread_local thread_stacks stacks;
    return stacks;
  }
  fiber_group& take() {
    const in_turn now(turn_);
    if (taken_ == groups_.size()) groups_.push_back(std::make_unique<fiber_group>());
    return *groups_[taken_++];
  }
  void give_back() noexcept {
    const in_turn now(turn_);
    --taken_;
  }

 private:
  // Tells ThreadSanitizer that lanes run one after another on this thread; otherwise it would
  // consider them unordered.
  class in_turn {
   public:
    explicit in_turn(std::atomic<int>& turn) noexcept : turn_(turn) {
      turn_.load(std::memory_order_acquire);
    }
    ~in_turn() { turn_.store(0, std::memory_order_release); }
    in_turn(const in_turn&) = delete;
    in_turn& operator=(const in_turn&) = delete;

   private:
    std::atomic<int>& turn_;
  };

  std::vector<std::unique_ptr<fiber_group>> groups_;
  std::size_t taken_ = 0;
  std::atomic<int> turn_{0};
};

/// Borrows a set of the thread's stacks for the lifetime of the object. Makes a new set if the
/// thread's sets are destroyed.
class lease {
 public:
  lease()
      : own_(stacks_are_destroyed ? std::make_unique<fiber_group>() : nullptr),
        group_(own_ != nullptr ? *own_ : thread_stacks::of_this_thread().take()) {}
  ~lease() {
    if (own_ == nullptr) thread_stacks::of_this_thread().give_back();
  }
  lease(const lease&) = delete;
  lease& operator=(const lease&) = delete;
  fiber_group& group() const noexcept { return group_; }

 private:
  std::unique_ptr<fiber_group> own_;
  fiber_group& group_;
};

}  // namespace hpk::fibers
