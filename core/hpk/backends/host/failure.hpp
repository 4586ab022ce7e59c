// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carries exceptions out of parallel regions: every group reports what it threw and where in the
// iteration order, the launch rethrows the lowest one on the calling thread (R11).
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/types.hpp>

#include <exception>

namespace hpk::host {

/// Collects what the groups of one launch threw.
class failure_log {
 public:
  /// Called in a handler: keeps the current exception if it is the lowest so far. Thread-safe.
  void record(index_t position) noexcept;
  /// Throws the lowest exception, if there was one. After all groups are done.
  void rethrow_lowest() const {
    if (lowest_ != nullptr) std::rethrow_exception(lowest_);
  }

 private:
  detail::atomic_word<bool> busy_;
  index_t position_ = 0;
  std::exception_ptr lowest_;
};

}  // namespace hpk::host
