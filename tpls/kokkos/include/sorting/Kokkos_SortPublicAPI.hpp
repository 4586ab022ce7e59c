// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sorts, for programs that are written for Kokkos.
#pragma once

#include <hpk/kokkos/sort.hpp>
