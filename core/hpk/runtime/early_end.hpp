// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that end early, by an uncaught exception, SIGINT or SIGTERM: recorders complete their
// files first. Internal to runtime/.
#pragma once

namespace hpk::detail {

/// Calls `finish` before the program ends early, with the reason, for example "SIGINT". Each
/// function is called once, even if added twice. The terminate handler calls it, or a thread that
/// waits for the signals, so it need not be async-signal-safe; then the program ends as it would
/// have without it. Signals that the program handles or ignores are left alone.
void watch_for_early_end(void (*finish)(const char* reason));

/// Removes `finish`. Not thread-safe.
void stop_watching_for_early_end(void (*finish)(const char* reason));

}  // namespace hpk::detail
