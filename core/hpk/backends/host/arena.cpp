// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/host/arena.hpp>

#include <hpk/base/text.hpp>
#include <hpk/seam/launch.hpp>

#include <new>

namespace hpk::host {

namespace {

constexpr std::align_val_t alignment{64};

// Set when the thread's block is destroyed: destructors of static objects may launch after that.
constinit thread_local bool block_is_destroyed = false;

struct block {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  bool taken = false;
  ~block() {
    ::operator delete(data, alignment);
    block_is_destroyed = true;
  }
};

block& own_block() {
  static thread_local block block_of_thread;
  return block_of_thread;
}

// The largest block that a thread reuses between launches, in bytes.
constexpr std::size_t largest_reused_block = std::size_t{16} << 20;

std::byte* allocate(std::size_t bytes) {
  void* const data = ::operator new(bytes, alignment, std::nothrow);
  if (data != nullptr) return static_cast<std::byte*>(data);
  seam::raise_bad_alloc((detail::text() << "no memory is left for " << bytes
                                        << " bytes of scratch or of intermediate values")
                            .str());
}

}  // namespace

void arena_lease::acquire(std::size_t bytes) {
  if (bytes > largest_reused_block || block_is_destroyed || own_block().taken) {
    data_ = allocate(bytes);
    return;
  }
  block& own = own_block();
  if (own.bytes < bytes) {
    std::byte* const larger = allocate(bytes);
    ::operator delete(own.data, alignment);
    own.data = larger;
    own.bytes = bytes;
  }
  own.taken = true;
  from_block_ = true;
  data_ = own.data;
}

void arena_lease::release() noexcept {
  if (from_block_) {
    own_block().taken = false;
  } else {
    ::operator delete(data_, alignment);
  }
}

}  // namespace hpk::host
