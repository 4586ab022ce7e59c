// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scratch of groups: poisoned before each group, and at the end of its pages, behind which lies
// a page that faults, so that running over the end faults.
#pragma once

#include <cstddef>

namespace hpk::emu {

/// Whole pages of scratch.
struct scratch_pages {
  std::byte* begin;
  std::size_t bytes;
};

/// The scratch of one level on one OS thread, which its groups use one after another.
class scratch_memory {
 public:
  scratch_memory() = default;
  scratch_memory(const scratch_memory&) = delete;
  scratch_memory& operator=(const scratch_memory&) = delete;
  ~scratch_memory();

  /// That of a level on the calling thread.
  static scratch_memory& of_this_thread(int level);
  /// Whether an address lies right behind the scratch of either level on the calling thread.
  static bool is_behind_any(const void* address) noexcept;

  /// Poisoned memory for the next group; null for 0 bytes.
  std::byte* take(std::size_t bytes);
  /// The pages of what take() gave.
  scratch_pages pages_of(std::size_t bytes) const noexcept;

 private:
  void grow(std::size_t bytes);
  bool is_behind(const void* address) const noexcept;

  std::byte* begin_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace hpk::emu
