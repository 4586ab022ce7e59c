// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The KOKKOS_ macros, each as hpk's macro or as a fact about this hpk, and the name of the
// namespace: in a program of the drop-in the word Kokkos means hpk. It is a macro, because only a
// macro lets programs reopen namespace Kokkos, specialise its templates and declare them in
// advance.
#pragma once

// Accepts all code that compiles with Kokkos.
#ifndef HPK_PERMISSIVE
#define HPK_PERMISSIVE 1
#endif

// half_t and bhalf_t have 16 bits if this hpk has a GPU; otherwise they are float, as in Kokkos.
#ifndef HPK_HALF_IS_FLOAT
#define HPK_HALF_IS_FLOAT (!HPK_ENABLE_CUDA && !HPK_ENABLE_HIP && !HPK_ENABLE_OPENMPTARGET)
#endif

#include <hpk/backends/default_spaces.hpp>
#include <hpk/base/config.hpp>
#include <hpk/base/macros.hpp>

// The CMake package defines the macro on the command line, for declarations before this header.
#ifndef Kokkos
#define Kokkos hpk
#endif
namespace hpk {}  // namespace hpk

/// Older names: 1 provides the names that Kokkos has deprecated or removed, 0 does not.
#ifndef HPK_KOKKOS_OLDER_NAMES
#define HPK_KOKKOS_OLDER_NAMES 1
#endif

/// The version of Kokkos that a program sees: major * 10000 + minor * 100 + patch.
#ifndef HPK_KOKKOS_VERSION
#define HPK_KOKKOS_VERSION 50200
#endif
#define KOKKOS_VERSION HPK_KOKKOS_VERSION
// The CMake package defines the parts as numbers.
#ifndef KOKKOS_VERSION_MAJOR
#define KOKKOS_VERSION_MAJOR (KOKKOS_VERSION / 10000)
#define KOKKOS_VERSION_MINOR (KOKKOS_VERSION / 100 % 100)
#define KOKKOS_VERSION_PATCH (KOKKOS_VERSION % 100)
#endif
#define HPK_KOKKOS_NUMBER(a, b, c) ((a) * 10000 + (b) * 100 + (c))
#define KOKKOS_VERSION_LESS(a, b, c) (KOKKOS_VERSION < HPK_KOKKOS_NUMBER(a, b, c))
#define KOKKOS_VERSION_LESS_EQUAL(a, b, c) (KOKKOS_VERSION <= HPK_KOKKOS_NUMBER(a, b, c))
#define KOKKOS_VERSION_GREATER(a, b, c) (KOKKOS_VERSION > HPK_KOKKOS_NUMBER(a, b, c))
#define KOKKOS_VERSION_GREATER_EQUAL(a, b, c) (KOKKOS_VERSION >= HPK_KOKKOS_NUMBER(a, b, c))
#define KOKKOS_VERSION_EQUAL(a, b, c) (KOKKOS_VERSION == HPK_KOKKOS_NUMBER(a, b, c))

// Functions and lambdas.
#define KOKKOS_FUNCTION HPK_FUNCTION
#define KOKKOS_INLINE_FUNCTION HPK_INLINE_FUNCTION
#define KOKKOS_FORCEINLINE_FUNCTION HPK_FORCEINLINE_FUNCTION
#define KOKKOS_RELOCATABLE_FUNCTION HPK_RELOCATABLE_FUNCTION
#define KOKKOS_DEFAULTED_FUNCTION HPK_DEFAULTED_FUNCTION
#define KOKKOS_INLINE_FUNCTION_DELETED HPK_INLINE_FUNCTION
#define KOKKOS_DEDUCTION_GUIDE HPK_DEDUCTION_GUIDE
#define KOKKOS_LAMBDA HPK_LAMBDA
#define KOKKOS_CLASS_LAMBDA HPK_CLASS_LAMBDA
#define KOKKOS_FORCEINLINE_LAMBDA HPK_FORCEINLINE_LAMBDA
#define KOKKOS_FORCEINLINE_CLASS_LAMBDA HPK_FORCEINLINE_CLASS_LAMBDA
#define KOKKOS_IF_ON_HOST(code) HPK_IF_ON_HOST(code)
#define KOKKOS_IF_ON_DEVICE(code) HPK_IF_ON_DEVICE(code)
#if HPK_HAS_DEVICE_COMPILER
#define KOKKOS_IMPL_HOST_FUNCTION __host__
#define KOKKOS_IMPL_DEVICE_FUNCTION __device__
#else
#define KOKKOS_IMPL_HOST_FUNCTION
#define KOKKOS_IMPL_DEVICE_FUNCTION
#endif
#define KOKKOS_RESTRICT HPK_RESTRICT
#define KOKKOS_DEPRECATED HPK_DEPRECATED
#define KOKKOS_DEPRECATED_WITH_COMMENT(text) HPK_DEPRECATED_WITH_COMMENT(text)
#define KOKKOS_INVALID_INDEX HPK_INVALID_INDEX

// Backends. Kokkos has one backend that runs on host threads, and programs expect that: OpenMP,
// unless Threads is the only one or the default space. HPK_KOKKOS_ALL_BACKENDS names both.
#ifndef HPK_KOKKOS_ALL_BACKENDS
#define HPK_KOKKOS_ALL_BACKENDS 0
#endif
#if HPK_ENABLE_SERIAL
#define KOKKOS_ENABLE_SERIAL
#endif
#if HPK_ENABLE_THREADS && (HPK_KOKKOS_ALL_BACKENDS || !HPK_ENABLE_OPENMP || \
                           defined(KOKKOS_ENABLE_DEFAULT_DEVICE_TYPE_THREADS))
#define KOKKOS_ENABLE_THREADS
#endif
#if HPK_ENABLE_OPENMP && (HPK_KOKKOS_ALL_BACKENDS || !defined(KOKKOS_ENABLE_THREADS))
#define KOKKOS_ENABLE_OPENMP
#endif
#if HPK_ENABLE_CUDA
#define KOKKOS_ENABLE_CUDA
#define KOKKOS_ENABLE_CUDA_LAMBDA
#if defined(__CUDACC_RDC__) || defined(__CLANG_RDC__)
#define KOKKOS_ENABLE_CUDA_RELOCATABLE_DEVICE_CODE
#endif
#endif
#if HPK_ENABLE_HIP
#define KOKKOS_ENABLE_HIP
#if defined(__CLANG_RDC__)
#define KOKKOS_ENABLE_HIP_RELOCATABLE_DEVICE_CODE
#endif
#endif
#if HPK_ENABLE_OPENMPTARGET
#define KOKKOS_ENABLE_OPENMPTARGET
#endif
// The default space. If HPK_DEFAULT_EXECUTION_SPACE names it, the CMake package defines the macro.
#ifndef HPK_DEFAULT_EXECUTION_SPACE
#if HPK_ENABLE_CUDA
#define KOKKOS_ENABLE_DEFAULT_DEVICE_TYPE_CUDA
#elif HPK_ENABLE_HIP
#define KOKKOS_ENABLE_DEFAULT_DEVICE_TYPE_HIP
#elif HPK_ENABLE_OPENMP
#define KOKKOS_ENABLE_DEFAULT_DEVICE_TYPE_OPENMP
#elif HPK_ENABLE_THREADS
#define KOKKOS_ENABLE_DEFAULT_DEVICE_TYPE_THREADS
#else
#define KOKKOS_ENABLE_DEFAULT_DEVICE_TYPE_SERIAL
#endif
#endif
#define KOKKOS_HAS_SHARED_SPACE
#define KOKKOS_HAS_SHARED_HOST_PINNED_SPACE

// Language and compiler.
#define KOKKOS_ENABLE_CXX11_DISPATCH_LAMBDA
#define KOKKOS_ENABLE_CXX20
#if __cplusplus > 202002L
#define KOKKOS_ENABLE_CXX23
#endif
#if __cplusplus > 202302L
#define KOKKOS_ENABLE_CXX26
#endif
#if defined(__clang__)
#define KOKKOS_COMPILER_CLANG (__clang_major__ * 100 + __clang_minor__ * 10 + __clang_patchlevel__)
#elif defined(__GNUC__)
#define KOKKOS_COMPILER_GNU (__GNUC__ * 100 + __GNUC_MINOR__ * 10 + __GNUC_PATCHLEVEL__)
#endif
#if defined(__NVCC__)
#define KOKKOS_COMPILER_NVCC (__CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ * 10)
#endif

// The options of this hpk, and its checks.
#if HPK_CHECKS
#define KOKKOS_ENABLE_DEBUG
#define KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
#endif
#define KOKKOS_ENABLE_LIBDL
#define KOKKOS_ENABLE_TUNING
#if HPK_WITH_HWLOC
#define KOKKOS_ENABLE_HWLOC
#endif
#if defined(__SIZEOF_FLOAT128__) && !HPK_HAS_DEVICE_COMPILER
#if __has_include(<quadmath.h>)
#define KOKKOS_ENABLE_LIBQUADMATH
#endif
#endif
#if HPK_COMPLEX_ALIGN
#define KOKKOS_ENABLE_COMPLEX_ALIGN
#endif
#if HPK_HALF_IS_FLOAT
#define KOKKOS_HALF_T_IS_FLOAT true
#define KOKKOS_BHALF_T_IS_FLOAT true
#else
#define KOKKOS_HALF_T_IS_FLOAT false
#define KOKKOS_BHALF_T_IS_FLOAT false
#endif
#define KOKKOS_IMPL_HALF_TYPE_DEFINED
#define KOKKOS_IMPL_BHALF_TYPE_DEFINED

#if HPK_KOKKOS_OLDER_NAMES
#if HPK_KOKKOS_VERSION >= 50000
#define KOKKOS_ENABLE_DEPRECATED_CODE_5
#elif HPK_KOKKOS_VERSION >= 40000
#define KOKKOS_ENABLE_DEPRECATED_CODE_4
#else
#define KOKKOS_ENABLE_DEPRECATED_CODE_3
#endif
#define KOKKOS_ATTRIBUTE_NODISCARD [[nodiscard]]
#define KOKKOS_MEMORY_ALIGNMENT 64
#define KOKKOS_MEMORY_ALIGNMENT_THRESHOLD 1
#define KOKKOS_IMPL_CTOR_DEFAULT_ARG KOKKOS_INVALID_INDEX
#define KOKKOS_IMPL_DO_NOT_USE_PRINTF(...) Kokkos::printf(__VA_ARGS__)
#if HPK_ON_DEVICE && HPK_HAS_CUDA_COMPILER
#define KOKKOS_ACTIVE_EXECUTION_MEMORY_SPACE_CUDA
#elif HPK_ON_DEVICE
#define KOKKOS_ACTIVE_EXECUTION_MEMORY_SPACE_HIP_GPU
#else
#define KOKKOS_ACTIVE_EXECUTION_MEMORY_SPACE_HOST
#endif
#endif
