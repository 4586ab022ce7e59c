// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emulated multiprocessors: OS threads that run the groups of a kernel, each group's lanes as
// fibres.
#pragma once

#include <hpk/backends/fibers/fiber.hpp>
#include <hpk/base/macros.hpp>
#include <hpk/seam/launch.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hpk::emu {

class lane_probe;
struct running_group;

/// A kernel with its lanes' code, ready to run.
struct kernel_call {
  void (*run_lane)(const running_group& group);
  const void* body;
  seam::shape shape;
  const seam::launch_info* info;
  std::uint64_t number;  ///< number of tasks that its queue ran before
  bool traps;         ///< whether it is built without speculative operations: HPK_HAS_TRAPPING_MATH
  lane_probe* probe;  ///< watches one of the lanes, or null
};

/// A value that a lane publishes to its subgroup.
struct exchange_slot {
  alignas(16) std::byte bytes[16];
};

/// The group that an OS thread runs, as its lanes see it.
struct running_group {
  const kernel_call* kernel;
  fibers::fiber_group* fibers;
  index_t group;
  index_t groups;
  int lanes;
  int subgroup;
  std::byte* scratch[2];
  exchange_slot* slots;   ///< two rows of `lanes` slots for each width of a block
  unsigned char* parity;  ///< by lane: the row of its next value, one bit for each width

  /// Returns the offset of an address in the scratch of either level, in bytes, or -1.
  std::ptrdiff_t scratch_offset(const void* address) const noexcept;

  /// Waits for all lanes. Barriers of different `kind` do not match.
  void barrier(const void* kind = nullptr);
  /// Waits for the lane's block of `width` lanes, a power of two up to the subgroup.
  void sync(int width);

  /// Publishes a value to the lane's block of `width` lanes, waits for theirs, and returns their
  /// row. No lane is more than one exchange of a width ahead of another, so two rows are enough.
  template <class T>
  exchange_slot* publish(int lane, const T& value, int width) {
    const int row_pair = std::countr_zero(static_cast<unsigned>(width));
    const int odd = parity[lane] >> row_pair & 1;
    exchange_slot* row = slots + std::ptrdiff_t{2 * row_pair + odd} * lanes;
    parity[lane] = static_cast<unsigned char>(parity[lane] ^ (1u << row_pair));
    std::memcpy(row[lane].bytes, &value, sizeof value);
    sync(width);
    return row;
  }
  /// The widths: 1, 2, 4 ... 64.
  static constexpr int widths = 7;
  /// Returns the value that a lane published in a row.
  template <class T>
  static T peek(const exchange_slot* row, int lane) {
    T value;
    std::memcpy(&value, row[lane].bytes, sizeof value);
    return value;
  }

  /// Returns the group that the calling thread runs, or null outside kernels.
  static running_group* current() noexcept { return on_this_thread; }

  /// Set while a group runs.
  static HPK_EXPORT constinit thread_local running_group* on_this_thread;
};

/// Runs a kernel to its end, on the calling thread and on the threads of the multiprocessors.
/// Thread-safe.
void run_kernel(const kernel_call& kernel);

}  // namespace hpk::emu
