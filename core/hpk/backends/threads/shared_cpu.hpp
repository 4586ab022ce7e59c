// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notices that a busy worker shares its CPU with the thread that wakes it, so that one can't run
// while the other does. Systems leave two such threads where they are for many milliseconds.
#pragma once

#include <chrono>

namespace hpk::threads {

/// What one worker knows about sharing its CPU. Not thread-safe.
class shared_cpu {
 public:
  using clock = std::chrono::steady_clock;
  /// Long enough that threads of another runtime, which spin on the other CPUs for some
  /// milliseconds after their last work, mostly sleep by then: they would be worse company.
  static constexpr std::chrono::milliseconds patience{4};
  /// A worker that is back so soon has met another process where it went. It has twice the patience
  /// then, up to the longest; the shortest again when it has not shared its CPU for that time.
  static constexpr std::chrono::milliseconds return_time{20};
  static constexpr std::chrono::milliseconds longest_patience{1024};
  /// A worker that had nothing to do for longer starts anew.
  static constexpr std::chrono::milliseconds pause{1};

  /// Told when a job begins for which the worker is where its waker is. True when it has been so
  /// for long enough, at jobs that followed each other within `pause`, and it had better go
  /// elsewhere; it begins anew then.
  bool notice(clock::time_point now) noexcept {
    if (since_ == never || now - last_ > pause) since_ = now;
    if (now - last_ > return_time) {
      patience_ = patience;
    } else if (sent_away_ && patience_ < longest_patience) {
      patience_ *= 2;
    }
    sent_away_ = false;
    last_ = now;
    if (now - since_ < patience_) return false;
    since_ = never;
    sent_away_ = true;
    return true;
  }
  /// Told when such a job, which may have taken long, is done.
  void rest(clock::time_point now) noexcept { last_ = now; }
  /// Told at a job for which it is not.
  void forget() noexcept { since_ = never; }

 private:
  static constexpr clock::time_point never{};
  clock::time_point since_ = never;
  clock::time_point last_ = never;
  bool sent_away_ = false;  // it was noticed, and the worker is not back yet
  std::chrono::milliseconds patience_ = patience;
};

}  // namespace hpk::threads
