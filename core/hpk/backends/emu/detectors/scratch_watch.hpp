// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells race_detector of every access of lanes to the scratch of their group, by whatever
// instruction. Its pages are gone while lanes run: an access faults, the pages come back for that
// one instruction (single_step.hpp), and are taken away again behind it. Of an instruction that
// touches scratch twice, as `movs` does, only the first access is seen. Where steps are not
// possible it does nothing.
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

  /// From the handler of a fault: lets the instruction pass, or returns false when the address lies
  /// in no scratch that is watched.
  static bool on_fault(const void* address, void* context);

 private:
  bool set_rights(int rights) const noexcept;
  static void after_step();
  scratch_pages levels_[2];
};

}  // namespace hpk::emu
