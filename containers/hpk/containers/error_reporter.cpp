// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/error_reporter.hpp>

namespace hpk::detail {

void reject_report_capacity(const std::string& label, int capacity,
                            const std::source_location& where) {
  hpk::raise(error_message() << "hpk::ErrorReporter \"" << label << "\": a capacity of " << capacity
                             << " reports; write 0 or more",
             where);
}

}  // namespace hpk::detail
