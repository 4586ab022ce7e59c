// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/atomic/atomic_object.hpp>
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/host_access_detector.hpp>
#include <hpk/backends/emu/detectors/uninitialized_detector.hpp>
#include <hpk/backends/emu/memory_map.hpp>

#include <algorithm>
#include <mutex>

namespace hpk::emu {

namespace {

memory_map& the_map() { return memory_map::instance(); }

}  // namespace

void* arena::allocate(std::size_t bytes, std::size_t align, access who, int device) noexcept {
  try {
    memory_map& map = the_map();
    const std::lock_guard lock(map.guard);
    if (!map.add_device(device)) return nullptr;
    const std::size_t room = std::max<std::size_t>(bytes, 1) + (align > page ? align : 0);
    const std::size_t pages = (room + page - 1) / page * page;
    const std::size_t begin = map.take(pages + page);
    if (begin == memory_map::no_place) return nullptr;
    const bool shared = who == access::shared;
    if (!map.map(begin, pages, shared, device)) {
      map.unmap(begin, pages);
      map.release(begin, pages);
      return nullptr;
    }
    poison_block(map.device_base(device) + begin, pages);
    block& made = map.add({.begin = begin,
                           .pages = pages,
                           .first = (begin + pages - bytes) / align * align,
                           .bytes = bytes,
                           .device = device,
                           .shared = shared,
                           .id = ++map.last_id});
    if (shared) map.open(made);
    return map.host_base() + made.first;
  } catch (...) {
    return nullptr;
  }
}

void arena::deallocate(void* data) noexcept {
  memory_map& map = the_map();
  const std::lock_guard lock(map.guard);
  block* const b = map.find(data);
  if (b == nullptr || b->freed) return;
  host_access_detector::on_free(map, *b);
  map.close(*b);
  map.unmap(b->begin, b->pages);
  b->freed = true;
  map.release(b->begin, b->pages);
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

bool arena::contains_alias(const void* address) noexcept {
  return the_map().base_of(address) != nullptr;
}

void* arena::resolve(void* address) noexcept {
  if (!contains(address)) return address;
  memory_map& map = the_map();
  const std::lock_guard lock(map.guard);
  const block* const b = map.find(address);
  return static_cast<std::byte*>(address) +
         (map.device_base(b == nullptr ? 0 : b->device) - map.host_base());
}

bool arena::open_block(const void* address) noexcept {
  memory_map& map = the_map();
  const std::lock_guard lock(map.guard);
  block* const b = map.find(address);
  if (b == nullptr || b->freed || !map.contains(map.host_base(), address) ||
      address >= map.host_base() + b->begin + b->pages || !map.open(*b))
    return false;
  map.any_open.store(true, std::memory_order_relaxed);
  return true;
}

void arena::close_blocks() noexcept {
  memory_map& map = the_map();
  if (!map.any_open.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(map.guard);
  for (block& b : map.blocks()) {
    if (!host_access_detector::may_be_open(b)) map.close(b);
  }
  map.any_open.store(false, std::memory_order_relaxed);
}

bool arena::set_writable(const void* address, bool writable) noexcept {
  memory_map& map = the_map();
  const std::lock_guard lock(map.guard);
  const block* const b = map.find(address);
  if (b == nullptr || b->freed) return false;
  const std::byte* const base = map.base_of(address);
  const bool of_kernels = b->shared ? base != map.host_base() : base == map.device_base(b->device);
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - base);
  if (!of_kernels || offset >= b->begin + b->pages) return false;
  return mprotect(const_cast<std::byte*>(base) + offset / page * page, page,
                  writable ? PROT_READ | PROT_WRITE : PROT_READ) == 0;
}

block_facts arena::find(const void* address) {
  memory_map& map = the_map();
  const std::lock_guard lock(map.guard);
  const block* const b = map.find(address);
  if (b == nullptr) return {};
  block_facts facts{
      .known = true,
      .freed = b->freed,
      .label = b->label,
      .bytes = b->bytes,
      .offset = static_cast<const std::byte*>(address) - (map.base_of(address) + b->first),
      .device = b->device,
      .shared = b->shared};
  host_access_detector::add_facts(map, *b, facts);
  return facts;
}

}  // namespace hpk::emu
