// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emu and fork(): the queues, and what is in them, stay with the parent, as with a real GPU. A
// child gets an error where it would wait for them.
#pragma once

namespace hpk::emu {

/// Watches forks from now on. Calling again does nothing.
void watch_forks() noexcept;
/// Whether the process is the child of a fork() that was watched.
bool is_forked() noexcept;
/// Throws hpk::error if it is.
void expect_not_forked();

}  // namespace hpk::emu
