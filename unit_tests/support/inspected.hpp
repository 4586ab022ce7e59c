// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Views that an inspection finds in an object:
//   for (const hpk::seam::view_facts& view : views_of(kernel)) ...
#pragma once

#include <hpk/seam/inspection.hpp>

#include <vector>

namespace hpk_test {

/// Collects the Views that are copied.
class all_views final : public hpk::seam::inspection {
 public:
  void see(const hpk::seam::view_facts& view) noexcept override { seen.push_back(view); }
  std::vector<hpk::seam::view_facts> seen;
};

/// Returns the Views in a copy of an object, in the order of their copies.
template <class T>
std::vector<hpk::seam::view_facts> views_of(const T& object) {
  all_views found;
  {
    const hpk::seam::inspection_scope inspecting(found);
    [[maybe_unused]] const T copy(object);
  }
  return found.seen;
}

}  // namespace hpk_test
