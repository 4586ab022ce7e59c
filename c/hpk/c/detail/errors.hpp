// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of the C interface: functions throw, hpk::call_from_c turns exceptions into a status.
#pragma once

#include <hpk/error.hpp>

#include <hpk/c/hpk.h>
#include <hpk/c/call.hpp>

#include <stdexcept>

namespace hpk::detail::c {

/// An error with its status. C++ code that calls from_c catches it as hpk::error or std::exception.
class failure final : public error, public std::runtime_error {
 public:
  failure(hpk_status s, const std::string& text) : std::runtime_error(text), status(s) {}
  const char* what() const noexcept override { return std::runtime_error::what(); }
  hpk_status status;
};
/// Throws the failure.
[[noreturn]] void fail(hpk_status status, const error_message& message);
[[noreturn]] inline void fail_argument(const error_message& message) {
  fail(HPK_INVALID_ARGUMENT, message);
}
/// Throws unless the pointer is not null. `what`: "view", the name of the argument.
void expect_pointer(const char* function, const void* pointer, const char* what);

}  // namespace hpk::detail::c
