// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/vector.hpp>

namespace hpk::detail {

void reject_vector_index(std::size_t index, std::size_t size, const std::source_location& where) {
  hpk::raise(error_message() << "hpk::vector: index " << index << " is outside of its " << size
                             << " elements",
             where);
}

void reject_vector_place(const char* call, std::ptrdiff_t place, std::size_t size,
                         const std::source_location& where) {
  hpk::raise(error_message() << "hpk::vector: " << call << " at " << place << " is outside of its "
                             << size << " elements; write a position between begin() and end()",
             where);
}

}  // namespace hpk::detail
