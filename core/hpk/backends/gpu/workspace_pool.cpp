// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/gpu/workspace_pool.hpp>

#include <algorithm>
#include <bit>
#include <mutex>
#include <utility>
#include <vector>

namespace hpk::gpu {

namespace {
constexpr std::size_t smallest_block = std::size_t{64} << 10;
constexpr std::size_t smallest_unshared_block = 256;

/// Returns the size of a block for `bytes` bytes. There are few sizes, so that blocks are reused,
/// and a large block is at most an eighth larger than requested.
std::size_t size_of_block(std::size_t bytes, std::size_t smallest) {
  if (bytes <= smallest) return smallest;
  if (bytes > workspace_pool::all / 2) return bytes;  // the allocator refuses
  const std::size_t step =
      bytes <= std::size_t{1} << 20 ? std::bit_ceil(bytes) : std::bit_floor(bytes) / 8;
  return (bytes + step - 1) / step * step;
}
}  // namespace

struct workspace_pool::free_list {
  allocator source;
  std::mutex guard;
  std::vector<block> blocks;
  std::size_t bytes = 0;  // sum over `blocks`
  bool reuse_is_disabled = false;
};

/// All pools. Never destroyed, since static objects may own pools.
struct workspace_pool::registry {
  std::mutex guard;
  std::vector<free_list*> pools;
  static registry& instance() {
    static registry& one = *new registry;
    return one;
  }
};

workspace_pool::workspace_pool(const allocator& source)
    : free_(new free_list{source, {}, {}, 0, false}) {
  registry& known = registry::instance();
  const std::lock_guard lock(known.guard);
  known.pools.push_back(free_);
}

workspace_pool::~workspace_pool() {
  {
    registry& known = registry::instance();
    const std::lock_guard lock(known.guard);
    std::erase(known.pools, free_);
  }
  clear();
  delete free_;
}

workspace_pool::block workspace_pool::lease(std::size_t bytes) {
  std::size_t size = 0;
  {
    const std::lock_guard lock(free_->guard);
    if (!free_->reuse_is_disabled) {
      block* best = nullptr;
      for (block& b : free_->blocks) {
        // A small lease does not take a large block, which a large lease may need again.
        const bool fits = b.bytes >= bytes && b.bytes / 8 <= std::max(bytes, smallest_block);
        if (fits && (best == nullptr || b.bytes < best->bytes)) best = &b;
      }
      if (best != nullptr) {
        const block found = *best;
        *best = free_->blocks.back();
        free_->blocks.pop_back();
        free_->bytes -= found.bytes;
        return found;
      }
    }
    size =
        size_of_block(bytes, free_->reuse_is_disabled ? smallest_unshared_block : smallest_block);
    // Reserves capacity first, so that give_back() cannot fail.
    free_->blocks.reserve(free_->blocks.size() + 64);
  }
  // Unlocked: the allocator may trim all pools.
  return {free_->source.allocate(free_->source.context, size), size};
}

void workspace_pool::give_back(const block& b) noexcept {
  {
    const std::lock_guard lock(free_->guard);
    if (free_->reuse_is_disabled || free_->bytes + b.bytes <= free_->source.capacity) {
      free_->blocks.push_back(b);
      free_->bytes += b.bytes;
      return;
    }
  }
  free_->source.free(b.data, b.bytes);
}

void workspace_pool::disable_reuse() noexcept {
  const std::lock_guard lock(free_->guard);
  free_->reuse_is_disabled = true;
}

void workspace_pool::clear() noexcept {
  std::vector<block> unused;
  {
    const std::lock_guard lock(free_->guard);
    unused.swap(free_->blocks);
    free_->bytes = 0;
  }
  // Unlocked: freeing may wait for a thread that waits for the pools.
  for (const block& b : unused) free_->source.free(b.data, b.bytes);
}

bool workspace_pool::trim_all() noexcept {
  registry& known = registry::instance();
  bool found = false;
  for (;;) {
    // One block at a time and unlocked, because freeing waits: for the device, and for graphs that
    // threads with leases record.
    block taken{nullptr, 0};
    void (*free)(void*, std::size_t) noexcept = nullptr;
    {
      const std::lock_guard lock(known.guard);
      for (free_list* pool : known.pools) {
        const std::lock_guard inner(pool->guard);
        if (pool->reuse_is_disabled || pool->source.capacity == all || pool->blocks.empty())
          continue;
        taken = pool->blocks.back();
        free = pool->source.free;
        pool->blocks.pop_back();
        pool->bytes -= taken.bytes;
        break;
      }
    }
    if (free == nullptr) return found;
    free(taken.data, taken.bytes);
    found = true;
  }
}

}  // namespace hpk::gpu
