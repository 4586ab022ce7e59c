// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls functions of GPU libraries that first report how much memory they need, and then take it.
#pragma once

#include <hpk/seam/turn.hpp>

#include <cstddef>

namespace hpk::gpu {

/// Calls call(nullptr, bytes), which sets the number of bytes, then call(memory, bytes), with a
/// workspace of the machine.
template <class Machine, class Call>
void call_with_workspace(Machine& own, const Call& call) {
  const seam::turn held_turn(own);
  std::size_t bytes = 0;
  call(nullptr, bytes);
  const typename Machine::workspace space(own, bytes == 0 ? 1 : bytes);
  call(space.data(), bytes);
}

}  // namespace hpk::gpu
