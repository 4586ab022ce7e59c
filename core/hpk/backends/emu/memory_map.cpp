// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/atomic/atomic_object.hpp>
#include <hpk/backends/emu/detectors/memory_error_detector.hpp>
#include <hpk/backends/emu/fork.hpp>
#include <hpk/backends/emu/memory_map.hpp>
#include <hpk/seam/fork.hpp>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace hpk::emu {

namespace {

constexpr int no_access_flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

// Replaces pages. Bypasses the C library, because sanitizers treat its mmap as a write to all
// pages.
bool map_pages(std::byte* place, std::size_t bytes, int rights, int flags, int file,
               std::size_t offset) noexcept {
  return syscall(SYS_mmap, place, bytes, rights, flags | MAP_FIXED, file, offset) ==
         reinterpret_cast<long>(place);
}

void hide(std::byte* begin, std::size_t bytes) noexcept {
  map_pages(begin, bytes, PROT_NONE, no_access_flags, -1, 0);
}

}  // namespace

memory_map& memory_map::instance() {
  // Never destroyed: a static View may outlive every other static.
  static memory_map& only = *new memory_map;
  return only;
}

memory_map::memory_map() {
  file_ = memfd_create("hpk emu", MFD_CLOEXEC);
  for (size_ = std::size_t{64} << 30; file_ >= 0 && size_ >= std::size_t{1} << 26; size_ /= 2) {
    if (ftruncate(file_, static_cast<off_t>(size_)) != 0) continue;
    host_base_ = reserve();
    device_base_[0] = reserve();
    if (host_base_ != nullptr && device_base_[0] != nullptr) break;
    if (host_base_ != nullptr) munmap(host_base_, size_);
    if (device_base_[0] != nullptr) munmap(device_base_[0], size_);
    host_base_ = device_base_[0] = nullptr;
  }
  if (host_base_ == nullptr) size_ = 0;
  install_signal_handlers();
  watch_forks();
  seam::on_fork([] { seam::make_anew(instance().guard); });
}

// All ranges have the same alignment, so that an object has the same lock for every device.
std::byte* memory_map::reserve() const noexcept {
  constexpr std::size_t align = seam::lock_period;
  void* const place = mmap(nullptr, size_ + align, PROT_NONE, no_access_flags, -1, 0);
  if (place == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(place);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(begin) % align;
  if (before != 0) munmap(begin, before);
  munmap(begin + before + size_, align - before);
  return begin + before;
}

bool memory_map::add_device(int device) noexcept {
  if (host_base_ == nullptr) return false;
  if (device_base_[device] != nullptr) return true;
  device_base_[device] = reserve();
  if (device_base_[device] == nullptr) return false;
  for (const block& b : blocks_) {
    if (b.shared && !b.freed) map(b.begin, b.mapped_bytes, false, device);
  }
  return true;
}

bool memory_map::map(std::size_t begin, std::size_t bytes, bool shared, int device) noexcept {
  bool mapped = true;
  for (int d = 0; d < arena::most_devices; ++d) {
    if (device_base_[d] != nullptr && (shared || d == device))
      mapped = mapped && map_pages(device_base_[d] + begin, bytes, PROT_READ | PROT_WRITE,
                                   MAP_SHARED, file_, begin);
  }
  return mapped;
}

void memory_map::unmap(std::size_t begin, std::size_t bytes) noexcept {
  for (std::byte* base : device_base_) {
    if (base != nullptr) hide(base + begin, bytes);
  }
}

void memory_map::release(std::size_t begin, std::size_t bytes) {
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
            static_cast<off_t>(bytes));
  quarantine_.add(begin, bytes + page);
}

bool memory_map::open(block& b, int rights) noexcept {
  if (!map_pages(host_base_ + b.begin, b.mapped_bytes, rights, MAP_SHARED, file_, b.begin))
    return false;
  return b.open = true;
}

void memory_map::close(block& b) noexcept {
  if (!b.open) return;
  hide(host_base_ + b.begin, b.mapped_bytes);
  b.open = false;
}

const std::byte* memory_map::base_of(const void* address) const noexcept {
  if (contains(host_base_, address)) return host_base_;
  for (const std::byte* base : device_base_) {
    if (contains(base, address)) return base;
  }
  return nullptr;
}

std::deque<block>::iterator memory_map::lower_bound(std::size_t begin) noexcept {
  return std::lower_bound(blocks_.begin(), blocks_.end(), begin,
                          [](const block& b, std::size_t place) { return b.begin < place; });
}

block* memory_map::find(const void* address) noexcept {
  const std::byte* const base = base_of(address);
  if (base == nullptr) return nullptr;
  const auto place = static_cast<std::size_t>(static_cast<const std::byte*>(address) - base);
  const auto after = lower_bound(place + 1);
  return after == blocks_.begin() ? nullptr : &*std::prev(after);
}

block& memory_map::add(block&& made) {
  const auto found = lower_bound(made.begin);
  if (found == blocks_.end() || found->begin != made.begin)
    return *blocks_.insert(found, std::move(made));
  return *found = std::move(made);
}

std::size_t memory_map::take(std::size_t bytes) {
  if (bytes <= size_ - fresh_) return std::exchange(fresh_, fresh_ + bytes);
  const std::size_t place = quarantine_.take(bytes);
  if (place != no_place) return place;
  // Erases the freed blocks of ranges that were joined to the range before them.
  for (const std::size_t begin : quarantine_.merge()) {
    const auto found = lower_bound(begin);
    if (found != blocks_.end() && found->begin == begin) blocks_.erase(found);
  }
  return quarantine_.take(bytes);
}

}  // namespace hpk::emu
