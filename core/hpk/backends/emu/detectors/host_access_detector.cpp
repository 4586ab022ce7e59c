// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/block_facts.hpp>
#include <hpk/backends/emu/detectors/host_access_detector.hpp>
#include <hpk/backends/emu/detectors/mirror_rules.hpp>
#include <hpk/backends/emu/detectors/single_step.hpp>
#include <hpk/backends/emu/memory_map.hpp>
#include <hpk/backends/emu/options.hpp>
#include <hpk/backends/fibers/signal_handler.hpp>

#include <atomic>
#include <mutex>
#include <vector>

namespace hpk::emu {

namespace {

// Holds of finished kernels for which host code has not waited yet. The lock of the map guards
// them.
struct finished_holds {
  std::vector<block_hold> all;
  std::atomic<bool> any{false};
};
finished_holds& finished() {
  // Never destroyed, because the queues that use it never are.
  static finished_holds& only = *new finished_holds;
  return only;
}

bool is_living_mirror(const block* b) noexcept {
  return b != nullptr && b->access.is_mirror() && !b->freed;
}

// The mirror that this thread closes again after the current instruction.
constinit thread_local const void* stepping_in = nullptr;
void close_behind_step() {
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  block* const b = map.find(stepping_in);
  if (is_living_mirror(b) && b->access.content == mirror_content::copy && !b->access.may_be_old)
    map.close(*b);
}

block* living(memory_map& map, const void* address) noexcept {
  block* const b = map.find(address);
  return b != nullptr && !b->freed ? b : nullptr;
}

}  // namespace

std::uint64_t host_access_detector::on_launch(const void* address, std::string_view kernel) {
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  block* const b = map.find(address);
  // A captured number may look like an address outside all blocks.
  if (b == nullptr || b->freed || address > map.base_of(address) + b->begin + b->mapped_bytes)
    return 0;
  mirror_rules::on_launch(map, *b, kernel);
  if (!b->shared && b->access.mirrors.empty() && b->access.unsent.empty()) return 0;
  if (b->access.pending_kernels == 0) b->access.holder.clear();
  note_kernel(b->access.holder, kernel);
  if (b->access.pending_kernels++ == 0 && b->shared) map.close(*b);
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
    // The block may be freed, and another block may have its place.
    if (b == nullptr || b->freed || b->id != done.block || --b->access.pending_kernels != 0)
      continue;
    if (b->shared) map.open(*b);
    mirror_rules::on_wait(map, *b);
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
  if (!map.open(made) || from == nullptr || from->freed || !current_options().watches_mirrors())
    return data;
  made.access.source = from->begin;
  from->access.mirrors.push_back(made.begin);
  return data;
}

void host_access_detector::watch_mirror(const void* data) noexcept {
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  block* const b = map.find(data);
  if (b == nullptr || !b->access.is_mirror()) return;
  b->access.content = mirror_content::nothing;
  map.open(*b, PROT_READ);
}

bool host_access_detector::is_mirror(const void* address) noexcept {
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  const block* const b = map.find(address);
  return b != nullptr && b->access.host && !b->freed;
}

bool host_access_detector::on_copy(const void* to, const void* from, std::size_t bytes) noexcept {
  if (!arena::contains(to) && !arena::contains(from)) return false;
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  return mirror_rules::on_copy(map, living(map, to), living(map, from), to, bytes);
}

void host_access_detector::on_mirror_filled(const void* mirror, std::size_t bytes) noexcept {
  const std::uint64_t sum =
      sum_of_mirror(static_cast<const std::byte*>(arena::resolve(mirror)), bytes);
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  if (block* const b = living(map, mirror)) b->access.sum = sum;
}

void host_access_detector::on_fill(const void* address) noexcept {
  if (!arena::contains(address)) return;
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  if (block* const b = living(map, address))
    b->access.written |=
        b->access.launched || !b->access.mirrors.empty() || !b->access.unsent.empty();
}

bool host_access_detector::admits(const void* address, void* context) noexcept {
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  block* const b = map.find(address);
  bool again = false;
  if (!is_living_mirror(b) ||
      !mirror_rules::admits(map, *b, address, fibers::is_write(context), again))
    return false;
  if (!again) return true;
  install_steps();
  stepping_in = address;
  step_over(context, &close_behind_step);
  return true;
}

std::string host_access_detector::on_free(memory_map& map, block& b) {
  std::string found = mirror_rules::on_free(map, b);
  for (const std::size_t begin : b.access.mirrors) {
    block& mirror = map.at(begin);
    mirror.access.source = host_access_state::no_source;
    if (!mirror.freed) map.open(mirror);
  }
  b.access.mirrors.clear();
  if (b.access.is_mirror()) std::erase(map.at(b.access.source).access.mirrors, b.begin);
  b.access.source = host_access_state::no_source;
  return found;
}

bool host_access_detector::may_be_open(const block& b) noexcept {
  return (b.shared || b.access.host) && b.access.pending_kernels == 0;
}

void host_access_detector::add_facts(memory_map& map, const block& b, block_facts& facts) {
  facts.held = b.shared && b.access.pending_kernels > 0;
  facts.holder = b.access.holder;
  facts.mirror = b.access.host;
  facts.copied = b.access.content == mirror_content::copy;
  if (b.access.is_mirror()) facts.source = map.at(b.access.source).label;
}

}  // namespace hpk::emu
