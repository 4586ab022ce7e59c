// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only file that tests compiler, compilation pass and sanitizer. It defines each result as a
// 0/1 value (`#if HPK_HAS_X`, never `#ifdef`), so that a misspelled name is a -Wundef warning.
#pragma once

// A compiler that can't compile hpk prints one error with advice. Then an include of a header that
// does not exist ends the compilation. After #error alone, thousands of errors would follow.
#if defined(__NVCC__) && defined(__CUDACC_VER_MAJOR__) && \
    __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1204
#error "hpk needs nvcc 12.4 or newer"
#include <hpk/base/see_the_error_above>
#elif defined(__clang__) && !defined(__apple_build_version__) && __clang_major__ < 16
#error "hpk needs clang 16 or newer, or g++ 12"
#include <hpk/base/see_the_error_above>
#elif defined(__GNUC__) && !defined(__clang__) && !defined(__NVCOMPILER) && __GNUC__ < 12
#error "hpk needs g++ 12 or newer, or clang 16"
#include <hpk/base/see_the_error_above>
#elif (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error "hpk needs C++20, write -std=c++20; with CMake, link hpk::hpk and set no older standard"
#include <hpk/base/see_the_error_above>
#elif !__has_include(<source_location>)
#error "hpk needs a standard library of C++20: that of g++ 12, or libc++ 16, or a newer one"
#include <hpk/base/see_the_error_above>
#endif

#if defined(__CUDACC__)
#define HPK_HAS_CUDA_COMPILER 1
#else
/// 1 when nvcc or clang compiles this file as CUDA, else 0.
#define HPK_HAS_CUDA_COMPILER 0
#endif

#if defined(__HIPCC__)
#define HPK_HAS_HIP_COMPILER 1
#else
/// 1 when hipcc or clang compiles this file as HIP, else 0.
#define HPK_HAS_HIP_COMPILER 0
#endif

/// 1 when this file is compiled for a GPU too, else 0.
#define HPK_HAS_DEVICE_COMPILER (HPK_HAS_CUDA_COMPILER || HPK_HAS_HIP_COMPILER)

#if defined(_OPENMP)
#define HPK_HAS_OPENMP_COMPILER 1  ///< 1 when this file is compiled with OpenMP
#else
#define HPK_HAS_OPENMP_COMPILER 0
#endif

#if HPK_HAS_OPENMP_COMPILER && defined(__clang__)
#define HPK_HAS_OPENMP_DEVICE_PASS \
  1  ///< 1 when the compiler reads a file once per kind of OpenMP device
#else
#define HPK_HAS_OPENMP_DEVICE_PASS 0
#endif

#if defined(__clang__)
#define HPK_DETAIL_KEEP_PRODUCTS \
  _Pragma("clang fp contract(off)")  ///< at the start of a block whose products are not fused
#else
#define HPK_DETAIL_KEEP_PRODUCTS
#endif

#if defined(__NVCC__) && defined(__CUDACC__)
#define HPK_HAS_EXEC_CHECK 1  ///< 1 when the compiler diagnoses host calls in device functions
#else
#define HPK_HAS_EXEC_CHECK 0
#endif

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define HPK_ON_DEVICE 1
#else
/// 1 in the pass that makes device code, else 0.
#define HPK_ON_DEVICE 0
#endif

#if defined(__GNUC__) || defined(__clang__)
#define HPK_HAS_GNU_ATTRIBUTES \
  1  ///< 1 when __restrict__, noinline and always_inline attributes exist
#else
#define HPK_HAS_GNU_ATTRIBUTES 0
#endif

#if defined(__GNUC__) && !defined(__clang__)
#define HPK_HAS_CLEAR_PADDING 1  ///< 1 when the compiler can set padding to zero, and leaves it so
#else
#define HPK_HAS_CLEAR_PADDING 0
#endif

#if !defined(__GNUC__) || defined(__OPTIMIZE__)
#define HPK_HAS_OPTIMIZER 1  ///< 0 without optimisation, when calls are cheaper than inlining
#else
#define HPK_HAS_OPTIMIZER 0
#endif

#if defined(__x86_64__) || defined(__i386__)
#define HPK_HAS_X86_PAUSE 1  ///< 1 when the pause instruction exists
#else
#define HPK_HAS_X86_PAUSE 0
#endif

#if HPK_HAS_EXEC_CHECK && defined(__CUDA_ARCH__) && !defined(__NV_DISABLE_128_ATOMICS)
#if __CUDA_ARCH__ >= 900
#define HPK_HAS_DEVICE_WIDE_EXCHANGE 1  ///< 1 when the device has a 16-byte compare-and-exchange
#endif
#endif
#ifndef HPK_HAS_DEVICE_WIDE_EXCHANGE
#define HPK_HAS_DEVICE_WIDE_EXCHANGE 0
#endif

#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#define HPK_HAS_SINGLE_THREADED 1  ///< 1 when the C library knows whether there is one thread
#endif
#endif
#ifndef HPK_HAS_SINGLE_THREADED
#define HPK_HAS_SINGLE_THREADED 0
#endif

#if defined(__linux__)
#define HPK_HAS_LINUX 1  ///< 1 on Linux: affinity masks, cgroups, madvise
#else
#define HPK_HAS_LINUX 0
#endif

#if HPK_HAS_LINUX && defined(__x86_64__) && defined(__LP64__)
#define HPK_HAS_SINGLE_STEP \
  1  ///< 1 when a signal handler can read x86-64 registers and single-step
#else
#define HPK_HAS_SINGLE_STEP 0
#endif

#if HPK_HAS_SINGLE_STEP && HPK_HAS_CLEAR_PADDING && !HPK_HAS_DEVICE_COMPILER && \
    !defined(__NO_TRAPPING_MATH__) && !defined(__FAST_MATH__)
#define HPK_HAS_TRAPPING_MATH \
  1  ///< 1 when signalling NaNs can trap, and the compiler computes only what the program asks for
#else
#define HPK_HAS_TRAPPING_MATH 0
#endif

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#define HPK_HAS_INFINITIES \
  0  ///< 0 when the compiler assumes no infinities (-ffast-math, -ffinite-math-only)
#else
#define HPK_HAS_INFINITIES 1
#endif

#if defined(__SANITIZE_ADDRESS__)
#define HPK_HAS_ADDRESS_SANITIZER 1  ///< 1 when this file is compiled with -fsanitize=address
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HPK_HAS_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef HPK_HAS_ADDRESS_SANITIZER
#define HPK_HAS_ADDRESS_SANITIZER 0
#endif

#if defined(__SANITIZE_THREAD__)
#define HPK_HAS_THREAD_SANITIZER 1  ///< 1 when this file is compiled with -fsanitize=thread
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HPK_HAS_THREAD_SANITIZER 1
#endif
#endif
#ifndef HPK_HAS_THREAD_SANITIZER
#define HPK_HAS_THREAD_SANITIZER 0
#endif

#if defined(__x86_64__) && HPK_HAS_GNU_ATTRIBUTES && !HPK_HAS_THREAD_SANITIZER
#define HPK_HAS_WIDE_EXCHANGE \
  1  ///< 1 when hosts have a 16-byte compare-and-exchange (cmpxchg16b; not under TSan)
#else
#define HPK_HAS_WIDE_EXCHANGE 0
#endif

#if defined(__x86_64__) && HPK_HAS_GNU_ATTRIBUTES && !HPK_HAS_ADDRESS_SANITIZER && \
    !HPK_HAS_THREAD_SANITIZER
#define HPK_HAS_STREAMING_STORES 1  ///< 1 when host stores can bypass caches (movnti, sfence)
#else
#define HPK_HAS_STREAMING_STORES 0
#endif

#if defined(__clang__)
#define HPK_HAS_NONTEMPORAL_STORE 1  ///< 1 when the compiler has a builtin for such stores
#else
#define HPK_HAS_NONTEMPORAL_STORE 0
#endif

#if defined(__cpp_multidimensional_subscript)
#define HPK_HAS_MANY_SUBSCRIPTS 1  ///< 1 when operator[] may take any number of indices (C++23)
#else
#define HPK_HAS_MANY_SUBSCRIPTS 0
#endif

#if __has_include(<execinfo.h>)
#define HPK_HAS_EXECINFO 1  ///< 1 when the C library has backtrace(); musl has not
#else
#define HPK_HAS_EXECINFO 0
#endif

#if defined(NDEBUG)
#define HPK_HAS_NDEBUG 1  ///< 1 when NDEBUG disables assertions in this translation unit
#else
#define HPK_HAS_NDEBUG 0
#endif
