// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/atomic/atomic_object.hpp>
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/report.hpp>
#include <hpk/backends/emu/options.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <vector>

namespace hpk::emu {

namespace {

constexpr std::size_t page = 4096;

std::size_t whole_pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

// A lock that a signal handler may take: the handler runs on a thread that faulted in a kernel or
// in the program, never on one that holds it.
class spin_lock {
 public:
  void lock() noexcept {
    while (taken_.test_and_set(std::memory_order_acquire)) taken_.wait(true);
  }
  void unlock() noexcept {
    taken_.clear(std::memory_order_release);
    taken_.notify_one();
  }

 private:
  std::atomic_flag taken_;
};

constexpr std::size_t nowhere = ~std::size_t{0};

struct block {
  std::size_t begin;  // of its pages, from the start of the arena
  std::size_t pages;  // their bytes
  std::size_t first;  // of its first byte, from the start of the arena
  std::size_t bytes;
  std::string label;
  int device = 0;
  bool shared = false;
  bool host = false;  // host memory: a mirror
  bool freed = false;
  bool open = false;  // host code and plain pointers reach it now
  int holds = 0;
  std::uint64_t id = 0;  // no other block ever has it
  std::string holder;
  std::vector<std::size_t> mirrors;  // where those of this block begin
  std::size_t source = nowhere;      // of a mirror: where the block begins that it mirrors
  bool received = true;              // of a mirror: something was written there since it was made

  bool is_mirror() const { return source != nowhere; }
};

// Every byte that a program forgot to set: a signalling NaN for doubles, a huge number for
// integers.
constexpr std::uint64_t poison = 0x7ff4'dead'7ff4'deadULL;

void fill_with_poison(std::byte* data, std::size_t bytes) {
  std::size_t k = 0;
  for (; k + sizeof poison <= bytes; k += sizeof poison)
    std::memcpy(data + k, &poison, sizeof poison);
  std::memcpy(data + k, &poison, bytes - k);
}

// Puts pages of the file, or none, in the place of others. Past the C library, because a sanitizer
// takes its mmap for a write to all of the pages.
bool map_pages(std::byte* place, std::size_t bytes, int rights, int flags, int file,
               std::size_t offset) noexcept {
  return syscall(SYS_mmap, place, bytes, rights, flags | MAP_FIXED, file, offset) ==
         reinterpret_cast<long>(place);
}

class memory_map {
 public:
  memory_map() {
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
  }

  void* allocate(std::size_t bytes, std::size_t align, bool shared, int device) noexcept {
    try {
      if (!add_device(device)) return nullptr;
      const std::size_t pages =
          whole_pages(std::max<std::size_t>(bytes, 1) + (align > page ? align : 0));
      const std::size_t begin = take(pages + page);
      if (begin == nowhere) return nullptr;
      const std::lock_guard lock(guard_);
      if (!map_block(begin, pages, shared, device)) {
        hide_block(begin, pages);
        quarantine_.push_back({begin, pages + page});
        return nullptr;
      }
      const std::size_t first = (begin + pages - bytes) / align * align;
      fill_with_poison(device_base_[device] + begin, pages);
      block& made = blocks_[begin];
      made = {};
      made.device = device;
      made.begin = begin;
      made.pages = pages;
      made.first = first;
      made.bytes = bytes;
      made.shared = shared;
      made.id = ++last_id_;
      if (shared) open(made);
      return host_base_ + first;
    } catch (...) {
      return nullptr;
    }
  }

  void deallocate(void* data) noexcept {
    const std::lock_guard lock(guard_);
    block* b = find(data);
    if (b == nullptr || b->freed) return;
    forget_mirrors(*b);
    close(*b);
    hide_block(b->begin, b->pages);
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(b->begin),
              static_cast<off_t>(b->pages));
    b->freed = true;
    quarantine_.push_back({b->begin, b->pages + page});
  }

  void name(void* data, std::string_view label) {
    const std::lock_guard lock(guard_);
    if (block* b = find(data)) b->label = label;
  }

  std::ptrdiff_t shift(int device) noexcept {
    return add_device(device) ? device_base_[device] - host_base_ : 0;
  }
  bool contains(const void* address) const noexcept { return in(host_base_, address); }
  bool find_alias(const void* address) const noexcept { return base_of(address) != nullptr; }
  void* resolve(void* address) noexcept {
    if (!contains(address)) return address;
    const std::lock_guard lock(guard_);
    const block* b = find(address);
    return static_cast<std::byte*>(address) +
           (device_base_[b == nullptr ? 0 : b->device] - host_base_);
  }

  bool open_block(const void* address) noexcept {
    const std::lock_guard lock(guard_);
    block* b = find(address);
    if (b == nullptr || b->freed || !contains(address)) return false;
    const std::size_t offset =
        static_cast<std::size_t>(static_cast<const std::byte*>(address) - host_base_);
    if (offset >= b->begin + b->pages || !open(*b)) return false;
    any_open_.store(true, std::memory_order_relaxed);
    return true;
  }
  void close_blocks() noexcept {
    if (!any_open_.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(guard_);
    for (auto& [begin, b] : blocks_) {
      if (!(b.shared || b.host) || b.holds > 0) close(b);
    }
    any_open_.store(false, std::memory_order_relaxed);
  }

  bool set_writable(const void* address, bool writable) noexcept {
    const std::lock_guard lock(guard_);
    const block* b = find(address);
    if (b == nullptr || b->freed || !(b->shared || in(device_base_[b->device], address)))
      return false;
    const std::byte* const base = base_of(address);
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - base);
    if (base == host_base_ || offset >= b->begin + b->pages) return false;
    return mprotect(const_cast<std::byte*>(base) + offset / page * page, page,
                    writable ? PROT_READ | PROT_WRITE : PROT_READ) == 0;
  }

  block_facts facts(const void* address) {
    const std::lock_guard lock(guard_);
    const block* b = find(address);
    if (b == nullptr) return {};
    const std::byte* base = base_of(address);
    return {true,
            b->freed,
            b->label,
            b->bytes,
            static_cast<const std::byte*>(address) - (base + b->first),
            b->holds > 0,
            b->holder,
            b->device,
            b->shared,
            b->host,
            b->is_mirror() ? blocks_[b->source].label : std::string()};
  }

  void* allocate_mirror(const void* source, std::size_t bytes, std::size_t align) noexcept {
    void* data = allocate(bytes, align, false, 0);
    if (data == nullptr) return nullptr;
    const std::lock_guard lock(guard_);
    block* from = find(source);
    block* made = find(data);
    made->host = true;
    if (!open(*made) || from == nullptr || from->freed) return data;
    made->source = from->begin;
    from->mirrors.push_back(made->begin);
    return data;
  }
  void watch_mirror(const void* data) noexcept {
    const std::lock_guard lock(guard_);
    block* b = find(data);
    if (b == nullptr || !b->is_mirror()) return;
    b->received = false;
    open(*b, PROT_READ);
  }
  bool is_mirror(const void* address) noexcept {
    const std::lock_guard lock(guard_);
    const block* b = find(address);
    return b != nullptr && b->host && !b->freed;
  }
  void touch_mirror(const void* address) noexcept {
    const std::lock_guard lock(guard_);
    block* b = find(address);
    if (b == nullptr || !b->is_mirror() || b->freed) return;
    b->received = true;
    open(*b);
  }
  bool admit_host(const void* address, bool writes) noexcept {
    const std::lock_guard lock(guard_);
    block* b = find(address);
    if (b == nullptr || !b->is_mirror() || b->freed) return false;
    if (writes) {
      b->received = true;
      return open(*b);
    }
    const block& source = blocks_[b->source];
    const bool alike = source.bytes == b->bytes &&
                       std::memcmp(device_base_[b->device] + b->first,
                                   device_base_[source.device] + source.first, b->bytes) == 0;
    return alike && open(*b, PROT_READ);
  }

  std::uint64_t hold(const void* address, std::string_view kernel) {
    const std::lock_guard lock(guard_);
    block* b = find(address);
    // A number may look like an address anywhere.
    if (b == nullptr || b->freed || address > base_of(address) + b->begin + b->pages) return 0;
    close_mirrors(*b, kernel);
    if (!b->shared) return 0;
    b->holder = kernel;
    if (b->holds++ == 0) close(*b);
    return b->id;
  }
  void finish(const block_hold& done) {
    const std::lock_guard lock(guard_);
    finished_.push_back(done);
    any_finished_.store(true, std::memory_order_relaxed);
  }
  void release_finished() noexcept {
    if (!any_finished_.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(guard_);
    for (const block_hold& done : finished_) {
      block* b = find(done.address);
      // The block may be gone, and another be there.
      if (b != nullptr && !b->freed && b->id == done.block && --b->holds == 0) open(*b);
    }
    finished_.clear();
    any_finished_.store(false, std::memory_order_relaxed);
  }

 private:
  struct range {
    std::size_t begin;
    std::size_t bytes;
  };

  // Gives a device its range of addresses, once.
  bool add_device(int device) noexcept {
    const std::lock_guard lock(guard_);
    if (host_base_ == nullptr) return false;
    if (device_base_[device] == nullptr) {
      device_base_[device] = reserve();
      // What is shared is there for every device.
      for (const auto& [begin, b] : blocks_) {
        if (device_base_[device] != nullptr && b.shared && !b.freed)
          map_pages(device_base_[device] + begin, b.pages, PROT_READ | PROT_WRITE, MAP_SHARED,
                    file_, begin);
      }
    }
    return device_base_[device] != nullptr;
  }
  bool map_block(std::size_t begin, std::size_t bytes, bool shared, int device) noexcept {
    bool mapped = true;
    for (int d = 0; d < arena::most_devices; ++d) {
      if (device_base_[d] != nullptr && (shared || d == device))
        mapped = mapped && map_pages(device_base_[d] + begin, bytes, PROT_READ | PROT_WRITE,
                                     MAP_SHARED, file_, begin);
    }
    return mapped;
  }
  void hide_block(std::size_t begin, std::size_t bytes) noexcept {
    for (std::byte* real : device_base_) {
      if (real != nullptr) hide(real + begin, bytes);
    }
  }
  // The range of addresses that one lies in, or null.
  const std::byte* base_of(const void* address) const noexcept {
    if (in(host_base_, address)) return host_base_;
    for (const std::byte* real : device_base_) {
      if (in(real, address)) return real;
    }
    return nullptr;
  }
  // All ranges are aligned alike: an object has the same lock for every device.
  std::byte* reserve() const {
    constexpr std::size_t align = seam::lock_period;
    void* const place =
        mmap(nullptr, size_ + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) return nullptr;
    auto* const begin = static_cast<std::byte*>(place);
    const std::size_t before = -reinterpret_cast<std::uintptr_t>(begin) % align;
    if (before != 0) munmap(begin, before);
    munmap(begin + before + size_, align - before);
    return begin + before;
  }
  static void hide(std::byte* begin, std::size_t bytes) noexcept {
    map_pages(begin, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  bool in(const std::byte* base, const void* address) const noexcept {
    return base != nullptr && address >= base && address < base + size_;
  }
  // Once a kernel is launched that may change a block, what was copied before is old.
  void close_mirrors(const block& source, std::string_view kernel) {
    for (const std::size_t begin : source.mirrors) {
      block& mirror = blocks_[begin];
      if (mirror.received && !current_options().mirrors) continue;
      mirror.holder = kernel;
      close(mirror);
    }
  }
  // A block goes away that has mirrors, or is one.
  void forget_mirrors(block& b) noexcept {
    for (const std::size_t begin : b.mirrors) {
      block& mirror = blocks_[begin];
      mirror.source = nowhere;
      if (!mirror.freed) open(mirror);
    }
    b.mirrors.clear();
    if (b.is_mirror()) std::erase(blocks_[b.source].mirrors, b.begin);
    b.source = nowhere;
  }
  bool open(block& b, int rights = PROT_READ | PROT_WRITE) noexcept {
    if (!map_pages(host_base_ + b.begin, b.pages, rights, MAP_SHARED, file_, b.begin)) {
      return false;
    }
    return b.open = true;
  }
  void close(block& b) noexcept {
    if (!b.open) return;
    hide(host_base_ + b.begin, b.pages);
    b.open = false;
  }

  // Addresses that were never used, as long as there are some; then those that rested longest.
  std::size_t take(std::size_t bytes) {
    const std::lock_guard lock(guard_);
    if (bytes <= size_ - fresh_) {
      const std::size_t begin = fresh_;
      fresh_ += bytes;
      return begin;
    }
    const auto find_room = [&] {
      return std::find_if(quarantine_.begin(), quarantine_.end(),
                          [&](const range& r) { return r.bytes >= bytes; });
    };
    auto found = find_room();
    if (found == quarantine_.end()) {
      join_quarantine();
      found = find_room();
    }
    if (found == quarantine_.end()) return nowhere;
    const range taken = *found;
    quarantine_.erase(found);
    if (taken.bytes > bytes) quarantine_.push_back({taken.begin + bytes, taken.bytes - bytes});
    return taken.begin;
  }

  // Makes one range of those that are neighbours; what lay there is forgotten.
  void join_quarantine() {
    std::sort(quarantine_.begin(), quarantine_.end(),
              [](const range& a, const range& b) { return a.begin < b.begin; });
    std::deque<range> joined;
    for (const range& r : quarantine_) {
      if (!joined.empty() && joined.back().begin + joined.back().bytes == r.begin) {
        joined.back().bytes += r.bytes;
        blocks_.erase(r.begin);
      } else {
        joined.push_back(r);
      }
    }
    quarantine_ = std::move(joined);
  }

  // The block that an address lies in or behind; null before the first.
  block* find(const void* address) {
    const std::byte* base = base_of(address);
    if (base == nullptr) return nullptr;
    auto after = blocks_.upper_bound(
        static_cast<std::size_t>(static_cast<const std::byte*>(address) - base));
    return after == blocks_.begin() ? nullptr : &std::prev(after)->second;
  }

  spin_lock guard_;
  int file_ = -1;
  std::size_t size_ = 0;
  std::byte* host_base_ = nullptr;  // what programs hold; mapped to nothing unless opened
  std::byte* device_base_[arena::most_devices] = {};  // what kernels and copies use, per device
  std::size_t fresh_ = 0;
  std::deque<range> quarantine_;
  std::map<std::size_t, block> blocks_;  // by begin
  std::atomic<bool> any_open_{false};
  std::vector<block_hold> finished_;  // holds of kernels that are done, but nobody has waited
  std::atomic<bool> any_finished_{false};
  std::uint64_t last_id_ = 0;
};

// Never destroyed: a static View may outlive every other static.
memory_map& the_map() {
  static memory_map& only = *new memory_map;
  return only;
}

}  // namespace

void* arena::allocate(std::size_t bytes, std::size_t align, access who, int device) noexcept {
  return the_map().allocate(bytes, align, who == access::shared, device);
}
std::uint64_t arena::hold(const void* address, std::string_view kernel) {
  return the_map().hold(address, kernel);
}
void arena::finish(const block_hold& done) { the_map().finish(done); }
void arena::release_finished() noexcept { the_map().release_finished(); }
void arena::deallocate(void* data) noexcept { the_map().deallocate(data); }
void arena::name(void* data, std::string_view label) { the_map().name(data, label); }
std::ptrdiff_t arena::shift(int device) noexcept { return the_map().shift(device); }
bool arena::contains(const void* address) noexcept { return the_map().contains(address); }
bool arena::find_alias(const void* address) noexcept { return the_map().find_alias(address); }
void* arena::allocate_mirror(const void* source, std::size_t bytes, std::size_t align) noexcept {
  return the_map().allocate_mirror(source, bytes, align);
}
void arena::watch_mirror(const void* data) noexcept { the_map().watch_mirror(data); }
bool arena::is_mirror(const void* address) noexcept { return the_map().is_mirror(address); }
void arena::touch_mirror(const void* address) noexcept { the_map().touch_mirror(address); }
bool arena::admit_host(const void* address, bool writes) noexcept {
  return the_map().admit_host(address, writes);
}
void* arena::resolve(void* address) noexcept { return the_map().resolve(address); }
bool arena::open_block(const void* address) noexcept { return the_map().open_block(address); }
void arena::close_blocks() noexcept { the_map().close_blocks(); }
bool arena::set_writable(const void* address, bool writable) noexcept {
  return the_map().set_writable(address, writable);
}
block_facts arena::find(const void* address) { return the_map().facts(address); }

}  // namespace hpk::emu
