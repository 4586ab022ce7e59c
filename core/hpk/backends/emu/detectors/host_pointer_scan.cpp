// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/host_access_detector.hpp>
#include <hpk/backends/emu/detectors/host_pointer_scan.hpp>
#include <hpk/backends/emu/memory_map.hpp>
#include <hpk/backends/emu/options.hpp>
#include <hpk/base/compiler.hpp>
#include <hpk/base/text.hpp>
#include <hpk/memory/allocation.hpp>

#include <pthread.h>
#include <sys/mman.h>

#if HPK_HAS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <vector>

namespace hpk::emu {

namespace {

using word = std::uintptr_t;

struct range {
  word begin;
  word end;
  bool contains(word w) const { return begin <= w && w < end; }
};

// Whether the word points to where AddressSanitizer keeps variables of running functions, which is
// no part of the stack proper when it looks for uses after return.
bool on_fake_stack([[maybe_unused]] word w) {
#if HPK_HAS_ADDRESS_SANITIZER
  void* fake = __asan_get_current_fake_stack();
  return fake != nullptr && __asan_addr_is_in_fake_stack(fake, reinterpret_cast<void*>(w), nullptr,
                                                         nullptr) != nullptr;
#else
  return false;
#endif
}

range stack_of_this_thread() {
  static thread_local const range stack = [] {
    pthread_attr_t attributes;
    void* base = nullptr;
    std::size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &base, &bytes);
      pthread_attr_destroy(&attributes);
    }
    const auto begin = reinterpret_cast<word>(base);
    return range{begin, begin + bytes};
  }();
  return stack;
}

// The writable memory of the process, as it was when somebody last asked for what is not in it.
class writable_memory {
 public:
  bool contains(word w) {
    if (find(w)) return true;
    if (std::find(strangers_.begin(), strangers_.end(), w) != strangers_.end()) return false;
    read();
    if (find(w)) return true;
    strangers_[next_stranger_++ % strangers_.size()] = w;
    return false;
  }

 private:
  bool find(word w) const {
    const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), w,
                                        [](word value, const range& r) { return value < r.begin; });
    return after != ranges_.begin() && std::prev(after)->contains(w);
  }
  void read() {
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
  std::vector<range> ranges_;
  std::array<word, 64> strangers_{};
  std::size_t next_stranger_ = 0;
};

// Whether the word is, or borrows, the record of an allocation. Reads what may be anything.
#if HPK_HAS_GNU_ATTRIBUTES
__attribute__((no_sanitize("address", "thread")))
#endif
bool is_record(word w) {
  w &= ~word{1};
  if (w % alignof(seam::allocation_record) != 0) return false;
  const volatile auto* mark = &reinterpret_cast<const volatile seam::allocation_record*>(w)->mark;
  return *mark == seam::allocation_record::mark_of_all;
}

struct replaced_word {
  word* where;
  word original;
  std::size_t offset;
  bool on_stack;
  int slot;
};

// The addresses that nobody has: a slot for each replaced word, wide enough for what lies around
// it.
class trap {
 public:
  trap() {
    void* place = mmap(nullptr, slots * slot_bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place != MAP_FAILED) begin_ = reinterpret_cast<word>(place);
  }
  bool usable() const { return begin_ != 0; }
  // The address that stands for a word; it is aligned alike.
  word take(replaced_word& replaced) {
    replaced.slot = static_cast<int>(next_++ % slots);
    known_[static_cast<std::size_t>(replaced.slot)] = replaced;
    return stand_in(replaced);
  }
  // The address that the program means by one near a stand-in.
  word meant(const replaced_word& replaced, word w) const {
    return replaced.original + (w - stand_in(replaced));
  }
  const replaced_word* find(word w) const {
    if (begin_ == 0 || w < begin_ || w >= begin_ + slots * slot_bytes) return nullptr;
    return &known_[(w - begin_) / slot_bytes];
  }

 private:
  word stand_in(const replaced_word& replaced) const {
    return begin_ + static_cast<word>(replaced.slot) * slot_bytes + slot_bytes / 2 +
           replaced.original % 4096;
  }
  static constexpr std::size_t slots = 64;
  static constexpr std::size_t slot_bytes = std::size_t{1} << 28;
  word begin_ = 0;
  std::size_t next_ = 0;
  std::array<replaced_word, slots> known_{};
};

struct state {
  std::mutex guard;
  writable_memory writable;
  trap addresses;
};

// Never destroyed, as the queues that use it.
state& all() {
  static state& only = *new state;
  return only;
}

// What user space addresses of programs and their data look like; keeps numbers out.
bool may_be_pointer(word w) { return w >= word{1} << 44 && w < word{1} << 47; }

}  // namespace

struct host_pointer_scan::list {
  std::vector<replaced_word> words;
  std::vector<block_hold> held;
};

host_pointer_scan::host_pointer_scan(void* functor, std::size_t bytes, bool zeroed,
                                     std::string_view kernel) {
  auto* words = static_cast<word*>(functor);
  const bool replaces = zeroed && current_options().captures;
  const range stack = stack_of_this_thread();
  for (std::size_t k = 0; k < bytes / sizeof(word); ++k) {
    const word w = words[k];
    if (!may_be_pointer(w)) continue;
    const auto* address = reinterpret_cast<const void*>(w);
    if (memory_map::instance().base_of(address) != nullptr &&
        !host_access_detector::is_mirror(address)) {
      const std::uint64_t block = host_access_detector::on_launch(address, kernel);
      if (block == 0) continue;
      if (words_ == nullptr) words_ = new list;
      words_->held.push_back({address, block});
      continue;
    }
    if (!replaces) continue;
    // Into the functor itself, as it is here.
    if (w >= reinterpret_cast<word>(functor) && w <= reinterpret_cast<word>(functor) + bytes)
      continue;
    state& known = all();
    const std::lock_guard lock(known.guard);
    // Nobody reads a mirror here: its pages may be gone.
    const bool found =
        host_access_detector::is_mirror(address) || (known.writable.contains(w) && !is_record(w));
    if (!known.addresses.usable() || !found) continue;
    if (words_ == nullptr) words_ = new list;
    replaced_word replaced{&words[k], w, k * sizeof(word), stack.contains(w) || on_fake_stack(w),
                           0};
    words[k] = known.addresses.take(replaced);
    words_->words.push_back(replaced);
  }
}

host_pointer_scan::~host_pointer_scan() {
  restore();
  delete words_;
}

void host_pointer_scan::restore() noexcept {
  if (words_ == nullptr) return;
  for (const replaced_word& replaced : words_->words) *replaced.where = replaced.original;
  for (const block_hold& done : words_->held) host_access_detector::on_kernel_end(done);
  words_->words.clear();
  words_->held.clear();
}

void zero_memory(void* data, std::size_t bytes) noexcept { std::memset(data, 0, bytes); }

const void* original_address(const void* address) {
  const trap& addresses = all().addresses;
  const auto w = reinterpret_cast<word>(address);
  const replaced_word* replaced = addresses.find(w);
  return replaced == nullptr ? nullptr
                             : reinterpret_cast<const void*>(addresses.meant(*replaced, w));
}

std::string describe_host_pointer(const void* address) {
  const replaced_word* replaced = all().addresses.find(reinterpret_cast<word>(address));
  if (replaced == nullptr) return {};
  detail::text out;
  out << "a kernel touches host memory that its functor captured by a pointer, a reference or "
         "`this` (the word at byte "
      << replaced->offset << " of the functor, which points to "
      << (replaced->on_stack ? "the stack of the launching thread" : "the heap or a static")
      << "); capture values and Views: HPK_LAMBDA, or HPK_CLASS_LAMBDA in a member function";
  return out.str();
}

}  // namespace hpk::emu
