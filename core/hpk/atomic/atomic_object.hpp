// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mechanism of atomic operations, for objects of any size: words of 1, 2, 4 and 8 bytes and
// pairs of 16 by the instructions of the processor, all others, and what lies across the words,
// under a lock that the address chooses. An object always goes the same way.
#pragma once

#include <hpk/atomic/atomic_pair.hpp>
#include <hpk/atomic/atomic_primitive.hpp>
#include <hpk/base/assert.hpp>

#include <limits>
#include <type_traits>

namespace hpk::seam {

/// Objects whose addresses differ by a multiple of it have the same lock.
inline constexpr std::size_t lock_period = std::size_t{1} << 22;

/// Told of every atomic operation of this thread, before it happens, and of its fences, which have
/// no object; or null. A memory that looks for races sets it.
using atomic_watcher = void (*)(const void* object, detail::atomic_mode mode);
inline constinit thread_local atomic_watcher atomic_watch = nullptr;

/// The watcher while plain arithmetic does, because nobody else is there. One variable for both: so
/// compilers make two loops of a kernel's, one of them without atomic instructions.
void nobody_else(const void* object, detail::atomic_mode mode);

/// For the time of a launch that is run by the calling thread: if the process has no other thread,
/// atomic operations of the scope of a device are plain arithmetic.
class single_thread_scope {
 public:
  single_thread_scope() noexcept : is_set_(atomic_watch == nullptr && detail::is_only_thread()) {
    if (is_set_) atomic_watch = &nobody_else;
  }
  ~single_thread_scope() {
    if (is_set_) atomic_watch = nullptr;
  }
  single_thread_scope(const single_thread_scope&) = delete;
  single_thread_scope& operator=(const single_thread_scope&) = delete;

 private:
  bool is_set_;
};

/// Told of memory that this thread gives up for others to use, in an order that atomic operations
/// keep; or null. The address is the one that programs see.
using handover_watcher = void (*)(const void*, std::size_t bytes);
inline constinit thread_local handover_watcher handover_watch = nullptr;

}  // namespace hpk::seam

namespace hpk::detail {

/// Tells who watches of an operation on the object.
HPK_INLINE_FUNCTION void notify_atomic([[maybe_unused]] const void* object,
                                       [[maybe_unused]] atomic_mode mode = {}) {
  HPK_IF_ON_HOST((const seam::atomic_watcher watcher = seam::atomic_watch;
                  if (watcher != nullptr && watcher != &seam::nobody_else)
                      [[unlikely]] watcher(object, mode);))
}

/// The same; false. A program can't see what is told, so loops keep what they know across a call.
HPK_PURE bool is_told(const void* object, atomic_mode mode);

/// Tells who watches that memory is given up.
HPK_INLINE_FUNCTION void notify_handover([[maybe_unused]] const void* data,
                                         [[maybe_unused]] std::size_t bytes) {
  HPK_IF_ON_HOST((if (seam::handover_watch != nullptr) seam::handover_watch(data, bytes);))
}

/// A fence of the calling thread.
HPK_INLINE_FUNCTION void object_fence(atomic_mode mode) {
  notify_atomic(nullptr, mode);
  primitive_fence(mode);
}

/// Whether plain arithmetic does: the program says so, or nobody else is there. What an operation
/// that reads and writes asks first; tells who watches.
HPK_INLINE_FUNCTION bool is_alone([[maybe_unused]] const void* object, atomic_mode mode) {
  if (mode.scope == memory_scope::caller) return true;
  HPK_IF_ON_HOST((const seam::atomic_watcher watcher = seam::atomic_watch;
                  if (watcher == &seam::nobody_else) return mode.scope <= memory_scope::device;
                  if (watcher != nullptr) [[unlikely]] return is_told(object, mode);))
  return false;
}

/// Holds the lock that an address chooses.
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

/// Devices have no such lock.
template <class T>
[[noreturn]] HPK_INLINE_FUNCTION void stop_without_lock() {
  HPK_IF_ON_HOST((HPK_UNREACHABLE();))
  HPK_IF_ON_DEVICE(
      (printf("hpk: atomic operations on a GPU take objects of 1, 2, 4 or 8 bytes, and "
              "of 16 from compute capability 9.0 on, at addresses that are multiples "
              "of their size; here: %s\n",
              __PRETTY_FUNCTION__);
       stop_kernel();))
}

/// Whether an object lies within one word, or pair. Types mostly say so; of others the address
/// does.
template <class T>
HPK_INLINE_FUNCTION bool is_whole([[maybe_unused]] const T* object) {
  if constexpr (alignof(T) % sizeof(T) == 0) {
    return true;
  } else {
    return reinterpret_cast<std::uintptr_t>(object) % sizeof(T) == 0;
  }
}

/// 16 bytes that are of another type.
template <class To, class From>
HPK_INLINE_FUNCTION To pair_as(const From& from) {
  static_assert(sizeof(To) == 16 && sizeof(From) == 16);
  To to;
  __builtin_memcpy(static_cast<void*>(&to), &from, 16);
  return to;
}

/// Makes the value of an object of 16 bytes change(value); returns the one before.
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

/// Makes the value of an object change(value); returns the one before. An exception of `change`
/// leaves the object as it was.
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

/// Does an operation with the value; returns the object's value before.
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
      // On hosts that have pairs, loads are ordered as the strongest order asks.
      HPK_IF_ON_DEVICE((fence_before(mode);))
      const T value = pair_as<T>(load_pair(object, mode.scope));
      HPK_IF_ON_DEVICE((fence_after(mode);))
      return value;
    }
  }
  HPK_IF_ON_HOST((const object_lock lock(object, mode); return *object;))
  HPK_IF_ON_DEVICE((stop_without_lock<T>();))
}

/// Sets an object.
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

/// Sets an object; returns the value before.
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

/// How many bytes of a T hold its value, if there is no padding among them: those of x87 have ten.
template <class T>
inline constexpr std::size_t bytes_of_value =
    std::is_same_v<T, long double> && std::numeric_limits<T>::digits == 64 ? 10 : sizeof(T);

/// Whether two values are the same bit for bit, padding left out where it is known.
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

/// Sets an object to `value` if it is `expected`; returns the value before.
template <class T>
HPK_INLINE_FUNCTION T object_compare_exchange(T* object, const T& expected, const T& value,
                                              atomic_mode mode = {}) {
  // The bits of a word suffice where a value has but one form.
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
