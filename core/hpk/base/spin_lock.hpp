// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock for critical sections of a few instructions. It costs one atomic operation; a std::mutex
// costs two. Only for .cpp files.
#pragma once

#include <hpk/base/atomic_word.hpp>

#include <thread>

namespace hpk::detail {

/// A lock whose waiting threads yield. Locking drains the streaming stores of the thread on x86
/// (streaming.hpp). Constant-initialised and trivially destroyed, so that static objects may use it
/// at any time.
class spin_lock {
 public:
  /// Waits until no other thread holds the lock.
  void lock() noexcept {
    while (taken_.exchange(true, memory_order::acquire)) std::this_thread::yield();
  }
  /// Releases the lock.
  void unlock() noexcept { taken_.store(false, memory_order::release); }

 private:
  atomic_word<bool> taken_;
};

}  // namespace hpk::detail
