// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds host pointers in functors. A GPU can't follow a pointer into host memory. A functor that
// captured one, by a reference, a pointer or `this`, is legal as long as no kernel accesses its
// target. By default a lane_probe watches one lane for this. With HPK_EMU_CAPTURES each word of the
// launch's copy that looks like a host pointer is replaced by a placeholder, an inaccessible
// address, and a kernel that accesses the placeholder is reported. This is not the default, because
// a word that looks like a pointer may be a number.
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

/// The words of a functor that are addresses: of shared memory, which is held as long as the kernel
/// may run, or of host memory.
class host_pointer_scan {
 public:
  /// Scans `bytes` bytes at `functor`, which must not be destroyed before restore(). With
  /// HPK_EMU_CAPTURES, replaces pointers to host memory by placeholders if `zeroed`: the padding is
  /// zero and can't look like a pointer. Else prepares a probe, if the `history` of this kind of
  /// kernel wants one.
  host_pointer_scan(void* functor, std::size_t bytes, bool zeroed, std::string_view kernel,
                    probe_history& history);
  ~host_pointer_scan();
  host_pointer_scan(const host_pointer_scan&) = delete;
  host_pointer_scan& operator=(const host_pointer_scan&) = delete;
  /// Puts the replaced words back and ends the holds. Call it when the kernel is done.
  void restore() noexcept;
  /// Returns the probe that watches a lane, or null.
  lane_probe* probe() const noexcept;

 private:
  struct list;
  list* words_ = nullptr;
};

/// Sets bytes to zero. A function in a .cpp file, so that compilers don't drop the stores before an
/// object is made there.
void zero_memory(void* data, std::size_t bytes) noexcept;

/// A value whose padding is zero if the compiler supports that.
template <class T>
class zero_padded {
 public:
  template <class Given>
  explicit zero_padded(Given&& value) {
    zero_memory(bytes_, sizeof(T));
    ::new (static_cast<void*>(bytes_)) T(std::forward<Given>(value));
    // A bytewise copy also copies the padding; a memberwise copy does not.
    if constexpr (std::is_trivially_copyable_v<T>) detail::clear_padding(*get());
  }
  /// Whether the padding is certainly zero.
  static constexpr bool is_zeroed =
      HPK_HAS_CLEAR_PADDING != 0 && (!std::is_trivially_copyable_v<T> || detail::clears_padding<T>);
  zero_padded(const zero_padded&) = delete;
  zero_padded& operator=(const zero_padded&) = delete;
  ~zero_padded() { get()->~T(); }
  T* get() noexcept { return std::launder(reinterpret_cast<T*>(bytes_)); }

 private:
  alignas(T) std::byte bytes_[sizeof(T)];
};

/// Returns the host address that a placeholder replaces, or null.
const void* original_address(const void* address);

/// Describes the mistake of a kernel that accessed the placeholder of a captured word. Empty if the
/// address is no placeholder.
std::string describe_host_pointer(const void* address);
/// Describes the same mistake for the word at byte `offset` of the functor.
std::string describe_captured_word(std::size_t offset, bool on_stack);

}  // namespace hpk::emu
