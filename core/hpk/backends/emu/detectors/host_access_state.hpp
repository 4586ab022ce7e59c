// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host access detector keeps in each block of the memory map.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hpk::emu {

/// What the detector knows of a block.
struct host_access_state {
  static constexpr std::size_t no_source = ~std::size_t{0};
  int holds = 0;                       ///< kernels that may use it
  std::string holder = {};             ///< the label of the last of them
  std::vector<std::size_t> mirrors{};  ///< where those of this block begin
  bool host = false;                   ///< allocated for a mirror
  std::size_t source = no_source;      ///< of a mirror: where the block begins that it mirrors
  bool received = true;                ///< of a mirror: it was written since it was made

  bool is_mirror() const noexcept { return source != no_source; }
};

}  // namespace hpk::emu
