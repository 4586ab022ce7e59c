// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scratch of groups. It is poisoned before each group and ends at the end of its last page. The
// next page is inaccessible, so that an access past the end faults.
#pragma once

#include <cstddef>

namespace hpk::emu {

/// Whole pages of scratch.
struct scratch_pages {
  std::byte* begin;
  std::size_t bytes;
};

/// The scratch of one level on one OS thread. The groups of the thread use it one after another.
class scratch_memory {
 public:
  scratch_memory() = default;
  scratch_memory(const scratch_memory&) = delete;
  scratch_memory& operator=(const scratch_memory&) = delete;
  ~scratch_memory();

  /// Returns the scratch of a level on the calling thread.
  static scratch_memory& of_this_thread(int level);
  /// Returns whether an address is right after the scratch of either level on the calling thread.
  static bool is_past_any_end(const void* address) noexcept;

  /// Returns poisoned memory for the next group; null for 0 bytes. Throws if no memory is left.
  std::byte* take(std::size_t bytes);
  /// Returns the pages of the memory that take() returned for `bytes`.
  scratch_pages pages_of(std::size_t bytes) const noexcept;

 private:
  void grow(std::size_t bytes);
  bool is_past_end(const void* address) const noexcept;

  std::byte* begin_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace hpk::emu
