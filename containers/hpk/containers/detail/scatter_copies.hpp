// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The private copies of a ScatterView on a host, one for each thread that contributes. A thread has
// a place in a table, the same for all ScatterViews, so that finding its copy takes two loads and
// no call, which compilers hoist out of loops. In a launch by the constructor and by reset(), each
// worker makes its copy, in memory near to it, and sets the identity there. Other threads make
// their copies when they first contribute.
#pragma once

#include <hpk/core.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <source_location>
#include <string>
#include <vector>

namespace hpk::detail {

/// The number of places in the table. One place is unused, so this limits the threads that
/// contribute and live at the same time.
inline constexpr int scatter_places = 1024;

/// The place of this thread, as a pointer, because no element type aliases that. 0, which is no
/// thread's place, until the thread asks for a place.
extern HPK_EXPORT constinit thread_local const char* scatter_place;

/// Gives this thread a place until the thread ends. Throws hpk::error if no place is left.
int find_scatter_place();

/// Tells whether there are contributions in the storage that lanes share.
class scatter_shared_contributions {
 public:
  virtual ~scatter_shared_contributions() = default;
  /// Returns whether there are any. Waits for all kernels, since any kernel may contribute.
  virtual bool any() const = 0;
};
/// Reads a flag that kernels set when they contribute to the shared storage.
template <class Flag>
class scatter_flag final : public scatter_shared_contributions {
 public:
  explicit scatter_flag(const Flag& flag) : flag_(flag) {}
  bool any() const override {
    hpk::fence("hpk::ScatterView: looks for contributions that are lost");
    int touched = 0;
    hpk::deep_copy(touched, flag_);
    return touched != 0;
  }

 private:
  Flag flag_;
};

/// The host state of a ScatterView and its copies. Threads: find() may be called in kernels; the
/// host calls all other functions while no kernel contributes.
class scatter_copies {
 public:
  scatter_copies() = default;
  scatter_copies(const scatter_copies&) = delete;
  scatter_copies& operator=(const scatter_copies&) = delete;
  ~scatter_copies();

  /// Frees all copies. Later copies have `count` elements of `element` bytes, which `fill` sets.
  void set(std::size_t count, std::size_t element, void (*fill)(void*, std::size_t));
  /// The copies of threads. Each is at the place of its thread, or null.
  void* const* table() const noexcept { return table_; }
  /// Returns the copy of this thread, to contribute to. A new or reset copy gets the identity
  /// first. Declared pure so that loops hoist the call. A loop entered before the copy existed
  /// calls it in every iteration.
  HPK_PURE void* find() const;
  /// Makes the copy of this thread, which runs iteration `worker`. Copies are joined in this order.
  void add_worker(int worker);
  /// Drops all contributions.
  void reset() noexcept;
  /// Records that the contributions were contributed. Later contributions start from the identity.
  void close() noexcept;
  /// Whether the contributions were contributed.
  bool is_closed() const noexcept { return closed_; }
  /// The copies that hold contributions, in the order of workers.
  std::vector<void*> live() const;
  /// Takes ownership of the object that looks for contributions in the storage that lanes share.
  /// Null: that storage no longer counts.
  void watch(const scatter_shared_contributions* shared);
  /// Whether a copy, or the storage that lanes share, holds contributions that were not
  /// contributed.
  bool is_pending() const;

  /// The label of the ScatterView, for messages.
  std::string label;
  /// Whether lost contributions cause a warning. True in builds that check, and for Emu.
  bool warns = false;

 private:
  void* prepare_copy(int place);
  void release() noexcept;

  void* table_[scatter_places] = {};
  void* memory_[scatter_places] = {};
  bool live_[scatter_places] = {};
  bool used_[scatter_places] = {};  // complete only in builds that check
  const scatter_shared_contributions* shared_ = nullptr;
  std::vector<int> order_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
  void (*fill_)(void*, std::size_t) = nullptr;
  bool closed_ = false;
};

/// Makes a new state. Host code destroys it, outside of kernels, so that the destructor may look
/// for lost contributions.
View<scatter_copies, HostSpace> make_scatter_state();

/// Returns the copy of this thread. Called in kernels, and by host threads that the program
/// started.
HPK_FORCEINLINE void* scatter_copy(const scatter_copies* copies, void* const* table) {
  const char* place;
  void* copy;
  if constexpr (static_cast<bool>(HPK_HAS_THREAD_SANITIZER)) {
    // The lanes of a team are fibres of one thread, but ThreadSanitizer sees them as threads.
    place = __atomic_load_n(&scatter_place, __ATOMIC_RELAXED);
    copy = __atomic_load_n(&table[reinterpret_cast<std::uintptr_t>(place)], __ATOMIC_RELAXED);
  } else {
    place = scatter_place;
    copy = table[reinterpret_cast<std::uintptr_t>(place)];
  }
  // Builds that check record which threads contribute.
  if constexpr (static_cast<bool>(HPK_CHECKS)) return copies->find();
  return copy != nullptr ? copy : copies->find();
}

/// Errors: each function throws hpk::error.
[[noreturn]] void reject_scatter_target(const std::string& label, const std::string& wrapped,
                                        const std::string& target,
                                        const std::source_location& where);
[[noreturn]] void reject_scatter_shape(const std::string& label, const std::string& target,
                                       const index_t* have, const index_t* wanted, int rank,
                                       const std::source_location& where);
[[noreturn]] void reject_scatter_reset(const std::string& label, const std::source_location& where);
[[noreturn]] void reject_scatter_twice(const std::string& label, const std::source_location& where);
[[noreturn]] void reject_scatter_unallocated(const char* call, const std::source_location& where);
[[noreturn]] void reject_scatter_index(const std::string& label,
                                       std::initializer_list<index_t> index,
                                       const index_t* extents);
/// Warns on stderr of contributions that are about to be lost, unless warnings are off.
void warn_of_lost_contributions(const std::string& label) noexcept;

}  // namespace hpk::detail
