// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel for the tests of OffsetViews.
#pragma once

#include <hpk/core.hpp>

#include <cstdint>

namespace hpk_test {

/// Writes 100 i + j to element (i, j) of an OffsetView, over one row.
template <class V>
struct number_row {
  V view;
  HPK_FUNCTION void operator()(std::int64_t i) const {
    for (std::int64_t j = view.begin(1); j != view.end(1); ++j)
      view(i, j) = static_cast<int>(100 * i + j);
  }
};

}  // namespace hpk_test
