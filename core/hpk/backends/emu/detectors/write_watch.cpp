// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/race_detector.hpp>
#include <hpk/backends/emu/detectors/single_step.hpp>
#include <hpk/backends/emu/detectors/write_watch.hpp>
#include <hpk/backends/emu/memory_map.hpp>
#include <hpk/backends/fibers/signal_handler.hpp>

#include <sys/mman.h>

#include <mutex>

namespace hpk::emu {

namespace {

// Limits writes, because each takes microseconds, and pages, because each may need a separate
// mapping.
constexpr int most_faults = 1 << 14;

const void* address_of(std::uintptr_t page_address) {
  return reinterpret_cast<const void*>(page_address);
}

// Sets whether kernels may write to the page of a device address. Returns false if the address is
// in no living block, or the system refuses. Callable from a signal handler.
bool set_writable(const void* address, bool writable) noexcept {
  memory_map& map = memory_map::instance();
  const std::lock_guard lock(map.guard);
  const block* const b = map.find(address);
  if (b == nullptr || b->freed) return false;
  const std::byte* const base = map.base_of(address);
  const bool of_kernels = b->shared ? base != map.host_base() : base == map.device_base(b->device);
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - base);
  if (!of_kernels || offset >= b->begin + b->mapped_bytes) return false;
  return mprotect(const_cast<std::byte*>(base) + offset / page * page, page,
                  writable ? PROT_READ | PROT_WRITE : PROT_READ) == 0;
}

}  // namespace

thread_local write_watch* write_watch::watching = nullptr;

write_watch::write_watch() : outer_(watching) {
  if (can_step) install_steps();
  watching = this;
}

write_watch::~write_watch() {
  open_all();
  watching = outer_;
}

void write_watch::open_all() noexcept {
  for (const std::uintptr_t p : pages_) set_writable(address_of(p), true);
}

void write_watch::add(const void* element, std::size_t bytes) {
  if (!can_step || writes_ >= most_faults || pages_.size() >= most_faults) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(element);
  for (std::uintptr_t p = begin / page * page; p < begin + bytes; p += page) {
    if (pages_.insert(p).second) set_writable(address_of(p), false);
  }
}

bool write_watch::on_fault(const void* address, void* context) {
  if (!can_step || !fibers::is_write(context) || !set_writable(address, true)) return false;
  // The page stays open after a write by other code, for example by a copy on another queue.
  write_watch* const watch = watching;
  const auto page_address = reinterpret_cast<std::uintptr_t>(address) / page * page;
  if (watch == nullptr || watch->pages_.count(page_address) == 0) return true;
  race_detector::on_write(address);
  if (++watch->writes_ == most_faults) watch->open_all();
  if (watch->writes_ >= most_faults) return true;
  watch->open_[watch->open_[0] == 0 ? 0 : 1] = page_address;
  step_over(context, &after_step);
  return true;
}

void write_watch::after_step() {
  for (std::uintptr_t& p : watching->open_) {
    if (p != 0) set_writable(address_of(p), false);
    p = 0;
  }
}

}  // namespace hpk::emu
