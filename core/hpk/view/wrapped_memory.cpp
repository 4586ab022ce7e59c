// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/view/wrapped_memory.hpp>

namespace hpk::detail {

void reject_owner_of_itself(std::string_view label) {
  text message;
  message << "hpk::view_wrap \"" << label
          << "\": the memory is a part of the owner, which is moved; write std::make_unique of the "
             "owner, and pass that";
  raise(message.str());
}

void reject_memory_outside(const seam::allocation_record& record, const void* data,
                           std::size_t bytes) {
  text message;
  message << "hpk::View \"" << record.label << "\": view_wrap(pointer, view) has " << bytes
          << " bytes at " << data << ", which are not within the allocation of " << record.bytes
          << " bytes at " << record.data;
  raise(message.str());
}

}  // namespace hpk::detail
