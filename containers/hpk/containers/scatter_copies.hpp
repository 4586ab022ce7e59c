// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The private copies of a ScatterView on a host, one for each thread that contributes. A thread has
// a place in a table, the same for all ScatterViews, so that finding its copy takes two loads and
// no call, which compilers take out of loops. Workers make their copies, in memory near to them,
// and set the identity there, in a launch of constructor and reset(); other threads when they come.
#pragma once

#include <hpk/core.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <source_location>
#include <string>
#include <vector>

namespace hpk::detail {

/// Places in the table; threads that live at the same time and contribute.
inline constexpr int scatter_places = 1024;

/// The place of this thread, as a pointer, since elements of no type alias that; 0, which is
/// nobody's, until it asks for one.
extern HPK_EXPORT constinit thread_local const char* scatter_place;

/// Gives this thread a place; it keeps it until it ends. Throws hpk::error if none is left.
int find_scatter_place();

/// Tells whether the storage that lanes share has contributions.
class scatter_arrivals {
 public:
  virtual ~scatter_arrivals() = default;
  /// Waits for all kernels, since any may contribute.
  virtual bool any() const = 0;
};
/// The same, where kernels set a flag.
template <class Flag>
class scatter_flag final : public scatter_arrivals {
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

/// What a ScatterView knows on the host, and its copies. Threads: find() in kernels; all else on
/// the host, while no kernel contributes.
class scatter_copies {
 public:
  scatter_copies() = default;
  scatter_copies(const scatter_copies&) = delete;
  scatter_copies& operator=(const scatter_copies&) = delete;
  ~scatter_copies();

  /// From now on copies have so many elements of so many bytes, which `fill` sets.
  void set(std::size_t count, std::size_t element, void (*fill)(void*, std::size_t));
  /// The copy of each thread, or null, at its place.
  void* const* table() const noexcept { return table_; }
  /// The copy of this thread, with the identity in it if it had none or was reset, to contribute
  /// to. Pure to compilers, so that loops look it up once; one that began without it then calls
  /// this for each iteration.
  HPK_PURE void* find() const;
  /// This thread runs iteration `worker`: makes its copy, which is joined in this order.
  void enlist(int worker);
  /// Contributions so far no longer count.
  void reset() noexcept;
  /// They were contributed; what comes next begins anew.
  void close() noexcept;
  /// Whether they were contributed.
  bool is_closed() const noexcept { return closed_; }
  /// The copies that hold contributions, in the order of workers.
  std::vector<void*> live() const;
  /// The storage that lanes share; owned from now on. Null: what is there no longer counts.
  void watch(const scatter_arrivals* shared);
  /// Whether a copy, or the storage that lanes share, holds contributions that went nowhere.
  bool is_pending() const;

  /// Of the ScatterView, for messages.
  std::string label;
  /// Whether lost contributions are told of: the program is a build that checks.
  bool warns = false;

 private:
  void* find_again(int place);
  void release() noexcept;

  void* table_[scatter_places] = {};
  void* kept_[scatter_places] = {};
  bool live_[scatter_places] = {};
  bool used_[scatter_places] = {};  // only in builds that check
  const scatter_arrivals* shared_ = nullptr;
  std::vector<int> order_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
  void (*fill_)(void*, std::size_t) = nullptr;
  bool closed_ = false;
};

/// A new one. Host code destroys it, outside of kernels, so that it may look for what is lost.
View<scatter_copies, HostSpace> make_scatter_state();

/// The copy of this thread. Must be called in a kernel, or by a thread of its own.
HPK_FORCEINLINE void* scatter_copy(const scatter_copies* copies, void* const* table) {
  const char* place;
  void* copy;
  if constexpr (static_cast<bool>(HPK_HAS_THREAD_SANITIZER)) {
    // Lanes of a team are fibres of one thread.
    place = __atomic_load_n(&scatter_place, __ATOMIC_RELAXED);
    copy = __atomic_load_n(&table[reinterpret_cast<std::uintptr_t>(place)], __ATOMIC_RELAXED);
  } else {
    place = scatter_place;
    copy = table[reinterpret_cast<std::uintptr_t>(place)];
  }
  // Builds that check note who contributes.
  if constexpr (static_cast<bool>(HPK_CHECKS)) return copies->find();
  return copy != nullptr ? copy : copies->find();
}

/// Errors of ScatterViews; `a` and `b` describe Views.
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
/// Tells on stderr of contributions that are about to be lost, unless warnings are muted.
void warn_of_lost_contributions(const std::string& label) noexcept;

}  // namespace hpk::detail
