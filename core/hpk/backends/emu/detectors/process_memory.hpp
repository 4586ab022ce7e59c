// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds out what a word points to in this process: the stack of a thread, other writable memory, or
// nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hpk::emu {

/// The addresses in [begin, end).
struct address_range {
  std::uintptr_t begin;
  std::uintptr_t end;
  bool contains(std::uintptr_t w) const noexcept { return begin <= w && w < end; }
};

/// Returns the stack that the system gave the calling thread, also while a fibre runs on another
/// one.
address_range stack_of_this_thread();
/// Returns whether a word points to this stack, or to memory where AddressSanitizer keeps variables
/// of running functions.
bool is_on_this_stack(std::uintptr_t w);

/// A list of the writable memory of the process. A lookup of an address that is not in the list
/// reads the list again, unless the address is one of the last 64 that were not found.
class writable_memory {
 public:
  bool contains(std::uintptr_t w);

 private:
  bool find(std::uintptr_t w) const;
  void read();
  std::vector<address_range> ranges_;
  std::array<std::uintptr_t, 64> not_found_{};
  std::size_t next_not_found_ = 0;
};

/// Reads 8 bytes at any address. Returns false if the memory is not readable.
bool read_word(std::uintptr_t from, std::uintptr_t& value) noexcept;

}  // namespace hpk::emu
