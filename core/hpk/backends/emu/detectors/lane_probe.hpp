// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds, without changing a word of the functor, a kernel that follows a captured pointer,
// reference or `this` into host memory: one lane of one launch of each kind of kernel runs
// instruction by instruction, and the addresses that it touches are compared with the words that
// point there. By default, for functors that hold such a word; see docs/emu.md for what it can't
// see.
#pragma once

#include <hpk/base/macros.hpp>

#include <cstddef>
#include <cstdint>

namespace hpk::emu {

/// Of one kind of kernel: whether its launches are still looked at.
class probe_history {
 public:
  /// Whether a launch is among the first ones, and no earlier one was probed. Counts it.
  bool takes_launch() noexcept;
  /// A launch is probed: the last one that is looked at.
  void end() noexcept;

 private:
  static constexpr std::uint32_t most_launches = 16;
  std::uint32_t launches_ = 0;
};

/// The words of one functor that point to host memory, and the lane that is watched because of
/// them.
class lane_probe {
 public:
  using word = std::uintptr_t;
  /// A word of the functor and the host memory to which it points.
  struct pointer {
    const word* where;
    word value;
    std::size_t offset;  ///< in the functor
    bool on_stack;       ///< of the launching thread
    word begin;          ///< of the memory
    word end;
    bool has_end;         ///< whether the memory ends there, as far as is known
    bool loaded = false;  ///< by the lane
  };

  /// Whether the options want probes, and the processor and the build are able to.
  static bool is_wanted();
  /// Before the first probe. Gives whether this process can be stepped: not under a debugger, which
  /// would stop at each step.
  static bool prepare();

  lane_probe() = default;
  lane_probe(const lane_probe&) = delete;
  lane_probe& operator=(const lane_probe&) = delete;

  /// Adds a word that points to host memory. `stack_end`: where the stack ends to which it points;
  /// 0 for other memory.
  void add(const word* where, std::size_t offset, word stack_end);

  /// Watches the calling lane as long as it lives, if no lane was watched before.
  class scope {
   public:
    explicit scope(lane_probe& of) noexcept;
    ~scope();
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;

   private:
    bool watches_;
  };
  /// The lane is about to suspend; gives whether it is watched, and thus to be resumed.
  static bool pause() noexcept { return is_on && stop(); }
  static void resume() noexcept;

 private:
  static constexpr int most_pointers = 32;
  static HPK_EXPORT constinit thread_local bool is_on;
  static bool stop() noexcept;
  static bool look(void* context);
  bool start() noexcept;
  void bound() noexcept;
  void check(word address, word base, std::size_t bytes);

  int count_ = 0;
  pointer pointers_[most_pointers];
  bool taken_ = false;
  int steps_ = 0;
};

}  // namespace hpk::emu
