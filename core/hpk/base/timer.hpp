// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stopwatch on the steady clock. It does not fence: to time asynchronous work, fence before
// reading it. The clock is read in timer.cpp, which keeps <chrono> out of this header.
#pragma once

#include <hpk/base/types.hpp>

namespace hpk {

namespace detail {
/// Nanoseconds of the steady clock since an arbitrary start.
std::int64_t steady_nanoseconds() noexcept;
}  // namespace detail

/// Measures wall time in seconds. Not thread-safe: use one object per thread.
class Timer {
 public:
  /// Starts at construction.
  Timer() noexcept { reset(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  /// Starts again from zero.
  void reset() noexcept { start_ = detail::steady_nanoseconds(); }
  /// Seconds since construction or the last reset().
  double seconds() const noexcept {
    return static_cast<double>(detail::steady_nanoseconds() - start_) * 1e-9;
  }

 private:
  std::int64_t start_ = 0;
};

}  // namespace hpk
