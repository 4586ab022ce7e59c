// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel may access device memory by a plain pointer, which holds a host address. The first
// access to a block faults and opens it; it is closed again when the kernel is done.
#pragma once

namespace hpk::emu {

/// Opens the block of a host address to plain pointers, until close_blocks(). False when it is no
/// living block. Callable from a signal handler.
bool open_block(const void* address) noexcept;
/// Closes what open_block() opened.
void close_blocks() noexcept;

}  // namespace hpk::emu
