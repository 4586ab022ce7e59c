// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error reporting of hpk and of libraries built on it: error_message composes the text, raise()
// adds the place and throws.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>

#include <source_location>

namespace hpk {

/// A message, composed with <<: strings, characters, bool, integers, doubles, addresses and
/// bytes(count), which prints a unit. For cold paths; str() returns the text so far.
using error_message = detail::text;

/// Throws hpk::error with the message. Inside a task, or inside a kernel on the host or on Emu, it
/// adds pattern, label and call site of the launch; in other code it adds `where`, if known. Host
/// code only; device code calls hpk::abort.
[[noreturn]] void raise(error_message message, const std::source_location& where = {});

}  // namespace hpk
