// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HPK_KERNEL_VERIFY: a condition that kernels test in every build, with a printf-style message.
#pragma once

#include <hpk/base/printf.hpp>
#include <hpk/seam/error.hpp>

namespace hpk::detail {

/// Throws hpk::error with the condition, the printf-formatted text, and the kernel.
[[noreturn, gnu::format(printf, 4, 5)]] void reject_verification(const char* condition,
                                                                 const char* file, int line,
                                                                 const char* format, ...);

}  // namespace hpk::detail

/// Tests a condition in kernels and in host code, in checked and unchecked builds:
///   HPK_KERNEL_VERIFY(count <= size, "cell %d holds %d of %d particles", cell, count, size);
/// If it is false: hosts and Emu throw hpk::error with condition, text, place and kernel; a GPU
/// prints them and ends the kernel. The text and its arguments are those of printf.
#define HPK_KERNEL_VERIFY(condition, ...)                                                         \
  do {                                                                                            \
    if (!(condition)) [[unlikely]] {                                                              \
      HPK_IF_ON_HOST(                                                                             \
          (::hpk::detail::reject_verification(#condition, __FILE__, __LINE__, __VA_ARGS__);))     \
      HPK_IF_ON_DEVICE(                                                                           \
          (::hpk::printf("hpk: not true: %s (at %s:%d): ", #condition, __FILE__, __LINE__);       \
           ::hpk::printf(__VA_ARGS__); ::hpk::abort("HPK_KERNEL_VERIFY: a condition is false");)) \
    }                                                                                             \
  } while (false)
