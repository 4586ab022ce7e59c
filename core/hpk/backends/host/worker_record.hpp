// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records the largest number of workers of a host space's instances.
#pragma once

#include <hpk/base/atomic_word.hpp>

namespace hpk::host {

/// The largest number of workers of any instance of a space; a variable of its .cpp file.
class worker_record {
 public:
  void raise_to(int workers) noexcept {
    int most = most_.load(detail::memory_order::relaxed);
    while (most < workers &&
           !most_.compare_exchange(most, workers, detail::memory_order::relaxed)) {
    }
  }
  int most() const noexcept { return most_.load(detail::memory_order::relaxed); }

 private:
  detail::atomic_word<int> most_{0};
};

}  // namespace hpk::host
