// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a variable of a device is declared: GPU compilers want it at namespace scope and marked, a
// host compiler needs none of it.
#pragma once

#include <hpk/base/macros.hpp>

#if HPK_HAS_DEVICE_COMPILER
#if defined(__CUDACC_RDC__) || defined(__CLANG_RDC__)
#define HPK_DETAIL_STORAGE_LINKAGE inline
#define HPK_DETAIL_STORAGE_SCOPE inline namespace hpk_device_globals
#else
// Device code of one file knows variables of that file only.
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
/// What stands for a kind of variable where there is no device (reason: GPU compilers need it
/// spelled).
#define HPK_DETAIL_STORAGE_SCOPE inline namespace hpk_device_globals
#define HPK_DETAIL_DEVICE_STORAGE(mark, T, name)
#define HPK_DETAIL_DEVICE_ADDRESS(name) nullptr
#define HPK_DETAIL_GLOBAL_MARK
#define HPK_DETAIL_CONSTANT_MARK
#endif
