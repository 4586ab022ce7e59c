// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/host_access_detector.hpp>
#include <hpk/backends/emu/detectors/plain_pointers.hpp>
#include <hpk/backends/emu/memory_map.hpp>

#include <atomic>
#include <mutex>

namespace hpk::emu {

namespace {

std::atomic<bool> any_open{false};

}  // namespace

bool open_block(const void* address) noexcept {
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  block* const b = map.find(address);
  if (b == nullptr || b->freed || !map.contains(map.host_base(), address) ||
      address >= map.host_base() + b->begin + b->mapped_bytes || !map.open(*b))
    return false;
  any_open.store(true, std::memory_order_relaxed);
  return true;
}

void close_blocks() noexcept {
  if (!any_open.load(std::memory_order_relaxed)) return;
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  for (block& b : map.blocks()) {
    if (!host_access_detector::may_be_open(b)) map.close(b);
  }
  any_open.store(false, std::memory_order_relaxed);
}

}  // namespace hpk::emu
