// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells race_detector which elements of Views a kernel writes, also where the bytes stay the same:
// the pages of elements that were accessed are protected against writing. A write faults, is told,
// and runs as a single step (single_step.hpp). Where steps are not possible it does nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>

namespace hpk::emu {

/// Watches the writes of one kernel on the calling thread, for the lifetime of the object.
class write_watch {
 public:
  write_watch();
  ~write_watch();
  write_watch(const write_watch&) = delete;
  write_watch& operator=(const write_watch&) = delete;

  /// Writes to an element are told from now on, by the address that kernels use.
  void add(const void* element, std::size_t bytes);
  /// From the handler of a fault: lets a write to a protected page pass, of a kernel that is
  /// watched or of anybody else. False for other faults.
  static bool on_fault(const void* address, void* context);

 private:
  static void after_step();
  void open_all() noexcept;

  static thread_local write_watch* watching;
  write_watch* outer_;
  std::unordered_set<std::uintptr_t> pages_;
  std::uintptr_t open_[2] = {};  // during a step
  int writes_ = 0;
};

}  // namespace hpk::emu
