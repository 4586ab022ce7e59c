// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf for kernels. Host compilers look at the arguments as they do for std::printf, clang in
// device code too.
#pragma once

#include <hpk/base/macros.hpp>

#include <cstdio>

namespace hpk {

#if HPK_HAS_DEVICE_COMPILER
// A template, since device code has no functions of its own with `...`.
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
/// Prints to the standard output from host or device. What kernels of a GPU print is kept in a
/// buffer there, and comes out at a fence; lines of several lanes come in any order. A call prints
/// its text without interleaving. Any thread. For host compilers it is std::printf itself, so that
/// a plain printf is not ambiguous after `using namespace hpk`.
using ::printf;
#endif

}  // namespace hpk
