// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// call_from_c, for C++ functions that programs in other languages call.
#pragma once

#include <hpk/c/hpk.h>

namespace hpk {

namespace detail::c {
/// Returns the status of the exception that is being handled, and sets hpk_last_error(). Inside a
/// catch block only.
hpk_status status_of_exception() noexcept;
}  // namespace detail::c

/// Calls f() and returns HPK_OK. If f throws, returns the status of the exception instead, whose
/// text hpk_last_error() then returns: HPK_OUT_OF_MEMORY for std::bad_alloc, otherwise HPK_ERROR.
/// Any thread.
template <class F>
hpk_status call_from_c(F&& f) noexcept {
  try {
    f();
    return HPK_OK;
  } catch (...) {
    return detail::c::status_of_exception();
  }
}

}  // namespace hpk
