// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an instruction of x86-64 computes with and touches, told from its bytes and the registers of
// a thread that stopped at it. Numbers: those of the arithmetic, comparisons and conversions of
// SSE, AVX and FMA; of others, x87 and AVX-512 among them, it says that they have none. Memory: see
// decode_access().
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

/// The memory that an instruction touches.
struct memory_access {
  struct operand {
    std::uintptr_t address;
    std::uintptr_t base;  ///< the register that the address is counted from
    std::size_t bytes;    ///< at most so many
  };
  int count = 0;
  operand operands[2];  ///< of movs and cmps, two
};

/// That of the instruction which a thread executes next. Leaves out the stack that push, pop, call
/// and ret use; x87 without an address; accesses relative to fs and gs (thread-local variables);
/// masked accesses and gathers; and AVX-512, but for its plain moves. Callable from a signal
/// handler.
memory_access decode_access(const ucontext_t& at) noexcept;

}  // namespace hpk::emu
