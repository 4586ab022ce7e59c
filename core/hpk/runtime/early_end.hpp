// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that end early: by an uncaught exception, SIGINT or SIGTERM. Recorders complete
// their files then. Internal to runtime/.
#pragma once

namespace hpk::detail {

/// From now on calls `finish` with the reason, "SIGINT" for example, before the program ends early,
/// beside those that were given before; the same one once.
/// The terminate handler calls it, or a thread that waits for the signals, so it need not be
/// async-signal-safe; then the program ends as it would have. Leaves signals alone for which the
/// program has a handler, or which it ignores.
void watch_for_early_end(void (*finish)(const char* reason));

/// Stops calling it. Not thread-safe.
void stop_watching_for_early_end(void (*finish)(const char* reason));

}  // namespace hpk::detail
