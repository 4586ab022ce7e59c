// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector support of the compiler's target: the bytes of a register, the compiler's vector
// types, and the available instructions. Only this file, native_x86.hpp and native_math.hpp query
// the compiler; the others use their constants and 0/1 macros.
#pragma once

#include <hpk/base/float16.hpp>
#include <hpk/base/macros.hpp>

#include <cstddef>
#include <type_traits>

#if !HPK_HAS_GNU_ATTRIBUTES
#define HPK_DETAIL_SIMD_BYTES 0
#elif defined(__ARM_FEATURE_SVE_BITS)
#if __ARM_FEATURE_SVE_BITS > 0
#define HPK_DETAIL_SIMD_BYTES (__ARM_FEATURE_SVE_BITS / 8)
#else
#define HPK_DETAIL_SIMD_BYTES 16
#endif
#elif defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__)
#define HPK_DETAIL_SIMD_BYTES 64
#elif defined(__AVX2__)
#define HPK_DETAIL_SIMD_BYTES 32
#elif defined(__SSE2__) || defined(__aarch64__) || defined(__VSX__) || \
    defined(__wasm_simd128__) || defined(__loongarch_sx)
#define HPK_DETAIL_SIMD_BYTES 16
#else
/// Bytes of a vector register: of SVE with a fixed length, 64 for AVX-512 (F, BW, DQ and VL), 32
/// for AVX2, 16 for SSE2, plain AVX (which lacks integers), NEON, VSX and similar ones; 0 for other
/// targets.
#define HPK_DETAIL_SIMD_BYTES 0
#endif

#if HPK_DETAIL_SIMD_BYTES && !HPK_HAS_DEVICE_COMPILER
#define HPK_DETAIL_SIMD_VECTORS \
  1  ///< 1 when lanes are in vectors of the compiler, 0 when in
     ///< arrays
#else
#define HPK_DETAIL_SIMD_VECTORS 0
#endif

#if HPK_DETAIL_SIMD_VECTORS && defined(__x86_64__)
#define HPK_DETAIL_SIMD_X86 1  ///< 1 when native_x86.hpp provides instructions
#else
#define HPK_DETAIL_SIMD_X86 0
#endif

#if HPK_DETAIL_SIMD_VECTORS && !defined(__clang__)
#define HPK_DETAIL_SIMD_SHUFFLE 1  ///< 1 when the compiler permutes by indices known at run time
#else
#define HPK_DETAIL_SIMD_SHUFFLE 0
#endif

#if HPK_HAS_FLOAT16 && (defined(__AVX512FP16__) || defined(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC))
#define HPK_DETAIL_SIMD_FLOAT16 1  ///< 1 when the processor computes with vectors of _Float16
#else
#define HPK_DETAIL_SIMD_FLOAT16 0
#endif

#if defined(__FAST_MATH__)
#define HPK_DETAIL_SIMD_FAST_MATH 1  ///< 1 when the compiler rearranges sums
#else
#define HPK_DETAIL_SIMD_FAST_MATH 0
#endif

namespace hpk::detail::vectors {

/// Bytes of a register of the target, 0 if it has none. They determine the alignment of vectors,
/// also where a GPU's compiler stores them as arrays, so that objects have the same layout in all
/// files of a program.
inline constexpr std::size_t simd_bytes = HPK_DETAIL_SIMD_BYTES;
/// Whether lanes are in vectors of the compiler.
inline constexpr bool simd_has_vectors = HPK_DETAIL_SIMD_VECTORS != 0;
/// The smallest number of bytes for which a vector is used.
inline constexpr std::size_t simd_least_bytes = 8;

#if HPK_DETAIL_SIMD_FLOAT16
template <class T>
inline constexpr bool is_native_half = std::is_same_v<T, _Float16>;
#else
template <class T>
inline constexpr bool is_native_half = false;
#endif

/// W lanes of type T as a vector of the compiler; one lane is T itself. `unaligned` has the
/// alignment of T only.
template <class T, int W>
struct simd_register {
#if HPK_DETAIL_SIMD_VECTORS
  typedef T type __attribute__((vector_size(W * sizeof(T))));
  typedef T unaligned __attribute__((vector_size(W * sizeof(T)), aligned(alignof(T))));
#endif
};
template <class T>
struct simd_register<T, 1> {
  using type = T;
  using unaligned = T;
};
template <class T, int W>
using register_t = typename simd_register<T, W>::type;

#if HPK_DETAIL_SIMD_VECTORS
/// SHUFFLE picks lanes of two vectors by constant indices, CONVERT converts lanes, PICK picks lanes
/// of one vector by a vector of indices.
#define HPK_DETAIL_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define HPK_DETAIL_CONVERT(a, type) __builtin_convertvector(a, type)
#else
#define HPK_DETAIL_SHUFFLE(a, b, ...) (a)
#define HPK_DETAIL_CONVERT(a, type) static_cast<type>(a)
#endif
#if HPK_DETAIL_SIMD_SHUFFLE
#define HPK_DETAIL_PICK(a, indices) __builtin_shuffle(a, indices)
#else
#define HPK_DETAIL_PICK(a, indices) (a)
#endif
inline constexpr bool simd_picks = HPK_DETAIL_SIMD_SHUFFLE != 0;
inline constexpr bool simd_fast_math = HPK_DETAIL_SIMD_FAST_MATH != 0;

}  // namespace hpk::detail::vectors
