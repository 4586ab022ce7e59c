// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports to race_detector which elements of Views a kernel writes, also if a write leaves the
// bytes unchanged. The pages of accessed elements are protected against writes. A write faults, is
// reported, and runs as a single step (single_step.hpp). Does nothing where single steps are not
// possible.
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

  /// Starts to report writes to an element. `element` is the address that kernels use.
  void add(const void* element, std::size_t bytes);
  /// Call from the handler of a fault. Lets a write to a protected page pass, by a watched kernel
  /// or by any other code. Returns false for other faults.
  static bool on_fault(const void* address, void* context);

 private:
  static void after_step();
  void open_all() noexcept;

  static thread_local write_watch* watching;
  write_watch* outer_;
  std::unordered_set<std::uintptr_t> pages_;
  std::uintptr_t open_[2] = {};  // pages that are open during a step
  int writes_ = 0;
};

}  // namespace hpk::emu
