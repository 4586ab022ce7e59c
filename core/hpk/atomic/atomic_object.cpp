// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/atomic/atomic_object.hpp>

#include <thread>

namespace hpk::seam {

constinit thread_local atomic_watcher atomic_watch = nullptr;
constinit thread_local handover_watcher handover_watch = nullptr;

void only_thread_mark(const void*, detail::atomic_mode) {}

}  // namespace hpk::seam

namespace hpk::detail {

bool notify_and_test_alone(const void* object, atomic_mode mode) {
  const seam::atomic_watcher watcher = seam::atomic_watch;
  watcher(object, mode);
  return watcher == &seam::only_thread_mark;
}

namespace {

// One lock per cache line, to avoid false sharing.
struct alignas(64) lock {
  atomic_word<bool> taken;
};
constexpr unsigned lock_bits = 8;
constinit lock locks[1u << lock_bits];

// Selects different locks for neighbouring objects and for objects at a distance of a power of two.
// Memory mapped at several addresses (shared by Emu's devices) gets one lock, because these
// addresses differ by multiples of lock_period.
atomic_word<bool>& lock_of(const void* object) noexcept {
  const auto address =
      static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(object)) % seam::lock_period;
  return locks[address / alignof(std::max_align_t) * 0x9e37'79b9'7f4a'7c15u >> (64 - lock_bits)]
      .taken;
}

}  // namespace

object_lock::object_lock(const void* object, atomic_mode mode) noexcept
    : flag_(&lock_of(object)), order_(mode.order) {
  // The lock itself acquires and releases; a stronger order needs fences around it.
  if (order_ == memory_order::seq_cst) thread_fence(order_);
  while (flag_->exchange(true, memory_order::acquire)) std::this_thread::yield();
}

object_lock::~object_lock() {
  flag_->store(false, memory_order::release);
  if (order_ == memory_order::seq_cst) thread_fence(order_);
}

}  // namespace hpk::detail
