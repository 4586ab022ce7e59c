// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the initialisation of a View and copies both need: detecting a value of zero bytes, and
// filling memory without a kernel.
#pragma once

#include <hpk/base/types.hpp>
#include <hpk/seam/turn.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hpk::detail {

/// Whether all bytes are zero; false for -0.0.
inline bool has_zero_bytes(const void* data, std::size_t bytes) noexcept {
  const auto* byte = static_cast<const unsigned char*>(data);
  std::uint64_t any = 0;
  for (; bytes >= sizeof any && any == 0; bytes -= sizeof any, byte += sizeof any)
    std::memcpy(&any, byte, sizeof any);
  for (; bytes != 0 && any == 0; --bytes) any = *byte++;
  return any == 0;
}

/// Sets n elements of device memory without a kernel: copies one element from the host, then
/// repeatedly doubles the part that is set. Requires that copies read host memory before they
/// return, or that the caller waits.
template <class Machine, class T>
void fill_by_copies(Machine& machine, T* data, index_t n, const T& value) {
  if (n == 0) return;
  const seam::turn held_turn(machine);
  machine.copy(data, &value, sizeof(T));
  for (index_t done = 1; done < n;) {
    const index_t next = done < n - done ? done : n - done;
    machine.copy(data + done, data, static_cast<std::size_t>(next) * sizeof(T));
    done += next;
  }
}

}  // namespace hpk::detail
