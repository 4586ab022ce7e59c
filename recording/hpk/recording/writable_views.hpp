// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the Views that a kernel may write. Internal to recording/.
#pragma once

#include <hpk/tools/launch_observer.hpp>

#include <vector>

namespace hpk::detail {

/// Returns the Views with non-const, readable elements that a kernel captured, each once, in the
/// order of capture. Includes Views that are elements of captured Views, if hpk constructed them.
/// Empty if the kernel can't be copied or its copy constructor throws.
std::vector<seam::view_facts> find_writable_views(const launch_event& launch);

/// Shows the elements of Views of Views to the inspection of this thread by copying them. Copies
/// each memory only once, because an element may hold the View that contains it. Skips memory in
/// which hpk constructed no elements.
class inner_views {
 public:
  void show(const seam::view_facts& view);

 private:
  std::vector<const void*> shown_;
};

/// Whether two Views have the same elements in the same order.
bool have_same_elements(const seam::view_facts& a, const seam::view_facts& b);

}  // namespace hpk::detail
