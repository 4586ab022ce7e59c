// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds use after free: addresses of freed blocks are reused only when no fresh addresses are left,
// in the order in which the blocks were freed.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace hpk::emu {

/// The ranges of freed addresses, as offsets. The memory map holds its lock during all calls.
class address_quarantine {
 public:
  static constexpr std::size_t no_place = ~std::size_t{0};

  void add(std::size_t begin, std::size_t bytes) { ranges_.push_back({begin, bytes}); }
  /// Returns the offset of `bytes` bytes in the oldest range that is large enough; no_place if none
  /// is.
  std::size_t take(std::size_t bytes);
  /// Joins neighbouring ranges. Returns the begins of the ranges that were joined to the range
  /// before them.
  std::vector<std::size_t> merge();

 private:
  struct range {
    std::size_t begin;
    std::size_t bytes;
  };
  std::deque<range> ranges_;
};

}  // namespace hpk::emu
