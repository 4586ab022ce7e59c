// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/host_access_detector.hpp>
#include <hpk/backends/emu/detectors/report.hpp>
#include <hpk/backends/emu/detectors/uninitialized_detector.hpp>
#include <hpk/backends/emu/fork.hpp>
#include <hpk/backends/emu/memory_map.hpp>

#include <algorithm>
#include <mutex>
#include <string>

namespace hpk::emu {

namespace {

memory_map& the_map() { return memory_map::instance(); }

}  // namespace

void* arena::allocate(std::size_t bytes, std::size_t align, access who, int device) {
  expect_not_forked();
  try {
    memory_map& map = the_map();
    const std::lock_guard lock(map.guard);
    if (!map.add_device(device)) return nullptr;
    const std::size_t needed = std::max<std::size_t>(bytes, 1) + (align > page ? align : 0);
    const std::size_t mapped_bytes = (needed + page - 1) / page * page;
    const std::size_t begin = map.take(mapped_bytes + page);
    if (begin == memory_map::no_place) return nullptr;
    const bool shared = who == access::shared;
    if (!map.map(begin, mapped_bytes, shared, device)) {
      map.unmap(begin, mapped_bytes);
      map.release(begin, mapped_bytes);
      return nullptr;
    }
    poison_block(map.device_base(device) + begin, mapped_bytes);
    block& made = map.add({.begin = begin,
                           .mapped_bytes = mapped_bytes,
                           .data_offset = (begin + mapped_bytes - bytes) / align * align,
                           .bytes = bytes,
                           .device = device,
                           .shared = shared,
                           .id = ++map.last_id});
    if (shared) map.open(made);
    return map.host_base() + made.data_offset;
  } catch (...) {
    return nullptr;
  }
}

void arena::deallocate(void* data) noexcept {
  if (is_forked()) return;  // the pages are the parent's too
  std::string mistake;
  {
    memory_map& map = the_map();
    const std::lock_guard lock(map.guard);
    block* const b = map.find(data);
    if (b == nullptr || b->freed) return;
    mistake = host_access_detector::on_free(map, *b);
    map.close(*b);
    map.unmap(b->begin, b->mapped_bytes);
    b->freed = true;
    map.release(b->begin, b->mapped_bytes);
  }
  if (!mistake.empty()) report(detector::mirrors, mistake);
}

void arena::name(void* data, std::string_view label) {
  memory_map& map = the_map();
  const std::lock_guard lock(map.guard);
  if (block* b = map.find(data)) b->label = label;
}

std::ptrdiff_t arena::shift(int device) noexcept {
  memory_map& map = the_map();
  const std::lock_guard lock(map.guard);
  return map.add_device(device) ? map.device_base(device) - map.host_base() : 0;
}

bool arena::contains(const void* address) noexcept {
  const memory_map& map = the_map();
  return map.contains(map.host_base(), address);
}

void* arena::resolve(void* address) noexcept {
  if (!contains(address)) return address;
  memory_map& map = the_map();
  const std::lock_guard lock(map.guard);
  const block* const b = map.find(address);
  return static_cast<std::byte*>(address) +
         (map.device_base(b == nullptr ? 0 : b->device) - map.host_base());
}

}  // namespace hpk::emu
