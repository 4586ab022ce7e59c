// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carries exceptions out of parallel regions: each group records its exception and the position in
// iteration order; the launch rethrows the exception with the lowest position on the calling thread
// (rule "errors from kernels").
#pragma once

#include <hpk/base/atomic_word.hpp>
#include <hpk/base/types.hpp>

#include <exception>

namespace hpk::host {

/// Collects the exceptions of the groups of one launch.
class failure_log {
 public:
  /// Stores the current exception if its position is lower than those before. Call it in a catch
  /// block. Thread-safe.
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
