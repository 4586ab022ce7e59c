// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematical functions of the C library as compiler builtins. Not from <cmath>, which would
// be a fifth of all lines that <hpk/core.hpp> includes, or <math.h>, a tenth.
#pragma once

#include <hpk/base/compiler.hpp>

#include <type_traits>  // defines __GLIBC__

/// HPK_DETAIL_C_MATH(sin): ::sin.
#if HPK_HAS_DEVICE_COMPILER
// On GPUs the functions come from a header.
#include <cmath>
#define HPK_DETAIL_C_MATH(name) ::name
#else
#if defined(__FAST_MATH__) || !defined(__GLIBC__)
// With -ffast-math, glibc's header declares the vector variants of functions. With other C
// libraries the values of the constants below are unknown.
#include <cmath>
#endif
#define HPK_DETAIL_C_MATH(name) __builtin_##name
#endif

namespace hpk::detail {

/// The values of FP_NAN and the other classes. c_math.cpp checks the values for glibc against its
/// header.
enum float_class : int {
#ifdef FP_NAN
  fp_nan = FP_NAN,
  fp_infinite = FP_INFINITE,
  fp_zero = FP_ZERO,
  fp_subnormal = FP_SUBNORMAL,
  fp_normal = FP_NORMAL
#else
  fp_nan = 0,
  fp_infinite = 1,
  fp_zero = 2,
  fp_subnormal = 3,
  fp_normal = 4
#endif
};

}  // namespace hpk::detail
