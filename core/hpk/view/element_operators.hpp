// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operators of what stands for an element of a View where a reference would not do.
#pragma once

#include <hpk/base/macros.hpp>

#include <type_traits>

namespace hpk::detail {

/// Operators of an Element, which derives from this, over its members load(), store(value),
/// change(to), which makes the value to(before), and add(value), subtract(value). The members of
/// Element are const, as those of a reference: it is the element that changes. Operations return
/// values: the element's before for x++, x--, after for all others.
template <class Element, class T>
class element_operators {
 public:
  using value_type = std::remove_const_t<T>;

  // Element says what one means.
  void operator=(const element_operators&) const = delete;

  /// The value.
  HPK_CALLS_EITHER
  HPK_FUNCTION operator value_type() const { return self().load(); }
  /// Sets the element.
  HPK_CALLS_EITHER
  HPK_FUNCTION value_type operator=(const value_type& value) const {
    self().store(value);
    return value;
  }

#define HPK_DETAIL_ASSIGN(op)                                                                     \
  HPK_FUNCTION value_type operator op##=(const value_type& value) const {                         \
    return self().change(                                                                         \
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
  HPK_FUNCTION value_type operator+=(const value_type& value) const { return self().add(value); }
  /// Subtracts.
  HPK_FUNCTION value_type operator-=(const value_type& value) const {
    return self().subtract(value);
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
  HPK_FUNCTION const Element& self() const noexcept { return static_cast<const Element&>(*this); }
};

}  // namespace hpk::detail
