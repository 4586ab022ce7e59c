// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Array, and kokkos_swap, which comes along with it.
#pragma once

#include <hpk/array.hpp>
#include <hpk/kokkos/swap.hpp>
