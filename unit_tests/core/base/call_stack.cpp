// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call stack of a function: not empty where the C library supports it, at most as long as the
// array, and functions of this program have a name.
#include <hpk/base/call_stack.hpp>

#include <gtest/gtest.h>

namespace base_call_stack_test {
namespace {

TEST(CallStack, has_the_calls_that_led_here) {
  void* calls[64] = {};
  const int count = hpk::detail::find_calls(calls, 64);
  EXPECT_EQ(count > 2, hpk::detail::knows_calls);
  EXPECT_LE(hpk::detail::find_calls(calls, 1), 1);
}

TEST(CallStack, names_file_and_offset) {
  static const int here = 0;
  void* const place = const_cast<int*>(&here);
  const std::string name = hpk::detail::name_call(place);
  const auto plus = name.find("+0x");
  ASSERT_NE(plus, std::string::npos) << name;
  EXPECT_GT(plus, 0u);
  EXPECT_EQ(name.find('/'), std::string::npos);
  EXPECT_EQ(hpk::detail::name_call(nullptr), "");
}

}  // namespace
}  // namespace base_call_stack_test
