// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU can't follow a pointer into host memory. A functor that captured one, by a reference, a
// pointer or `this`, is legal as long as no kernel touches what it points to; so each such word of
// the copy that a launch keeps is replaced by an address that nobody has, and who touches it is
// reported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hpk::emu {

/// The words of a functor that point into host memory, replaced as long as its kernel may run.
class captured_words {
 public:
  /// Replaces them in `bytes` bytes at `functor`, which may be destroyed after restore() only.
  /// Holds the shared memory that other words point to until then.
  /// `zeroed`: its padding is zero; else words are only held, since what lies in padding and beside
  /// it may look like a pointer.
  captured_words(void* functor, std::size_t bytes, bool zeroed, std::string_view kernel);
  ~captured_words();
  captured_words(const captured_words&) = delete;
  captured_words& operator=(const captured_words&) = delete;
  /// Puts them back; the kernel of the holds is done.
  void restore() noexcept;

 private:
  struct list;
  list* words_ = nullptr;
};

/// Sets bytes to zero where the compiler can't see that an object will be made there.
void zero_memory(void* data, std::size_t bytes) noexcept;

/// The address in memory of the host that one stands for; null when it stands for none.
const void* captured_address(const void* address);

/// What the captured word that an address stands for is and was; empty when it stands for none.
std::string describe_captured(const void* address);

}  // namespace hpk::emu
