// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/page_use.hpp>
#include <hpk/backends/emu/memory_map.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace hpk::emu {

namespace {

constexpr std::size_t most_pages = std::size_t{1} << 14;

// Returns the file of this process's page table. A forked child opens it again. The lock of the map
// guards the variables.
int page_table() noexcept {
  static int file = -1;
  static pid_t of = 0;
  if (const pid_t self = ::getpid(); self != of) {
    if (file >= 0) ::close(file);
    file = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    of = self;
  }
  return file;
}

}  // namespace

bool is_used(const std::byte* begin, std::size_t bytes) noexcept {
  const int file = page_table();
  if (file < 0) return false;
  constexpr std::uint64_t present = std::uint64_t{1} << 63;
  std::uint64_t entries[512];
  const std::size_t count = std::min((bytes + page - 1) / page, most_pages);
  const std::size_t first = reinterpret_cast<std::uintptr_t>(begin) / page;
  bool used = false;
  for (std::size_t done = 0; done < count && !used;) {
    const std::size_t wanted = std::min(count - done, std::size(entries));
    const ssize_t got = ::pread(file, entries, wanted * sizeof(entries[0]),
                                static_cast<off_t>((first + done) * sizeof(entries[0])));
    if (got <= 0) break;
    const std::size_t read = static_cast<std::size_t>(got) / sizeof(entries[0]);
    used = std::any_of(entries, entries + read,
                       [](std::uint64_t entry) { return (entry & present) != 0; });
    done += read;
  }
  return used;
}

void forget_use(std::byte* begin, std::size_t bytes) noexcept {
  madvise(begin, bytes, MADV_DONTNEED);
}

}  // namespace hpk::emu
