// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a ScatterView does with a contribution: ScatterSum, ScatterProd, ScatterMin, ScatterMax, and
// the concept of operations of your own; and the tags that select where contributions go.
#pragma once

#include <hpk/core.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace hpk {

/// Where a ScatterView with ScatterSelected keeps contributions. Others ignore it.
enum class ScatterStorage {
  automatic,  ///< copies on hosts while all together take 64 MiB at most, else shared
  copies,     ///< one for each thread of a host; on devices shared
  shared      ///< one that all lanes share, by atomic operations
};

/// Where a ScatterView keeps contributions, as a type.
/// In storage of its own, which contribute() joins to a View; on hosts a copy for each thread, on
/// devices one that all lanes share. ScatterAutomatic, the default, is the same.
struct ScatterDuplicated {};
/// In the wrapped View itself, at once: no memory, but atomic operations.
struct ScatterNonDuplicated {};
/// In storage of its own, of the ScatterStorage that the constructor is given, or chooses by size.
/// Each access then takes a branch, and compilers move less out of loops.
struct ScatterSelected {};
/// Whether contributions are atomic operations; automatically where lanes share storage.
struct ScatterAtomic {};
struct ScatterNonAtomic {};
/// The default of both.
struct ScatterAutomatic {};

namespace detail {
/// Whether one of two tags is the other, or leaves it open.
template <class A, class B>
inline constexpr bool is_scatter_tag_like =
    std::is_same_v<A, B> ||
    (std::is_same_v<A, ScatterAutomatic> && !std::is_same_v<B, ScatterSelected>) ||
    (std::is_same_v<B, ScatterAutomatic> && !std::is_same_v<A, ScatterSelected>);
}  // namespace detail

/// Adds contributions.
struct ScatterSum {
  /// Sets `value` to the identity: the value that contributes nothing.
  template <class T>
  HPK_FUNCTION static void init(T& value) {
    value = reduction_identity<T>::sum();
  }
  /// Joins a contribution to `to`.
  template <class T>
  HPK_FORCEINLINE_FUNCTION static void join(T& to, const T& value) {
    to += value;
  }
  /// The same as an atomic operation.
  template <class Scope, class T>
  HPK_FORCEINLINE_FUNCTION static void join_atomically(T* to, const T& value) {
    atomic_add(to, value, MemoryOrderRelaxed(), Scope());
  }
};

/// Multiplies.
struct ScatterProd {
  template <class T>
  HPK_FUNCTION static void init(T& value) {
    value = reduction_identity<T>::prod();
  }
  template <class T>
  HPK_FORCEINLINE_FUNCTION static void join(T& to, const T& value) {
    to *= value;
  }
  template <class Scope, class T>
  HPK_FORCEINLINE_FUNCTION static void join_atomically(T* to, const T& value) {
    atomic_mul(to, value, MemoryOrderRelaxed(), Scope());
  }
};

/// Keeps the least.
struct ScatterMin {
  template <class T>
  HPK_FUNCTION static void init(T& value) {
    value = reduction_identity<T>::min();
  }
  template <class T>
  HPK_FORCEINLINE_FUNCTION static void join(T& to, const T& value) {
    if (value < to) to = value;
  }
  template <class Scope, class T>
  HPK_FORCEINLINE_FUNCTION static void join_atomically(T* to, const T& value) {
    atomic_min(to, value, MemoryOrderRelaxed(), Scope());
  }
};

/// Keeps the greatest.
struct ScatterMax {
  template <class T>
  HPK_FUNCTION static void init(T& value) {
    value = reduction_identity<T>::max();
  }
  template <class T>
  HPK_FORCEINLINE_FUNCTION static void join(T& to, const T& value) {
    if (to < value) to = value;
  }
  template <class Scope, class T>
  HPK_FORCEINLINE_FUNCTION static void join_atomically(T* to, const T& value) {
    atomic_max(to, value, MemoryOrderRelaxed(), Scope());
  }
};

/// An operation for a ScatterView of T: default constructible, callable in kernels, with
///   init(T& value)               sets the identity
///   join(T& to, const T& value)  joins; associative and commutative, up to rounding
/// Operations of your own need no more: where lanes share storage, hpk loads, joins and
/// compare-exchanges, so that T is then trivially copyable.
template <class Op, class T>
concept ScatterOperation =
    std::default_initializable<Op> && requires(const Op& op, T& to, const T& value) {
      op.init(to);
      op.join(to, value);
    };

namespace detail {

/// Whether two objects have the same bytes.
template <class T>
HPK_INLINE_FUNCTION bool has_bits_of(const T& a, const T& b) {
  const auto* const p = reinterpret_cast<const unsigned char*>(&a);
  const auto* const q = reinterpret_cast<const unsigned char*>(&b);
  for (std::size_t k = 0; k != sizeof(T); ++k) {
    if (p[k] != q[k]) return false;
  }
  return true;
}

/// Joins a value to an element that other lanes join to at the same time.
HPK_CALLS_EITHER
template <class Op, class Scope, class T>
HPK_FORCEINLINE_FUNCTION void scatter_atomically(T* to, const T& value) {
  if constexpr (requires { Op::template join_atomically<Scope>(to, value); }) {
    Op::template join_atomically<Scope>(to, value);
  } else {
    T seen = atomic_load(to, MemoryOrderRelaxed(), Scope());
    for (;;) {
      T joined = seen;
      Op().join(joined, value);
      const T before = atomic_compare_exchange(to, seen, joined, MemoryOrderRelaxed(), Scope());
      if (has_bits_of(before, seen)) return;
      seen = before;
    }
  }
}

}  // namespace detail

}  // namespace hpk
