// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/view/device_global.hpp>

namespace hpk {

void detail::reject_global_view(std::string_view label, std::size_t elements, std::size_t expected,
                                const std::source_location& where) {
  raise((text() << "hpk::deep_copy: View \"" << label << "\" has " << elements
                << " elements and the device global " << expected
                << "; write a View of as many elements without gaps")
            .str(),
        where);
}

}  // namespace hpk
