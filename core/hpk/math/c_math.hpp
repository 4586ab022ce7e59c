// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematical functions of the C library without its header, which has a tenth of the lines of
// all that <hpk/core.hpp> includes, with <cmath> a fifth: compilers know the functions themselves.
#pragma once

#include <hpk/base/compiler.hpp>

#include <type_traits>  // tells whose C library it is

/// HPK_DETAIL_C_MATH(sin): ::sin.
#if HPK_HAS_DEVICE_COMPILER
// On GPUs they are functions of a header.
#include <cmath>
#define HPK_DETAIL_C_MATH(name) ::name
#else
#if defined(__FAST_MATH__) || !defined(__GLIBC__)
// With -ffast-math the header of glibc says which functions there are for vectors; of others the
// constants below are not known.
#include <cmath>
#endif
#define HPK_DETAIL_C_MATH(name) __builtin_##name
#endif

namespace hpk::detail {

/// FP_NAN and the like. Those of glibc are held against its header in c_math.cpp.
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
