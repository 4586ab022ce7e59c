// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Non-temporal stores: they bypass the caches, for results that are not read soon.
#pragma once

#include <hpk/base/macros.hpp>

#include <cstddef>
#include <type_traits>

namespace hpk::detail {

/// The word size in bytes for non-temporal stores of a T; 0 if T is stored normally: types that are
/// not trivially copyable, of unsuitable size, or larger than a cache line.
template <class T>
inline constexpr std::size_t streamed_word_bytes = !std::is_trivially_copyable_v<T> ||
                                                           sizeof(T) > 64
                                                       ? 0
                                                   : sizeof(T) % 8 == 0 && alignof(T) % 8 == 0 ? 8
                                                   : sizeof(T) % 4 == 0 && alignof(T) % 4 == 0 ? 4
                                                                                               : 0;

#if HPK_HAS_STREAMING_STORES || (HPK_ON_DEVICE && HPK_HAS_HIP_COMPILER)
// Uses builtins where available, because the compiler knows their side effects better than the side
// effects of inline assembly.
template <class Word>
HPK_FORCEINLINE_FUNCTION void stream_word(Word* to, Word value) noexcept {
#if HPK_HAS_NONTEMPORAL_STORE
  // The memory may hold objects of another type.
  if constexpr (sizeof(Word) == 8) {
    typedef unsigned long long aliased __attribute__((may_alias));
    __builtin_nontemporal_store(value, reinterpret_cast<aliased*>(to));
  } else {
    typedef unsigned aliased __attribute__((may_alias));
    __builtin_nontemporal_store(value, reinterpret_cast<aliased*>(to));
  }
#elif !HPK_HAS_CUDA_COMPILER
  if constexpr (sizeof(Word) == 8) {
    __builtin_ia32_movnti64(reinterpret_cast<long long*>(to), static_cast<long long>(value));
  } else {
    __builtin_ia32_movnti(reinterpret_cast<int*>(to), static_cast<int>(value));
  }
#else
  __asm__ volatile("movnti %1, %0" : "=m"(*to) : "r"(value) : "memory");
#endif
}
#endif

/// Stores with a non-temporal instruction if the processor has one, else normally. On x86 these
/// stores are unordered until drain_streaming_stores(), a locked instruction or the end of the
/// thread, except with respect to loads of the same thread.
HPK_CALLS_EITHER
template <class T>
HPK_FORCEINLINE_FUNCTION void store_streaming(T* to, const T& value) {
  if constexpr (streamed_word_bytes<T> == 0) {
    *to = value;
  } else {
    using word = std::conditional_t<streamed_word_bytes<T> == 8, unsigned long long, unsigned>;
    constexpr std::size_t count = sizeof(T) / sizeof(word);
    word words[count];
    __builtin_memcpy(words, &value, sizeof(T));
    for (std::size_t k = 0; k != count; ++k) {
#if HPK_ON_DEVICE && HPK_HAS_CUDA_COMPILER
      __stcs(reinterpret_cast<word*>(to) + k, words[k]);
#elif HPK_ON_DEVICE || HPK_HAS_STREAMING_STORES
      stream_word(reinterpret_cast<word*>(to) + k, words[k]);
#else
      __builtin_memcpy(reinterpret_cast<std::byte*>(to) + k * sizeof(word), &words[k],
                       sizeof(word));
#endif
    }
  }
}

/// Orders earlier non-temporal stores of this thread before its later stores, which other threads
/// may synchronise with.
inline void drain_streaming_stores() noexcept {
#if HPK_HAS_STREAMING_STORES
  __asm__ volatile("sfence" ::: "memory");
#endif
}

}  // namespace hpk::detail
