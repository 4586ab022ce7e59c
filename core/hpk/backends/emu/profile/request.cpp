// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/profile/request.hpp>

#include <algorithm>

namespace hpk::emu {

void request::finish() {
  if (!std::is_sorted(offsets_.begin(), offsets_.end()))
    std::sort(offsets_.begin(), offsets_.end());
}

request::extent request::used() const noexcept {
  extent sum;
  std::uint64_t end = 0;
  for (const std::uint64_t offset : offsets_) {
    if (offset > end || sum.runs == 0) ++sum.runs;
    const std::uint64_t first = offset < end ? end : offset;
    end = std::max(end, offset + element_bytes_);
    sum.bytes += end - first;
  }
  return sum;
}

std::uint64_t request::distinct_words(std::uint64_t bank_bytes) const noexcept {
  std::uint64_t count = 0;
  for_sectors(bank_bytes,
              [&](std::uint64_t first, std::uint64_t last) { count += last - first + 1; });
  return count;
}

std::uint64_t request::bank_cycles(int banks, int bank_bytes) {
  words_of_bank_.assign(static_cast<std::size_t>(banks), 0);
  std::uint64_t most = 0;
  for_sectors(static_cast<std::uint64_t>(bank_bytes), [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t word = first; word <= last; ++word) {
      std::uint64_t& words = words_of_bank_[word % static_cast<std::uint64_t>(banks)];
      most = std::max(most, ++words);
    }
  });
  return most;
}

std::uint64_t request::ideal_bank_cycles(int banks, int bank_bytes) const noexcept {
  const auto all = static_cast<std::uint64_t>(banks);
  return (distinct_words(static_cast<std::uint64_t>(bank_bytes)) + all - 1) / all;
}

}  // namespace hpk::emu
