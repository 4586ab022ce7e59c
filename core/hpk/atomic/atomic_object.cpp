// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/atomic/atomic_object.hpp>

#include <thread>

namespace hpk::seam {

void nobody_else(const void*, detail::atomic_mode) {}

}  // namespace hpk::seam

namespace hpk::detail {

bool is_told(const void* object, atomic_mode mode) {
  const seam::atomic_watcher watcher = seam::atomic_watch;
  watcher(object, mode);
  return watcher == &seam::nobody_else;
}

namespace {

// A cache line each, so that neighbours do not hold each other up.
struct alignas(64) lock {
  atomic_word<bool> taken;
};
constexpr unsigned lock_bits = 8;
constinit lock locks[1u << lock_bits];

// Objects near each other, and those in rows of a power of two, shall have different locks. Of
// memory that is mapped at several addresses, which Emu's devices share, these differ by multiples
// of lock_period.
atomic_word<bool>& lock_of(const void* object) noexcept {
  const auto address =
      static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(object)) % seam::lock_period;
  return locks[address / alignof(std::max_align_t) * 0x9e37'79b9'7f4a'7c15u >> (64 - lock_bits)]
      .taken;
}

}  // namespace

object_lock::object_lock(const void* object, atomic_mode mode) noexcept
    : flag_(&lock_of(object)), order_(mode.order) {
  // A lock acquires and releases; what is more stands outside of it.
  if (order_ == memory_order::seq_cst) thread_fence(order_);
  while (flag_->exchange(true, memory_order::acquire)) std::this_thread::yield();
}

object_lock::~object_lock() {
  flag_->store(false, memory_order::release);
  if (order_ == memory_order::seq_cst) thread_fence(order_);
}

}  // namespace hpk::detail
