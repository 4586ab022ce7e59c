// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/tools/callbacks.hpp>
#include <hpk/tools/started_backends.hpp>

#include <array>
#include <atomic>
#include <exception>

namespace hpk::seam {

namespace {
struct backend {
  std::atomic<void (*)()> fence{nullptr};
  std::atomic<std::uint32_t> device{0};
};
constinit std::array<backend, 32> backends{};

// Calls wait(fence, device) for each backend that has started, then throws the first error: a
// backend that fails does not keep the others from being waited for. Returns whether there is one.
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
}  // namespace

void register_backend(void (*fence_all)(), std::uint32_t device) noexcept {
  for (backend& slot : backends) {
    void (*expected)() = nullptr;
    if (slot.fence.compare_exchange_strong(expected, fence_all)) {
      slot.device.store(device, std::memory_order_release);
      begin_tools();
      return;
    }
    if (expected == fence_all) return;
  }
}

void fence_all_backends(std::string_view name) {
  const bool any = wait_for_each([&](void (*fence)(), std::uint32_t device) {
    const fence_scope scope(name, device);
    fence();
  });
  if (!any) const fence_scope scope(name, 0);
}

void fence_all_backends_for_tool() {
  wait_for_each([](void (*fence)(), std::uint32_t /*device*/) { fence(); });
}

}  // namespace hpk::seam
