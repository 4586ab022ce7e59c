// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors that are as wide as the machine: basic_simd and basic_simd_mask, their memory operations,
// reductions, permutations and mathematical functions, and loops written once for vectors and rest.
// docs/simd.md shows how they are used.
#pragma once

#include <hpk/simd/aosoa.hpp>
#include <hpk/simd/bit_ops.hpp>
#include <hpk/simd/for.hpp>
#include <hpk/simd/gather.hpp>
#include <hpk/simd/math.hpp>
#include <hpk/simd/math_lanes.hpp>
#include <hpk/simd/permute.hpp>
#include <hpk/simd/reduce.hpp>
#include <hpk/simd/select.hpp>
