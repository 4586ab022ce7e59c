// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AppendBuffer: kernels append values, nobody knows how many before. Full is an answer, never a
// loss: what did not fit is counted, and the buffer can grow to what was needed.
#pragma once

#include <hpk/core.hpp>

#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace hpk {

namespace detail {
/// Errors of AppendBuffers.
[[noreturn]] void reject_append_overflow(const std::string& label, index_t capacity,
                                         index_t attempts, const std::source_location& where);
[[noreturn]] void reject_append_capacity(const std::string& label, index_t capacity,
                                         const std::source_location& where);
}  // namespace detail

/// A buffer of T that kernels of Device append to. A handle: copies share the values.
///   hpk::AppendBuffer<particle> lost("lost", 1000);
///   do {
///     lost.clear();
///     hpk::parallel_for(n, HPK_LAMBDA(int i) { if (leaves(i)) lost.push_back(p(i)); });
///   } while (lost.grow_to_fit());
///   auto all = lost.view();
/// The order of values is that of arrival. T is trivially copyable, for device memory.
///
/// Threads: push_back(), reserve() and operator() from any number of lanes and host threads at the
/// same time. Host calls wait for the work of all instances of the device; not while kernels
/// append. Errors: hpk::error with label, capacity and call site.
template <class T, class DeviceType = DefaultExecutionSpace>
class AppendBuffer {
 public:
  using value_type = T;
  using view_type = View<T*, DeviceType>;
  using execution_space = typename view_type::execution_space;
  using memory_space = typename view_type::memory_space;
  using device_type = typename view_type::device_type;
  static_assert(!std::is_const_v<T> && std::is_trivially_copyable_v<T>,
                "hpk::AppendBuffer: values are copied as bytes; write a trivially copyable, "
                "non-const type");

  /// What push_back() and reserve() return when the buffer is full.
  static constexpr index_t full = -1;

  /// Empty, of capacity 0.
  AppendBuffer() = default;
  /// Room for `capacity` values. Throws hpk::error if that is negative.
  explicit AppendBuffer(const std::string& label, index_t capacity,
                        const std::source_location& where = std::source_location::current())
      : AppendBuffer(label, checked(label, capacity, where), 0) {}

  /// Appends a value; returns its index, or `full`.
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
  /// Takes n slots in a row, all or none; returns the index of the first, or `full`. The caller
  /// sets them by operator().
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
  /// The same for a whole team, which calls it together with one n; all threads get the index.
  HPK_CALLS_EITHER
  template <class Team>
  HPK_FUNCTION index_t reserve(const Team& team, index_t n) const {
    index_t first = full;
    single(PerTeam(team), [this, n](index_t& slot) { slot = reserve(n); }, first);
    return first;
  }
  /// The value in a slot. Builds with HPK_CHECKS report slots outside of the capacity.
  HPK_FUNCTION T& operator()(index_t slot) const { return values_(slot); }

  /// The most values.
  HPK_FUNCTION index_t capacity() const { return static_cast<index_t>(values_.extent(0)); }
  std::string label() const { return values_.label(); }
  /// The number of values.
  index_t size() const { return read()[used]; }
  bool empty() const { return size() == 0; }
  /// The values that lanes wanted to append since clear(), with those that did not fit.
  index_t attempts() const {
    const auto counts = read();
    return counts[used] + counts[missed];
  }
  /// Whether some did not fit.
  bool overflowed() const { return read()[missed] != 0; }
  /// Throws hpk::error if some did not fit.
  void expect_room(const std::source_location& where = std::source_location::current()) const {
    const auto counts = read();
    if (counts[missed] != 0)
      detail::reject_append_overflow(label(), capacity(), counts[used] + counts[missed], where);
  }

  /// The values, as a View that shares the memory. Throws hpk::error if some did not fit.
  view_type view(const std::source_location& where = std::source_location::current()) const {
    expect_room(where);
    return partial_view();
  }
  /// The values that fit.
  view_type partial_view() const {
    return view_type(values_, std::pair<index_t, index_t>(0, size()));
  }

  /// Forgets all values, and what did not fit.
  void clear() const {
    if (counts_.is_allocated()) deep_copy(counts_, index_t{0});
  }
  /// Changes the capacity; keeps the values that fit. Throws hpk::error if it is negative.
  void resize(index_t capacity,
              const std::source_location& where = std::source_location::current()) {
    const index_t kept = size();
    const std::string name = label();
    AppendBuffer fresh(name, checked(name, capacity, where), 0);
    const index_t common = kept < capacity ? kept : capacity;
    const std::pair<index_t, index_t> range(0, common);
    deep_copy(subview(fresh.values_, range), subview(values_, range));
    const auto counts = create_mirror_view(fresh.counts_);
    counts(used) = common;
    counts(missed) = 0;
    deep_copy(fresh.counts_, counts);
    *this = fresh;
  }
  /// If some did not fit: gets room for all attempts, is empty, and returns true, so that the
  /// kernel can run again. Copies made before keep the old buffer.
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
    // Lanes that came at the same time may have counted past the end.
    counts[used] = mirror(used) < capacity() ? mirror(used) : capacity();
    counts[missed] = mirror(missed) + mirror(used) - counts[used];
    return counts;
  }

  view_type values_;
  View<index_t[2], device_type> counts_;
};

}  // namespace hpk
