// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/host/arena.hpp>

#include <new>

namespace hpk::host {

namespace {

constexpr std::align_val_t alignment{64};

struct block {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  bool taken = false;
  ~block() { ::operator delete(data, alignment); }
};

block& own_block() {
  static thread_local block mine;
  return mine;
}

}  // namespace

void arena_lease::acquire(std::size_t bytes) {
  block& mine = own_block();
  if (mine.taken) {
    data_ = static_cast<std::byte*>(::operator new(bytes, alignment));
    return;
  }
  if (mine.bytes < bytes) {
    auto* larger = static_cast<std::byte*>(::operator new(bytes, alignment));
    ::operator delete(mine.data, alignment);
    mine.data = larger;
    mine.bytes = bytes;
  }
  mine.taken = true;
  from_block_ = true;
  data_ = mine.data;
}

void arena_lease::release() noexcept {
  if (from_block_) {
    own_block().taken = false;
  } else {
    ::operator delete(data_, alignment);
  }
}

}  // namespace hpk::host
