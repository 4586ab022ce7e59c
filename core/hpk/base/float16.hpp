// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's support of 16-bit floating-point numbers, as 0/1 values like those of
// compiler.hpp. A separate file because only half_t uses it.
#pragma once

#include <hpk/base/compiler.hpp>

#if defined(__FLT16_MANT_DIG__) && !HPK_HAS_CUDA_COMPILER && \
    (defined(__clang__) || defined(__x86_64__) || __GNUC__ >= 13)
#define HPK_HAS_FLOAT16 1  ///< 1 when the compiler has the type _Float16
#else
#define HPK_HAS_FLOAT16 0
#endif

#if HPK_HAS_FLOAT16 && (defined(__F16C__) || defined(__HIP_DEVICE_COMPILE__) || \
                        (defined(__aarch64__) && defined(__ARM_FP16_FORMAT_IEEE)))
#define HPK_HAS_FLOAT16_INSTRUCTIONS 1  ///< 1 when the processor converts to and from _Float16
#else
#define HPK_HAS_FLOAT16_INSTRUCTIONS 0
#endif
