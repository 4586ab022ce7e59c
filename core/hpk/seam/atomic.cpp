// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/atomic.hpp>

#include <thread>

namespace hpk::detail {

namespace {

// A cache line each, so that neighbours do not hold each other up.
struct alignas(64) lock {
  atomic_word<bool> taken;
};
constexpr unsigned lock_bits = 8;
constinit lock locks[1u << lock_bits];

// Objects near each other, and those in rows of a power of two, shall have different locks.
atomic_word<bool>& lock_of(const void* object) noexcept {
  const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(object));
  return locks[address / alignof(std::max_align_t) * 0x9e37'79b9'7f4a'7c15u >> (64 - lock_bits)]
      .taken;
}

}  // namespace

element_lock::element_lock(const void* object) noexcept : flag_(&lock_of(object)) {
  while (flag_->exchange(true, memory_order::acquire)) std::this_thread::yield();
}

element_lock::~element_lock() { flag_->store(false, memory_order::release); }

}  // namespace hpk::detail
