// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the Views that a kernel may write. Internal to recording/.
#pragma once

#include <hpk/tools/launch_observer.hpp>

#include <vector>

namespace hpk::detail {

/// The Views of a kernel with non-const elements that can be read, each once, in the order in which
/// the kernel captures them; also those that are elements of captured Views, if hpk constructed
/// them. Empty for a kernel that can't be copied, or whose copy constructor throws.
std::vector<seam::view_facts> find_writable_views(const seam::launch_event& launch);

/// Shows the elements of Views of Views to the inspection of this thread: copies them, each memory
/// once, because an element may hold the View that contains it. Leaves memory alone in which hpk
/// constructed no elements.
class inner_views {
 public:
  void show(const seam::view_facts& view);

 private:
  std::vector<const void*> shown_;
};

/// Whether two Views have the same elements in the same order.
bool have_same_elements(const seam::view_facts& a, const seam::view_facts& b);

}  // namespace hpk::detail
