// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stacks of fibres, and what happens when one overflows. Below each stack lie pages that cannot
// be accessed. A fault there is a SIGSEGV like any other; the handler here says which lane of which
// kernel it was, then lets the signal take its course: core dump, debugger, exit status and the
// program's own handler are as without it. Sanitizers have such a handler, so builds with them
// install none. Internal to fibers/.
#pragma once

#include <hpk/backends/fibers/fiber.hpp>

#include <cstddef>
#include <utility>

namespace hpk::fibers {

/// Whose stacks they are. Asked by the handler of a fault, so async-signal-safe.
class stack_owner {
 public:
  /// The stack on which a lane runs, or null; if so, describes the lane.
  virtual const std::byte* running_stack(lane_place& place) const noexcept = 0;

 protected:
  ~stack_owner() = default;
};

struct stack_entry;

/// A mapping of several stacks. Movable; a moved-from one has none.
class guarded_stacks {
 public:
  /// Stacks of `bytes` bytes each. Gives the calling thread an alternative signal stack, on which
  /// the handler runs, unless it has a large one. Throws BadAlloc without address space or
  /// mappings, and std::bad_alloc. Thread-safe.
  guarded_stacks(std::size_t count, std::size_t bytes, const stack_owner& owner);
  guarded_stacks(guarded_stacks&& other) noexcept
      : begin_(std::exchange(other.begin_, nullptr)),
        count_(other.count_),
        bytes_(other.bytes_),
        entry_(std::exchange(other.entry_, nullptr)) {}
  guarded_stacks& operator=(guarded_stacks&&) = delete;
  ~guarded_stacks();

  /// The lowest byte of a stack.
  std::byte* operator[](std::size_t k) const noexcept;
  /// The stacks and what lies between them.
  std::byte* begin() const noexcept;
  std::size_t size() const noexcept;

 private:
  std::byte* begin_ = nullptr;
  std::size_t count_;
  std::size_t bytes_;
  stack_entry* entry_ = nullptr;
};

}  // namespace hpk::fibers
