// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 02, copy and fill: exactly the requested bytes, at any offset and size, below and above the
// size from which the machine shares the work.
#pragma once

#include <conformance/findings.hpp>

namespace hpk_conformance {

template <class Exec>
void step_02_copy_fill(const Exec& exec, findings& found) {
  auto& machine = exec.instance();
  const std::size_t shared = machine.properties().single_group_bytes;
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{4097},
        shared == 0 ? std::size_t{100} : shared - 1, shared, shared + 1, 3 * shared + 77}) {
    for (const std::size_t offset : {0ul, 1ul, 65ul}) {
      const std::size_t all = bytes + offset + 70;
      const buffer<unsigned char, Exec> to(exec, all);
      machine.fill(to.data() + offset, 0x5a, bytes);
      std::vector<unsigned char> expected(all, 0xee);
      for (std::size_t k = 0; k < bytes; ++k) expected[offset + k] = 0x5a;
      found.expect(to.host() == expected, "fill sets the bytes asked for and no others");

      std::vector<unsigned char> pattern(bytes + 1);
      for (std::size_t k = 0; k < bytes; ++k)
        pattern[k] = static_cast<unsigned char>(k * 7 + k / 251);
      const buffer<unsigned char, Exec> from(exec, bytes + 1);
      from.set(pattern);
      machine.copy(to.data() + offset, from.data(), bytes);
      for (std::size_t k = 0; k < bytes; ++k) expected[offset + k] = pattern[k];
      found.expect(to.host() == expected, "copy moves the bytes asked for and no others");
    }
  }
}

}  // namespace hpk_conformance
