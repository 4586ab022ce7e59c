// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/parallel/operations/observed_results.hpp>

namespace hpk::detail {

void show_stored(launch_observer& observer, const seam::view_type& type, const void* where,
                 index_t count, index_t stride) {
  observer.stored(seam::facts_of_elements(type, where, count, stride));
}

}  // namespace hpk::detail
