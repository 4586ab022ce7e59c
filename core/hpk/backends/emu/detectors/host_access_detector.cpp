// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/block_facts.hpp>
#include <hpk/backends/emu/detectors/host_access_detector.hpp>
#include <hpk/backends/emu/memory_map.hpp>
#include <hpk/backends/emu/options.hpp>

#include <atomic>
#include <cstring>
#include <mutex>
#include <vector>

namespace hpk::emu {

namespace {

// Holds of kernels that are done, but for which nobody has waited. Behind the lock of the map.
struct finished_holds {
  std::vector<block_hold> all;
  std::atomic<bool> any{false};
};
finished_holds& finished() {
  // Never destroyed, as the queues that use it.
  static finished_holds& only = *new finished_holds;
  return only;
}

// Messages name the last kernel that has a label: launches of the library that keep a View alive
// have none.
void note_kernel(std::string& holder, std::string_view kernel) {
  if (!kernel.empty() || holder.empty()) holder = kernel;
}

// A kernel is launched that may change the block: what was copied to its mirrors is old.
void close_mirrors(memory_map& map, const block& source, std::string_view kernel) {
  for (const std::size_t begin : source.access.mirrors) {
    block& mirror = map.at(begin);
    if (mirror.access.received && !current_options().mirrors) continue;
    note_kernel(mirror.access.holder, kernel);
    map.close(mirror);
  }
}

bool is_living_mirror(const block* b) noexcept {
  return b != nullptr && b->access.is_mirror() && !b->freed;
}

}  // namespace

std::uint64_t host_access_detector::on_launch(const void* address, std::string_view kernel) {
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  block* const b = map.find(address);
  // A number may look like an address anywhere.
  if (b == nullptr || b->freed || address > map.base_of(address) + b->begin + b->pages) return 0;
  close_mirrors(map, *b, kernel);
  if (!b->shared) return 0;
  if (b->access.holds == 0) b->access.holder.clear();
  note_kernel(b->access.holder, kernel);
  if (b->access.holds++ == 0) map.close(*b);
  return b->id;
}

void host_access_detector::on_kernel_end(const block_hold& done) {
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  finished().all.push_back(done);
  finished().any.store(true, std::memory_order_relaxed);
}

void host_access_detector::on_host_wait() noexcept {
  finished_holds& f = finished();
  if (!f.any.load(std::memory_order_relaxed)) return;
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  for (const block_hold& done : f.all) {
    block* const b = map.find(done.address);
    // The block may be gone, and another be there.
    if (b != nullptr && !b->freed && b->id == done.block && --b->access.holds == 0) map.open(*b);
  }
  f.all.clear();
  f.any.store(false, std::memory_order_relaxed);
}

void* host_access_detector::allocate_mirror(const void* source, std::size_t bytes,
                                            std::size_t align) {
  void* const data = arena::allocate(bytes, align);
  if (data == nullptr) return nullptr;
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  block* const from = map.find(source);
  block& made = *map.find(data);
  made.access.host = true;
  if (!map.open(made) || from == nullptr || from->freed) return data;
  made.access.source = from->begin;
  from->access.mirrors.push_back(made.begin);
  return data;
}

void host_access_detector::watch_mirror(const void* data) noexcept {
  if (!current_options().watches_mirrors()) return;
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  block* const b = map.find(data);
  if (b == nullptr || !b->access.is_mirror()) return;
  b->access.received = false;
  map.open(*b, PROT_READ);
}

bool host_access_detector::is_mirror(const void* address) noexcept {
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  const block* const b = map.find(address);
  return b != nullptr && b->access.host && !b->freed;
}

void host_access_detector::on_copy(const void* address) noexcept {
  if (!arena::contains(address)) return;
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  block* const b = map.find(address);
  if (!is_living_mirror(b)) return;
  b->access.received = true;
  b->access.holder.clear();
  map.open(*b);
}

bool host_access_detector::admits(const void* address, bool writes) noexcept {
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  block* const b = map.find(address);
  if (!is_living_mirror(b)) return false;
  if (writes) {
    b->access.received = true;
    return map.open(*b);
  }
  const block& source = map.at(b->access.source);
  const bool alike = source.bytes == b->bytes &&
                     std::memcmp(map.device_base(b->device) + b->first,
                                 map.device_base(source.device) + source.first, b->bytes) == 0;
  return alike && map.open(*b, PROT_READ);
}

void host_access_detector::on_free(memory_map& map, block& b) noexcept {
  for (const std::size_t begin : b.access.mirrors) {
    block& mirror = map.at(begin);
    mirror.access.source = host_access_state::no_source;
    if (!mirror.freed) map.open(mirror);
  }
  b.access.mirrors.clear();
  if (b.access.is_mirror()) std::erase(map.at(b.access.source).access.mirrors, b.begin);
  b.access.source = host_access_state::no_source;
}

bool host_access_detector::may_be_open(const block& b) noexcept {
  return (b.shared || b.access.host) && b.access.holds == 0;
}

void host_access_detector::add_facts(memory_map& map, const block& b, block_facts& facts) {
  facts.held = b.access.holds > 0;
  facts.holder = b.access.holder;
  facts.mirror = b.access.host;
  if (b.access.is_mirror()) facts.source = map.at(b.access.source).label;
}

}  // namespace hpk::emu
