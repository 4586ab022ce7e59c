// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/dynamic_copy.hpp>

namespace hpk::detail {

void reject_dynamic_copy(std::string_view to_label, std::size_t to, std::string_view from_label,
                         std::size_t from, const std::source_location& where) {
  error_message message;
  message << "hpk::deep_copy: the destination \"" << to_label << "\" has " << to
          << " elements, and the source \"" << from_label << "\" has " << from
          << "; resize the DynamicView with resize_serial, or copy a subview of the View";
  hpk::raise(std::move(message), where);
}

}  // namespace hpk::detail
