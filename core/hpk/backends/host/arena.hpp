// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary memory of a host launch: scratch of groups and workspace of patterns. Small requests
// stay on the stack of the launching thread; larger ones come from a block that each thread reuses.
#pragma once

#include <hpk/base/types.hpp>

namespace hpk::host {

/// Borrows aligned memory from the calling thread's block for the lifetime of the lease. A second
/// lease at the same time (a nested launch) and a lease of more than 16 MiB allocate separate
/// memory. Throws BadAlloc, which inside a kernel names the kernel.
class arena_lease {
 public:
  explicit arena_lease(std::size_t bytes) {
    if (bytes != 0) acquire(bytes);
  }
  ~arena_lease() {
    if (data_ != nullptr) release();
  }
  arena_lease(const arena_lease&) = delete;
  arena_lease& operator=(const arena_lease&) = delete;
  /// Aligned to 64 bytes; null when 0 bytes were requested.
  std::byte* data() const noexcept { return data_; }

 private:
  void acquire(std::size_t bytes);
  void release() noexcept;

  std::byte* data_ = nullptr;
  bool from_block_ = false;
};

/// Workspace of one launch on a host space: memory that all workers share.
class workspace {
 public:
  template <class Machine>
  workspace(Machine&, std::size_t bytes) : spill_(bytes <= sizeof local_ ? 0 : bytes) {
    data_ = bytes <= sizeof local_ ? local_ : spill_.data();
  }
  /// Aligned to 64 bytes.
  void* data() const noexcept { return data_; }

 private:
  alignas(64) std::byte local_[8192];
  arena_lease spill_;
  std::byte* data_;
};

}  // namespace hpk::host
