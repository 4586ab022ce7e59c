// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/gpu/recording_turns.hpp>

namespace hpk::gpu {

namespace {
thread_local int recordings_of_thread = 0;
}

void recording_turns::begin_recording() {
  std::unique_lock lock(guard_);
  ++waiting_recordings_;
  changed_.wait(lock, [this] { return waits_ == 0; });
  --waiting_recordings_;
  ++recordings_;
  ++recordings_of_thread;
}

void recording_turns::end_recording() noexcept {
  {
    const std::lock_guard lock(guard_);
    --recordings_;
    --recordings_of_thread;
  }
  changed_.notify_all();
}

bool recording_turns::begin_wait() noexcept {
  if (recordings_of_thread != 0) return false;
  std::unique_lock lock(guard_);
  changed_.wait(lock, [this] { return recordings_ == 0 && waiting_recordings_ == 0; });
  ++waits_;
  return true;
}

void recording_turns::end_wait() noexcept {
  {
    const std::lock_guard lock(guard_);
    --waits_;
  }
  changed_.notify_all();
}

}  // namespace hpk::gpu
