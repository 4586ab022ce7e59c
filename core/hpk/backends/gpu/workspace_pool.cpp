// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/gpu/workspace_pool.hpp>

#include <mutex>
#include <vector>

namespace hpk::gpu {

namespace {
constexpr std::size_t smallest_block = std::size_t{64} << 10;
constexpr std::size_t smallest_kept_block = 256;
}  // namespace

struct workspace_pool::free_list {
  allocator source;
  std::mutex guard;
  std::vector<block> blocks;
  bool keeps = false;
};

workspace_pool::workspace_pool(const allocator& source)
    : free_(new free_list{source, {}, {}, false}) {}

workspace_pool::~workspace_pool() {
  clear();
  delete free_;
}

workspace_pool::block workspace_pool::lease(std::size_t bytes) {
  const std::lock_guard lock(free_->guard);
  for (block& b : free_->blocks) {
    if (b.bytes < bytes || free_->keeps) continue;
    const block found = b;
    b = free_->blocks.back();
    free_->blocks.pop_back();
    return found;
  }
  std::size_t size = free_->keeps ? smallest_kept_block : smallest_block;
  while (size < bytes) size *= 2;
  // Reserves capacity first, so that give_back() cannot fail.
  free_->blocks.reserve(free_->blocks.size() + 64);
  return {free_->source.allocate(free_->source.context, size), size};
}

void workspace_pool::give_back(const block& b) noexcept {
  const std::lock_guard lock(free_->guard);
  free_->blocks.push_back(b);
}

void workspace_pool::keep() noexcept {
  const std::lock_guard lock(free_->guard);
  free_->keeps = true;
}

void workspace_pool::clear() noexcept {
  const std::lock_guard lock(free_->guard);
  for (const block& b : free_->blocks) free_->source.free(b.data, b.bytes);
  free_->blocks.clear();
}

}  // namespace hpk::gpu
