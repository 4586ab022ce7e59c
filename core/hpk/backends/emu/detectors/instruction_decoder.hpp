// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes an instruction of x86-64 from its bytes and the registers of a thread that stopped at it:
// the numbers that it computes with and the memory that it touches. Numbers are known for
// arithmetic, comparisons and conversions of SSE, AVX and FMA; other instructions, x87 and AVX-512
// included, appear to have none. For memory see decode_access().
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

namespace hpk::emu {

/// The floating-point operands of an instruction.
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

/// Returns the operands of the instruction at which a thread trapped because of its result, so that
/// it has read its operands already. Callable from a signal handler.
float_operands decode_operands(const ucontext_t& at) noexcept;

/// The memory that an instruction touches.
struct memory_access {
  struct operand {
    std::uintptr_t address;
    std::uintptr_t base;  ///< value of the base register
    std::size_t bytes;    ///< upper bound
  };
  int count = 0;
  operand operands[2];  ///< two for movs and cmps
};

/// Returns the memory that a thread's next instruction touches. Leaves out the stack that push,
/// pop, call and ret use; x87 without an address; accesses relative to fs and gs (thread-local
/// variables); masked accesses and gathers; and AVX-512 except plain moves. Callable from a signal
/// handler.
memory_access decode_access(const ucontext_t& at) noexcept;

}  // namespace hpk::emu
