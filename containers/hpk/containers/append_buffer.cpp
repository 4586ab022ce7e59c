// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/append_buffer.hpp>

namespace hpk::detail {

void reject_append_overflow(const std::string& label, index_t capacity, index_t attempts,
                            const std::source_location& where) {
  hpk::raise(error_message() << "hpk::AppendBuffer \"" << label << "\": " << attempts
                             << " values were appended, but its capacity is " << capacity
                             << "; construct it with more, or run the kernel again while "
                                "grow_to_fit() returns true",
             where);
}

void reject_append_capacity(const std::string& label, index_t capacity,
                            const std::source_location& where) {
  hpk::raise(error_message() << "hpk::AppendBuffer \"" << label << "\": a capacity of " << capacity
                             << "; write 0 or more",
             where);
}

}  // namespace hpk::detail
