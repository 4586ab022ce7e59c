// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gate that holds the queue of an instance of Emu up, for tests of what happens meanwhile.
#pragma once

#include <support/spaces.hpp>

#if HPK_ENABLE_EMU
#include <atomic>
#include <thread>

namespace hpk_test {

// A kernel of Emu reaches the program's statics; host memory that it captured it does not.
/// Open: what waits at it goes on.
inline std::atomic<bool> gate{false};
/// Counted by kernels behind the gate.
inline std::atomic<int> done{0};

/// Closes the gate, and lets what the instance is given from now on wait there.
inline void wait_at_gate(const hpk::Emu& exec) {
  gate = false;
  done = 0;
  hpk::parallel_for("gate", hpk::RangePolicy<hpk::Emu>(exec, 0, 1), [](int) {
    while (!gate) std::this_thread::yield();
  });
}

}  // namespace hpk_test
#endif
