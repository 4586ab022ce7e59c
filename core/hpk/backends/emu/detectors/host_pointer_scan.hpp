// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU can't follow a pointer into host memory. A functor that captured one, by a reference, a
// pointer or `this`, is legal as long as no kernel touches what it points to. By default a
// lane_probe watches one lane for that. With HPK_EMU_CAPTURES each such word of the copy that a
// launch keeps is replaced by an address that nobody has, and who touches it is reported. Not by
// default: a word that looks like a pointer may be a number.
#pragma once

#include <hpk/backends/emu/detectors/lane_probe.hpp>
#include <hpk/base/atomic_word.hpp>
#include <hpk/base/compiler.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpk::emu {

/// The words of a functor that are addresses: of shared memory, which is held as long as its kernel
/// may run, or of host memory.
class host_pointer_scan {
 public:
  /// Of `bytes` bytes at `functor`, which may be destroyed after restore() only. With
  /// HPK_EMU_CAPTURES replaces those of host memory, if `zeroed`: its padding is zero, where else
  /// something may look like a pointer. Else prepares a probe, if the `history` of this kind of
  /// kernel wants one.
  host_pointer_scan(void* functor, std::size_t bytes, bool zeroed, std::string_view kernel,
                    probe_history& history);
  ~host_pointer_scan();
  host_pointer_scan(const host_pointer_scan&) = delete;
  host_pointer_scan& operator=(const host_pointer_scan&) = delete;
  /// Puts them back; the kernel of the holds is done.
  void restore() noexcept;
  /// What the first lane is watched for; null for nothing.
  lane_probe* probe() const noexcept;

 private:
  struct list;
  list* words_ = nullptr;
};

/// Sets bytes to zero where the compiler can't see that an object will be made there.
void zero_memory(void* data, std::size_t bytes) noexcept;

/// A value whose padding is zero, where the compiler can have it so.
template <class T>
class zero_padded {
 public:
  template <class Given>
  explicit zero_padded(Given&& value) {
    zero_memory(bytes_, sizeof(T));
    ::new (static_cast<void*>(bytes_)) T(std::forward<Given>(value));
    // A copy of bytes brings padding along; a copy by members does not.
    if constexpr (std::is_trivially_copyable_v<T>) detail::clear_padding(*get());
  }
  /// Whether the padding is zero indeed.
  static constexpr bool is_zeroed =
      HPK_HAS_CLEAR_PADDING != 0 && (!std::is_trivially_copyable_v<T> || detail::clears_padding<T>);
  zero_padded(const zero_padded&) = delete;
  zero_padded& operator=(const zero_padded&) = delete;
  ~zero_padded() { get()->~T(); }
  T* get() noexcept { return std::launder(reinterpret_cast<T*>(bytes_)); }

 private:
  alignas(T) std::byte bytes_[sizeof(T)];
};

/// The address in memory of the host that one stands for; null when it stands for none.
const void* original_address(const void* address);

/// What a kernel did that touched the address which stands for a captured word; empty when it
/// stands for none.
std::string describe_host_pointer(const void* address);
/// The same, of the word at a byte of the functor.
std::string describe_captured_word(std::size_t offset, bool on_stack);

}  // namespace hpk::emu
