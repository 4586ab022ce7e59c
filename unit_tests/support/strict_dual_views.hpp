// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes DualViews reject forgotten copies during the object's lifetime.
#pragma once

#include <hpk/containers/dual_view.hpp>

namespace hpk_test {

struct strict_dual_views {
  bool before = hpk::set_strict_dual_views(true);
  ~strict_dual_views() { hpk::set_strict_dual_views(before); }
};

}  // namespace hpk_test
