// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells whether memory of the arena was accessed through a range of addresses. The processor's page
// table has an entry for a page from its first access on, by the program or by a system call. This
// costs no fault, and system calls work as usual; they would fail at protected pages.
#pragma once

#include <cstddef>

namespace hpk::emu {

/// Returns whether a page of the range was accessed since it was mapped or since forget_use(). Of
/// large ranges, only the first 16384 pages count. Returns false if the system does not tell. Call
/// it with the lock of the map.
bool is_used(const std::byte* begin, std::size_t bytes) noexcept;
/// Forgets earlier accesses. The contents stay.
void forget_use(std::byte* begin, std::size_t bytes) noexcept;

}  // namespace hpk::emu
