// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/host/failure.hpp>

#include <thread>

namespace hpk::host {

void failure_log::record(index_t position) noexcept {
  // With more workers than CPUs the worker that holds the lock may have been preempted.
  while (busy_.exchange(true, detail::memory_order::acquire)) std::this_thread::yield();
  if (lowest_ == nullptr || position < position_) {
    lowest_ = std::current_exception();
    position_ = position;
  }
  busy_.store(false, detail::memory_order::release);
}

}  // namespace hpk::host
