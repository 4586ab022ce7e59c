// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps waits for a whole device and recordings of graphs from overlapping: the vendors' libraries
// break off every recording when any thread waits for the device.
#pragma once

#include <condition_variable>
#include <mutex>

namespace hpk::gpu {

/// Orders the waits of all threads and their recordings. Any number of waits may overlap, and any
/// number of recordings. Thread-safe.
class recording_turns {
 public:
  /// Starts a recording on the calling thread, after the waits of other threads.
  void begin_recording();
  void end_recording() noexcept;
  /// Starts a wait, after the recordings of other threads. Returns false if the calling thread
  /// records; then it must not wait.
  bool begin_wait() noexcept;
  void end_wait() noexcept;

  /// A wait for the lifetime of the object.
  class wait {
   public:
    explicit wait(recording_turns& turns) noexcept
        : turns_(turns.begin_wait() ? &turns : nullptr) {}
    ~wait() {
      if (turns_ != nullptr) turns_->end_wait();
    }
    wait(const wait&) = delete;
    wait& operator=(const wait&) = delete;
    /// False if the calling thread records.
    bool is_allowed() const noexcept { return turns_ != nullptr; }

   private:
    recording_turns* turns_;
  };

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  int recordings_ = 0;
  int waiting_recordings_ = 0;  // recordings that wait for their turn; new waits let them pass
  int waits_ = 0;
};

}  // namespace hpk::gpu
