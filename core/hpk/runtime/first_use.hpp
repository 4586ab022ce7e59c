// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the configuration for HPK_PRINT_CONFIGURATION in programs that never call hpk::initialize:
// before their first launch, or after their first allocation. Internal to runtime/.
#pragma once

namespace hpk::detail {

/// Makes the program print the configuration at its end unless it has been printed before. Called
/// when a space starts.
void print_at_exit() noexcept;
/// Called by hpk::initialize, which prints the configuration itself: cancels the printing at first
/// use and at the end of the program. Returns whether the configuration was printed already.
bool end_first_use() noexcept;
/// Prints the configuration on standard output, as JSON if `as_json`.
void print_as_asked(bool as_json);

}  // namespace hpk::detail
