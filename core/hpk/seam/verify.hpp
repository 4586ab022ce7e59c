// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HPK_KERNEL_VERIFY: a condition that kernels test in every build, with a message that has numbers.
#pragma once

#include <hpk/base/printf.hpp>
#include <hpk/seam/error.hpp>

namespace hpk::detail {

/// Throws hpk::error with the condition, the text that printf would make, and the kernel.
[[noreturn, gnu::format(printf, 4, 5)]] void reject_verification(const char* condition,
                                                                 const char* file, int line,
                                                                 const char* format, ...);

}  // namespace hpk::detail

/// Tests a condition, in kernels and in host code, checked build or not:
///   HPK_KERNEL_VERIFY(count <= size, "cell %d holds %d of %d particles", cell, count, size);
/// If it is false: on hosts and Emu an hpk::error with condition, text, place and kernel; on a GPU
/// it prints them and ends the kernel. The text and its numbers are those of printf.
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
