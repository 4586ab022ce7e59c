// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators of proxies for View elements.
#pragma once

#include <hpk/base/classes.hpp>
#include <hpk/base/macros.hpp>

#include <type_traits>

namespace hpk::classes {
/// Base: operators of Element, a class derived from this one, in terms of its members load(),
/// store(value), change(to), which replaces the value by to(old value), add(value) and
/// subtract(value). The members of Element are const, because they modify the referenced element.
/// Operators return values: x++ and x-- the old value, all others the new value. Parameters are
/// values, not references, because a constant of a class may have no address.
template <class Element, class T>
class element_operators {
 public:
  using value_type = std::remove_const_t<T>;  ///< T without const

  /// @cond internal
  // Element defines assignment itself.
  void operator=(const element_operators&) const = delete;
  /// @endcond

  /// The value.
  HPK_CALLS_EITHER
  HPK_FUNCTION operator value_type() const { return self().load(); }
  /// Sets the element.
  HPK_CALLS_EITHER
  HPK_FUNCTION value_type operator=(value_type value) const {
    self().store(value);
    return value;
  }

#define HPK_DETAIL_ASSIGN(op)                                                                     \
  HPK_FUNCTION value_type operator op##=(value_type value) const {                                \
    return self().change(                                                                         \
        [&value](const value_type& before) { return static_cast<value_type>(before op value); }); \
  }
  /// Changes the element, and returns its new value.
  ///@{
  HPK_DETAIL_ASSIGN(*)
  HPK_DETAIL_ASSIGN(/)
  HPK_DETAIL_ASSIGN(%)
  HPK_DETAIL_ASSIGN(&)
  HPK_DETAIL_ASSIGN(|)
  HPK_DETAIL_ASSIGN(^)
  HPK_DETAIL_ASSIGN(<<)
  HPK_DETAIL_ASSIGN(>>)
  HPK_FUNCTION value_type operator+=(value_type value) const { return self().add(value); }
  HPK_FUNCTION value_type operator-=(value_type value) const { return self().subtract(value); }
  ///@}
#undef HPK_DETAIL_ASSIGN

  /// Adds or subtracts 1. The prefix forms return the new value, the postfix forms the old value.
  ///@{
  HPK_FUNCTION value_type operator++() const { return *this += value_type(1); }
  HPK_FUNCTION value_type operator--() const { return *this -= value_type(1); }
  HPK_FUNCTION value_type operator++(int) const {
    return static_cast<value_type>((*this += value_type(1)) - value_type(1));
  }
  HPK_FUNCTION value_type operator--(int) const {
    return static_cast<value_type>((*this -= value_type(1)) + value_type(1));
  }
  ///@}
  /// Adds 1.
  HPK_FUNCTION void inc() const { *this += value_type(1); }
  /// Subtracts 1.
  HPK_FUNCTION void dec() const { *this -= value_type(1); }

 private:
  HPK_FUNCTION const Element& self() const noexcept { return static_cast<const Element&>(*this); }
};
}  // namespace hpk::classes
