// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the configuration, as HPK_PRINT_CONFIGURATION asks, in programs that never call
// hpk::initialize: before their first launch, or after their first allocation. Internal to
// runtime/.
#pragma once

namespace hpk::detail {

/// Has the end of the program print if nothing before did. Called when a space starts.
void print_at_exit() noexcept;
/// hpk::initialize was called, which prints by itself: the first use and the end of the program do
/// not any more. Returns whether they did already.
bool end_first_use() noexcept;
/// Prints the configuration on standard output, as JSON if asked for.
void print_as_asked(bool as_json);

}  // namespace hpk::detail
