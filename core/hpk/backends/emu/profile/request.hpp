// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A request of a sub-group to memory: what its lanes access at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hpk::emu {

/// The elements that the lanes of a sub-group access at once, by their offsets from an address that
/// is aligned like memory of a GPU.
class request {
 public:
  /// Begins a new one, for elements of so many bytes.
  void clear(std::size_t element_bytes) {
    offsets_.clear();
    element_bytes_ = element_bytes;
  }
  void add(std::uint64_t offset) { offsets_.push_back(offset); }
  /// Ends it: the functions below need that.
  void finish();

  std::size_t lanes() const noexcept { return offsets_.size(); }
  /// Distinct bytes, and the runs that they make: pieces of memory without gaps.
  struct extent {
    std::uint64_t bytes = 0;
    std::uint64_t runs = 0;
  };
  extent used() const noexcept;
  /// Calls visit(first, last) with ranges of sectors that no two of the ranges share, in ascending
  /// order.
  template <class Visit>
  void for_sectors(std::uint64_t sector_bytes, const Visit& visit) const {
    std::uint64_t next = 0;  // behind the last one visited
    for (const std::uint64_t offset : offsets_) {
      std::uint64_t first = offset / sector_bytes;
      const std::uint64_t last = (offset + element_bytes_ - 1) / sector_bytes;
      if (first < next) first = next;
      if (first > last) continue;
      visit(first, last);
      next = last + 1;
    }
  }
  /// The most distinct words that one bank has to serve: each of them takes a cycle.
  std::uint64_t bank_cycles(int banks, int bank_bytes);
  /// The same if the words were spread evenly.
  std::uint64_t ideal_bank_cycles(int banks, int bank_bytes) const noexcept;
  /// Calls visit(offset, lanes) for each distinct element; returns the most lanes of one.
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

  std::vector<std::uint64_t> offsets_;  // ascending once it is finished
  std::vector<std::uint64_t> words_of_bank_;
  std::size_t element_bytes_ = 1;
};

}  // namespace hpk::emu
