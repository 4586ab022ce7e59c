// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/core.hpp>

#include <hpk/c/call.hpp>

#include <c/support.hpp>

#include <new>
#include <stdexcept>

using namespace c_test;

TEST(CallFromC, turns_exceptions_into_a_status) {
  EXPECT_EQ(hpk::call_from_c([] {}), HPK_OK);
  expect_error(hpk::call_from_c([] { throw std::runtime_error("of the program"); }), HPK_ERROR,
               "of the program");
  expect_error(hpk::call_from_c([] { throw std::bad_alloc(); }), HPK_OUT_OF_MEMORY, "bad_alloc");
  expect_error(hpk::call_from_c([] { throw 1; }), HPK_ERROR, "no std::exception");
  expect_error(hpk::call_from_c([] { hpk::raise(hpk::error_message() << "of hpk"); }), HPK_ERROR,
               "of hpk");
}
