// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/fibers/guarded_stacks.hpp>
#include <hpk/backends/fibers/signal_handler.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string_view>

namespace hpk::fibers {

// The stacks of one mapping, in a list for the handler. Entries are reused and never freed.
struct stack_entry {
  std::atomic<const stack_owner*> owner{nullptr};  // null: free
  std::atomic<const std::byte*> begin{nullptr};
  std::atomic<std::size_t> bytes{0};  // size of the mapping
  std::atomic<std::size_t> stack_bytes{0};
  std::atomic<bool> taken{true};
  stack_entry* next = nullptr;
};

namespace {

constexpr bool sanitized = HPK_HAS_ADDRESS_SANITIZER != 0 || HPK_HAS_THREAD_SANITIZER != 0;

std::atomic<stack_entry*> all_stacks{nullptr};
signal_handler the_fault;

// Bytes of the inaccessible guards below stacks. A function may write to any part of its frame
// first, so a guard detects frames that are not larger than the guard. Most lanes of a kernel have
// frames of one size, and the first lane runs on the first stack, so a large guard there detects
// nearly all overflows.
constexpr std::size_t least_guard = std::size_t{64} << 10;
constexpr std::size_t first_guard = std::size_t{16} << 20;

// A guard and a stack have an odd number of pages, so that the pages which all lanes use are in
// different sets of the TLB.
std::size_t guard_bytes() noexcept {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (least_guard + page - 1) / page * page + page;
}

// Makes pages inaccessible, without splitting the mapping where the system can do so (Linux 6.13).
bool protect(void* pages, std::size_t bytes) noexcept {
  constexpr int guard_install = 102;  // MADV_GUARD_INSTALL
  return madvise(pages, bytes, guard_install) == 0 || mprotect(pages, bytes, PROT_NONE) == 0;
}

// A message in a signal handler: no allocation, no locale, no stdio.
class fault_text {
 public:
  fault_text& operator<<(std::string_view piece) noexcept {
    const std::size_t fits =
        piece.size() < sizeof text_ - used_ ? piece.size() : sizeof text_ - used_;
    if (fits != 0) std::memcpy(text_ + used_, piece.data(), fits);
    used_ += fits;
    return *this;
  }
  fault_text& operator<<(char) = delete;  // would print a number
  fault_text& operator<<(long long value) noexcept {
    char digits[20];
    char* at = digits + sizeof digits;
    auto left = static_cast<unsigned long long>(value < 0 ? -value : value);
    do {
      *--at = static_cast<char>('0' + left % 10);
      left /= 10;
    } while (left != 0);
    if (value < 0) *--at = '-';
    return *this << std::string_view(at, static_cast<std::size_t>(digits + sizeof digits - at));
  }
  void print() const noexcept {
    for (std::size_t done = 0; done < used_;) {
      const ssize_t n = write(STDERR_FILENO, text_ + done, used_ - done);
      if (n <= 0) return;
      done += static_cast<std::size_t>(n);
    }
  }

 private:
  char text_[2048];
  std::size_t used_ = 0;
};

void print_overflow(const lane_place& place) noexcept {
  fault_text out;
  out << "hpk: " << detail::message_origin() << "stack overflow";
  if (!place.pattern.empty()) out << " in " << place.pattern;
  if (!place.label.empty()) out << " \"" << place.label << "\"";
  if (place.line != 0) out << " (at " << place.file << ":" << place.line << ")";
  out << ": " << place.lane_kind << " " << place.lane << " of " << place.lanes;
  if (place.group >= 0) out << " of " << place.group_kind << " " << place.group;
  out << " needs more than its stack of " << static_cast<long long>(place.stack_bytes >> 10)
      << " KiB; put large local arrays into scratch memory or a View, make variables of lockstep "
         "kernels fewer or smaller, and avoid deep recursion\n";
  out.print();
}

const std::byte* stack_pointer([[maybe_unused]] const void* context) noexcept {
  [[maybe_unused]] const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__linux__) && defined(__x86_64__)
  return reinterpret_cast<const std::byte*>(static_cast<std::uintptr_t>(machine.gregs[REG_RSP]));
#elif defined(__linux__) && defined(__aarch64__)
  return reinterpret_cast<const std::byte*>(static_cast<std::uintptr_t>(machine.sp));
#else
  return nullptr;
#endif
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const auto* const address = static_cast<const std::byte*>(info->si_addr);
  const std::byte* const pointer = stack_pointer(context);
  const auto guard = static_cast<std::ptrdiff_t>(guard_bytes());
  for (const stack_entry* m = all_stacks.load(std::memory_order_acquire); m != nullptr;
       m = m->next) {
    const stack_owner* const owner = m->owner.load(std::memory_order_acquire);
    if (owner == nullptr) continue;
    const std::byte* const begin = m->begin.load(std::memory_order_relaxed);
    const std::byte* const end = begin + m->bytes.load(std::memory_order_relaxed);
    const auto contains = [&](const std::byte* p) { return p >= begin && p < end; };
    if (!contains(address) && !contains(pointer)) continue;
    lane_place place;
    const std::byte* const stack = owner->running_stack(place);
    if (stack == nullptr) continue;
    place.stack_bytes = m->stack_bytes.load(std::memory_order_relaxed);
    const bool in_guard = address < stack && stack - address <= guard;
    // The frame may begin beyond the guard.
    const bool beyond =
        pointer != nullptr && (pointer < stack || pointer >= stack + place.stack_bytes);
    if (in_guard || beyond) {
      print_overflow(place);
      break;
    }
  }
  the_fault.pass_on(signal, info, context);
}

// The alternative signal stack of a thread. Other handlers, for example Emu's, also run on it.
class signal_stack {
 public:
  signal_stack() noexcept {
    if (sigaltstack(nullptr, &before_) != 0) return;
    if ((before_.ss_flags & SS_DISABLE) == 0 && before_.ss_size >= bytes) return;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* const map = mmap(nullptr, page + bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) return;
    mprotect(map, page, PROT_NONE);
    stack_t stack = {};
    stack.ss_sp = static_cast<std::byte*>(map) + page;
    stack.ss_size = bytes;
    if (sigaltstack(&stack, nullptr) != 0) {
      munmap(map, page + bytes);
      return;
    }
    map_ = map;
    map_bytes_ = page + bytes;
    own_memory_ = stack.ss_sp;
  }
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;
  ~signal_stack() {
    is_destroyed = true;
    if (own_memory_ == nullptr) return;
    stack_t now = {};
    if (sigaltstack(nullptr, &now) == 0 && now.ss_sp == own_memory_) {
      before_.ss_flags &= SS_DISABLE;
      sigaltstack(&before_, nullptr);
    }
    munmap(map_, map_bytes_);
  }

  static void give_to_this_thread() noexcept {
    // Destructors of static objects may run groups after the end of the thread's objects.
    if (is_destroyed) return;
    static thread_local const signal_stack stack_of_thread;
  }

 private:
  static constexpr std::size_t bytes = std::size_t{64} << 10;
  static inline constinit thread_local bool is_destroyed = false;

  stack_t before_ = {};
  void* own_memory_ = nullptr;
  void* map_ = nullptr;
  std::size_t map_bytes_ = 0;
};

stack_entry& take_entry() {
  for (stack_entry* m = all_stacks.load(std::memory_order_acquire); m != nullptr; m = m->next) {
    if (!m->taken.exchange(true, std::memory_order_acq_rel)) return *m;
  }
  auto* const made = new stack_entry;
  made->next = all_stacks.load(std::memory_order_relaxed);
  while (!all_stacks.compare_exchange_weak(made->next, made, std::memory_order_release,
                                           std::memory_order_relaxed)) {
  }
  return *made;
}

stack_entry* watch(const std::byte* begin, std::size_t bytes, std::size_t stack_bytes,
                   const stack_owner& owner) {
  static std::once_flag once;
  std::call_once(once, [] {
    static_cast<void>(
        detail::message_origin());  // both allocate or ask the system at the first call
    static_cast<void>(guard_bytes());
    the_fault.install(SIGSEGV, &on_fault);
  });
  signal_stack::give_to_this_thread();
  stack_entry& entry = take_entry();
  entry.begin.store(begin, std::memory_order_relaxed);
  entry.bytes.store(bytes, std::memory_order_relaxed);
  entry.stack_bytes.store(stack_bytes, std::memory_order_relaxed);
  entry.owner.store(&owner, std::memory_order_release);
  return &entry;
}

}  // namespace

guarded_stacks::guarded_stacks(std::size_t count, std::size_t bytes, const stack_owner& owner)
    : count_(count), bytes_(bytes) {
  const std::size_t all = first_guard + size();
  void* const map =
      mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    detail::raise_bad_alloc(
        "hpk::fibers::fiber_group: no more address space for the stacks of lanes");
  begin_ = static_cast<std::byte*>(map);
  bool guarded = mprotect(begin(), size(), PROT_READ | PROT_WRITE) == 0;
  for (std::size_t k = 0; k < count; ++k)
    guarded = guarded && protect((*this)[k] - guard_bytes(), guard_bytes());
  try {
    if (!guarded) {
      detail::raise_bad_alloc(
          "hpk::fibers::fiber_group: no more memory mappings for the stacks of lanes");
    }
    if constexpr (!sanitized) entry_ = watch(begin_, all, bytes, owner);
  } catch (...) {
    munmap(map, all);
    throw;
  }
}

guarded_stacks::~guarded_stacks() {
  if (begin_ == nullptr) return;
  if (entry_ != nullptr) {
    entry_->owner.store(nullptr, std::memory_order_release);
    entry_->taken.store(false, std::memory_order_release);
  }
  munmap(begin_, first_guard + size());
}

std::byte* guarded_stacks::operator[](std::size_t k) const noexcept {
  return begin() + k * (guard_bytes() + bytes_) + guard_bytes();
}
std::byte* guarded_stacks::begin() const noexcept { return begin_ + first_guard; }
std::size_t guarded_stacks::size() const noexcept { return count_ * (guard_bytes() + bytes_); }

}  // namespace hpk::fibers
