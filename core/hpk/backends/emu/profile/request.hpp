// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A memory request of a sub-group: the elements that its lanes access at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hpk::emu {

/// The elements that the lanes of a sub-group access at once, as offsets from an address that is
/// aligned like memory of a GPU.
class request {
 public:
  /// Begins a new request for elements of `element_bytes` bytes.
  void clear(std::size_t element_bytes) {
    offsets_.clear();
    element_bytes_ = element_bytes;
  }
  void add(std::uint64_t offset) { offsets_.push_back(offset); }
  /// Ends the request. Call it before the functions below.
  void finish();

  std::size_t lanes() const noexcept { return offsets_.size(); }
  /// Distinct bytes, and the number of runs (pieces of memory without gaps) that they form.
  struct extent {
    std::uint64_t bytes = 0;
    std::uint64_t runs = 0;
  };
  extent used() const noexcept;
  /// Calls visit(first, last) with disjoint ranges of sectors, in ascending order.
  template <class Visit>
  void for_sectors(std::uint64_t sector_bytes, const Visit& visit) const {
    std::uint64_t next = 0;  // sector after the last one that was visited
    for (const std::uint64_t offset : offsets_) {
      std::uint64_t first = offset / sector_bytes;
      const std::uint64_t last = (offset + element_bytes_ - 1) / sector_bytes;
      if (first < next) first = next;
      if (first > last) continue;
      visit(first, last);
      next = last + 1;
    }
  }
  /// Returns the largest number of distinct words that one bank has to serve. Each word takes a
  /// cycle.
  std::uint64_t bank_cycles(int banks, int bank_bytes);
  /// Returns the same number for words that are spread evenly over the banks.
  std::uint64_t ideal_bank_cycles(int banks, int bank_bytes) const noexcept;
  /// Calls visit(offset, lanes) for each distinct element. Returns the largest number of lanes.
  template <class Visit>
  std::uint64_t for_elements(const Visit& visit) const {
    std::uint64_t most = 0;
    for (std::size_t k = 0; k < offsets_.size();) {
      std::size_t end = k + 1;
      while (end < offsets_.size() && offsets_[end] == offsets_[k]) ++end;
      visit(offsets_[k], end - k);
      if (end - k > most) most = end - k;
      k = end;
    }
    return most;
  }

 private:
  std::uint64_t distinct_words(std::uint64_t bank_bytes) const noexcept;

  std::vector<std::uint64_t> offsets_;  // ascending after finish()
  std::vector<std::uint64_t> words_of_bank_;
  std::size_t element_bytes_ = 1;
};

}  // namespace hpk::emu
