// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations on plain objects, for kernels: many lanes may update one element. Relaxed, as
// kernels want them. One loop does every operation that the hardware lacks.
#pragma once

#include <hpk/base/macros.hpp>

#include <atomic>
#include <concepts>
#include <type_traits>

namespace hpk::seam {

/// Told of every atomic operation of this thread, or null. A memory that looks for races sets it.
using atomic_watcher = void (*)(const void*);
inline constinit thread_local atomic_watcher atomic_watch = nullptr;

}  // namespace hpk::seam

namespace hpk::detail {

/// What may be updated atomically: trivially copyable objects of 1, 2, 4 or 8 bytes.
template <class T>
concept atomically_updated = std::is_trivially_copyable_v<T> && !std::is_const_v<T> &&
                             (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);

/// The object as an atomic one.
template <atomically_updated T>
HPK_INLINE_FUNCTION std::atomic_ref<T> atomic_object(T* object) {
  if (seam::atomic_watch != nullptr) seam::atomic_watch(object);
  return std::atomic_ref<T>(*object);
}

/// Replaces the value by change(value); returns the one before.
template <class T, class Change>
HPK_INLINE_FUNCTION T atomic_update(T* object, const Change& change) {
  const auto atom = atomic_object(object);
  T before = atom.load(std::memory_order_relaxed);
  while (!atom.compare_exchange_weak(before, change(before), std::memory_order_relaxed)) {
  }
  return before;
}

}  // namespace hpk::detail

namespace hpk {

/// The value of an object that others may be changing. Any thread, in kernels and outside; so are
/// all operations of this file. They are atomic, and order nothing else.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION T atomic_load(T* object) {
  return detail::atomic_object(object).load(std::memory_order_relaxed);
}
/// Sets the object.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION void atomic_store(T* object, std::type_identity_t<T> value) {
  detail::atomic_object(object).store(value, std::memory_order_relaxed);
}
/// Sets the object; returns the value before.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION T atomic_exchange(T* object, std::type_identity_t<T> value) {
  return detail::atomic_object(object).exchange(value, std::memory_order_relaxed);
}
/// Sets the object to `value` if it equals `expected`, bit for bit; returns the value before.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION T atomic_compare_exchange(T* object, std::type_identity_t<T> expected,
                                              std::type_identity_t<T> value) {
  detail::atomic_object(object).compare_exchange_strong(expected, value, std::memory_order_relaxed);
  return expected;
}

/// Adds; returns the value before.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION T atomic_fetch_add(T* object, std::type_identity_t<T> value) {
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    return detail::atomic_object(object).fetch_add(value, std::memory_order_relaxed);
  } else {
    return detail::atomic_update(object, [value](T before) { return before + value; });
  }
}
/// Subtracts; returns the value before.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION T atomic_fetch_sub(T* object, std::type_identity_t<T> value) {
  return detail::atomic_update(object,
                               [value](T before) { return static_cast<T>(before - value); });
}
/// Keeps the larger; returns the value before.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION T atomic_fetch_max(T* object, std::type_identity_t<T> value) {
  return detail::atomic_update(object,
                               [value](T before) { return before < value ? value : before; });
}
/// Keeps the smaller; returns the value before.
template <detail::atomically_updated T>
HPK_INLINE_FUNCTION T atomic_fetch_min(T* object, std::type_identity_t<T> value) {
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

}  // namespace hpk
