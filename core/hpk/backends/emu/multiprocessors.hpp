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
  std::uint64_t number;  ///< how many launches its queue saw before
  bool traps;            ///< whether the lanes' code computes only what it was asked for
  lane_probe* probe;     ///< for one of the lanes, or null
};

/// What a lane publishes to its subgroup.
struct exchange_slot {
  alignas(16) std::byte bytes[16];
};

/// The group that an OS thread runs: what its lanes ask for.
struct running_group {
  const kernel_call* kernel;
  fibers::fiber_group* fibers;
  index_t group;
  index_t groups;
  int lanes;
  int subgroup;
  std::byte* scratch[2];
  exchange_slot* slots;   ///< for each width of a block two rows of one for each lane
  unsigned char* parity;  ///< the row of each lane's next value; a bit for each width

  /// Where an address lies in the scratch of either level, in bytes, or -1.
  std::ptrdiff_t scratch_offset(const void* address) const noexcept;

  /// Waits for all lanes, at a barrier of that kind.
  void barrier(const void* kind = nullptr);
  /// Waits for the block of `width` lanes, a power of two up to the subgroup.
  void sync(int width);

  /// Publishes a value to the block of `width` lanes and waits for theirs; returns their row. No
  /// lane is more than one exchange of a width ahead of another, so two rows do.
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
  /// What a lane published in a row.
  template <class T>
  static T peek(const exchange_slot* row, int lane) {
    T value;
    std::memcpy(&value, row[lane].bytes, sizeof value);
    return value;
  }

  /// That of the calling thread, or null outside of kernels.
  static running_group* current() noexcept { return on_this_thread; }

  /// Set while a group runs.
  static HPK_EXPORT constinit thread_local running_group* on_this_thread;
};

/// Runs a kernel to its end on the calling thread and those of the multiprocessors. Thread-safe.
void run_kernel(const kernel_call& kernel);

}  // namespace hpk::emu
