// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory that launches of one instance use one after another.
#pragma once

#include <cstddef>

namespace hpk::gpu {

/// Blocks of device memory that are used again. Thread-safe.
class workspace_pool {
 public:
  /// Memory of a pool.
  struct block {
    void* data;
    std::size_t bytes;
  };

  /// Where blocks come from; `allocate` throws when there is no memory left.
  struct allocator {
    void* (*allocate)(void* context, std::size_t bytes);
    void (*free)(void* data, std::size_t bytes) noexcept;
    void* context;
  };

  explicit workspace_pool(const allocator& source);
  ~workspace_pool();
  workspace_pool(const workspace_pool&) = delete;
  workspace_pool& operator=(const workspace_pool&) = delete;

  /// A block of at least so many bytes.
  block lease(std::size_t bytes);
  /// Takes a block back.
  void give_back(const block& b) noexcept;
  /// From now on what is given back is not leased again.
  void keep() noexcept;
  /// Frees all blocks that are not leased.
  void clear() noexcept;

 private:
  struct free_list;
  free_list* free_;
};

}  // namespace hpk::gpu
