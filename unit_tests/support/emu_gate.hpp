// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gate that blocks the queue of an instance of Emu while a test acts.
#pragma once

#include <support/spaces.hpp>

#if HPK_ENABLE_EMU
#include <atomic>
#include <thread>

namespace hpk_test {

// Kernels of Emu may access static variables of the program, but not host memory that they
// captured.
/// True when the gate is open: waiting kernels continue.
inline std::atomic<bool> gate{false};
/// Incremented by kernels that run after the gate opens.
inline std::atomic<int> done{0};

/// Closes the gate. All later work of the instance waits until it opens.
inline void wait_at_gate(const hpk::Emu& exec) {
  gate = false;
  done = 0;
  hpk::parallel_for("gate", hpk::RangePolicy<hpk::Emu>(exec, 0, 1), [](int) {
    while (!gate) std::this_thread::yield();
  });
}

}  // namespace hpk_test
#endif
