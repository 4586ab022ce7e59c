// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds use after free: the addresses of freed blocks are given again only when no fresh ones are
// left, the longest freed first.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace hpk::emu {

/// The ranges of freed addresses, as offsets. The memory map holds its lock around all calls.
class address_quarantine {
 public:
  static constexpr std::size_t no_place = ~std::size_t{0};

  void add(std::size_t begin, std::size_t bytes) { ranges_.push_back({begin, bytes}); }
  /// A place for so many bytes in the oldest range that has room; no_place if none has.
  std::size_t take(std::size_t bytes);
  /// Joins neighbouring ranges; returns where those began that are joined to the one before.
  std::vector<std::size_t> merge();

 private:
  struct range {
    std::size_t begin;
    std::size_t bytes;
  };
  std::deque<range> ranges_;
};

}  // namespace hpk::emu
