// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public macros that mark up functions and lambdas, each with its reason. On a host compiler
// the markup is empty; nvcc and hipcc read it. Macros are used only where the language has no other
// way.
#pragma once

#include <hpk/base/compiler.hpp>
#include <hpk/base/config.hpp>

#if HPK_HAS_HIP_COMPILER
#include <hip/hip_runtime.h>  // nvcc includes its own by itself
#endif

#if HPK_HAS_DEVICE_COMPILER
#define HPK_FUNCTION __host__ __device__
#define HPK_HOST_FUNCTION __host__
#define HPK_DEVICE_FUNCTION __device__
#else
/// Marks a function that host and device may call (reason: GPU compilers need it spelled).
#define HPK_FUNCTION
/// Marks a function for the host alone, which is what a function without markup is (reason: to say
/// so beside overloads for devices).
#define HPK_HOST_FUNCTION
/// Marks a function that GPU compilers compile for the device alone, so that it may call what the
/// vendor offers there; host compilers see a plain function. Kernels call it inside of
/// HPK_IF_ON_DEVICE (reason: as HPK_FUNCTION).
#define HPK_DEVICE_FUNCTION
#endif

#if HPK_HAS_EXEC_CHECK
#define HPK_CALLS_EITHER _Pragma("nv_exec_check_disable")
#else
/// Before a template that calls what its arguments say, be that for the host, the device or both
/// (reason: nvcc looks for calls of host functions in every instantiation, run there or not).
#define HPK_CALLS_EITHER
#endif

#ifndef HPK_REQUIRE_INSTANCE
/// 1: launches that leave out their instance do not compile. Set it for a whole program, as any
/// macro that headers read (reason: a program that works on several instances has no use for a
/// default).
#define HPK_REQUIRE_INSTANCE 0
#endif

/// Like HPK_FUNCTION, and `inline` (reason: functions defined in headers).
#define HPK_INLINE_FUNCTION HPK_FUNCTION inline

#if (HPK_HAS_CUDA_COMPILER && !defined(__CUDACC_RDC__) && !defined(__CLANG_RDC__)) || \
    (HPK_HAS_HIP_COMPILER && !defined(__CLANG_RDC__))
#define HPK_RELOCATABLE_FUNCTION                                                                 \
  static_assert(false,                                                                           \
                "hpk: a function whose device code another file defines; in CMake write "        \
                "set_target_properties(<target> PROPERTIES CUDA_SEPARABLE_COMPILATION ON), for " \
                "HIP add -fgpu-rdc");                                                            \
  HPK_FUNCTION
#else
/// Before the declaration of a function that another file defines and kernels call (reason: device
/// code is linked across files only where the program asks its compiler for it).
#define HPK_RELOCATABLE_FUNCTION HPK_FUNCTION
#endif

#if defined(__GNUC__) && !defined(__clang__)
/// Around functions that call kernels (reason: a loop of a fixed length ends early where the range
/// does, and g++ warns that a table of fewer elements, which the kernel reads, would be left).
#define HPK_DETAIL_QUIET_LOOPS   \
  _Pragma("GCC diagnostic push") \
      _Pragma("GCC diagnostic ignored \"-Waggressive-loop-optimizations\"")
#define HPK_DETAIL_QUIET_LOOPS_END _Pragma("GCC diagnostic pop")
#else
#define HPK_DETAIL_QUIET_LOOPS
#define HPK_DETAIL_QUIET_LOOPS_END
#endif

#if HPK_HAS_GNU_ATTRIBUTES
#define HPK_FORCEINLINE inline __attribute__((always_inline))
#if HPK_HAS_DEVICE_COMPILER || !defined(__clang__)
#define HPK_DETAIL_ALWAYS_INLINE_LAMBDA __attribute__((always_inline))
#elif __clang_major__ >= 17
// Only device compilers of clang take GNU's attribute in front of the parameters of a lambda;
// others take one of C++23 there.
#define HPK_DETAIL_ALWAYS_INLINE_LAMBDA                                                       \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc++23-extensions\"") \
      [[clang::always_inline]] _Pragma("clang diagnostic pop")
#else
#define HPK_DETAIL_ALWAYS_INLINE_LAMBDA
#endif
#define HPK_NOINLINE __attribute__((noinline))
#define HPK_PURE __attribute__((pure))
#define HPK_RESTRICT __restrict__
#define HPK_PREFETCH(address) __builtin_prefetch(address)
#define HPK_UNREACHABLE() __builtin_unreachable()
#else
/// `inline`, and inlined whatever the size (reason: element access).
#define HPK_FORCEINLINE inline
#define HPK_DETAIL_ALWAYS_INLINE_LAMBDA
/// Keeps a function out of line (reason: a loop of its own is what the vectoriser sees best).
#define HPK_NOINLINE
/// The promise that a function changes nothing that the caller sees (reason: loops around a call
/// that is rarely made keep values in registers).
#define HPK_PURE
/// The promise that no other pointer refers to the object (reason: not in C++).
#define HPK_RESTRICT
/// Fetches a cache line that will be read soon (reason: it lies in another CPU's cache).
#define HPK_PREFETCH(address) static_cast<void>(address)
/// The promise that no path leads here (reason: C++20 has no word for it).
#define HPK_UNREACHABLE() static_cast<void>(0)
#endif

#if HPK_ON_DEVICE
#define HPK_NOINLINE_ON_HOST inline
#else
/// Keeps a function out of line in host code (reason: what is rarely called there shall not take
/// registers from the loop around the call; on a GPU a call is what takes them).
#define HPK_NOINLINE_ON_HOST HPK_NOINLINE
#endif

/// Like HPK_INLINE_FUNCTION, and inlined whatever the size.
#define HPK_FORCEINLINE_FUNCTION HPK_FUNCTION HPK_FORCEINLINE

#if defined(__clang__) || HPK_HAS_CUDA_COMPILER
#define HPK_UNROLL_16 _Pragma("unroll")
#elif HPK_HAS_GNU_ATTRIBUTES
#define HPK_UNROLL_16 _Pragma("GCC unroll 16")
#else
/// Asks that the loop of up to 16 rounds below be unrolled (reason: accumulators in registers).
#define HPK_UNROLL_16
#endif

#if HPK_HAS_GNU_ATTRIBUTES && !defined(__clang__) && !HPK_HAS_CUDA_COMPILER
/// Asks for four rounds of the vectorised loop below at a time (reason: g++ does one, and short
/// loops then pay for their counter; clang does so by itself).
#define HPK_UNROLL_LOOP _Pragma("GCC unroll 4")
#else
#define HPK_UNROLL_LOOP
#endif

// Makes a pack of the indices of operator[] where the language has it take more than one.
#if HPK_HAS_MANY_SUBSCRIPTS
#define HPK_DETAIL_SUBSCRIPTS ...
#else
#define HPK_DETAIL_SUBSCRIPTS
#endif

/// Markup of `= default` members that device code uses: none, compilers give them both sides.
#define HPK_DEFAULTED_FUNCTION
/// Markup of deduction guides.
#define HPK_DEDUCTION_GUIDE HPK_FUNCTION

/// Marks a deprecated entity, with a message (reason: the same spelling before and after
/// `template`, in programs that come from Kokkos).
#define HPK_DEPRECATED [[deprecated]]
#define HPK_DEPRECATED_WITH_COMMENT(text) [[deprecated(text)]]
/// The largest std::size_t, for an index that is not given (reason: as above).
#define HPK_INVALID_INDEX (~static_cast<decltype(sizeof(0))>(0))

/// Begins a kernel lambda: captures by value, callable on host and device.
/// In a member function it would capture `this`; write HPK_CLASS_LAMBDA there.
#define HPK_LAMBDA [=] HPK_FUNCTION
/// Begins a kernel lambda in a member function: captures by value, `*this` included.
#define HPK_CLASS_LAMBDA [ =, *this ] HPK_FUNCTION
/// Like HPK_LAMBDA, and inlined whatever the size.
#define HPK_FORCEINLINE_LAMBDA [=] HPK_FUNCTION HPK_DETAIL_ALWAYS_INLINE_LAMBDA
/// Like HPK_CLASS_LAMBDA, and inlined whatever the size.
#define HPK_FORCEINLINE_CLASS_LAMBDA [ =, *this ] HPK_FUNCTION HPK_DETAIL_ALWAYS_INLINE_LAMBDA

#if HPK_ON_DEVICE
#define HPK_IF_ON_HOST(code) \
  {                          \
  }
#define HPK_IF_ON_DEVICE(code) {HPK_DETAIL_STRIP code}
#else
/// Keeps the statements only on the host side: HPK_IF_ON_HOST((f();)). Opens a scope of its own.
#define HPK_IF_ON_HOST(code) {HPK_DETAIL_STRIP code}
/// Keeps the statements only on the device side: HPK_IF_ON_DEVICE((f();)). A scope of its own too.
#define HPK_IF_ON_DEVICE(code) \
  {                            \
  }
#endif
#define HPK_DETAIL_STRIP(...) __VA_ARGS__

#if HPK_HAS_CUDA_COMPILER
#define HPK_DETAIL_TRAP() \
  for (;;) __trap()
#elif HPK_HAS_HIP_COMPILER
#define HPK_DETAIL_TRAP() __builtin_trap()
#endif
