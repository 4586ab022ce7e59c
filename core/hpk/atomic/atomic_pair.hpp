// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compare-and-exchange of 16 bytes in one instruction: cmpxchg16b, which all but the first few
// x86-64 processors have, and atom.cas.b128 on devices from compute capability 9.0 on.
#pragma once

#include <hpk/base/macros.hpp>
#include <hpk/base/memory_order.hpp>

namespace hpk::detail {

/// 16 bytes of any type.
struct alignas(16) word_pair {
  unsigned long long low;
  unsigned long long high;
};
HPK_INLINE_FUNCTION bool is_same(const word_pair& a, const word_pair& b) {
  return a.low == b.low && a.high == b.high;
}

#if HPK_ON_DEVICE
/// Whether the processor of this pass has the instruction.
inline constexpr bool has_wide_exchange = HPK_HAS_DEVICE_WIDE_EXCHANGE != 0;
#else
inline constexpr bool has_wide_exchange = HPK_HAS_WIDE_EXCHANGE != 0;
#endif

/// Whether the host's processor reads 16 bytes as a whole. Vendors guarantee it with AVX.
extern const bool reads_pairs;

/// Stores a value at an address that is a multiple of 16 if the 16 bytes there equal `expected`;
/// else loads them into `expected`. A full fence on hosts, relaxed on devices. Requires
/// has_wide_exchange.
HPK_INLINE_FUNCTION bool exchange_pair([[maybe_unused]] void* object,
                                       [[maybe_unused]] word_pair& expected,
                                       [[maybe_unused]] const word_pair& value,
                                       [[maybe_unused]] memory_scope scope) {
#if HPK_ON_DEVICE && HPK_HAS_DEVICE_WIDE_EXCHANGE
  auto* pair = static_cast<word_pair*>(object);
  const word_pair before = scope > memory_scope::device ? atomicCAS_system(pair, expected, value)
                                                        : atomicCAS(pair, expected, value);
  const bool done = is_same(before, expected);
  expected = before;
  return done;
#elif !HPK_ON_DEVICE && HPK_HAS_WIDE_EXCHANGE
  // Avoids the builtin function, because compilers turn it into a call of libatomic.
  bool done = false;
  asm volatile("lock cmpxchg16b (%[object])\n\tsete %[done]"
               : [done] "=q"(done), "+a"(expected.low), "+d"(expected.high)
               : [object] "r"(object), "b"(value.low), "c"(value.high)
               : "memory", "cc");
  return done;
#else
  return false;
#endif
}

/// Loads the 16 bytes at an address that is a multiple of 16, relaxed. If the processor cannot read
/// 16 bytes as a whole, the load may write the same bytes back.
HPK_INLINE_FUNCTION word_pair load_pair(void* object, memory_scope scope) {
  word_pair value{};
#if !HPK_ON_DEVICE && HPK_HAS_WIDE_EXCHANGE
  if (reads_pairs) {
    asm volatile(
        "movdqa (%[object]), %%xmm15\n\tmovq %%xmm15, %[low]\n\t"
        "psrldq $8, %%xmm15\n\tmovq %%xmm15, %[high]"
        : [low] "=r"(value.low), [high] "=r"(value.high)
        : [object] "r"(object)
        : "xmm15", "memory");
    return value;
  }
#endif
  // A compare-and-exchange with equal expected and new values returns the stored value.
  exchange_pair(object, value, value, scope);
  return value;
}

}  // namespace hpk::detail
