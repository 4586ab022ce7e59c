// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fences that one thread makes all threads of the process execute. In a protocol whose one side
// runs often and the other rarely, the rare side pays for the fences of both.
#pragma once

namespace hpk::detail {

/// Whether fence_process() works here: with membarrier of Linux. The first call registers the
/// process. The registration takes milliseconds in a process with many threads, and almost no time
/// in a process with a single thread, so the library calls it when it is loaded. Any thread.
bool can_fence_process() noexcept;

/// Makes every running thread of the process execute a full fence between call and return. Returns
/// false if the system can't. Takes microseconds. Any thread.
bool fence_process() noexcept;

}  // namespace hpk::detail
