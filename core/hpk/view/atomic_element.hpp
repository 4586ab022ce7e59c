// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The proxy for an element of a View with the Atomic trait: a reference whose every use is one
// atomic operation.
#pragma once

#include <hpk/seam/atomic_object.hpp>
#include <hpk/view/element_operators.hpp>

namespace hpk {

/// Refers to an element and reads and changes it atomically: each operator is one operation,
/// relaxed, and orders nothing else. Elements of 1, 2, 4 and 8 bytes use atomic instructions;
/// others, of any size, use a lock chosen by the address (on hosts and Emu).
template <class T>
class atomic_element : public detail::element_operators<atomic_element<T>, T> {
  using operators = detail::element_operators<atomic_element, T>;
  friend operators;

 public:
  using value_type = typename operators::value_type;

  HPK_FUNCTION constexpr explicit atomic_element(T* element) noexcept : element_(element) {}
  atomic_element(const atomic_element&) = default;
  using operators::operator=;
  /// Sets the element to the value of another.
  HPK_FUNCTION value_type operator=(const atomic_element& other) const {
    return *this = other.load();
  }
  /// The value.
  HPK_FUNCTION value_type load() const {
    return detail::object_load(const_cast<value_type*>(element_));
  }

 private:
  HPK_FUNCTION void store(const value_type& value) const { detail::object_store(element_, value); }
  template <class Change>
  HPK_FUNCTION value_type change(const Change& to) const {
    return to(detail::object_update(element_, to));
  }
  HPK_FUNCTION value_type add(const value_type& value) const {
    return calculate<detail::add_operation>(value);
  }
  HPK_FUNCTION value_type subtract(const value_type& value) const {
    return calculate<detail::sub_operation>(value);
  }
  HPK_CALLS_EITHER
  template <class Operation>
  HPK_FUNCTION value_type calculate(const value_type& value) const {
    return detail::applied<Operation>(detail::object_fetch<Operation>(element_, value), value);
  }

  T* element_;
};

}  // namespace hpk
