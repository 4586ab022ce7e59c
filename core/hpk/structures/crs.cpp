// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/text.hpp>
#include <hpk/seam/launch.hpp>
#include <hpk/structures/crs.hpp>

namespace hpk::detail {

void reject_entry_count(index_t entries, std::uint64_t most) {
  text message;
  message << "hpk::Crs: the graph, or a row of it, has " << entries
          << " entries, but its SizeType counts from 0 to " << most
          << "; write a wider one, hpk::Crs<DataType, Device, void, std::size_t>";
  if (seam::inside_kernel()) seam::raise_in_kernel(message.str());
  raise(message.str());
}

}  // namespace hpk::detail
