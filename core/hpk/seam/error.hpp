// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How hpk, and libraries over it, report that a program is wrong: a message, built piece by piece,
// and raise(), which adds where that was.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>

#include <source_location>

namespace hpk {

/// A message that is built piece by piece: strings, characters, bool, integers, doubles, addresses
/// and bytes(count), which has a unit. For cold paths; str() is the text so far.
using error_message = detail::text;

/// Throws hpk::error with the message. Inside of a kernel on a host or on Emu, or of a task, it
/// adds pattern, label and call site of the launch, elsewhere `where`, if that is known. Host code
/// only; in code of a device write hpk::abort.
[[noreturn]] void raise(error_message message, const std::source_location& where = {});

}  // namespace hpk
