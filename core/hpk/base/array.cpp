// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/array.hpp>
#include <hpk/base/text.hpp>

namespace hpk::detail {

void reject_array_index(long long index, bool negative, std::size_t size) {
  text message;
  message << "Array: index ";
  if (negative) {
    message << index;
  } else {
    message << static_cast<unsigned long long>(index);
  }
  message << " is outside of [0, " << size << ')';
  abort_program(message.str().c_str());
}

}  // namespace hpk::detail
