// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU can't follow a pointer into host memory. A functor that captured one, by a reference, a
// pointer or `this`, is legal as long as no kernel touches what it points to. With HPK_EMU_CAPTURES
// each such word of the copy that a launch keeps is replaced by an address that nobody has, and who
// touches it is reported. Not by default: a word that looks like a pointer may be a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hpk::emu {

/// The words of a functor that are addresses: of shared memory, which is held as long as its kernel
/// may run, or of host memory.
class host_pointer_scan {
 public:
  /// Of `bytes` bytes at `functor`, which may be destroyed after restore() only. With
  /// HPK_EMU_CAPTURES replaces those of host memory, if `zeroed`: its padding is zero, where else
  /// something may look like a pointer.
  host_pointer_scan(void* functor, std::size_t bytes, bool zeroed, std::string_view kernel);
  ~host_pointer_scan();
  host_pointer_scan(const host_pointer_scan&) = delete;
  host_pointer_scan& operator=(const host_pointer_scan&) = delete;
  /// Puts them back; the kernel of the holds is done.
  void restore() noexcept;

 private:
  struct list;
  list* words_ = nullptr;
};

/// Sets bytes to zero where the compiler can't see that an object will be made there.
void zero_memory(void* data, std::size_t bytes) noexcept;

/// The address in memory of the host that one stands for; null when it stands for none.
const void* original_address(const void* address);

/// What a kernel did that touched the address which stands for a captured word; empty when it
/// stands for none.
std::string describe_host_pointer(const void* address);

}  // namespace hpk::emu
