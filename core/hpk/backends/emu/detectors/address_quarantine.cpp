// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/address_quarantine.hpp>

#include <algorithm>
#include <utility>

namespace hpk::emu {

std::size_t address_quarantine::take(std::size_t bytes) {
  const auto found = std::find_if(ranges_.begin(), ranges_.end(),
                                  [&](const range& r) { return r.bytes >= bytes; });
  if (found == ranges_.end()) return no_place;
  const range taken = *found;
  ranges_.erase(found);
  if (taken.bytes > bytes) ranges_.push_back({taken.begin + bytes, taken.bytes - bytes});
  return taken.begin;
}

std::vector<std::size_t> address_quarantine::merge() {
  std::sort(ranges_.begin(), ranges_.end(),
            [](const range& a, const range& b) { return a.begin < b.begin; });
  std::deque<range> merged;
  std::vector<std::size_t> joined;
  for (const range& r : ranges_) {
    if (!merged.empty() && merged.back().begin + merged.back().bytes == r.begin) {
      merged.back().bytes += r.bytes;
      joined.push_back(r.begin);
    } else {
      merged.push_back(r);
    }
  }
  ranges_ = std::move(merged);
  return joined;
}

}  // namespace hpk::emu
