// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/host/arena.hpp>

#include <new>

namespace hpk::host {

namespace {

constexpr std::align_val_t alignment{64};

// Set when the thread's block is destroyed: destructors of statics may launch after that.
constinit thread_local bool block_is_gone = false;

struct block {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  bool taken = false;
  ~block() {
    ::operator delete(data, alignment);
    block_is_gone = true;
  }
};

block& own_block() {
  static thread_local block mine;
  return mine;
}

}  // namespace

void arena_lease::acquire(std::size_t bytes) {
  if (block_is_gone || own_block().taken) {
    data_ = static_cast<std::byte*>(::operator new(bytes, alignment));
    return;
  }
  block& mine = own_block();
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
