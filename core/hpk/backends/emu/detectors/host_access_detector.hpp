// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds host code that is too early: it accesses managed memory while a kernel that captured it may
// run, or reads a mirror that lacks what its View holds (mirror_rules.hpp). A launch closes the
// pages of managed memory to host code. They stay closed until host code has waited for the kernel,
// even if the kernel is done earlier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hpk::emu {

class memory_map;
struct block;
struct block_facts;

/// A block that a launched kernel may use: an address in it and its id.
struct block_hold {
  const void* address;
  std::uint64_t block;
};

/// Watches accesses of host code to managed memory and mirrors. Thread-safe.
class host_access_detector {
 public:
  /// Call when a kernel that captured an address is launched. Returns the id of the block that the
  /// kernel holds until host code has waited for it: a block of shared memory, or a View with
  /// mirrors. Returns 0 for other addresses.
  static std::uint64_t on_launch(const void* address, std::string_view kernel);
  /// Call when the kernel of a hold is done.
  static void on_kernel_end(const block_hold& done);
  /// Call when host code has waited for a queue, or asked whether the queue is done. Ends the holds
  /// of all kernels that are done, on any queue.
  static void on_host_wait() noexcept;

  /// Allocates host memory for a mirror of the block of `source`. Returns null if no memory is
  /// left.
  static void* allocate_mirror(const void* source, std::size_t bytes, std::size_t align);
  /// Starts to watch a mirror.
  static void watch_mirror(const void* data) noexcept;
  /// Returns whether an address is in a mirror.
  static bool is_mirror(const void* address) noexcept;
  /// Call when a copy is submitted. Returns whether the copy fills a mirror; if so, call
  /// on_mirror_filled() when it is done.
  static bool on_copy(const void* to, const void* from, std::size_t bytes) noexcept;
  /// Call when a copy has filled a mirror with its whole View.
  static void on_mirror_filled(const void* mirror, std::size_t bytes) noexcept;
  /// Call when a fill is submitted.
  static void on_fill(const void* address) noexcept;
  /// For the handler of a fault: returns whether host code may continue after a fault in a mirror.
  static bool admits(const void* address, void* context) noexcept;

  /// Call with the lock of the map. Returns the mistake to report about a block that is freed, or
  /// an empty string.
  static std::string on_free(memory_map& map, block& b);
  static bool may_be_open(const block& b) noexcept;
  static void add_facts(memory_map& map, const block& b, block_facts& facts);
};

}  // namespace hpk::emu
