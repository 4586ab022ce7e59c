// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which floating-point numbers an instruction of x86-64 computes with, told from its bytes and the
// registers of a thread that stopped at it. Knows the arithmetic, comparisons and conversions of
// SSE, AVX and FMA; of others, x87 and AVX-512 among them, it says that they have no numbers.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

namespace hpk::emu {

/// The numbers that an instruction takes.
struct float_operands {
  struct number {
    std::uint64_t bits;
    const std::byte* address;  ///< null for one in a register
  };
  bool doubles = false;  ///< else floats
  int count = 0;
  number numbers[24];  ///< three operands of eight floats

  void add(const std::byte* from, int bytes, bool in_memory) noexcept;
};

/// Those of the instruction at which a thread stopped because of what it computed, so that it has
/// read its operands already. Callable from a signal handler.
float_operands decode_operands(const ucontext_t& at) noexcept;

}  // namespace hpk::emu
