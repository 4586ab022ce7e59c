// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reports say of an address: the block that it belongs to, or last belonged to.
#pragma once

#include <cstddef>
#include <string>

namespace hpk::emu {

/// What is known of the block that an address belongs to, or last belonged to.
struct block_facts {
  bool known = false;
  bool freed = false;
  std::string label;
  std::size_t bytes = 0;
  std::ptrdiff_t offset = 0;  ///< of the address from the first byte
  bool held = false;          ///< a shared block that a kernel may be using
  std::string holder = {};    ///< the label of that kernel
  int device = 0;             ///< whose memory it is
  bool shared = false;        ///< memory of the host and every device
  bool mirror = false;        ///< host memory that mirrors a block
  std::string source = {};    ///< the label of that block
  bool copied = false;        ///< whose elements it once got by a copy
};

/// What is known of an address, of the host or of kernels. Thread-safe.
block_facts find_block(const void* address);

}  // namespace hpk::emu
