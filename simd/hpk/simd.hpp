// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors that are as wide as the machine: basic_simd and basic_simd_mask, their memory operations,
// reductions, permutations and mathematical functions, and loops written once for vectors and rest.
// docs/simd.md shows how they are used.
#pragma once

// In the order in which they include each other: a compiler's message then names one file between a
// program's and the one that says what is wrong.
// clang-format off
#include <hpk/simd/abi.hpp>
#include <hpk/simd/storage.hpp>
#include <hpk/simd/check.hpp>
#include <hpk/simd/native_x86.hpp>
#include <hpk/simd/mask.hpp>
#include <hpk/simd/flags.hpp>
#include <hpk/simd/vector.hpp>
#include <hpk/simd/memory.hpp>
#include <hpk/simd/select.hpp>
#include <hpk/simd/reduce.hpp>
#include <hpk/simd/permute.hpp>
#include <hpk/simd/gather.hpp>
#include <hpk/simd/bit_ops.hpp>
#include <hpk/simd/fused_math.hpp>
#include <hpk/simd/native_math.hpp>
#include <hpk/simd/math.hpp>
#include <hpk/simd/math_lanes.hpp>
#include <hpk/simd/span.hpp>
#include <hpk/simd/for.hpp>
#include <hpk/simd/aosoa.hpp>
// clang-format on
