// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/seam/allocation.hpp>

#include <memory>

namespace hpk::seam {

void allocation_handle::end(allocation_record* record) noexcept {
  if (record->destroy != nullptr) record->destroy(*record);
  record->deallocate(record->data, record->bytes, record->align);
  delete record;
}

allocation_record* make_record(void* data, std::size_t bytes, std::size_t align,
                               std::string_view label, std::string_view space,
                               void (*deallocate)(void*, std::size_t, std::size_t) noexcept) {
  if (data == nullptr) {
    detail::raise((detail::text() << "hpk::View \"" << label << "\": " << space
                                  << " has no room for " << bytes << " bytes, that is ")
                      .bytes(static_cast<double>(bytes))
                      .str());
  }
  auto record = std::unique_ptr<allocation_record>();
  try {
    record = std::make_unique<allocation_record>();
    record->label = label;
  } catch (...) {
    deallocate(data, bytes, align);
    throw;
  }
  record->data = data;
  record->bytes = bytes;
  record->align = align;
  record->space = space;
  record->deallocate = deallocate;
  return record.release();
}

}  // namespace hpk::seam
