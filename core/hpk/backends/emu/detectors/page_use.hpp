// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether memory of the arena was accessed by some name: the processor's page table has an entry
// for a page from its first access on, of the program or of a system call. Costs no fault, and
// system calls go on as usual, which fail at protected pages.
#pragma once

#include <cstddef>

namespace hpk::emu {

/// Whether a page there was accessed since it was mapped, or since forget_use(); of large ranges,
/// one of the first 16384 pages. False where the system does not tell. Call it with the lock of the
/// map.
bool is_used(const std::byte* begin, std::size_t bytes) noexcept;
/// From now on accesses count anew. The contents stay.
void forget_use(std::byte* begin, std::size_t bytes) noexcept;

}  // namespace hpk::emu
