// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The implementation of atomic operations for objects of any size: instructions of the processor
// for aligned words of 1, 2, 4 and 8 bytes and for pairs of 16 bytes, and a lock chosen by address
// for all other objects. The same object always uses the same method.
#pragma once

#include <hpk/atomic/atomic_pair.hpp>
#include <hpk/atomic/atomic_primitive.hpp>
#include <hpk/base/assert.hpp>
#include <hpk/base/macros.hpp>

#include <limits>
#include <type_traits>

namespace hpk::seam {

/// Objects whose addresses differ by a multiple of lock_period share a lock.
inline constexpr std::size_t lock_period = std::size_t{1} << 22;

/// Notified before every atomic operation of this thread, and of its fences, whose object is null.
/// Set by a memory space that detects races, else null.
using atomic_watcher = void (*)(const void* object, detail::atomic_mode mode);
extern HPK_EXPORT constinit thread_local atomic_watcher atomic_watch;

/// A watcher that marks this thread as the only one, so that plain arithmetic suffices. Because one
/// variable holds both this mark and real watchers, compilers split a kernel's loop into two
/// versions, one of them without atomic instructions.
void only_thread_mark(const void* object, detail::atomic_mode mode);

/// Exists during a launch that runs on the calling thread. If the process has no other thread,
/// operations of device scope are plain arithmetic.
class single_thread_scope {
 public:
  single_thread_scope() noexcept : is_set_(atomic_watch == nullptr && detail::is_only_thread()) {
    if (is_set_) atomic_watch = &only_thread_mark;
  }
  ~single_thread_scope() {
    if (is_set_) atomic_watch = nullptr;
  }
  single_thread_scope(const single_thread_scope&) = delete;
  single_thread_scope& operator=(const single_thread_scope&) = delete;

 private:
  bool is_set_;
};

/// Notified of memory that this thread hands over to other threads, in an order that atomic
/// operations establish; or null. It receives the host address.
using handover_watcher = void (*)(const void*, std::size_t bytes);
extern HPK_EXPORT constinit thread_local handover_watcher handover_watch;

}  // namespace hpk::seam

namespace hpk::detail {

/// Notifies the watcher of an operation on the object.
HPK_INLINE_FUNCTION void notify_atomic([[maybe_unused]] const void* object,
                                       [[maybe_unused]] atomic_mode mode = {}) {
  HPK_IF_ON_HOST((const seam::atomic_watcher watcher = seam::atomic_watch;
                  if (watcher != nullptr && watcher != &seam::only_thread_mark)
                      [[unlikely]] watcher(object, mode);))
}

/// Notifies the watcher of an operation on the object and returns false. Declared pure, because the
/// notification has no visible effect on the program, so that loops keep values in registers across
/// the call.
HPK_PURE bool notify_and_test_alone(const void* object, atomic_mode mode);

/// Notifies the watcher of a handover.
HPK_INLINE_FUNCTION void notify_handover([[maybe_unused]] const void* data,
                                         [[maybe_unused]] std::size_t bytes) {
  HPK_IF_ON_HOST((if (seam::handover_watch != nullptr) seam::handover_watch(data, bytes);))
}

/// A fence of the calling thread.
HPK_INLINE_FUNCTION void object_fence(atomic_mode mode) {
  notify_atomic(nullptr, mode);
  primitive_fence(mode);
}

/// Whether plain arithmetic suffices, because the program requested MemoryScopeCaller or no other
/// thread exists. The first step of every read-modify-write operation; notifies the watcher.
HPK_INLINE_FUNCTION bool is_alone([[maybe_unused]] const void* object, atomic_mode mode) {
  if (mode.scope == memory_scope::caller) return true;
  HPK_IF_ON_HOST((const seam::atomic_watcher watcher = seam::atomic_watch;
                  if (watcher == &seam::only_thread_mark) return mode.scope <= memory_scope::device;
                  if (watcher != nullptr) [[unlikely]] return notify_and_test_alone(object, mode);))
  return false;
}

/// Holds the lock chosen by an address.
class object_lock {
 public:
  object_lock(const void* object, atomic_mode mode) noexcept;
  ~object_lock();
  object_lock(const object_lock&) = delete;
  object_lock& operator=(const object_lock&) = delete;

 private:
  atomic_word<bool>* flag_;
  memory_order order_;
};

/// Devices have no locks: prints the supported sizes and ends the kernel.
template <class T>
[[noreturn]] HPK_INLINE_FUNCTION void stop_without_lock() {
  HPK_IF_ON_HOST(
      (HPK_DETAIL_PROMISE(
           false, "host code called stop_without_lock(), which is for devices: hosts have locks");))
  HPK_IF_ON_DEVICE(
      (printf("hpk: atomic operations on a GPU take objects of 1, 2, 4 or 8 bytes, and "
              "of 16 from compute capability 9.0 on, at addresses that are multiples "
              "of their size; here: %s\n",
              __PRETTY_FUNCTION__);
       stop_kernel();))
}

/// Whether an object is within one word or pair. The type determines this in most cases, else the
/// address.
template <class T>
HPK_INLINE_FUNCTION bool is_whole([[maybe_unused]] const T* object) {
  if constexpr (alignof(T) % sizeof(T) == 0) {
    return true;
  } else {
    return reinterpret_cast<std::uintptr_t>(object) % sizeof(T) == 0;
  }
}

/// Reinterprets 16 bytes as another type.
template <class To, class From>
HPK_INLINE_FUNCTION To pair_as(const From& from) {
  static_assert(sizeof(To) == 16 && sizeof(From) == 16);
  To to;
  __builtin_memcpy(static_cast<void*>(&to), &from, 16);
  return to;
}

/// Replaces the value of a 16-byte object by change(value); returns the old value.
HPK_CALLS_EITHER
template <bool MaySkip, class T, class Change>
HPK_INLINE_FUNCTION T pair_update(T* object, const Change& change, atomic_mode mode) {
  HPK_IF_ON_DEVICE((fence_before(mode);))
  word_pair seen = load_pair(object, mode.scope);
  for (;;) {
    const T before = pair_as<T>(seen);
    const word_pair after = pair_as<word_pair>(static_cast<T>(change(before)));
    if (MaySkip && is_same(after, seen) && !releases(mode.order)) break;
    if (exchange_pair(object, seen, after, mode.scope)) break;
  }
  HPK_IF_ON_DEVICE((fence_after(mode);))
  return pair_as<T>(seen);
}

/// Replaces the value of an object by change(value); returns the old value. If `change` throws, the
/// object is unchanged.
HPK_CALLS_EITHER
template <bool MaySkip = false, class T, class Change>
HPK_INLINE_FUNCTION T object_update(T* object, const Change& change, atomic_mode mode = {}) {
  if (is_alone(object, mode)) {
    const T before = *object;
    *object = change(before);
    return before;
  }
  if constexpr (atomically_updated<T> && alignof(T) % sizeof(T) == 0) {
    return primitive_update<MaySkip>(object, change, mode);
  } else if constexpr (atomically_updated<T>) {
    if (is_whole(object)) return primitive_update<MaySkip>(object, change, mode);
  } else if constexpr (sizeof(T) == 16 && has_wide_exchange) {
    if (is_whole(object)) return pair_update<MaySkip>(object, change, mode);
  }
  if constexpr (!atomically_updated<T> || alignof(T) % sizeof(T) != 0) {
    HPK_IF_ON_HOST((const object_lock lock(object, mode); const T before = *object;
                    *object = change(before); return before;))
    HPK_IF_ON_DEVICE((stop_without_lock<T>();))
  }
}

/// Applies an operation with `value` to the object; returns the old value.
HPK_CALLS_EITHER
template <class Operation, class T>
HPK_INLINE_FUNCTION T object_fetch(T* object, const T& value, atomic_mode mode = {}) {
  if constexpr (atomically_updated<T> && alignof(T) % sizeof(T) == 0) {
    if (is_alone(object, mode)) {
      const T before = *object;
      *object = applied<Operation>(before, value);
      return before;
    }
    return primitive_fetch<Operation>(object, value, mode);
  } else {
    return object_update<Operation::may_skip>(
        object, [&value](const T& before) { return applied<Operation>(before, value); }, mode);
  }
}

/// The value of an object.
template <class T>
HPK_INLINE_FUNCTION T object_load(T* object, atomic_mode mode = {}) {
  if (mode.scope == memory_scope::caller) return *object;
  if constexpr (atomically_updated<T>) {
    if (is_whole(object)) {
      notify_atomic(object, mode);
      return primitive_load(object, mode);
    }
  }
  if (is_alone(object, mode)) return *object;
  if constexpr (!atomically_updated<T> && sizeof(T) == 16 && has_wide_exchange) {
    if (is_whole(object)) {
      // On hosts with pairs, loads are already sequentially consistent.
      HPK_IF_ON_DEVICE((fence_before(mode);))
      const T value = pair_as<T>(load_pair(object, mode.scope));
      HPK_IF_ON_DEVICE((fence_after(mode);))
      return value;
    }
  }
  HPK_IF_ON_HOST((const object_lock lock(object, mode); return *object;))
  HPK_IF_ON_DEVICE((stop_without_lock<T>();))
}

/// Stores a value.
template <class T>
HPK_INLINE_FUNCTION void object_store(T* object, const T& value, atomic_mode mode = {}) {
  if (mode.scope == memory_scope::caller) {
    *object = value;
    return;
  }
  if constexpr (atomically_updated<T>) {
    if (is_whole(object)) {
      notify_atomic(object, mode);
      primitive_store(object, value, mode);
      return;
    }
  }
  object_update(object, [&value](const T&) { return value; }, mode);
}

/// Stores a value. Returns the old value.
template <class T>
HPK_INLINE_FUNCTION T object_exchange(T* object, const T& value, atomic_mode mode = {}) {
  if constexpr (atomically_updated<T> && alignof(T) % sizeof(T) == 0) {
    if (is_alone(object, mode)) {
      const T before = *object;
      *object = value;
      return before;
    }
    return primitive_exchange(object, value, mode);
  } else {
    return object_update(object, [&value](const T&) { return value; }, mode);
  }
}

/// The number of bytes that hold the value of a T, excluding padding at its end: 10 for x87
/// numbers.
template <class T>
inline constexpr std::size_t bytes_of_value =
    std::is_same_v<T, long double> && std::numeric_limits<T>::digits == 64 ? 10 : sizeof(T);

/// Whether two values are bitwise equal, ignoring padding where it is known.
template <class T>
HPK_INLINE_FUNCTION bool is_same_value(T a, T b) {
  HPK_IF_ON_HOST((clear_padding(a); clear_padding(b);))
  const auto* x = reinterpret_cast<const unsigned char*>(&a);
  const auto* y = reinterpret_cast<const unsigned char*>(&b);
  for (std::size_t k = 0; k < bytes_of_value<T>; ++k) {
    if (x[k] != y[k]) return false;
  }
  return true;
}

/// Stores `value` if the object equals `expected`; returns the old value.
template <class T>
HPK_INLINE_FUNCTION T object_compare_exchange(T* object, const T& expected, const T& value,
                                              atomic_mode mode = {}) {
  // Comparing words suffices if each value has a unique representation.
  if constexpr (atomically_updated<T> && alignof(T) % sizeof(T) == 0 &&
                (std::has_unique_object_representations_v<T> ||
                 (std::is_floating_point_v<T> && bytes_of_value<T> == sizeof(T)))) {
    T before = expected;
    if (is_alone(object, mode)) {
      before = *object;
      if (is_same_value(before, expected)) *object = value;
    } else {
      primitive_compare_exchange(object, before, value, mode);
    }
    return before;
  } else {
    return object_update(
        object, [&](const T& before) { return is_same_value(before, expected) ? value : before; },
        mode);
  }
}

}  // namespace hpk::detail
