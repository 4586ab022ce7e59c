// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds kernels that follow a captured pointer, reference or `this` into host memory. It does not
// change the functor: one lane of one launch of each kind of kernel runs instruction by
// instruction, and the probe compares the addresses that the lane accesses with the memory that
// captured words point to. Runs by default, for functors that hold a word of this kind. docs/emu.md
// lists the accesses that the probe can't see.
#pragma once

#include <hpk/base/macros.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk::emu {

/// Decides whether the launches of one kind of kernel are still examined.
class probe_history {
 public:
  /// Counts a launch. Returns whether it is among the first ones and no earlier launch was probed.
  bool takes_launch() noexcept;
  /// Records that a launch is probed. Later launches are not examined.
  void end() noexcept;

 private:
  static constexpr std::uint32_t most_launches = 16;
  std::uint32_t launches_ = 0;
};

/// The words of one functor that point to host memory, and the lane that is watched for accesses
/// through them.
class lane_probe {
 public:
  using word = std::uintptr_t;
  /// A word of the functor and the host memory to which it points.
  struct pointer {
    const word* where;
    word value;
    std::size_t offset;  ///< in the functor
    bool on_stack;       ///< whether it points to the stack of the launching thread
    word begin;          ///< start of the memory
    word end;
    bool has_end;         ///< whether `end` is known; else it is a guess
    bool loaded = false;  ///< whether the lane has loaded the word
  };

  /// Returns whether the options want probes and the processor and the build support them.
  static bool is_wanted();
  /// Call before the first probe. Returns whether this process can be single-stepped: not under a
  /// debugger, which would stop at each step.
  static bool prepare();

  lane_probe() = default;
  lane_probe(const lane_probe&) = delete;
  lane_probe& operator=(const lane_probe&) = delete;

  /// Adds a word that points to host memory. `stack_end` is the end of the stack that the word
  /// points to, or 0 for other memory.
  void add(const word* where, std::size_t offset, word stack_end);

  /// Watches the calling lane for the lifetime of the object, unless a lane was watched before.
  class scope {
   public:
    explicit scope(lane_probe& of) noexcept;
    ~scope();
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;

   private:
    bool watches_;
  };
  /// Call before the lane suspends. Returns whether the lane is watched; if so, call resume() when
  /// it continues.
  static bool pause() noexcept { return is_active && stop(); }
  static void resume() noexcept;

 private:
  static constexpr int most_pointers = 32;
  static HPK_EXPORT constinit thread_local bool is_active;
  static bool stop() noexcept;
  static bool look(void* context);
  bool start() noexcept;
  void share_bounds() noexcept;
  void check(word address, word base, std::size_t bytes);

  int count_ = 0;
  pointer pointers_[most_pointers];
  bool was_used_ = false;
  int steps_ = 0;
};

}  // namespace hpk::emu
