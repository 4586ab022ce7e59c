// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/block_facts.hpp>
#include <hpk/backends/emu/profile/copy_recorder.hpp>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

namespace hpk::emu {

void record_copy(const seam::device_profile& profile, const void* to, const void* from,
                 std::size_t bytes) {
  struct made {
    const void* to;
    const void* from;
    std::size_t bytes;
    bool operator==(const made&) const = default;
  };
  static std::mutex guard;
  static std::vector<made>& all = *new std::vector<made>;
  const block_facts there = find_block(to);
  const block_facts here = find_block(from);
  seam::copy_counts counts{.to = there.label,
                           .from = here.label,
                           .to_device = there.known && !there.mirror,
                           .from_device = here.known && !here.mirror,
                           .bytes = bytes};
  {
    const std::lock_guard lock(guard);
    const made copy{to, from, bytes};
    if (std::find(all.begin(), all.end(), copy) == all.end()) {
      all.push_back(copy);
    } else {
      counts.is_repeated = std::memcmp(arena::resolve(const_cast<void*>(to)),
                                       arena::resolve(const_cast<void*>(from)), bytes) == 0;
    }
  }
  if (profile.on_copy != nullptr) profile.on_copy(counts);
}

}  // namespace hpk::emu
