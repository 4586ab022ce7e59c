// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory that consecutive launches of one instance reuse.
#pragma once

#include <cstddef>

namespace hpk::gpu {

/// A pool of reusable blocks of device memory. Thread-safe.
class workspace_pool {
 public:
  /// A block of the pool.
  struct block {
    void* data;
    std::size_t bytes;
  };

  /// The source of blocks; `allocate` throws when out of memory.
  struct allocator {
    void* (*allocate)(void* context, std::size_t bytes);
    void (*free)(void* data, std::size_t bytes) noexcept;
    void* context;
    /// Largest number of bytes that the pool stores for later leases. Less than `all` only if
    /// `free` waits for the launches that use the memory.
    std::size_t capacity = all;
  };
  static constexpr std::size_t all = ~std::size_t{0};

  explicit workspace_pool(const allocator& source);
  ~workspace_pool();
  workspace_pool(const workspace_pool&) = delete;
  workspace_pool& operator=(const workspace_pool&) = delete;

  /// Takes a block of at least `bytes` bytes: the smallest of the pool, or a new one.
  block lease(std::size_t bytes);
  /// Returns a block to the pool. The pool frees it if it stores too many bytes already.
  void give_back(const block& b) noexcept;
  /// Disables the reuse of blocks that are returned from now on.
  void disable_reuse() noexcept;
  /// Frees all blocks that are not leased.
  void clear() noexcept;
  /// Frees the unleased blocks of all pools that may free them; returns false if there are none.
  /// For a device without memory left.
  static bool trim_all() noexcept;

 private:
  struct free_list;
  struct registry;
  free_list* free_;
};

}  // namespace hpk::gpu
