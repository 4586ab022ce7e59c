// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/host/memory.hpp>

#include <hpk/base/compiler.hpp>

#include <algorithm>
#include <new>

#if HPK_HAS_LINUX
#include <sys/mman.h>
#endif

namespace hpk::seam {

namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

// Blocks of two huge pages and more start on one and ask for them: fewer page faults when the block
// is touched first, fewer TLB misses afterwards.
bool wants_huge_pages(std::size_t bytes) { return bytes >= 2 * huge_page; }

std::align_val_t alignment(std::size_t bytes, std::size_t align) {
  return std::align_val_t{std::max(wants_huge_pages(bytes) ? huge_page : cache_line, align)};
}

}  // namespace

void* memory<HostSpace>::allocate(std::size_t bytes, std::size_t align) noexcept {
  void* data = ::operator new(bytes, alignment(bytes, align), std::nothrow);
#if HPK_HAS_LINUX
  // Best effort: a kernel without transparent huge pages gives ordinary ones.
  if (data != nullptr && wants_huge_pages(bytes)) madvise(data, bytes, MADV_HUGEPAGE);
#endif
  return data;
}

void memory<HostSpace>::deallocate(void* data, std::size_t bytes, std::size_t align) noexcept {
  ::operator delete(data, alignment(bytes, align));
}

}  // namespace hpk::seam
