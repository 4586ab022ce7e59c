// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a word may point to in this process: the stack of a thread, writable memory, nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hpk::emu {

/// Addresses from one to another.
struct address_range {
  std::uintptr_t begin;
  std::uintptr_t end;
  bool contains(std::uintptr_t w) const noexcept { return begin <= w && w < end; }
};

/// The stack that the system gave the calling thread, whatever stack it runs on.
address_range stack_of_this_thread();
/// Whether a word points to that stack, or to where AddressSanitizer keeps variables of running
/// functions.
bool is_on_this_stack(std::uintptr_t w);

/// The writable memory of the process, as it was when somebody last asked for what is not in it.
class writable_memory {
 public:
  bool contains(std::uintptr_t w);

 private:
  bool find(std::uintptr_t w) const;
  void read();
  std::vector<address_range> ranges_;
  std::array<std::uintptr_t, 64> strangers_{};
  std::size_t next_stranger_ = 0;
};

/// Reads 8 bytes of what may be anything; false where there is no memory to read.
bool read_word(std::uintptr_t from, std::uintptr_t& value) noexcept;

}  // namespace hpk::emu
