// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that end early: by an uncaught exception, SIGINT or SIGTERM. A profile completes its
// files then. Internal to runtime/.
#pragma once

namespace hpk::detail {

/// From now on calls `finish` with the reason, "SIGINT" for example, before the program ends early.
/// The call comes from the terminate handler, or from a thread that waits for the signals, so that
/// it may do all that other code may; then the program ends as it would have. Signals for which the
/// program has a handler, or which it ignores, stay as they are.
void watch_for_early_end(void (*finish)(const char* reason));

/// Ends that. Not beside other calls.
void stop_watching_for_early_end();

}  // namespace hpk::detail
