// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that led to a place of the program, as addresses and as text that addr2line takes. The
// C library knows them, if it is no musl; else there are none.
#pragma once

#include <hpk/base/compiler.hpp>

#include <string>

namespace hpk::detail {

/// Whether find_calls() finds any.
inline constexpr bool knows_calls = HPK_HAS_EXECINFO != 0;
/// The return addresses of the calls that led here, the innermost first, `most` at most; returns
/// how many. Any thread.
int find_calls(void** calls, int most) noexcept;
/// "app+0x1234" for the call with that return address, as addr2line -e app takes it; "" where no
/// file is known for it.
std::string name_call(void* call);

}  // namespace hpk::detail
