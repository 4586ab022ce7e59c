// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How to declare a variable in device memory: GPU compilers require namespace scope and an
// attribute, host compilers nothing.
#pragma once

#include <hpk/base/macros.hpp>

#if HPK_HAS_DEVICE_COMPILER
#if defined(__CUDACC_RDC__) || defined(__CLANG_RDC__)
#define HPK_DETAIL_STORAGE_LINKAGE inline
#define HPK_DETAIL_STORAGE_SCOPE inline namespace hpk_device_globals
#else
// Without relocatable device code a file can use only its own device variables.
#define HPK_DETAIL_STORAGE_LINKAGE static
#define HPK_DETAIL_STORAGE_SCOPE namespace
#endif
#define HPK_DETAIL_DEVICE_STORAGE(mark, T, name)                                                 \
  HPK_DETAIL_STORAGE_SCOPE {                                                                     \
    HPK_DETAIL_STORAGE_LINKAGE mark ::hpk::detail::type_identity<T>::type hpk_storage_of_##name; \
  }
#define HPK_DETAIL_DEVICE_ADDRESS(name) static_cast<const void*>(&hpk_storage_of_##name)
#define HPK_DETAIL_GLOBAL_MARK __device__
#define HPK_DETAIL_CONSTANT_MARK __constant__
#else
/// Replaces a storage attribute on compilers without a device (reason: GPU compilers need it
/// spelled).
#define HPK_DETAIL_STORAGE_SCOPE inline namespace hpk_device_globals
#define HPK_DETAIL_DEVICE_STORAGE(mark, T, name)
#define HPK_DETAIL_DEVICE_ADDRESS(name) nullptr
#define HPK_DETAIL_GLOBAL_MARK
#define HPK_DETAIL_CONSTANT_MARK
#endif
