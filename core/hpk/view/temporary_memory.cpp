// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/view/temporary_memory.hpp>

#include <cstdint>

namespace hpk::detail {

std::size_t bytes_of_temporary(std::string_view label, index_t n, std::size_t size) {
  if (n < 0 || static_cast<std::size_t>(n) > SIZE_MAX / 2 / size) {
    raise_bad_alloc((text() << "hpk::TemporaryMemory \"" << label << "\": " << n << " elements of "
                            << size << " bytes are more than a device may have")
                        .str());
  }
  return static_cast<std::size_t>(n) * size;
}

void reject_temporary(std::string_view label, std::size_t bytes, const char* what) {
  raise_bad_alloc(
      (text() << "hpk::TemporaryMemory \"" << label << "\", " << bytes << " bytes: " << what)
          .str());
}

}  // namespace hpk::detail
