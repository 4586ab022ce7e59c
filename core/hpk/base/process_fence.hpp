// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fences that one thread passes on behalf of all threads of the process. Where one side of a
// protocol runs often and the other rarely, the rare side pays for both.
#pragma once

namespace hpk::detail {

/// Whether fence_process() works here: with membarrier of Linux. The first call registers the
/// process. That takes milliseconds in a process of many threads, and next to nothing in one of a
/// single thread, so the library calls it when it is loaded. Any thread.
bool can_fence_process() noexcept;

/// Makes every running thread of the process pass a full fence between call and return; false if
/// the system can't. Microseconds. Any thread.
bool fence_process() noexcept;

}  // namespace hpk::detail
