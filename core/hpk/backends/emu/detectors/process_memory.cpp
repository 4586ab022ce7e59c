// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/detectors/process_memory.hpp>
#include <hpk/base/compiler.hpp>

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#if HPK_HAS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace hpk::emu {

namespace {

using word = std::uintptr_t;

bool on_fake_stack([[maybe_unused]] word w) {
#if HPK_HAS_ADDRESS_SANITIZER
  void* fake = __asan_get_current_fake_stack();
  return fake != nullptr && __asan_addr_is_in_fake_stack(fake, reinterpret_cast<void*>(w), nullptr,
                                                         nullptr) != nullptr;
#else
  return false;
#endif
}

// This system call reads its second argument before it rejects the first one. If the memory is not
// readable, it fails with EFAULT and raises no signal.
bool is_readable(word from) noexcept {
  constexpr int no_such_action = ~0;
  constexpr std::size_t set_bytes = 8;
  const int before = errno;
  syscall(SYS_rt_sigprocmask, no_such_action, from, nullptr, set_bytes);
  const bool faulted = errno == EFAULT;
  errno = before;
  return !faulted;
}

}  // namespace

address_range stack_of_this_thread() {
  static thread_local const address_range stack = [] {
    pthread_attr_t attributes;
    void* base = nullptr;
    std::size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &base, &bytes);
      pthread_attr_destroy(&attributes);
    }
    const auto begin = reinterpret_cast<word>(base);
    return address_range{begin, begin + bytes};
  }();
  return stack;
}

bool is_on_this_stack(word w) { return stack_of_this_thread().contains(w) || on_fake_stack(w); }

bool writable_memory::contains(word w) {
  if (find(w)) return true;
  if (std::find(not_found_.begin(), not_found_.end(), w) != not_found_.end()) return false;
  read();
  if (find(w)) return true;
  not_found_[next_not_found_++ % not_found_.size()] = w;
  return false;
}

bool writable_memory::find(word w) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), w,
                       [](word value, const address_range& r) { return value < r.begin; });
  return after != ranges_.begin() && std::prev(after)->contains(w);
}

void writable_memory::read() {
  ranges_.clear();
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) return;
  char line[512];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin = 0;
    unsigned long end = 0;
    char rights[8] = {};
    if (std::sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3 && rights[0] == 'r' &&
        rights[1] == 'w') {
      ranges_.push_back({begin, end});
    }
  }
  std::fclose(maps);
}

// Sanitizers may have poisoned the memory.
#if HPK_HAS_GNU_ATTRIBUTES
__attribute__((no_sanitize("address", "thread")))
#endif
bool read_word(word from, word& value) noexcept {
  if (!is_readable(from)) return false;
  value = *reinterpret_cast<const volatile word*>(from);
  return true;
}

}  // namespace hpk::emu
