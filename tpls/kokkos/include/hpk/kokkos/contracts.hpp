// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KOKKOS_ASSERT and related macros: hpk's in checked builds, empty in others. They are complete
// statements, as Kokkos' are: some programs write no semicolon after them.
#pragma once

#include <hpk/assert.hpp>

#if HPK_CHECKS
#define KOKKOS_ASSERT(...)   \
  {                          \
    HPK_ASSERT(__VA_ARGS__); \
  }
#define KOKKOS_EXPECTS(...)   \
  {                           \
    HPK_EXPECTS(__VA_ARGS__); \
  }
#define KOKKOS_ENSURES(...)   \
  {                           \
    HPK_ENSURES(__VA_ARGS__); \
  }
#else
#define KOKKOS_ASSERT(...)
#define KOKKOS_EXPECTS(...)
#define KOKKOS_ENSURES(...)
#endif
