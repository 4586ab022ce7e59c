// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/memory/allocation.hpp>
#include <hpk/view/label_text.hpp>

#include <cstring>

namespace hpk::detail {

void label_text::assign(std::string_view text) {
  char* copy = nullptr;
  if (!text.empty()) {
    copy = new char[text.size()];
    std::memcpy(copy, text.data(), text.size());
  }
  release();
  owned_ = copy;
  text_ = {copy, text.size()};
}

void label_text::release() noexcept {
  delete[] owned_;
  owned_ = nullptr;
}

std::string_view label_in(const seam::allocation_record* record) noexcept {
  return record == nullptr ? std::string_view() : std::string_view(record->label);
}
std::string copy_label(const seam::allocation_record* record) {
  return std::string(label_in(record));
}
std::string mirror_label(const seam::allocation_record* record) {
  return copy_label(record) + "_mirror";
}

}  // namespace hpk::detail
