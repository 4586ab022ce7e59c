// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf for kernels. Host compilers check the arguments as for std::printf; clang also does so in
// device code.
#pragma once

#include <hpk/base/macros.hpp>

#include <cstdio>

namespace hpk {

#if HPK_HAS_DEVICE_COMPILER
// A template, because device code does not support C variadic functions.
#if defined(__clang__)
#define HPK_DETAIL_FORMAT __attribute__((format(printf, 1, 2)))
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
#else
#define HPK_DETAIL_FORMAT
#endif
template <class... Ts>
HPK_DETAIL_FORMAT HPK_INLINE_FUNCTION void printf(const char* format, Ts... values) {
  HPK_IF_ON_HOST((std::printf(format, values...);))
  HPK_IF_ON_DEVICE((::printf(format, values...);))
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#undef HPK_DETAIL_FORMAT
#else
/// Prints to the standard output from host or device. Output of GPU kernels is buffered on the
/// device and appears at a fence; lines of different lanes appear in any order. The text of one
/// call is not interleaved with others. Any thread. On host compilers this is std::printf itself,
/// so that an unqualified printf is not ambiguous after `using namespace hpk`.
using ::printf;
#endif

}  // namespace hpk
