// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/base/spin_lock.hpp>
#include <hpk/seam/fork.hpp>
#include <hpk/tools/callbacks.hpp>
#include <hpk/tools/started_backends.hpp>

#include <array>
#include <atomic>
#include <exception>
#include <mutex>

namespace hpk::seam {

namespace {
struct backend {
  std::atomic<void (*)()> fence{nullptr};
  std::atomic<std::uint32_t> device{0};
  std::atomic<bool> repeats{false};  // an earlier entry has the same fence
};
constinit std::array<backend, 32> backends{};

// Calls wait(fence, device) for each backend that has started, then throws the first error: waits
// for the other backends even if one fails. Returns whether any backend has started.
template <class Wait>
bool wait_for_each(const Wait& wait) {
  bool any = false;
  std::exception_ptr first;
  // Slots are filled from the front.
  for (const backend& slot : backends) {
    void (*const fence)() = slot.fence.load(std::memory_order_acquire);
    if (fence == nullptr) break;
    any = true;
    try {
      wait(fence, slot.device.load(std::memory_order_acquire));
    } catch (...) {
      if (first == nullptr) first = std::current_exception();
    }
  }
  if (first != nullptr) std::rethrow_exception(first);
  return any;
}
// Calls the fences without notifying tools. Calls a fence that backends share once.
void wait_for_all() {
  for (const backend& slot : backends) {
    void (*const fence)() = slot.fence.load(std::memory_order_acquire);
    if (fence == nullptr) break;
    if (!slot.repeats.load(std::memory_order_relaxed)) fence();
  }
}
}  // namespace

void register_backend(void (*fence_all)(), std::uint32_t device) noexcept {
  {
    static constinit detail::spin_lock guard;
    static const bool watched = (on_fork([] { make_anew(guard); }), true);
    static_cast<void>(watched);
    const std::lock_guard lock(guard);
    bool repeats = false;
    auto slot = backends.begin();
    for (; slot != backends.end(); ++slot) {
      void (*const fence)() = slot->fence.load(std::memory_order_relaxed);
      if (fence == nullptr) break;
      if (fence != fence_all) continue;
      if (slot->device.load(std::memory_order_relaxed) == device) return;
      repeats = true;
    }
    if (slot == backends.end()) return;
    slot->repeats.store(repeats, std::memory_order_relaxed);
    slot->device.store(device, std::memory_order_relaxed);
    slot->fence.store(fence_all, std::memory_order_release);
  }
  detail::begin_tools();
}

namespace {
HPK_NOINLINE void fence_and_notify(std::string_view name) {
  const bool any = wait_for_each([&](void (*fence)(), std::uint32_t device) {
    const detail::fence_scope scope(name, device);
    fence();
  });
  if (!any) const detail::fence_scope scope(name, 0);
}
}  // namespace

void fence_all_backends(std::string_view name) {
  if (detail::fence_scope::is_wanted()) [[unlikely]]
    return fence_and_notify(name);
  fence_all_backends_for_tool();
}

void fence_all_backends_for_tool() {
  try {
    wait_for_all();
  } catch (...) {
    // Wait for the other backends nevertheless.
    const std::exception_ptr first = std::current_exception();
    try {
      wait_for_each([](void (*fence)(), std::uint32_t /*device*/) { fence(); });
    } catch (...) {  // not the first error
    }
    std::rethrow_exception(first);
  }
}

}  // namespace hpk::seam
