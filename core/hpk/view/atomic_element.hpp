// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands for an element of a View with the Atomic trait: a reference whose every use is one
// atomic operation.
#pragma once

#include <hpk/seam/atomic.hpp>

namespace hpk {

/// Refers to an element and reads and changes it atomically: each operation below is one, relaxed,
/// and orders nothing else. Elements of 1, 2, 4 and 8 bytes take the instructions of the hardware;
/// others, of any size, a lock that the address chooses (on hosts and Emu). Operations return
/// values: the element's before for x++, x--, after for all others.
template <class T>
class atomic_element {
 public:
  using value_type = std::remove_const_t<T>;

  HPK_FUNCTION constexpr explicit atomic_element(T* element) noexcept : element_(element) {}
  atomic_element(const atomic_element&) = default;

  /// The value.
  HPK_FUNCTION operator value_type() const { return load(); }
  /// The value.
  HPK_FUNCTION value_type load() const {
    return detail::element_load(const_cast<value_type*>(element_));
  }
  /// Sets the element.
  HPK_FUNCTION value_type operator=(const value_type& value) const {
    detail::element_store(element_, value);
    return value;
  }
  /// Sets the element to the value of another.
  HPK_FUNCTION value_type operator=(const atomic_element& other) const {
    return *this = other.load();
  }

#define HPK_DETAIL_ASSIGN(op)                                                                     \
  HPK_FUNCTION value_type operator op##=(const value_type& value) const {                         \
    return change(                                                                                \
        [&value](const value_type& before) { return static_cast<value_type>(before op value); }); \
  }
  HPK_DETAIL_ASSIGN(*)
  HPK_DETAIL_ASSIGN(/)
  HPK_DETAIL_ASSIGN(%)
  HPK_DETAIL_ASSIGN(&)
  HPK_DETAIL_ASSIGN(|)
  HPK_DETAIL_ASSIGN(^)
  HPK_DETAIL_ASSIGN(<<)
  HPK_DETAIL_ASSIGN(>>)
#undef HPK_DETAIL_ASSIGN

  /// Adds.
  HPK_FUNCTION value_type operator+=(const value_type& value) const {
    if constexpr (detail::atomically_updated<value_type>) {
      return static_cast<value_type>(atomic_fetch_add(element_, value) + value);
    } else {
      return change(
          [&value](const value_type& before) { return static_cast<value_type>(before + value); });
    }
  }
  /// Subtracts.
  HPK_FUNCTION value_type operator-=(const value_type& value) const {
    if constexpr (detail::atomically_updated<value_type>) {
      return static_cast<value_type>(atomic_fetch_sub(element_, value) - value);
    } else {
      return change(
          [&value](const value_type& before) { return static_cast<value_type>(before - value); });
    }
  }
  HPK_FUNCTION value_type operator++() const { return *this += value_type(1); }
  HPK_FUNCTION value_type operator--() const { return *this -= value_type(1); }
  HPK_FUNCTION value_type operator++(int) const {
    return static_cast<value_type>((*this += value_type(1)) - value_type(1));
  }
  HPK_FUNCTION value_type operator--(int) const {
    return static_cast<value_type>((*this -= value_type(1)) + value_type(1));
  }
  /// Adds 1.
  HPK_FUNCTION void inc() const { *this += value_type(1); }
  /// Subtracts 1.
  HPK_FUNCTION void dec() const { *this -= value_type(1); }

 private:
  template <class Change>
  HPK_FUNCTION value_type change(const Change& to) const {
    return to(detail::element_update(element_, to));
  }

  T* element_;
};

}  // namespace hpk
