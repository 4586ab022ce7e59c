// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations on plain objects, for kernels in which several iterations update one element.
// By default they are relaxed and atomic within a device; trailing tag arguments change order and
// scope. docs/atomics.md lists lock-free types and costs.
#pragma once

#include <hpk/atomic/atomic_object.hpp>
#include <hpk/seam/machine.hpp>

#include <type_traits>

namespace hpk::detail {

/// The value type of the pointer to the object.
template <class T>
using value_of = typename std::remove_cv<T>::type;

/// The tag arguments as values.
template <class Order, class Scope>
inline constexpr atomic_mode mode_of = {Order::order, Scope::scope};

// Requirements common to all operations.
template <class T, class Order, class Scope>
HPK_FUNCTION constexpr bool is_atomic_access() {
  constexpr bool has_tags = requires {
    Order::order;
    Scope::scope;
  };
  static_assert(has_tags,
                "hpk::atomic_load and the like: write the order before the scope, as in "
                "hpk::MemoryOrderAcquire(), hpk::MemoryScopeDevice()");
  constexpr bool is_plain = std::is_trivially_copyable_v<value_of<T>>;
  static_assert(is_plain || !has_tags,
                "hpk::atomic_load and the like: write a pointer to a trivially copyable object; "
                "others can't be replaced as a whole");
  return has_tags && is_plain;
}
/// Checks the arguments of a load at compile time.
template <class T, class Order, class Scope>
HPK_FUNCTION constexpr bool is_atomic_load() {
  if constexpr (is_atomic_access<T, Order, Scope>()) {
    constexpr bool ok =
        Order::order != memory_order::release && Order::order != memory_order::acq_rel;
    static_assert(ok,
                  "hpk::atomic_load: write MemoryOrderRelaxed, MemoryOrderAcquire or "
                  "MemoryOrderSeqCst; a load has nothing to release");
    return ok;
  }
  return false;
}
/// Checks the arguments of an operation that changes an object.
template <class T, class Order, class Scope>
HPK_FUNCTION constexpr bool is_atomic_change() {
  constexpr bool may_change = !std::is_const_v<T>;
  static_assert(may_change,
                "hpk::atomic_store and the like: write a pointer to an object that is not const; "
                "they change it");
  if constexpr (may_change) return is_atomic_access<T, Order, Scope>();
  return false;
}
/// Checks the arguments of a store.
template <class T, class Order, class Scope>
HPK_FUNCTION constexpr bool is_atomic_store() {
  if constexpr (is_atomic_change<T, Order, Scope>()) {
    constexpr bool ok =
        Order::order != memory_order::acquire && Order::order != memory_order::acq_rel;
    static_assert(ok,
                  "hpk::atomic_store: write MemoryOrderRelaxed, MemoryOrderRelease or "
                  "MemoryOrderSeqCst; a store has nothing to acquire");
    return ok;
  }
  return false;
}
/// Checks the arguments of an arithmetic operation.
template <class Operation, class T, class Order, class Scope>
HPK_FUNCTION constexpr bool is_atomic_calculation() {
  if constexpr (is_atomic_change<T, Order, Scope>()) {
    using value = value_of<T>;
    constexpr bool fits = !Operation::of_integers || std::is_integral_v<value>;
    static_assert(
        fits,
        "hpk::atomic_fetch_and and the like: write a pointer to an integer; mod, and, or, "
        "xor, nand, lshift and rshift are operations of integers");
    constexpr bool exists =
        requires(const value& x) { static_cast<value>(Operation::template apply<value>(x, x)); };
    static_assert(exists || !fits,
                  "hpk::atomic_fetch_add and the like: write a pointer to a number, or give its "
                  "type the operator between two of them: + for add, < for max");
    return fits && exists;
  }
  return false;
}

// One worker runs the whole launch, iteration after iteration.
template <class Exec>
inline constexpr bool has_one_worker = seam::has_one_worker<seam::machine<Exec>>;

/// The three forms of an operation, for arguments that were checked at compile time.
template <class Operation, class T, class Order, class Scope>
HPK_INLINE_FUNCTION value_of<T> atomic_fetch(T* object, const value_of<T>& value) {
  return object_fetch<Operation>(const_cast<value_of<T>*>(object), value, mode_of<Order, Scope>);
}

/// Any further argument of an atomic operation whose first argument is not a pointer. The
/// conversion ranks below every other overload.
struct any_atomic_argument {
  HPK_FUNCTION constexpr any_atomic_argument() {}
  template <class T>
  HPK_FUNCTION constexpr any_atomic_argument(const T&) {}
};
/// An object that is passed in place of a pointer to it.
template <class T>
concept atomic_target_without_address =
    !std::is_pointer_v<T> && !std::is_array_v<T> && !std::is_convertible_v<const T&, const void*>;
/// Rejects such an object at compile time.
template <class T>
[[noreturn]] HPK_FUNCTION void refuse_object() {
  static_assert(always_false<T>,
                "hpk::atomic_add and the like: write a pointer to the object, as &a(i) in "
                "hpk::atomic_add(&a(i), 1)");
  HPK_UNREACHABLE();
}

}  // namespace hpk::detail

namespace hpk {

/// The scope for operations that compete only with other iterations of the same launch on Exec:
/// MemoryScopeCaller (plain arithmetic) if one thread runs the whole launch (Serial), else
/// MemoryScopeDevice.
template <class Exec>
using MemoryScopeLaunch =
    std::conditional_t<detail::has_one_worker<Exec>, MemoryScopeCaller, MemoryScopeDevice>;

/// Loads an object that other threads may modify concurrently. Like all operations of this file it
/// may be called by any thread, in kernels and outside. The object may be of any trivially copyable
/// type; on GPUs of 1, 2, 4 or 8 bytes (16 from compute capability 9.0 on).
template <class T, class Order = MemoryOrderRelaxed, class Scope = MemoryScopeDevice>
HPK_INLINE_FUNCTION detail::value_of<T> atomic_load(T* object, Order = {}, Scope = {}) {
  if constexpr (detail::is_atomic_load<T, Order, Scope>())
    return detail::object_load(const_cast<detail::value_of<T>*>(object),
                               detail::mode_of<Order, Scope>);
  else
    HPK_UNREACHABLE();
}
/// Stores a value.
template <class T, class Order = MemoryOrderRelaxed, class Scope = MemoryScopeDevice>
HPK_INLINE_FUNCTION void atomic_store(T* object, detail::value_of<T> value, Order = {},
                                      Scope = {}) {
  if constexpr (detail::is_atomic_store<T, Order, Scope>())
    detail::object_store(const_cast<detail::value_of<T>*>(object), value,
                         detail::mode_of<Order, Scope>);
}
/// Stores a value. Returns the old value.
template <class T, class Order = MemoryOrderRelaxed, class Scope = MemoryScopeDevice>
HPK_INLINE_FUNCTION detail::value_of<T> atomic_exchange(T* object, detail::value_of<T> value,
                                                        Order = {}, Scope = {}) {
  if constexpr (detail::is_atomic_change<T, Order, Scope>())
    return detail::object_exchange(const_cast<detail::value_of<T>*>(object), value,
                                   detail::mode_of<Order, Scope>);
  else
    HPK_UNREACHABLE();
}
/// Stores `value` if the object equals `expected` bit for bit; returns the old value. The store
/// happened if the old value equals `expected`. g++ ignores padding in the comparison; other
/// compilers include it.
template <class T, class Order = MemoryOrderRelaxed, class Scope = MemoryScopeDevice>
HPK_INLINE_FUNCTION detail::value_of<T> atomic_compare_exchange(T* object,
                                                                detail::value_of<T> expected,
                                                                detail::value_of<T> value,
                                                                Order = {}, Scope = {}) {
  if constexpr (detail::is_atomic_change<T, Order, Scope>())
    return detail::object_compare_exchange(const_cast<detail::value_of<T>*>(object), expected,
                                           value, detail::mode_of<Order, Scope>);
  else
    HPK_UNREACHABLE();
}

// The three forms of an operation: returns the old value, returns the new value, returns nothing.
#define HPK_DETAIL_ATOMIC(name)                                                                   \
  template <class T, class Order = MemoryOrderRelaxed, class Scope = MemoryScopeDevice>           \
  HPK_INLINE_FUNCTION detail::value_of<T> atomic_fetch_##name(                                    \
      T* object, detail::value_of<T> value, Order = {}, Scope = {}) {                             \
    if constexpr (detail::is_atomic_calculation<detail::name##_operation, T, Order, Scope>())     \
      return detail::atomic_fetch<detail::name##_operation, T, Order, Scope>(object, value);      \
    else                                                                                          \
      HPK_UNREACHABLE();                                                                          \
  }                                                                                               \
  HPK_CALLS_EITHER                                                                                \
  template <class T, class Order = MemoryOrderRelaxed, class Scope = MemoryScopeDevice>           \
  HPK_INLINE_FUNCTION detail::value_of<T> atomic_##name##_fetch(                                  \
      T* object, detail::value_of<T> value, Order = {}, Scope = {}) {                             \
    if constexpr (detail::is_atomic_calculation<detail::name##_operation, T, Order, Scope>())     \
      return detail::applied<detail::name##_operation, detail::value_of<T>>(                      \
          detail::atomic_fetch<detail::name##_operation, T, Order, Scope>(object, value), value); \
    else                                                                                          \
      HPK_UNREACHABLE();                                                                          \
  }                                                                                               \
  template <class T, class Order = MemoryOrderRelaxed, class Scope = MemoryScopeDevice>           \
  HPK_INLINE_FUNCTION void atomic_##name(T* object, detail::value_of<T> value, Order = {},        \
                                         Scope = {}) {                                            \
    if constexpr (detail::is_atomic_calculation<detail::name##_operation, T, Order, Scope>())     \
      static_cast<void>(                                                                          \
          detail::atomic_fetch<detail::name##_operation, T, Order, Scope>(object, value));        \
  }

/// Adds: atomic_fetch_add(object, value) returns the old value, atomic_add_fetch the new one,
/// atomic_add nothing; the following operations have the same three forms. Integers wrap. Sums of
/// floating-point numbers depend on the order in which they are added.
///@{
HPK_DETAIL_ATOMIC(add)
///@}
/// Subtracts.
///@{
HPK_DETAIL_ATOMIC(sub)
///@}
/// Multiplies.
///@{
HPK_DETAIL_ATOMIC(mul)
///@}
/// Divides.
///@{
HPK_DETAIL_ATOMIC(div)
///@}
/// Stores the larger of the old value and `value`. Omits the store if the value does not change,
/// unless the order releases.
///@{
HPK_DETAIL_ATOMIC(max)
///@}
/// Stores the smaller of the old value and `value`, with the same omission.
///@{
HPK_DETAIL_ATOMIC(min)
///@}
/// The remainder of a division by the value. Integers only, like all operations below.
///@{
HPK_DETAIL_ATOMIC(mod)
///@}
/// Bitwise and.
///@{
HPK_DETAIL_ATOMIC(and)
///@}
/// Bitwise or.
///@{
HPK_DETAIL_ATOMIC(or)
///@}
/// Bitwise exclusive or.
///@{
HPK_DETAIL_ATOMIC(xor)
///@}
/// Bitwise not-and.
///@{
HPK_DETAIL_ATOMIC(nand)
///@}
/// Shifts left by the given number of bits.
///@{
HPK_DETAIL_ATOMIC(lshift)
///@}
/// Shifts right.
///@{
HPK_DETAIL_ATOMIC(rshift)
///@}
#undef HPK_DETAIL_ATOMIC

#define HPK_DETAIL_ATOMIC_STEP(name, step)                                                   \
  template <class T, class Order = MemoryOrderRelaxed, class Scope = MemoryScopeDevice>      \
  HPK_INLINE_FUNCTION detail::value_of<T> atomic_fetch_##name(T* object, Order order = {},   \
                                                              Scope scope = {}) {            \
    return atomic_fetch_##step(object, detail::value_of<T>(1), order, scope);                \
  }                                                                                          \
  template <class T, class Order = MemoryOrderRelaxed, class Scope = MemoryScopeDevice>      \
  HPK_INLINE_FUNCTION detail::value_of<T> atomic_##name##_fetch(T* object, Order order = {}, \
                                                                Scope scope = {}) {          \
    return atomic_##step##_fetch(object, detail::value_of<T>(1), order, scope);              \
  }                                                                                          \
  template <class T, class Order = MemoryOrderRelaxed, class Scope = MemoryScopeDevice>      \
  HPK_INLINE_FUNCTION void atomic_##name(T* object, Order order = {}, Scope scope = {}) {    \
    atomic_##step(object, detail::value_of<T>(1), order, scope);                             \
  }

/// Adds 1, in the same three forms.
///@{
HPK_DETAIL_ATOMIC_STEP(inc, add)
///@}
/// Subtracts 1.
///@{
HPK_DETAIL_ATOMIC_STEP(dec, sub)
///@}
#undef HPK_DETAIL_ATOMIC_STEP

/// Adds 1, or sets the object to 0 if it is at or above the limit; returns the old value.
template <class T, class Order = MemoryOrderRelaxed, class Scope = MemoryScopeDevice>
HPK_INLINE_FUNCTION detail::value_of<T> atomic_fetch_inc_mod(T* object, detail::value_of<T> limit,
                                                             Order = {}, Scope = {}) {
  if constexpr (detail::is_atomic_calculation<detail::inc_mod_operation, T, Order, Scope>())
    return detail::atomic_fetch<detail::inc_mod_operation, T, Order, Scope>(object, limit);
  else
    HPK_UNREACHABLE();
}
/// Subtracts 1, or sets the object to the limit if it is 0 or above the limit; returns the old
/// value.
template <class T, class Order = MemoryOrderRelaxed, class Scope = MemoryScopeDevice>
HPK_INLINE_FUNCTION detail::value_of<T> atomic_fetch_dec_mod(T* object, detail::value_of<T> limit,
                                                             Order = {}, Scope = {}) {
  if constexpr (detail::is_atomic_calculation<detail::dec_mod_operation, T, Order, Scope>())
    return detail::atomic_fetch<detail::dec_mod_operation, T, Order, Scope>(object, limit);
  else
    HPK_UNREACHABLE();
}

// Overloads for an object in place of a pointer: a compile-time error tells what to write instead.
#define HPK_DETAIL_ATOMIC_OF_OBJECT(name)                                           \
  template <detail::atomic_target_without_address T>                                \
  HPK_INLINE_FUNCTION T atomic_##name(                                              \
      const T&, detail::any_atomic_argument = {}, detail::any_atomic_argument = {}, \
      detail::any_atomic_argument = {}, detail::any_atomic_argument = {}) {         \
    detail::refuse_object<T>();                                                     \
  }
#define HPK_DETAIL_ATOMIC_OF_OBJECTS(name)  \
  HPK_DETAIL_ATOMIC_OF_OBJECT(fetch_##name) \
  HPK_DETAIL_ATOMIC_OF_OBJECT(name##_fetch) \
  HPK_DETAIL_ATOMIC_OF_OBJECT(name)
HPK_DETAIL_ATOMIC_OF_OBJECT(load)
HPK_DETAIL_ATOMIC_OF_OBJECT(store)
HPK_DETAIL_ATOMIC_OF_OBJECT(exchange)
HPK_DETAIL_ATOMIC_OF_OBJECT(compare_exchange)
HPK_DETAIL_ATOMIC_OF_OBJECTS(add)
HPK_DETAIL_ATOMIC_OF_OBJECTS(sub)
HPK_DETAIL_ATOMIC_OF_OBJECTS(mul)
HPK_DETAIL_ATOMIC_OF_OBJECTS(div)
HPK_DETAIL_ATOMIC_OF_OBJECTS(max)
HPK_DETAIL_ATOMIC_OF_OBJECTS(min)
HPK_DETAIL_ATOMIC_OF_OBJECTS(mod)
HPK_DETAIL_ATOMIC_OF_OBJECTS(and)
HPK_DETAIL_ATOMIC_OF_OBJECTS(or)
HPK_DETAIL_ATOMIC_OF_OBJECTS(xor)
HPK_DETAIL_ATOMIC_OF_OBJECTS(nand)
HPK_DETAIL_ATOMIC_OF_OBJECTS(lshift)
HPK_DETAIL_ATOMIC_OF_OBJECTS(rshift)
HPK_DETAIL_ATOMIC_OF_OBJECTS(inc)
HPK_DETAIL_ATOMIC_OF_OBJECTS(dec)
HPK_DETAIL_ATOMIC_OF_OBJECT(fetch_inc_mod)
HPK_DETAIL_ATOMIC_OF_OBJECT(fetch_dec_mod)
#undef HPK_DETAIL_ATOMIC_OF_OBJECTS
#undef HPK_DETAIL_ATOMIC_OF_OBJECT

/// A sequentially consistent fence, in kernels and outside: orders earlier accesses of the calling
/// thread before later ones. All threads see such fences in one order.
template <class Scope = MemoryScopeDevice>
  requires detail::is_memory_scope_v<Scope>
HPK_INLINE_FUNCTION void memory_fence(Scope = {}) {
  detail::object_fence(detail::mode_of<MemoryOrderSeqCst, Scope>);
}
/// An acquire fence, after an atomic load: makes visible what another thread did before its
/// store_fence() and its atomic store of the loaded value.
template <class Scope = MemoryScopeDevice>
  requires detail::is_memory_scope_v<Scope>
HPK_INLINE_FUNCTION void load_fence(Scope = {}) {
  detail::object_fence(detail::mode_of<MemoryOrderAcquire, Scope>);
}
/// A release fence, before an atomic store: threads that load the stored value and then call
/// load_fence() see what this thread did before.
template <class Scope = MemoryScopeDevice>
  requires detail::is_memory_scope_v<Scope>
HPK_INLINE_FUNCTION void store_fence(Scope = {}) {
  detail::object_fence(detail::mode_of<MemoryOrderRelease, Scope>);
}

}  // namespace hpk
