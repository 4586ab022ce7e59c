// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call stack as return addresses and as text for addr2line. Requires a C library with
// backtrace(). musl has no backtrace(), so there the stack is empty.
#pragma once

#include <hpk/base/compiler.hpp>

#include <string>

namespace hpk::detail {

/// Whether find_calls() can find calls.
inline constexpr bool knows_calls = HPK_HAS_EXECINFO != 0;
/// Stores the return addresses of the calls on this thread's stack, innermost first, at most
/// `most`. Returns their number. Any thread.
int find_calls(void** calls, int most) noexcept;
/// Returns "app+0x1234" for a return address, in the form that addr2line -e app takes; "" if its
/// file is unknown.
std::string name_call(void* call);

}  // namespace hpk::detail
