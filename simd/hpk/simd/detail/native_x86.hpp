// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that compilers do not map to instructions by themselves, each with portable code that
// gives the same bits: masks as bits, square roots, fused multiply-add, rounding, masked loads and
// stores. They call built-in functions of the compiler, because the header of the processor's
// intrinsics is several times as long as this library.
#pragma once

#include <hpk/base/bit.hpp>
#include <hpk/math/math.hpp>
#include <hpk/simd/detail/native.hpp>
#include <hpk/simd/detail/storage.hpp>

#include <type_traits>

#if defined(__has_builtin)
#define HPK_DETAIL_SIMD_KNOWS(name) __has_builtin(name)
#else
#define HPK_DETAIL_SIMD_KNOWS(name) 0
#endif

namespace hpk::detail::vectors {

/// Return the lower and the upper half of a vector.
template <class T, int W>
HPK_FORCEINLINE constexpr auto low_half(register_t<T, W> v) {
  return take_lanes<T, 0>(v, std::make_integer_sequence<int, W / 2>());
}
template <class T, int W>
HPK_FORCEINLINE constexpr auto high_half(register_t<T, W> v) {
  return take_lanes<T, W / 2>(v, std::make_integer_sequence<int, W / 2>());
}

#if HPK_DETAIL_SIMD_X86
// The vector types that the built-in functions take.
typedef char vector_16b __attribute__((vector_size(16)));
typedef short vector_8s __attribute__((vector_size(16)));
typedef int vector_4i __attribute__((vector_size(16)));
typedef long long vector_2l __attribute__((vector_size(16)));
typedef float vector_4f __attribute__((vector_size(16)));
typedef double vector_2d __attribute__((vector_size(16)));
#if defined(__AVX2__)
typedef char vector_32b __attribute__((vector_size(32)));
typedef short vector_16s __attribute__((vector_size(32)));
typedef int vector_8i __attribute__((vector_size(32)));
typedef long long vector_4l __attribute__((vector_size(32)));
typedef float vector_8f __attribute__((vector_size(32)));
typedef double vector_4d __attribute__((vector_size(32)));
#endif
#endif

/// Packs every second bit of 64 bits into the lower 32 bits.
HPK_FORCEINLINE constexpr unsigned long long every_second_bit(unsigned long long x) {
  x &= 0x5555555555555555u;
  x = (x | x >> 1) & 0x3333333333333333u;
  x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0fu;
  x = (x | x >> 4) & 0x00ff00ff00ff00ffu;
  x = (x | x >> 8) & 0x0000ffff0000ffffu;
  return (x | x >> 16) & 0x00000000ffffffffu;
}

/// Returns an integer whose bit i is lane i of a part of a mask; mask_bits() is the same by
/// instructions.
template <class M, int W>
HPK_FORCEINLINE constexpr unsigned long long portable_mask_bits(register_t<M, W> m) {
  unsigned long long bits = 0;
  for (int i = 0; i < W; ++i) bits |= static_cast<unsigned long long>(m[i] & 1) << i;
  return bits;
}
template <class M, int W>
HPK_FORCEINLINE constexpr unsigned long long mask_bits(register_t<M, W> m) {
#if HPK_DETAIL_SIMD_X86
  constexpr int bytes = W * static_cast<int>(sizeof(M));
  if (!__builtin_is_constant_evaluated()) {
    if constexpr (bytes == 64) {
      return mask_bits<M, W / 2>(low_half<M, W>(m)) | mask_bits<M, W / 2>(high_half<M, W>(m))
                                                          << (W / 2);
    } else if constexpr (bytes == 16) {
      if constexpr (sizeof(M) == 8) {
        return static_cast<unsigned>(__builtin_ia32_movmskpd(vector_cast<vector_2d>(m)));
      } else if constexpr (sizeof(M) == 4) {
        return static_cast<unsigned>(__builtin_ia32_movmskps(vector_cast<vector_4f>(m)));
      } else {
        const auto bits =
            static_cast<unsigned>(__builtin_ia32_pmovmskb128(vector_cast<vector_16b>(m)));
        return sizeof(M) == 1 ? bits : every_second_bit(bits);
      }
    }
#if defined(__AVX2__)
    else if constexpr (bytes == 32) {
      if constexpr (sizeof(M) == 8) {
        return static_cast<unsigned>(__builtin_ia32_movmskpd256(vector_cast<vector_4d>(m)));
      } else if constexpr (sizeof(M) == 4) {
        return static_cast<unsigned>(__builtin_ia32_movmskps256(vector_cast<vector_8f>(m)));
      } else {
        const auto bits =
            static_cast<unsigned>(__builtin_ia32_pmovmskb256(vector_cast<vector_32b>(m)));
        return sizeof(M) == 1 ? bits : every_second_bit(bits);
      }
    }
#endif
  }
#endif
  return portable_mask_bits<M, W>(m);
}

/// Return whether all lanes, or any lane, of a part of a mask are set.
template <class M, class P>
HPK_FORCEINLINE_FUNCTION constexpr bool all_lanes(P m) {
  if constexpr (std::is_same_v<M, P>) {
    return m != 0;
  } else {
    constexpr int w = sizeof(P) / sizeof(M);
    return mask_bits<M, w>(m) == ~0ull >> (64 - w);
  }
}
template <class M, class P>
HPK_FORCEINLINE_FUNCTION constexpr bool any_lane(P m) {
  if constexpr (std::is_same_v<M, P>) {
    return m != 0;
  } else {
    return mask_bits<M, sizeof(P) / sizeof(M)>(m) != 0;
  }
}

// Calls f for every lane of one to three vectors: the portable form of the functions below.
#define HPK_DETAIL_LANEWISE(name, call)                              \
  template <class T, int W, class... P>                              \
  HPK_FORCEINLINE constexpr register_t<T, W> name(P... p) {          \
    auto f = [&](auto i) { return call(p[i()]...); };                \
    return make_part<T, 0>(f, std::make_integer_sequence<int, W>()); \
  }
HPK_DETAIL_LANEWISE(portable_sqrt, math::sqrt)
HPK_DETAIL_LANEWISE(portable_fma, math::fma)
HPK_DETAIL_LANEWISE(portable_floor, math::floor)
HPK_DETAIL_LANEWISE(portable_ceil, math::ceil)
HPK_DETAIL_LANEWISE(portable_trunc, math::trunc)
HPK_DETAIL_LANEWISE(portable_rint, math::rint)
#undef HPK_DETAIL_LANEWISE

// Selects the instruction for 16 or 32 bytes of floats or doubles; 64 bytes are processed as two
// halves.
#define HPK_DETAIL_X86_FLOATS(name, floats, doubles, floats256, doubles256) \
  template <class T, int W, class... P>                                     \
  HPK_FORCEINLINE register_t<T, W> x86_##name(P... p) {                     \
    constexpr int bytes = W * static_cast<int>(sizeof(T));                  \
    if constexpr (bytes == 64) {                                            \
      return join_lanes(x86_##name<T, W / 2>(low_half<T, W>(p)...),         \
                        x86_##name<T, W / 2>(high_half<T, W>(p)...),        \
                        std::make_integer_sequence<int, W>());              \
    } else if constexpr (bytes == 32) {                                     \
      if constexpr (sizeof(T) == 4)                                         \
        return floats256;                                                   \
      else                                                                  \
        return doubles256;                                                  \
    } else if constexpr (bytes == 16) {                                     \
      if constexpr (sizeof(T) == 4)                                         \
        return floats;                                                      \
      else                                                                  \
        return doubles;                                                     \
    } else {                                                                \
      return portable_##name<T, W>(p...);                                   \
    }                                                                       \
  }

/// Define native_sqrt, native_fma (a * b + c, rounded once) and the functions that round to
/// integers.
#define HPK_DETAIL_PORTABLE(name)                                    \
  template <class T, int W, class... P>                              \
  HPK_FORCEINLINE constexpr register_t<T, W> native_##name(P... p) { \
    return portable_##name<T, W>(p...);                              \
  }
#define HPK_DETAIL_ELEMENTWISE(name)                       \
  template <class T, int W, class... P>                    \
  HPK_FORCEINLINE register_t<T, W> native_##name(P... p) { \
    return __builtin_elementwise_##name(p...);             \
  }
#define HPK_DETAIL_X86_CALL(name)                          \
  template <class T, int W, class... P>                    \
  HPK_FORCEINLINE register_t<T, W> native_##name(P... p) { \
    return x86_##name<T, W>(p...);                         \
  }

#if !HPK_DETAIL_SIMD_VECTORS
HPK_DETAIL_PORTABLE(sqrt)
#elif HPK_DETAIL_SIMD_KNOWS(__builtin_elementwise_sqrt)
HPK_DETAIL_ELEMENTWISE(sqrt)
#elif HPK_DETAIL_SIMD_X86 && defined(__AVX2__)
HPK_DETAIL_X86_FLOATS(sqrt, __builtin_ia32_sqrtps(p...), __builtin_ia32_sqrtpd(p...),
                      __builtin_ia32_sqrtps256(p...), __builtin_ia32_sqrtpd256(p...))
HPK_DETAIL_X86_CALL(sqrt)
#elif HPK_DETAIL_SIMD_X86
HPK_DETAIL_X86_FLOATS(sqrt, __builtin_ia32_sqrtps(p...), __builtin_ia32_sqrtpd(p...),
                      (portable_sqrt<T, W>(p...)), (portable_sqrt<T, W>(p...)))
HPK_DETAIL_X86_CALL(sqrt)
#else
HPK_DETAIL_PORTABLE(sqrt)
#endif

/// Whether fma of whole registers is an instruction.
#if !HPK_DETAIL_SIMD_VECTORS || (HPK_DETAIL_SIMD_X86 && !defined(__FMA__))
inline constexpr bool simd_fma = false;
HPK_DETAIL_PORTABLE(fma)
#elif HPK_DETAIL_SIMD_KNOWS(__builtin_elementwise_fma)
inline constexpr bool simd_fma = true;
HPK_DETAIL_ELEMENTWISE(fma)
#elif HPK_DETAIL_SIMD_X86 && defined(__AVX2__)
inline constexpr bool simd_fma = true;
HPK_DETAIL_X86_FLOATS(fma, __builtin_ia32_vfmaddps(p...), __builtin_ia32_vfmaddpd(p...),
                      __builtin_ia32_vfmaddps256(p...), __builtin_ia32_vfmaddpd256(p...))
HPK_DETAIL_X86_CALL(fma)
#else
inline constexpr bool simd_fma = false;
HPK_DETAIL_PORTABLE(fma)
#endif

/// Whether rounding to integers is an instruction.
#if HPK_DETAIL_SIMD_VECTORS && (!HPK_DETAIL_SIMD_X86 || defined(__SSE4_1__)) && \
    HPK_DETAIL_SIMD_KNOWS(__builtin_elementwise_rint)
inline constexpr bool simd_rounds = true;
HPK_DETAIL_ELEMENTWISE(floor)
HPK_DETAIL_ELEMENTWISE(ceil)
HPK_DETAIL_ELEMENTWISE(trunc)
HPK_DETAIL_ELEMENTWISE(rint)
#elif HPK_DETAIL_SIMD_X86 && defined(__AVX2__)
inline constexpr bool simd_rounds = true;
#define HPK_DETAIL_X86_ROUND(name, how)                                                          \
  HPK_DETAIL_X86_FLOATS(name, __builtin_ia32_roundps(p..., how),                                 \
                        __builtin_ia32_roundpd(p..., how), __builtin_ia32_roundps256(p..., how), \
                        __builtin_ia32_roundpd256(p..., how))                                    \
  HPK_DETAIL_X86_CALL(name)
HPK_DETAIL_X86_ROUND(floor, 1)
HPK_DETAIL_X86_ROUND(ceil, 2)
HPK_DETAIL_X86_ROUND(trunc, 3)
HPK_DETAIL_X86_ROUND(rint, 4)
#undef HPK_DETAIL_X86_ROUND
#elif HPK_DETAIL_SIMD_X86 && defined(__SSE4_1__)
inline constexpr bool simd_rounds = true;
#define HPK_DETAIL_X86_ROUND(name, how)                                                   \
  HPK_DETAIL_X86_FLOATS(name, __builtin_ia32_roundps(p..., how),                          \
                        __builtin_ia32_roundpd(p..., how), (portable_##name<T, W>(p...)), \
                        (portable_##name<T, W>(p...)))                                    \
  HPK_DETAIL_X86_CALL(name)
HPK_DETAIL_X86_ROUND(floor, 1)
HPK_DETAIL_X86_ROUND(ceil, 2)
HPK_DETAIL_X86_ROUND(trunc, 3)
HPK_DETAIL_X86_ROUND(rint, 4)
#undef HPK_DETAIL_X86_ROUND
#else
inline constexpr bool simd_rounds = false;
HPK_DETAIL_PORTABLE(floor)
HPK_DETAIL_PORTABLE(ceil)
HPK_DETAIL_PORTABLE(trunc)
HPK_DETAIL_PORTABLE(rint)
#endif

/// Whether masked loads and stores are instructions: for lanes of 4 and 8 bytes in vectors of 16
/// and 32 bytes.
#if HPK_DETAIL_SIMD_X86 && defined(__AVX2__)
template <class T, int W>
inline constexpr bool simd_masks_memory =
    sizeof(T) >= 4 && (W * sizeof(T) == 16 || W * sizeof(T) == 32);
/// Loads the lanes where the mask is set. The others are zero, and their memory is not read.
template <class T, int W, class M>
HPK_FORCEINLINE register_t<T, W> native_masked_load(const T* p, M m) {
  using to = register_t<T, W>;
  if constexpr (sizeof(T) == 8 && W == 4) {
    return vector_cast<to>(__builtin_ia32_maskloadpd256(reinterpret_cast<const vector_4d*>(p),
                                                        vector_cast<vector_4l>(m)));
  } else if constexpr (sizeof(T) == 8) {
    return vector_cast<to>(__builtin_ia32_maskloadpd(reinterpret_cast<const vector_2d*>(p),
                                                     vector_cast<vector_2l>(m)));
  } else if constexpr (W == 8) {
    return vector_cast<to>(__builtin_ia32_maskloadps256(reinterpret_cast<const vector_8f*>(p),
                                                        vector_cast<vector_8i>(m)));
  } else {
    return vector_cast<to>(__builtin_ia32_maskloadps(reinterpret_cast<const vector_4f*>(p),
                                                     vector_cast<vector_4i>(m)));
  }
}
/// Stores the lanes where the mask is set. Other memory is not accessed.
template <class T, int W, class M>
HPK_FORCEINLINE void native_masked_store(T* p, M m, register_t<T, W> v) {
  if constexpr (sizeof(T) == 8 && W == 4) {
    __builtin_ia32_maskstorepd256(reinterpret_cast<vector_4d*>(p), vector_cast<vector_4l>(m),
                                  vector_cast<vector_4d>(v));
  } else if constexpr (sizeof(T) == 8) {
    __builtin_ia32_maskstorepd(reinterpret_cast<vector_2d*>(p), vector_cast<vector_2l>(m),
                               vector_cast<vector_2d>(v));
  } else if constexpr (W == 8) {
    __builtin_ia32_maskstoreps256(reinterpret_cast<vector_8f*>(p), vector_cast<vector_8i>(m),
                                  vector_cast<vector_8f>(v));
  } else {
    __builtin_ia32_maskstoreps(reinterpret_cast<vector_4f*>(p), vector_cast<vector_4i>(m),
                               vector_cast<vector_4f>(v));
  }
}
#else
template <class T, int W>
inline constexpr bool simd_masks_memory = false;
template <class T, int W, class M>
HPK_FORCEINLINE_FUNCTION register_t<T, W> native_masked_load(const T*, M) {
  return {};
}
template <class T, int W, class M>
HPK_FORCEINLINE_FUNCTION void native_masked_store(T*, M, register_t<T, W>) {}
#endif

#undef HPK_DETAIL_PORTABLE
#undef HPK_DETAIL_ELEMENTWISE
#undef HPK_DETAIL_X86_CALL
#undef HPK_DETAIL_X86_FLOATS

}  // namespace hpk::detail::vectors
