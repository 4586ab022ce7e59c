// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/seam/machine.hpp>

#include <array>
#include <atomic>

namespace hpk::seam {

namespace {
constinit std::array<std::atomic<void (*)()>, 32> fences{};
}  // namespace

void register_backend(void (*fence_all)()) noexcept {
  for (auto& slot : fences) {
    void (*expected)() = nullptr;
    if (slot.compare_exchange_strong(expected, fence_all) || expected == fence_all) return;
  }
}

void fence_all_backends() {
  // Slots fill from the front.
  for (auto& slot : fences) {
    void (*const fence)() = slot.load(std::memory_order_acquire);
    if (fence == nullptr) return;
    fence();
  }
}

}  // namespace hpk::seam
