// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public macros that annotate functions and lambdas, each with its reason. They are empty on
// host compilers; nvcc and hipcc need them. hpk uses macros only where the language has no
// alternative.
#pragma once

#include <hpk/base/compiler.hpp>
#include <hpk/base/config.hpp>

#if HPK_HAS_HIP_COMPILER
#include <hip/hip_runtime.h>  // nvcc includes its runtime header automatically
#endif

#if HPK_HAS_DEVICE_COMPILER
#define HPK_FUNCTION __host__ __device__
#define HPK_HOST_FUNCTION __host__
#define HPK_DEVICE_FUNCTION __device__
#else
/// Marks a function that host and device may call (reason: GPU compilers need it spelled).
#define HPK_FUNCTION
/// Marks a host-only function, which is the default (reason: explicit next to overloads for
/// devices).
#define HPK_HOST_FUNCTION
/// Marks a function that GPU compilers compile for the device only, so that it may call the
/// vendor's device functions; host compilers see a plain function. Kernels call it inside
/// HPK_IF_ON_DEVICE (reason: as HPK_FUNCTION).
#define HPK_DEVICE_FUNCTION
#endif

#if HPK_HAS_EXEC_CHECK && !defined(HPK_DETAIL_SHOW_HOST_CALLS)
#define HPK_CALLS_EITHER _Pragma("nv_exec_check_disable")
#else
/// Precedes a template that calls functions of its template arguments, which may be host, device or
/// both (reason: nvcc diagnoses calls of host functions in every instantiation, even if never run
/// there).
#define HPK_CALLS_EITHER
#endif

#ifndef HPK_REQUIRE_INSTANCE
/// If 1, launches without an instance do not compile; files of a program may differ (reason:
/// programs that use several instances want no silent default).
#define HPK_REQUIRE_INSTANCE 0
#endif

#ifndef HPK_PERMISSIVE
/// If 1, hpk accepts code that Kokkos accepts, such as floating-point extents. Errors that hpk
/// otherwise reports at compile time are then checked at run time in builds with HPK_CHECKS. The
/// drop-in for Kokkos sets it. All files of a program that share templates must agree (reason:
/// programs choose it per target).
#define HPK_PERMISSIVE 0
#endif

#ifndef HPK_HALF_IS_FLOAT
/// If 1, half_t and bhalf_t are float, as in Kokkos without a GPU. All files of a program that
/// share templates must agree (reason: programs of the drop-in expect the accuracy of float).
#define HPK_HALF_IS_FLOAT 0
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
/// Precedes the declaration of a function that is defined in another file and called by kernels
/// (reason: device code is linked across files only if the program enables relocatable device
/// code).
#define HPK_RELOCATABLE_FUNCTION HPK_FUNCTION
#endif

#if HPK_HAS_GNU_ATTRIBUTES
#define HPK_EXPORT __attribute__((visibility("default")))
#else
/// Marks variables that all libraries of a process share, and classes that are thrown from one
/// library to another (reason: with -fvisibility=hidden each library would have a separate copy).
#define HPK_EXPORT
#endif

#if HPK_HAS_EXEC_CHECK
#define HPK_EXPORT_TEMPLATE
#else
/// HPK_EXPORT for a variable template or a variable of a class template (reason: nvcc 13 warns if a
/// template argument is local to a file or function, so with nvcc each library has a separate copy
/// with -fvisibility=hidden).
#define HPK_EXPORT_TEMPLATE HPK_EXPORT
#endif

#if defined(__GNUC__) && !defined(__clang__)
/// Surrounds functions that call kernels (reason: g++ warns that a fixed-length loop reads past a
/// shorter array of the kernel, although the loop stops early, at the end of the range).
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
#ifndef __clang__
#define HPK_DETAIL_ALWAYS_INLINE_LAMBDA __attribute__((always_inline))
#elif __clang_major__ >= 17
// clang accepts a C++23 attribute before the parameters of a lambda. It accepts the GNU attribute
// only in device code and not after template parameters.
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
/// `inline`, and inlined regardless of its size (reason: element access).
#define HPK_FORCEINLINE inline
#define HPK_DETAIL_ALWAYS_INLINE_LAMBDA
/// Keeps a function out of line (reason: a separate loop vectorises best).
#define HPK_NOINLINE
/// Promises that a function has no effect visible to the caller (reason: loops around a rare call
/// keep values in registers).
#define HPK_PURE
/// Promises that no other pointer refers to the object (reason: not in C++).
#define HPK_RESTRICT
/// Prefetches a cache line that will be read soon (reason: it is in another CPU's cache).
#define HPK_PREFETCH(address) static_cast<void>(address)
/// Promises that control flow never gets here (reason: C++20 has no equivalent). The promise is not
/// checked: write HPK_DETAIL_PROMISE if a mistake at run time could break it.
#define HPK_UNREACHABLE() static_cast<void>(0)
#endif

#if HPK_ON_DEVICE
#define HPK_NOINLINE_ON_HOST inline
#else
/// Keeps a function out of line in host code (reason: a rare call must not take registers from the
/// surrounding loop; on a GPU, calls themselves cost registers).
#define HPK_NOINLINE_ON_HOST HPK_NOINLINE
#endif

#if HPK_ON_DEVICE
#define HPK_ROLLED_ON_DEVICE _Pragma("unroll 1")
#else
/// Prevents unrolling of the following loop in device code (reason: an unrolled search whose steps
/// depend on each other, or an unrolled loop whose speed does not matter, costs registers and
/// instructions).
#define HPK_ROLLED_ON_DEVICE
#endif

/// Like HPK_INLINE_FUNCTION, and inlined regardless of its size.
#define HPK_FORCEINLINE_FUNCTION HPK_FUNCTION HPK_FORCEINLINE

#if HPK_HAS_CUDA_COMPILER
#define HPK_DETAIL_SHARED_ARGUMENT __grid_constant__
#else
/// Precedes the type of a kernel's argument (reason: nvcc copies an argument that the kernel
/// indexes to local memory of each lane, unless __grid_constant__ promises that no lane writes to
/// it).
#define HPK_DETAIL_SHARED_ARGUMENT
#endif

#if defined(__clang__) || HPK_HAS_CUDA_COMPILER
#define HPK_UNROLL_4 _Pragma("unroll 4")
#define HPK_UNROLL_16 _Pragma("unroll")
#elif HPK_HAS_GNU_ATTRIBUTES
#define HPK_UNROLL_4 _Pragma("GCC unroll 4")
#define HPK_UNROLL_16 _Pragma("GCC unroll 16")
#else
/// Unrolls the following loop of at most 4 iterations, or 16 (reason: accumulators in registers,
/// several accesses to memory at a time).
///@{
#define HPK_UNROLL_4
#define HPK_UNROLL_16
///@}
#endif

#if HPK_HAS_GNU_ATTRIBUTES && !defined(__clang__) && !HPK_HAS_CUDA_COMPILER
#define HPK_UNROLL_LOOP _Pragma("GCC unroll 4")
#else
/// Unrolls the following vectorised loop four times (reason: g++ does not, so that short loops are
/// dominated by their counter; clang does so by itself).
#define HPK_UNROLL_LOOP
#endif

// Expands to a parameter pack of indices if operator[] may take more than one.
#if HPK_HAS_MANY_SUBSCRIPTS
#define HPK_DETAIL_SUBSCRIPTS ...
#else
#define HPK_DETAIL_SUBSCRIPTS
#endif

/// Marks `= default` members that device code uses: empty, because compilers generate both sides.
#define HPK_DEFAULTED_FUNCTION
/// Markup of deduction guides.
#define HPK_DEDUCTION_GUIDE HPK_FUNCTION

/// Marks a deprecated entity, with a message (reason: one spelling that works before and after
/// `template`, for programs that come from Kokkos).
///@{
#define HPK_DEPRECATED [[deprecated]]
#define HPK_DEPRECATED_WITH_COMMENT(text) [[deprecated(text)]]
///@}
/// The largest std::size_t, for an omitted index (reason: for programs that come from Kokkos).
#define HPK_INVALID_INDEX (~static_cast<decltype(sizeof(0))>(0))

/// Begins a kernel lambda: captures by value, callable on host and device.
/// In a member function it would capture `this`; write HPK_CLASS_LAMBDA there.
#define HPK_LAMBDA [=] HPK_FUNCTION
/// Begins a kernel lambda in a member function: captures by value, `*this` included.
#define HPK_CLASS_LAMBDA [ =, *this ] HPK_FUNCTION
/// Like HPK_LAMBDA, and inlined regardless of its size.
#define HPK_FORCEINLINE_LAMBDA [=] HPK_FUNCTION HPK_DETAIL_ALWAYS_INLINE_LAMBDA
/// Like HPK_CLASS_LAMBDA, and inlined regardless of its size.
#define HPK_FORCEINLINE_CLASS_LAMBDA [ =, *this ] HPK_FUNCTION HPK_DETAIL_ALWAYS_INLINE_LAMBDA

#if HPK_ON_DEVICE
#define HPK_IF_ON_HOST(code) \
  {                          \
  }
#define HPK_IF_ON_DEVICE(code) {HPK_DETAIL_STRIP code}
#else
/// Compiles the statements for the host only: HPK_IF_ON_HOST((f();)). Opens a scope.
#define HPK_IF_ON_HOST(code) {HPK_DETAIL_STRIP code}
/// Compiles the statements for the device only: HPK_IF_ON_DEVICE((f();)). Opens a scope.
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
