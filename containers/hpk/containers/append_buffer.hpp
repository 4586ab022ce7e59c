// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AppendBuffer: a buffer to which kernels append a number of values that is not known in advance. A
// full buffer counts the values that did not fit, so that the host can grow it and run the kernel
// again.
#pragma once

#include <hpk/core.hpp>

#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace hpk {

namespace detail {
/// Throws hpk::error: values did not fit.
[[noreturn]] void reject_append_overflow(const std::string& label, index_t capacity,
                                         index_t attempts, const std::source_location& where);
/// Throws hpk::error: the capacity is negative.
[[noreturn]] void reject_append_capacity(const std::string& label, index_t capacity,
                                         const std::source_location& where);
}  // namespace detail

/// A buffer of T that kernels of Device append to. Copies share the values.
///   hpk::AppendBuffer<particle> lost("lost", 1000);
///   do {
///     lost.clear();
///     hpk::parallel_for(n, HPK_LAMBDA(int i) { if (leaves(i)) lost.push_back(p(i)); });
///   } while (lost.grow_to_fit());
///   auto all = lost.view();
/// Values are in the order of arrival. T is trivially copyable, so that it can be in device memory.
///
/// Threads: any number of lanes and host threads may call push_back(), reserve() and operator() at
/// the same time. The other functions are called by the host while no kernel appends; they wait for
/// the work of all instances of the device. Errors: hpk::error with label, capacity and call site.
template <class T, class DeviceType = DefaultExecutionSpace>
class AppendBuffer {
 public:
  /// Types of a value, of the result of view(), and of the place of the values.
  ///@{
  using value_type = T;
  using view_type = View<T*, DeviceType>;
  using execution_space = typename view_type::execution_space;
  using memory_space = typename view_type::memory_space;
  using device_type = typename view_type::device_type;
  ///@}
  static_assert(!std::is_const_v<T> && std::is_trivially_copyable_v<T>,
                "hpk::AppendBuffer: values are copied as bytes; write a trivially copyable, "
                "non-const type");

  /// The value that push_back() and reserve() return when the buffer is full.
  static constexpr index_t full = -1;

  /// Constructs an empty buffer of capacity 0.
  AppendBuffer() = default;
  /// Allocates memory for `capacity` values. Throws hpk::error if `capacity` is negative.
  explicit AppendBuffer(const std::string& label, index_t capacity,
                        const std::source_location& where = std::source_location::current())
      : AppendBuffer(label, checked(label, capacity, where), 0) {}

  /// Appends a value and returns its index, or `full`.
  HPK_FUNCTION index_t push_back(const T& value) const {
    if (atomic_load(&counts_(used)) < capacity()) {
      const index_t slot = atomic_fetch_add(&counts_(used), index_t{1});
      if (slot < capacity()) {
        values_(slot) = value;
        return slot;
      }
    } else {
      atomic_inc(&counts_(missed));
    }
    return full;
  }
  /// Reserves n consecutive slots, or none if fewer are free. Returns the index of the first slot,
  /// or `full`. The caller sets the slots by operator().
  HPK_FUNCTION index_t reserve(index_t n) const {
    index_t seen = atomic_load(&counts_(used));
    while (n <= capacity() - seen) {
      const index_t before = atomic_compare_exchange(&counts_(used), seen, seen + n);
      if (before == seen) return seen;
      seen = before;
    }
    atomic_add(&counts_(missed), n);
    return full;
  }
  /// Reserves n slots for a team. All its threads call this together with the same n, and all get
  /// the index of the first slot, or `full`.
  HPK_CALLS_EITHER
  template <class Team>
  HPK_FUNCTION index_t reserve(const Team& team, index_t n) const {
    index_t first = full;
    single(PerTeam(team), [this, n](index_t& slot) { slot = reserve(n); }, first);
    return first;
  }
  /// The value in a slot. Builds with HPK_CHECKS report a slot that is not below the capacity.
  HPK_FUNCTION T& operator()(index_t slot) const { return values_(slot); }

  /// The largest number of values.
  HPK_FUNCTION index_t capacity() const { return static_cast<index_t>(values_.extent(0)); }
  /// The label of the allocation; empty for a default-constructed buffer.
  std::string label() const { return values_.label(); }
  /// The number of values in the buffer.
  index_t size() const { return read()[used]; }
  bool empty() const { return size() == 0; }  ///< Waits, as size() does.
  /// The number of values that lanes tried to append since clear(), including values that did not
  /// fit.
  index_t attempts() const {
    const auto counts = read();
    return counts[used] + counts[missed];
  }
  /// Whether some values did not fit.
  bool overflowed() const { return read()[missed] != 0; }
  /// Throws hpk::error if some values did not fit.
  void expect_room(const std::source_location& where = std::source_location::current()) const {
    const auto counts = read();
    if (counts[missed] != 0)
      detail::reject_append_overflow(label(), capacity(), counts[used] + counts[missed], where);
  }

  /// Returns a View of the values, which shares the memory. Throws hpk::error if some values did
  /// not fit.
  view_type view(const std::source_location& where = std::source_location::current()) const {
    expect_room(where);
    return partial_view();
  }
  /// Returns a View of the values that fit.
  view_type partial_view() const {
    return view_type(values_, std::pair<index_t, index_t>(0, size()));
  }

  /// Removes all values and resets the count of values that did not fit.
  void clear() const {
    if (counts_.is_allocated()) deep_copy(counts_, index_t{0});
  }
  /// Changes the capacity and keeps the values that fit. Throws hpk::error if `capacity` is
  /// negative.
  void resize(index_t capacity,
              const std::source_location& where = std::source_location::current()) {
    const index_t size_before = size();
    const std::string name = label();
    AppendBuffer fresh(name, checked(name, capacity, where), 0);
    const index_t common = size_before < capacity ? size_before : capacity;
    const std::pair<index_t, index_t> range(0, common);
    deep_copy(subview(fresh.values_, range), subview(values_, range));
    const auto counts = create_mirror_view(fresh.counts_);
    counts(used) = common;
    counts(missed) = 0;
    deep_copy(fresh.counts_, counts);
    *this = fresh;
  }
  /// If some values did not fit: replaces the buffer by an empty one whose capacity is attempts(),
  /// and returns true, so that the kernel can run again. Copies made earlier keep the old buffer.
  bool grow_to_fit() {
    const auto counts = read();
    if (counts[missed] == 0) return false;
    *this = AppendBuffer(label(), counts[used] + counts[missed], 0);
    return true;
  }

 private:
  static constexpr int used = 0;
  static constexpr int missed = 1;

  AppendBuffer(const std::string& label, index_t capacity, int)
      : values_(view_alloc(label, WithoutInitializing), capacity),
        counts_("hpk::AppendBuffer: counts") {}

  static index_t checked(const std::string& label, index_t capacity,
                         const std::source_location& where) {
    if (capacity < 0) detail::reject_append_capacity(label, capacity, where);
    return capacity;
  }
  Array<index_t, 2> read() const {
    Array<index_t, 2> counts{};
    if (!counts_.is_allocated()) return counts;
    fence("hpk::AppendBuffer: values are complete");
    const auto mirror = create_mirror_view_and_copy(HostSpace(), counts_);
    // Concurrent push_backs may have increased the count past the capacity.
    counts[used] = mirror(used) < capacity() ? mirror(used) : capacity();
    counts[missed] = mirror(missed) + mirror(used) - counts[used];
    return counts;
  }

  view_type values_;
  View<index_t[2], device_type> counts_;
};

}  // namespace hpk
