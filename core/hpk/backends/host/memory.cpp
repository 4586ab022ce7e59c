// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/host/memory.hpp>

#include <hpk/base/compiler.hpp>
#include <hpk/memory/quarantine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

#if HPK_HAS_LINUX
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#endif
#if HPK_HAS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace hpk::seam {

namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

constexpr std::size_t whole_lines(std::size_t bytes) {
  return (bytes + cache_line - 1) / cache_line * cache_line;
}

// Blocks of at least two huge pages are aligned to one and request huge pages: fewer page faults at
// first touch, fewer TLB misses later.
bool wants_huge_pages(std::size_t bytes) { return bytes >= 2 * huge_page; }

std::align_val_t alignment(std::size_t bytes, std::size_t align) {
  return std::align_val_t{std::max(wants_huge_pages(bytes) ? huge_page : cache_line, align)};
}

// Small blocks are aligned by hand, because the allocator's free lists serve only requests without
// an alignment. Not under AddressSanitizer, which checks the memory around a block.
bool is_aligned_here(std::size_t bytes, std::size_t align) {
  constexpr std::size_t most = std::size_t{64} << 10;
  return !static_cast<bool>(HPK_HAS_ADDRESS_SANITIZER) && bytes <= most && align <= cache_line;
}

// Allocates whole cache lines, so that the last line of a block in quarantine holds no other data.
void* allocate_lines(std::size_t bytes, std::size_t align) noexcept {
  const std::size_t lines = whole_lines(bytes);
  if (!is_aligned_here(bytes, align))
    return ::operator new(lines, alignment(lines, align), std::nothrow);
  void* const block = ::operator new(lines + cache_line, std::nothrow);
  if (block == nullptr) return nullptr;
  const std::uintptr_t data =
      (reinterpret_cast<std::uintptr_t>(block) + cache_line) / cache_line * cache_line;
  static_assert(alignof(std::max_align_t) >= sizeof(void*), "the word before data is in the block");
  reinterpret_cast<void**>(data)[-1] = block;
  return reinterpret_cast<void*>(data);
}

}  // namespace

void* memory<HostSpace>::allocate(std::size_t bytes, std::size_t align) noexcept {
  if (bytes > static_cast<std::size_t>(PTRDIFF_MAX)) return nullptr;
  void* data = allocate_lines(bytes, align);
  if (data == nullptr && detail::empty_quarantine()) data = allocate_lines(bytes, align);
#if HPK_HAS_LINUX
  // Best effort: without transparent huge pages the system gives ordinary ones.
  if (data != nullptr && wants_huge_pages(bytes)) madvise(data, bytes, MADV_HUGEPAGE);
#endif
  return data;
}

void memory<HostSpace>::deallocate(void* data, std::size_t bytes, std::size_t align) noexcept {
  if (is_aligned_here(bytes, align)) {
    ::operator delete(static_cast<void**>(data)[-1]);
  } else {
    ::operator delete(data, alignment(whole_lines(bytes), align));
  }
}

std::size_t memory<HostSpace>::release_pages(void* data, std::size_t bytes) noexcept {
  std::size_t held = bytes;
#if HPK_HAS_LINUX
  // Small blocks are not worth the system call. Where the address space is limited, addresses are
  // scarce rather than pages.
  constexpr std::size_t few = std::size_t{64} << 10;
  rlimit limit{};
  if (bytes >= few && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    const std::uintptr_t first = (begin + page - 1) / page * page;
    const std::uintptr_t end = (begin + bytes) / page * page;
    if (madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED) == 0)
      held -= end - first;
  }
#endif
#if HPK_HAS_ADDRESS_SANITIZER
  // AddressSanitizer then reports accesses that the checks of Views do not see.
  __asan_poison_memory_region(data, whole_lines(bytes));
#endif
  return held;
}

}  // namespace hpk::seam
