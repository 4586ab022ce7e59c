// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which order of the points of a box is faster for a kernel on a host, where nobody chose one. A
// policy cannot see the Views that a kernel uses, and the wrong order costs up to twenty times; so
// launches over boxes that are large enough run some of their points in one order and the other and
// time them. One answer may be wrong: memory that is not in the caches yet costs both orders as
// much, and the thread may have been interrupted. So an order is believed more with each launch
// that finds the same, and asked for ever more rarely; an answer to the contrary has it asked again
// at once.
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/types.hpp>

#include <cstdint>

namespace hpk::detail {

/// What launches of a kernel have shown of its faster order. Any thread; what a launch learns may
/// get lost when another one learns at the same time.
class order_memory {
 public:
  /// Whether the order that is not the space's is taken to be the faster one.
  bool other() const noexcept { return known_.load(memory_order::relaxed).other; }
  /// Whether no launch will ask any more.
  bool is_settled() const noexcept { return known_.load(memory_order::relaxed).agreed == settled; }
  /// Whether a launch over a large box is to find out. Each call counts as a launch.
  bool asks() noexcept;
  /// A launch found out that the other order is clearly faster, or that it is not. Returns whether
  /// the rest of the launch goes in the other one.
  bool learn(bool other) noexcept;

 private:
  struct knowledge {
    bool other;           ///< which order
    std::uint8_t agreed;  ///< so many trials found it in a row; 1 after a contrary answer
    std::uint16_t pause;  ///< so many launches until the next trial
  };
  static constexpr std::uint8_t settled = 6;

  atomic_word<knowledge> known_{{false, 0, 0}};
};

/// Of each kernel on each space.
template <class Exec, class F>
inline constinit order_memory order_of_kernel{};

/// Who runs a launch.
enum class crew { all, caller };

/// Part of a box of any rank.
struct box_part {
  index_t lower[8];
  index_t extent[8];
};

/// Runs part of a box of a kernel, in the space's order or the other.
struct part_runner {
  void (*run)(const void* launch, crew who, bool other, const box_part& part);
  const void* launch;
};

/// Boxes with fewer indices in the first dimension, or in the last, have no trial.
inline constexpr index_t shortest_side_on_trial = 16;

/// Runs a box of points in the order that is faster for its kernel, all of them once. If the box is
/// large enough and the memory asks, the calling thread runs some of the points alone to find out.
void run_in_faster_order(order_memory& memory, int rank, const box_part& shape,
                         const part_runner& runner);

}  // namespace hpk::detail
