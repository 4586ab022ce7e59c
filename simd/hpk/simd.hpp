// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors as wide as the registers of the processor: basic_simd and basic_simd_mask, their memory
// operations, reductions, permutations and mathematical functions, and loops with one body for
// whole vectors and the rest. docs/simd.md shows how to use them.
#pragma once

// Ordered so that each header includes only earlier ones: error messages of compilers then list one
// header between the program's file and the one with the error.
// clang-format off
#include <hpk/simd/abi.hpp>
#include <hpk/simd/detail/storage.hpp>
#include <hpk/simd/detail/check.hpp>
#include <hpk/simd/detail/native_x86.hpp>
#include <hpk/simd/mask.hpp>
#include <hpk/simd/flags.hpp>
#include <hpk/simd/vector.hpp>
#include <hpk/simd/memory.hpp>
#include <hpk/simd/select.hpp>
#include <hpk/simd/reduce.hpp>
#include <hpk/simd/permute.hpp>
#include <hpk/simd/gather.hpp>
#include <hpk/simd/bit_ops.hpp>
#include <hpk/simd/detail/fused_math.hpp>
#include <hpk/simd/detail/native_math.hpp>
#include <hpk/simd/math.hpp>
#include <hpk/simd/math_lanes.hpp>
#include <hpk/simd/span.hpp>
#include <hpk/simd/for.hpp>
#include <hpk/simd/aosoa.hpp>
// clang-format on
