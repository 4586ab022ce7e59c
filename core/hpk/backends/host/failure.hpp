// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carries exceptions out of parallel regions: each group records its exception and the position in
// iteration order; the launch rethrows the lowest one on the calling thread (R11).
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/types.hpp>

#include <exception>

namespace hpk::host {

/// Collects the exceptions of the groups of one launch.
class failure_log {
 public:
  /// Keeps the current exception if its position is the lowest so far. Call it in a catch block.
  /// Thread-safe.
  void record(index_t position) noexcept;
  /// Throws the exception with the lowest position, if any. Call it when all groups are done.
  void rethrow_lowest() const {
    if (lowest_ != nullptr) std::rethrow_exception(lowest_);
  }

 private:
  detail::atomic_word<bool> busy_;
  index_t position_ = 0;
  std::exception_ptr lowest_;
};

}  // namespace hpk::host
