// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emu and fork(): the queues and their tasks stay with the parent, as with a real GPU. Calls in a
// child that would wait for them throw.
#pragma once

namespace hpk::emu {

/// Starts to watch forks. Further calls do nothing.
void watch_forks() noexcept;
/// Whether the process is the child of a fork() that was watched.
bool is_forked() noexcept;
/// Throws hpk::error if is_forked().
void expect_not_forked();

}  // namespace hpk::emu
