// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts over all rows.
#pragma once

#include <string>

namespace gpu_bench {

struct report {
  std::string filter;  ///< rows without this text are skipped
  int rows = 0;
  int missed = 0;  ///< rows below their limit
  int wrong = 0;   ///< rows whose results differ
};
report& results();

}  // namespace gpu_bench
