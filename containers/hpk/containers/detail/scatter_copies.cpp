// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpk/containers/detail/scatter_copies.hpp>

#include <hpk/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <new>
#include <utility>

namespace hpk::detail {

constinit thread_local const char* scatter_place = nullptr;

namespace {

constexpr std::align_val_t alignment{128};  // two cache lines, which processors fetch together

// The free places. Places of threads that have ended are reused first.
struct free_places {
  std::mutex mutex;
  std::vector<int> returned;
  int next = 1;
};
// Never destroyed: threads may end after static objects.
free_places& all_places() {
  static free_places* const places = new free_places;
  return *places;
}

// Guards the changes that threads make to ScatterViews, once for each thread after each reset().
std::mutex& copies_mutex() {
  static std::mutex* const mutex = new std::mutex;
  return *mutex;
}

struct place_of_thread {
  int place = 0;
  ~place_of_thread() {
    if (place == 0) return;
    free_places& places = all_places();
    const std::lock_guard lock(places.mutex);
    places.returned.push_back(place);
    scatter_place = nullptr;
  }
};

[[noreturn]] void reject_places() {
  hpk::raise(
      error_message() << "hpk::ScatterView: more than " << scatter_places - 1
                      << " threads contribute; write ScatterNonDuplicated, or run fewer threads");
}

void append_numbers(error_message& message, const index_t* numbers, int count) {
  message << '(';
  for (int r = 0; r < count; ++r) {
    if (r != 0) message << ", ";
    message << numbers[r];
  }
  message << ')';
}

void* allocate_copy(std::size_t bytes) {
  void* const data = ::operator new(bytes, alignment, std::nothrow);
  if (data != nullptr) return data;
  error_message message;
  message << "hpk::ScatterView: no memory is left for a copy of " << bytes << " bytes";
  throw BadAlloc(message.str());
}

}  // namespace

int find_scatter_place() {
  static thread_local place_of_thread assigned;
  if (assigned.place == 0) {
    free_places& places = all_places();
    const std::lock_guard lock(places.mutex);
    if (!places.returned.empty()) {
      assigned.place = places.returned.back();
      places.returned.pop_back();
    } else {
      if (places.next == scatter_places) reject_places();
      assigned.place = places.next++;
    }
  }
  const auto* const place =
      reinterpret_cast<const char*>(static_cast<std::uintptr_t>(assigned.place));
  std::atomic_ref<const char*>(scatter_place).store(place, std::memory_order_relaxed);
  return assigned.place;
}

scatter_copies::~scatter_copies() {
  try {
    if (warns && is_pending()) warn_of_lost_contributions(label);
  } catch (...) {  // a failed or missing device has been reported already
  }
  watch(nullptr);
  release();
}

void scatter_copies::release() noexcept {
  for (int k = 0; k < scatter_places; ++k) {
    ::operator delete(memory_[k], alignment);
    table_[k] = nullptr;
    memory_[k] = nullptr;
    live_[k] = false;
    used_[k] = false;
  }
  closed_ = false;
}

void scatter_copies::set(std::size_t count, std::size_t element, void (*fill)(void*, std::size_t)) {
  release();
  count_ = count;
  bytes_ = std::max<std::size_t>((count * element + 127) / 128 * 128, 128);
  fill_ = fill;
}

void* scatter_copies::find() const {
  const int place = find_scatter_place();
  auto& self = const_cast<scatter_copies&>(*this);
  std::atomic_ref<bool>(self.used_[place]).store(true, std::memory_order_relaxed);
  void* const copy = std::atomic_ref<void*>(self.table_[place]).load(std::memory_order_relaxed);
  return copy != nullptr ? copy : self.prepare_copy(place);
}

void* scatter_copies::prepare_copy(int place) {
  void* copy = nullptr;
  {
    const std::lock_guard lock(copies_mutex());
    // close() has emptied the table.
    if (closed_) std::fill(live_, live_ + scatter_places, false);
    closed_ = false;
    if (memory_[place] == nullptr) memory_[place] = allocate_copy(bytes_);
    copy = memory_[place];
    live_[place] = true;
    if (std::find(order_.begin(), order_.end(), place) == order_.end()) order_.push_back(place);
  }
  fill_(copy, count_);
  std::atomic_ref<void*>(table_[place]).store(copy, std::memory_order_relaxed);
  return copy;
}

void scatter_copies::add_worker(int worker) {
  const int place = find_scatter_place();
  {
    const std::lock_guard lock(copies_mutex());
    const auto at = static_cast<std::size_t>(worker);
    if (order_.size() <= at) order_.resize(at + 1, 0);
    if (std::find(order_.begin(), order_.end(), place) == order_.end()) {
      if (order_[at] == 0) {
        order_[at] = place;
      } else {
        order_.push_back(place);
      }
    }
  }
  if (table_[place] == nullptr) prepare_copy(place);
}

void scatter_copies::reset() noexcept {
  for (int k = 0; k < scatter_places; ++k) {
    table_[k] = nullptr;
    live_[k] = false;
    used_[k] = false;
  }
  closed_ = false;
}

void scatter_copies::close() noexcept {
  for (void*& copy : table_) copy = nullptr;
  std::fill(used_, used_ + scatter_places, false);
  closed_ = true;
}

std::vector<void*> scatter_copies::live() const {
  std::vector<void*> copies;
  for (const int place : order_) {
    if (live_[place]) copies.push_back(memory_[place]);
  }
  return copies;
}

View<scatter_copies, HostSpace> make_scatter_state() {
  return View<scatter_copies, HostSpace>(view_alloc("hpk::ScatterView: state", SequentialHostInit));
}

void scatter_copies::watch(const scatter_shared_contributions* shared) {
  delete std::exchange(shared_, shared);
}

bool scatter_copies::is_pending() const {
  if (shared_ != nullptr) return shared_->any();
  return !closed_ && std::find(used_, used_ + scatter_places, true) != used_ + scatter_places;
}

void reject_scatter_target(const std::string& label, const std::string& wrapped,
                           const std::string& target, const std::source_location& where) {
  hpk::raise(
      error_message() << "hpk::ScatterView \"" << label << "\": contribute to View \"" << target
                      << "\", but contributions are in the View that it wraps, \"" << wrapped
                      << "\"; contribute to that View and copy it, or write ScatterDuplicated",
      where);
}

void reject_scatter_shape(const std::string& label, const std::string& target, const index_t* have,
                          const index_t* wanted, int rank, const std::source_location& where) {
  error_message message;
  message << "hpk::ScatterView \"" << label << "\": contribute to View \"" << target
          << "\" of extents ";
  append_numbers(message, have, rank);
  message << ", but contributions have extents ";
  append_numbers(message, wanted, rank);
  message << "; write a View of the same extents";
  hpk::raise(std::move(message), where);
}

void reject_scatter_reset(const std::string& label, const std::source_location& where) {
  hpk::raise(
      error_message() << "hpk::ScatterView \"" << label
                      << "\": reset() after contributions that are in the wrapped View and can't "
                         "be removed from it; call contribute() first, or write ScatterDuplicated",
      where);
}

void reject_scatter_twice(const std::string& label, const std::source_location& where) {
  hpk::raise(
      error_message() << "hpk::ScatterView \"" << label
                      << "\": contribute() would join the same contributions a second time; call "
                         "reset() after each contribute()",
      where);
}

void reject_scatter_unallocated(const char* call, const std::source_location& where) {
  hpk::raise(error_message()
                 << "hpk::ScatterView: " << call
                 << " of an empty ScatterView; construct it with a View, or a label and extents",
             where);
}

void reject_scatter_index(const std::string& label, std::initializer_list<index_t> index,
                          const index_t* extents) {
  error_message message;
  message << "hpk::ScatterView \"" << label << "\": index ";
  append_numbers(message, index.begin(), static_cast<int>(index.size()));
  message << " is outside of the extents ";
  append_numbers(message, extents, static_cast<int>(index.size()));
  hpk::raise(std::move(message));
}

void warn_of_lost_contributions(const std::string& label) noexcept {
  try {
    if (!show_warnings()) return;
  } catch (...) {
    return;
  }
  std::fprintf(stderr,
               "hpk: warning: hpk::ScatterView \"%s\" is destroyed with contributions that were "
               "never contributed; call contribute(view, scatter_view), or reset()\n",
               label.c_str());
}

}  // namespace hpk::detail
