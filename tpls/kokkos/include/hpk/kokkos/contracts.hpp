// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KOKKOS_ASSERT and its kin, as hpk's.
#pragma once

#include <hpk/assert.hpp>

#define KOKKOS_ASSERT(...) HPK_ASSERT(__VA_ARGS__)
#define KOKKOS_EXPECTS(...) HPK_EXPECTS(__VA_ARGS__)
#define KOKKOS_ENSURES(...) HPK_ENSURES(__VA_ARGS__)
