// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stacks of fibres, and the message when one overflows. The pages below each stack are
// inaccessible. A fault there is an ordinary SIGSEGV. The handler here prints which lane of which
// kernel has overflowed its stack, then passes the signal on: core dump, debugger, exit status and
// the program's own handler work as without it. Sanitizers have such a handler, so builds with them
// install none. Internal to fibers/.
#pragma once

#include <hpk/backends/fibers/fiber.hpp>

#include <cstddef>
#include <utility>

namespace hpk::fibers {

/// The owner of stacks. The handler of a fault calls it, so it must be async-signal-safe.
class stack_owner {
 public:
  /// Returns the stack on which a lane runs and describes the lane; returns null if none runs.
  virtual const std::byte* running_stack(lane_place& place) const noexcept = 0;

 protected:
  ~stack_owner() = default;
};

struct stack_entry;

/// A mapping of several stacks. Movable; a moved-from object has no stacks.
class guarded_stacks {
 public:
  /// Maps `count` stacks of `bytes` bytes each. Gives the calling thread an alternative signal
  /// stack, on which the handler runs, unless it has a large one. Throws BadAlloc if no address
  /// space or mapping is left, and std::bad_alloc. Thread-safe.
  guarded_stacks(std::size_t count, std::size_t bytes, const stack_owner& owner);
  guarded_stacks(guarded_stacks&& other) noexcept
      : begin_(std::exchange(other.begin_, nullptr)),
        count_(other.count_),
        bytes_(other.bytes_),
        entry_(std::exchange(other.entry_, nullptr)) {}
  guarded_stacks& operator=(guarded_stacks&&) = delete;
  ~guarded_stacks();

  /// Returns the lowest byte of a stack.
  std::byte* operator[](std::size_t k) const noexcept;
  /// The memory of the stacks and of the guards between them.
  std::byte* begin() const noexcept;
  std::size_t size() const noexcept;

 private:
  std::byte* begin_ = nullptr;
  std::size_t count_;
  std::size_t bytes_;
  stack_entry* entry_ = nullptr;
};

}  // namespace hpk::fibers
