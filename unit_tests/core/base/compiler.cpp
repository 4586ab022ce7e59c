// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The macros about the compiler are always defined, are 0 or 1, and are true for the compiler of
// this test.
#include <hpk/base/compiler.hpp>

#include <gtest/gtest.h>

namespace base_compiler_test {
namespace {

constexpr bool is_flag(int value) { return value == 0 || value == 1; }

static_assert(is_flag(HPK_HAS_CUDA_COMPILER) && is_flag(HPK_HAS_HIP_COMPILER));
static_assert(is_flag(HPK_HAS_GNU_ATTRIBUTES) && is_flag(HPK_HAS_X86_PAUSE));
static_assert(is_flag(HPK_HAS_CLEAR_PADDING));
static_assert(is_flag(HPK_HAS_LINUX) && is_flag(HPK_HAS_NDEBUG));
static_assert(is_flag(HPK_HAS_MANY_SUBSCRIPTS) && is_flag(HPK_HAS_EXECINFO));
static_assert(is_flag(HPK_HAS_ADDRESS_SANITIZER) && is_flag(HPK_HAS_THREAD_SANITIZER));
static_assert(HPK_HAS_ADDRESS_SANITIZER + HPK_HAS_THREAD_SANITIZER < 2, "they exclude each other");
static_assert(HPK_ON_DEVICE == 0 || HPK_HAS_DEVICE_COMPILER == 1);

TEST(Compiler, knows_whether_assertions_are_on) {
  bool evaluated = false;
  // assert() evaluates its condition exactly when NDEBUG is not defined.
#ifndef NDEBUG
  evaluated = true;
#endif
  EXPECT_EQ(HPK_HAS_NDEBUG == 1, !evaluated);
}

}  // namespace
}  // namespace base_compiler_test
