// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/work_queue.hpp>

namespace hpk::detail {

void reject_queue_capacity(const std::string& label, index_t capacity,
                           const std::source_location& where) {
  hpk::raise(error_message() << "hpk::WorkQueue \"" << label << "\": a capacity of " << capacity
                             << "; write 1 or more, up to 2^40",
             where);
}

void reject_queue_fill(const std::string& label, index_t capacity, index_t size, index_t more,
                       const std::source_location& where) {
  hpk::raise(error_message() << "hpk::WorkQueue \"" << label << "\": fill() with " << more
                             << " items, but it holds " << size << " of at most " << capacity
                             << "; construct it with a larger capacity, or call drain() first",
             where);
}

}  // namespace hpk::detail
