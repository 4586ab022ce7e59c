// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/backends/emu/arena.hpp>
#include <hpk/backends/emu/detectors/host_access_detector.hpp>
#include <hpk/backends/emu/detectors/host_pointer_scan.hpp>
#include <hpk/backends/emu/detectors/process_memory.hpp>
#include <hpk/backends/emu/memory_map.hpp>
#include <hpk/backends/emu/options.hpp>
#include <hpk/base/compiler.hpp>
#include <hpk/base/text.hpp>
#include <hpk/memory/allocation.hpp>

#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace hpk::emu {

namespace {

using word = std::uintptr_t;

// Whether the word points to the record of an allocation. Bit 0 marks borrowed Views.
bool is_record(word w) {
  w &= ~word{1};
  word mark = 0;
  return w % alignof(seam::allocation_record) == 0 &&
         read_word(w + offsetof(seam::allocation_record, mark), mark) &&
         mark == seam::allocation_record::mark_of_all;
}

struct replaced_word {
  word* where;
  word original;
  std::size_t offset;
  bool on_stack;
  word placeholder = 0;

  // Returns the host address that corresponds to an address near the placeholder.
  word original_of(word w) const { return original + (w - placeholder); }
};

// The inaccessible addresses that serve as placeholders, in slots. Words that point to neighbouring
// memory share a slot and keep their distance, because a container computes its size as the
// difference of two pointers.
class placeholder_pool {
 public:
  placeholder_pool() {
    void* place = mmap(nullptr, slots * slot_bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place != MAP_FAILED) begin_ = reinterpret_cast<word>(place);
  }
  bool usable() const { return begin_ != 0; }
  // Gives a word a placeholder of the same alignment. `others` are the words of the same functor
  // that have one already.
  void take(replaced_word& replaced, const std::vector<replaced_word>& others) {
    for (const replaced_word& other : others) {
      const word distance = replaced.original - other.original;
      if (distance + slot_bytes / 4 >= slot_bytes / 2) continue;
      replaced.placeholder = other.placeholder + distance;
      slot& shared = known_[(other.placeholder - begin_) / slot_bytes];
      if (shared.count < most_words) shared.words[shared.count++] = replaced;
      return;
    }
    const std::size_t number = next_++ % slots;
    replaced.placeholder = begin_ + number * slot_bytes + slot_bytes / 2 + replaced.original % 4096;
    known_[number] = {1, {replaced}};
  }
  // Returns the word whose placeholder is the nearest one at or before an address. Null if the
  // address is no placeholder.
  const replaced_word* find(word w) const {
    if (begin_ == 0 || w < begin_ || w >= begin_ + slots * slot_bytes) return nullptr;
    const slot& found = known_[(w - begin_) / slot_bytes];
    const replaced_word* nearest = &found.words[0];
    for (int k = 1; k < found.count; ++k) {
      const replaced_word& r = found.words[k];
      if (r.placeholder <= w && (nearest->placeholder > w || r.placeholder > nearest->placeholder))
        nearest = &r;
    }
    return nearest;
  }

 private:
  static constexpr int most_words = 8;
  struct slot {
    int count = 0;
    replaced_word words[most_words] = {};
  };
  static constexpr std::size_t slots = 64;
  static constexpr std::size_t slot_bytes = std::size_t{1} << 28;
  word begin_ = 0;
  std::size_t next_ = 0;
  std::array<slot, slots> known_{};
};

struct state {
  std::mutex guard;
  writable_memory writable;
  placeholder_pool addresses;
};

// Never destroyed, because the queues that use it never are.
state& all() {
  static state& only = *new state;
  return only;
}

// Whether a word looks like a user-space address of a program or its data, and not like a number.
bool may_be_pointer(word w) { return w >= word{1} << 44 && w < word{1} << 47; }

}  // namespace

struct host_pointer_scan::list {
  std::vector<replaced_word> words;
  std::vector<block_hold> held;
  std::unique_ptr<lane_probe> probe;
};

host_pointer_scan::host_pointer_scan(void* functor, std::size_t bytes, bool zeroed,
                                     std::string_view kernel, probe_history& history) {
  auto* words = static_cast<word*>(functor);
  const bool replaces = zeroed && current_options().captures;
  const bool probes = !replaces && lane_probe::is_wanted() && history.takes_launch();
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
    if (!replaces && !probes) continue;
    // A pointer into the functor itself.
    if (w >= reinterpret_cast<word>(functor) && w <= reinterpret_cast<word>(functor) + bytes)
      continue;
    state& known = all();
    const std::lock_guard lock(known.guard);
    // is_record() must not read a mirror, whose pages may be closed.
    const bool found =
        host_access_detector::is_mirror(address) || (known.writable.contains(w) && !is_record(w));
    if (!found) continue;
    if (words_ == nullptr) words_ = new list;
    replaced_word replaced{&words[k], w, k * sizeof(word), is_on_this_stack(w)};
    if (probes) {
      if (words_->probe == nullptr) words_->probe = std::make_unique<lane_probe>();
      words_->probe->add(replaced.where, replaced.offset,
                         replaced.on_stack ? stack_of_this_thread().end : 0);
    } else if (known.addresses.usable()) {
      known.addresses.take(replaced, words_->words);
      words[k] = replaced.placeholder;
      words_->words.push_back(replaced);
    }
  }
  if (words_ == nullptr || words_->probe == nullptr) return;
  history.end();
  if (!lane_probe::prepare()) words_->probe.reset();
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

lane_probe* host_pointer_scan::probe() const noexcept {
  return words_ == nullptr ? nullptr : words_->probe.get();
}

void zero_memory(void* data, std::size_t bytes) noexcept { std::memset(data, 0, bytes); }

const void* original_address(const void* address) {
  const placeholder_pool& addresses = all().addresses;
  const auto w = reinterpret_cast<word>(address);
  const replaced_word* replaced = addresses.find(w);
  return replaced == nullptr ? nullptr : reinterpret_cast<const void*>(replaced->original_of(w));
}

std::string describe_host_pointer(const void* address) {
  const replaced_word* replaced = all().addresses.find(reinterpret_cast<word>(address));
  if (replaced == nullptr) return {};
  return describe_captured_word(replaced->offset, replaced->on_stack);
}

std::string describe_captured_word(std::size_t offset, bool on_stack) {
  detail::text out;
  out << "a kernel touches host memory that its functor captured by a pointer, a reference or "
         "`this` (the word at byte "
      << offset << " of the functor, which points to "
      << (on_stack ? "the stack of the launching thread" : "the heap or a static")
      << "); capture values and Views: HPK_LAMBDA, or HPK_CLASS_LAMBDA in a member function";
  return out.str();
}

}  // namespace hpk::emu
