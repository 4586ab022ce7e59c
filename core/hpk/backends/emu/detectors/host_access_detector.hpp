// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code that is too early: it accesses managed memory while a kernel that captured it may run,
// or reads a mirror whose View such a kernel may have changed. The pages of both are closed to host
// code at the launch. A kernel that happens to be done is no fence: they stay closed until host
// code has waited for it, or until the mirror was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hpk::emu {

class memory_map;
struct block;
struct block_facts;

/// A block that a kernel holds.
struct block_hold {
  const void* address;
  std::uint64_t block;
};

/// Thread-safe.
class host_access_detector {
 public:
  /// A kernel that captured this address is launched. Gives the id of the shared block that it
  /// holds from now on; 0 when the address lies in none.
  static std::uint64_t on_launch(const void* address, std::string_view kernel);
  /// The kernel of a hold is done.
  static void on_kernel_end(const block_hold& done);
  /// Host code waited for a queue, or asked whether it is done: ends the holds of all kernels that
  /// are done, of whatever queue.
  static void on_host_wait() noexcept;

  /// Host memory for a mirror of the block of `source`; null without memory left.
  static void* allocate_mirror(const void* source, std::size_t bytes, std::size_t align);
  /// The mirror is watched from now on.
  static void watch_mirror(const void* data) noexcept;
  /// Whether an address lies in a mirror.
  static bool is_mirror(const void* address) noexcept;
  /// A copy from or to a mirror: the two are alike again.
  static void on_copy(const void* address) noexcept;
  /// Whether host code may go on where it faulted, in a mirror. Callable from a signal handler.
  static bool admits(const void* address, bool writes) noexcept;

  /// For the arena, which holds the lock of the map.
  static void on_free(memory_map& map, block& b) noexcept;
  static bool may_be_open(const block& b) noexcept;
  static void add_facts(memory_map& map, const block& b, block_facts& facts);
};

}  // namespace hpk::emu
