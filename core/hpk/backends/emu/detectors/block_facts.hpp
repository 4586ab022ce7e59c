// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts that reports tell about an address: the block that it belongs to, or last belonged to.
#pragma once

#include <cstddef>
#include <string>

namespace hpk::emu {

/// The facts about the block that an address belongs to, or last belonged to.
struct block_facts {
  bool known = false;
  bool freed = false;
  std::string label;
  std::size_t bytes = 0;
  std::ptrdiff_t offset = 0;  ///< distance of the address from the first byte
  bool held = false;          ///< a shared block that a kernel may be using
  std::string holder = {};    ///< label of this kernel
  int device = 0;             ///< device that owns the memory
  bool shared = false;        ///< memory of the host and every device
  bool mirror = false;        ///< host memory that mirrors a block
  std::string source = {};    ///< label of the mirrored block
  bool copied = false;        ///< the mirror holds a copy of that block
};

/// Returns the facts about a host or device address. Thread-safe.
block_facts find_block(const void* address);

}  // namespace hpk::emu
