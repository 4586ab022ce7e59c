// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code that is too early: it accesses managed memory while a kernel that captured it may run,
// or reads a mirror that has not what its View holds (mirror_rules.hpp). The pages of managed
// memory are closed to host code at the launch. A kernel that happens to be done is no fence: they
// stay closed until host code has waited for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
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
  /// A kernel that captured this address is launched. Gives the id of the block that it holds from
  /// now on, of shared memory or of a View with mirrors; 0 when the address lies in none.
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
  /// A copy is submitted. Whether it fills a mirror: then on_mirror_filled() is to be called.
  static bool on_copy(const void* to, const void* from, std::size_t bytes) noexcept;
  /// A copy has filled a mirror with its whole View.
  static void on_mirror_filled(const void* mirror, std::size_t bytes) noexcept;
  /// A fill is submitted.
  static void on_fill(const void* address) noexcept;
  /// Whether host code may go on where it faulted, in a mirror: for the handler of the fault.
  static bool admits(const void* address, void* context) noexcept;

  /// For the arena, which holds the lock of the map. Returns what to report of the block.
  static std::string on_free(memory_map& map, block& b);
  static bool may_be_open(const block& b) noexcept;
  static void add_facts(memory_map& map, const block& b, block_facts& facts);
};

}  // namespace hpk::emu
