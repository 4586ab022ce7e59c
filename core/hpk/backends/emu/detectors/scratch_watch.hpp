// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports every access of lanes to the scratch of their group to race_detector, by whatever
// instruction. The pages of scratch are closed while lanes run. An access faults, the pages open
// for this one instruction (single_step.hpp), and close again after it. If an instruction touches
// scratch twice, as `movs` may, only the first access is seen. Does nothing where single steps are
// not possible.
#pragma once

#include <hpk/backends/emu/detectors/scratch_memory.hpp>

namespace hpk::emu {

/// Watches the scratch of the group that the calling thread runs, for the lifetime of the object.
class scratch_watch {
 public:
  scratch_watch(const scratch_pages& small, const scratch_pages& large);
  ~scratch_watch();
  scratch_watch(const scratch_watch&) = delete;
  scratch_watch& operator=(const scratch_watch&) = delete;

  /// Call from the handler of a fault. Lets the instruction pass; returns false if the address is
  /// in no watched scratch.
  static bool on_fault(const void* address, void* context);

 private:
  bool set_rights(int rights) const noexcept;
  static void after_step();
  scratch_pages levels_[2];
};

}  // namespace hpk::emu
