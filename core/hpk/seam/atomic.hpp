// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations on plain objects, for kernels: many lanes may update one element. Relaxed, as
// kernels want them. One loop does every operation that the hardware lacks.
#pragma once

#include <hpk/base/assert.hpp>
#include <hpk/base/atomic_primitive.hpp>

#include <type_traits>

namespace hpk::seam {

/// Told of every atomic operation of this thread, or null. A memory that looks for races sets it.
using atomic_watcher = void (*)(const void*);
inline constinit thread_local atomic_watcher atomic_watch = nullptr;

/// Told of memory that this thread gives up for others to use, in an order that atomic operations
/// keep; or null. The address is the one that programs see.
using handover_watcher = void (*)(const void*, std::size_t bytes);
inline constinit thread_local handover_watcher handover_watch = nullptr;

}  // namespace hpk::seam

namespace hpk::detail {

/// Tells who watches of an operation on the object.
HPK_INLINE_FUNCTION void tell_atomic([[maybe_unused]] const void* object) {
  HPK_IF_ON_HOST((if (seam::atomic_watch != nullptr) seam::atomic_watch(object);))
}

/// Tells who watches that memory is given up.
HPK_INLINE_FUNCTION void tell_handover([[maybe_unused]] const void* data,
                                       [[maybe_unused]] std::size_t bytes) {
  HPK_IF_ON_HOST((if (seam::handover_watch != nullptr) seam::handover_watch(data, bytes);))
}

/// Replaces the value by change(value); returns the one before.
HPK_CALLS_EITHER
template <class T, class Change>
HPK_INLINE_FUNCTION T atomic_update(T* object, const Change& change) {
  tell_atomic(object);
  T before = primitive_load(object);
  while (!primitive_compare_exchange(object, before, static_cast<T>(change(before)))) {
  }
  return before;
}

}  // namespace hpk::detail

namespace hpk {

/// The value of an object that others may be changing. Any thread, in kernels and outside; so are
/// all operations of this file. They are atomic, and order nothing else.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION T atomic_load(T* object) {
  detail::tell_atomic(object);
  return detail::primitive_load(object);
}
/// Sets the object.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION void atomic_store(T* object, std::type_identity_t<T> value) {
  detail::tell_atomic(object);
  detail::primitive_store(object, value);
}
/// Sets the object; returns the value before.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION T atomic_exchange(T* object, std::type_identity_t<T> value) {
  detail::tell_atomic(object);
  return detail::primitive_exchange(object, value);
}
/// Sets the object to `value` if it equals `expected`, bit for bit; returns the value before.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION T atomic_compare_exchange(T* object, std::type_identity_t<T> expected,
                                              std::type_identity_t<T> value) {
  detail::tell_atomic(object);
  detail::primitive_compare_exchange(object, expected, value);
  return expected;
}
/// Adds; returns the value before.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION T atomic_fetch_add(T* object, std::type_identity_t<T> value) {
  if constexpr (detail::adds_natively<T>) {
    detail::tell_atomic(object);
    return detail::primitive_fetch_add(object, value);
  } else {
    return detail::atomic_update(object, [value](T before) { return before + value; });
  }
}
/// Subtracts; returns the value before.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION T atomic_fetch_sub(T* object, std::type_identity_t<T> value) {
  if constexpr (detail::adds_natively<T> && (std::is_unsigned_v<T> || !std::is_integral_v<T>)) {
    detail::tell_atomic(object);
    return detail::primitive_fetch_add(object, static_cast<T>(-value));
  }
  return detail::atomic_update(object,
                               [value](T before) { return static_cast<T>(before - value); });
}
/// Keeps the larger; returns the value before.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION T atomic_fetch_max(T* object, std::type_identity_t<T> value) {
  if constexpr (detail::compares_natively<T>) {
    HPK_IF_ON_DEVICE((return detail::device_fetch_max(object, value);))
  }
  return detail::atomic_update(object,
                               [value](T before) { return before < value ? value : before; });
}
/// Keeps the smaller; returns the value before.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION T atomic_fetch_min(T* object, std::type_identity_t<T> value) {
  if constexpr (detail::compares_natively<T>) {
    HPK_IF_ON_DEVICE((return detail::device_fetch_min(object, value);))
  }
  return detail::atomic_update(object,
                               [value](T before) { return value < before ? value : before; });
}

/// Adds.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION void atomic_add(T* object, std::type_identity_t<T> value) {
  static_cast<void>(atomic_fetch_add(object, value));
}
/// Subtracts.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION void atomic_sub(T* object, std::type_identity_t<T> value) {
  static_cast<void>(atomic_fetch_sub(object, value));
}
/// Keeps the larger.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION void atomic_max(T* object, std::type_identity_t<T> value) {
  static_cast<void>(atomic_fetch_max(object, value));
}
/// Keeps the smaller.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION void atomic_min(T* object, std::type_identity_t<T> value) {
  static_cast<void>(atomic_fetch_min(object, value));
}
/// Adds 1.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION void atomic_inc(T* object) {
  atomic_add(object, T{1});
}
/// Subtracts 1.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION void atomic_dec(T* object) {
  atomic_sub(object, T{1});
}

namespace detail {

/// Holds the lock that an address chooses, for objects that no instruction changes as a whole.
class element_lock {
 public:
  explicit element_lock(const void* object) noexcept;
  ~element_lock();
  element_lock(const element_lock&) = delete;
  element_lock& operator=(const element_lock&) = delete;

 private:
  atomic_word<bool>* flag_;
};

/// Devices have no such lock.
[[noreturn]] HPK_INLINE_FUNCTION void stop_without_lock() {
  hpk::abort(
      "hpk: atomic access on a GPU takes elements of 1, 2, 4 or 8 bytes; run it on a host space");
}

/// Replaces an object of any size by change(value); returns the value before.
HPK_CALLS_EITHER
template <class T, class Change>
HPK_INLINE_FUNCTION T element_update(T* object, const Change& change) {
  if constexpr (atomically_updated<T>) {
    return atomic_update(object, change);
  } else {
    HPK_IF_ON_HOST((tell_atomic(object); const element_lock lock(object); const T before = *object;
                    *object = change(before); return before;))
    HPK_IF_ON_DEVICE((stop_without_lock();))
  }
}
/// The value of an object of any size.
HPK_CALLS_EITHER
template <class T>
HPK_INLINE_FUNCTION T element_load(T* object) {
  if constexpr (atomically_updated<T>) {
    return atomic_load(object);
  } else {
    HPK_IF_ON_HOST((tell_atomic(object); const element_lock lock(object); return *object;))
    HPK_IF_ON_DEVICE((stop_without_lock();))
  }
}
/// Sets an object of any size.
HPK_CALLS_EITHER
template <class T>
HPK_INLINE_FUNCTION void element_store(T* object, const T& value) {
  if constexpr (atomically_updated<T>) {
    atomic_store(object, value);
  } else {
    HPK_IF_ON_HOST((tell_atomic(object); const element_lock lock(object); *object = value;))
    HPK_IF_ON_DEVICE((stop_without_lock();))
  }
}

}  // namespace detail
}  // namespace hpk
