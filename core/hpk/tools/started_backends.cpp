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
  // Slots are filled from the front.
  bool any = false;
  // A backend that fails does not keep the others from being waited for.
  std::exception_ptr first;
  for (const backend& slot : backends) {
    void (*const fence)() = slot.fence.load(std::memory_order_acquire);
    if (fence == nullptr) break;
    any = true;
    const fence_scope scope(name, slot.device.load(std::memory_order_acquire));
    try {
      fence();
    } catch (...) {
      if (first == nullptr) first = std::current_exception();
    }
  }
  if (!any) const fence_scope scope(name, 0);
  if (first != nullptr) std::rethrow_exception(first);
}

}  // namespace hpk::seam
