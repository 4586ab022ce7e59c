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
  };

  explicit workspace_pool(const allocator& source);
  ~workspace_pool();
  workspace_pool(const workspace_pool&) = delete;
  workspace_pool& operator=(const workspace_pool&) = delete;

  /// Takes a block of at least `bytes` bytes from the pool.
  block lease(std::size_t bytes);
  /// Returns a block to the pool.
  void give_back(const block& b) noexcept;
  /// From now on returned blocks are not leased again.
  void keep() noexcept;
  /// Frees all blocks that are not leased.
  void clear() noexcept;

 private:
  struct free_list;
  free_list* free_;
};

}  // namespace hpk::gpu
