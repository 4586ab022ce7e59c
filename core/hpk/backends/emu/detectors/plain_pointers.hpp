// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets kernels access device memory through a plain pointer, which holds a host address. The first
// access to a block faults and opens the block; it is closed again when the kernel is done.
#pragma once

namespace hpk::emu {

/// Opens the block of a host address to plain pointers, until close_blocks(). Returns false if the
/// address is in no living block. Callable from a signal handler.
bool open_block(const void* address) noexcept;
/// Closes the blocks that open_block() opened.
void close_blocks() noexcept;

}  // namespace hpk::emu
