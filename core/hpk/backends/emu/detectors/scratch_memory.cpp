// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/scratch_memory.hpp>
#include <hpk/backends/emu/detectors/uninitialized_detector.hpp>

#include <hpk/base/text.hpp>
#include <hpk/seam/launch.hpp>

#include <sys/mman.h>

namespace hpk::emu {

namespace {

constexpr std::size_t page = 4096;

std::size_t whole_pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

}  // namespace

scratch_memory::~scratch_memory() {
  if (begin_ != nullptr) munmap(begin_, size_ + page);
}

scratch_memory& scratch_memory::of_this_thread(int level) {
  static thread_local scratch_memory levels[2];
  return levels[level];
}

bool scratch_memory::is_past_any_end(const void* address) noexcept {
  return of_this_thread(0).is_past_end(address) || of_this_thread(1).is_past_end(address);
}

std::byte* scratch_memory::take(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (bytes > size_) grow(bytes);
  std::byte* data = begin_ + size_ - (bytes + 15) / 16 * 16;
  poison_scratch(data, bytes);
  return data;
}

scratch_pages scratch_memory::pages_of(std::size_t bytes) const noexcept {
  const std::size_t whole = whole_pages(bytes);
  return {begin_ + size_ - whole, whole};
}

void scratch_memory::grow(std::size_t bytes) {
  if (begin_ != nullptr) munmap(begin_, size_ + page);
  size_ = whole_pages(bytes);
  void* place = mmap(nullptr, size_ + page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) {
    seam::raise_bad_alloc(
        (detail::text() << "no memory is left for " << bytes << " bytes of scratch").str());
  }
  begin_ = static_cast<std::byte*>(place);
  mprotect(begin_ + size_, page, PROT_NONE);
}

bool scratch_memory::is_past_end(const void* address) const noexcept {
  return begin_ != nullptr && address >= begin_ + size_ && address < begin_ + size_ + page;
}

}  // namespace hpk::emu
