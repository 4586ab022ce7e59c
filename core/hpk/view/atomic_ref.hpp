// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reference on which every operation is atomic: to any object, or to an element of a View with
// the Atomic trait.
#pragma once

#include <hpk/atomic/atomic.hpp>
#include <hpk/view/element_operators.hpp>

namespace hpk {

/// A reference to an object on which each member and operator is one atomic operation. Order and
/// Scope are the memory order and thread scope of its operations. The default is relaxed, which
/// orders no other accesses, and the device. Views with the Atomic trait return it for their
/// elements. Objects of 1, 2, 4 and 8 bytes use atomic instructions; other trivially copyable types
/// use a lock selected by the address (on hosts and Emu). Usable on any thread, in kernels and
/// outside; the object must outlive the reference. Members are const, because they modify the
/// object, not the reference.
template <class T, class Order = MemoryOrderRelaxed, class Scope = MemoryScopeDevice>
class AtomicRef : public classes::element_operators<AtomicRef<T, Order, Scope>, T> {
  using operators = classes::element_operators<AtomicRef, T>;
  friend operators;

 public:
  using value_type = typename operators::value_type;  ///< T without const
  using memory_order = Order;                         ///< the order of each operation
  using memory_scope = Scope;                         ///< the scope of each operation

  /// A reference to an object.
  HPK_FUNCTION constexpr explicit AtomicRef(T& object) noexcept : object_(&object) {}
  /// A reference to the object at an address.
  HPK_FUNCTION constexpr explicit AtomicRef(T* object) noexcept : object_(object) {}
  AtomicRef(const AtomicRef&) = default;  ///< refers to the same object
  using operators::operator=;
  /// Stores the value of another object.
  HPK_FUNCTION value_type operator=(const AtomicRef& other) const { return *this = other.load(); }

  /// Returns the value, with Order. A release order applies only to operations that write, so it is
  /// ignored.
  HPK_FUNCTION value_type load() const { return atomic_load(object_, order_of_load(), Scope()); }
  /// Stores a value, with Order. An acquire order applies only to operations that read, so it is
  /// ignored.
  HPK_FUNCTION void store(value_type value) const {
    atomic_store(object_, value, order_of_store(), Scope());
  }
  /// Stores a value; returns the old value.
  HPK_FUNCTION value_type exchange(value_type value) const {
    return atomic_exchange(object_, value, Order(), Scope());
  }
  /// Stores `value` and returns true if the object equals `expected`; otherwise sets `expected` to
  /// the object's value.
  HPK_FUNCTION bool compare_exchange_strong(value_type& expected, value_type value) const {
    const value_type before = atomic_compare_exchange(object_, expected, value, Order(), Scope());
    const bool done = detail::is_same_value(before, expected);
    expected = before;
    return done;
  }
  /// The same as compare_exchange_strong(); never fails spuriously.
  HPK_FUNCTION bool compare_exchange_weak(value_type& expected, value_type value) const {
    return compare_exchange_strong(expected, value);
  }

#define HPK_DETAIL_FETCH(name)                                      \
  HPK_FUNCTION value_type fetch_##name(value_type value) const {    \
    return atomic_fetch_##name(object_, value, Order(), Scope());   \
  }                                                                 \
  HPK_FUNCTION value_type name##_fetch(value_type value) const {    \
    return atomic_##name##_fetch(object_, value, Order(), Scope()); \
  }
  /// @{
  /// fetch_add(value) returns the old value, add_fetch(value) the new value. The other operations
  /// have the same two forms.
  HPK_DETAIL_FETCH(add)
  HPK_DETAIL_FETCH(sub)
  HPK_DETAIL_FETCH(mul)
  HPK_DETAIL_FETCH(div)
  HPK_DETAIL_FETCH(max)
  HPK_DETAIL_FETCH(min)
  HPK_DETAIL_FETCH(mod)
  HPK_DETAIL_FETCH(and)
  HPK_DETAIL_FETCH(or)
  HPK_DETAIL_FETCH(xor)
  HPK_DETAIL_FETCH(nand)
  HPK_DETAIL_FETCH(lshift)
  HPK_DETAIL_FETCH(rshift)
  /// @}
#undef HPK_DETAIL_FETCH

 private:
  static constexpr detail::memory_order order = Order::order;
  static constexpr bool is_release = order == detail::memory_order::release;
  static constexpr bool is_acquire = order == detail::memory_order::acquire;
  static constexpr bool is_both = order == detail::memory_order::acq_rel;
  using order_of_load = std::conditional_t<is_release, MemoryOrderRelaxed,
                                           std::conditional_t<is_both, MemoryOrderAcquire, Order>>;
  using order_of_store = std::conditional_t<is_acquire, MemoryOrderRelaxed,
                                            std::conditional_t<is_both, MemoryOrderRelease, Order>>;

  template <class Change>
  HPK_FUNCTION value_type change(const Change& to) const {
    return to(detail::object_update(object_, to, detail::mode_of<Order, Scope>));
  }
  HPK_FUNCTION value_type add(const value_type& value) const { return add_fetch(value); }
  HPK_FUNCTION value_type subtract(const value_type& value) const { return sub_fetch(value); }

  T* object_;
};

namespace detail {
/// An element of a View with the Atomic trait.
template <class T>
using atomic_element = AtomicRef<T>;
}  // namespace detail

}  // namespace hpk
