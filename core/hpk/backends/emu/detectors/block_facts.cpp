// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/block_facts.hpp>
#include <hpk/backends/emu/detectors/host_access_detector.hpp>
#include <hpk/backends/emu/memory_map.hpp>

#include <mutex>

namespace hpk::emu {

block_facts find_block(const void* address) {
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  const block* const b = map.find(address);
  if (b == nullptr) return {};
  block_facts facts{
      .known = true,
      .freed = b->freed,
      .label = b->label,
      .bytes = b->bytes,
      .offset = static_cast<const std::byte*>(address) - (map.base_of(address) + b->data_offset),
      .device = b->device,
      .shared = b->shared};
  host_access_detector::add_facts(map, *b, facts);
  return facts;
}

}  // namespace hpk::emu
