// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/assert.hpp>
#include <hpk/base/text.hpp>
#include <hpk/parallel/kernel/property.hpp>

namespace hpk::Experimental {

DesiredOccupancy::DesiredOccupancy(int percent, const std::source_location& where)
    : percent_(percent) {
  if (percent >= 0 && percent <= 100) return;
  detail::raise((detail::text() << "hpk::Experimental::DesiredOccupancy(" << percent
                                << "): write 0 to 100 percent, or hpk::AUTO")
                    .str(),
                where);
}

}  // namespace hpk::Experimental
