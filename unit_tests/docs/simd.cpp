// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code blocks of docs/simd.md, where they belong; blocks.py compiles this file.
#include <hpk/core.hpp>
#include <hpk/simd.hpp>

void loops(int n, double a, double* px, double* py) {
#include "vectors.block"
}

void conversions(const float* p, hpk::simd_mask<float, 8> m) {
#include "conversions-between-vectors-and-numbers.block"
}
