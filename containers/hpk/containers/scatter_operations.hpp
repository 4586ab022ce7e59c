// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of a ScatterView: ScatterSum, ScatterProd, ScatterMin, ScatterMax, and the concept
// for your own operations; and the tags that select where contributions are stored.
#pragma once

#include <hpk/core.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace hpk {

/// Where a ScatterView with ScatterSelected stores contributions. Other ScatterViews ignore this.
enum class ScatterStorage {
  automatic,  ///< copies on hosts if they take 64 MiB at most in total, else shared
  copies,     ///< a copy for each thread of a host; on devices shared
  shared      ///< one storage that all lanes share, with atomic operations
};

/// Selects where a ScatterView stores contributions.
/// In separate storage, which contribute() joins to a View: on hosts a copy for each thread, on
/// devices one storage that all lanes share. ScatterAutomatic, the default, is the same.
struct ScatterDuplicated {};
/// Directly in the wrapped View: takes no memory, but atomic operations.
struct ScatterNonDuplicated {};
/// In separate storage, of the ScatterStorage that the constructor gets, or chosen by size. Each
/// access takes a branch, and compilers hoist less out of loops.
struct ScatterSelected {};
/// Contributions to storage that lanes share are atomic operations.
struct ScatterAtomic {};
/// Contributions are plain operations, except to separate storage of devices: no two lanes may
/// update the same element.
struct ScatterNonAtomic {};
/// The default of duplication and contribution: ScatterDuplicated and ScatterAtomic.
struct ScatterAutomatic {};

namespace detail {
/// Whether two tags are equal, or one of them is ScatterAutomatic and the other is not
/// ScatterSelected.
template <class A, class B>
inline constexpr bool is_scatter_tag_like =
    std::is_same_v<A, B> ||
    (std::is_same_v<A, ScatterAutomatic> && !std::is_same_v<B, ScatterSelected>) ||
    (std::is_same_v<B, ScatterAutomatic> && !std::is_same_v<A, ScatterSelected>);
}  // namespace detail

/// Adds contributions.
struct ScatterSum {
  /// Sets `value` to the identity of the operation.
  template <class T>
  HPK_FUNCTION static void init(T& value) {
    value = reduction_identity<T>::sum();
  }
  /// Joins a contribution to `to`.
  template <class T>
  HPK_FORCEINLINE_FUNCTION static void join(T& to, const T& value) {
    to += value;
  }
  /// Joins a contribution to `to` by an atomic operation.
  template <class Scope, class T>
  HPK_FORCEINLINE_FUNCTION static void join_atomically(T* to, const T& value) {
    atomic_add(to, value, MemoryOrderRelaxed(), Scope());
  }
};

/// Multiplies contributions.
struct ScatterProd {
  /// As in ScatterSum.
  ///@{
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
  ///@}
};

/// Keeps the smallest contribution.
struct ScatterMin {
  /// As in ScatterSum.
  ///@{
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
  ///@}
};

/// Keeps the largest contribution.
struct ScatterMax {
  /// As in ScatterSum.
  ///@{
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
  ///@}
};

/// An operation for a ScatterView of T: default constructible, callable in kernels, with
///   init(T& value)               sets the identity
///   join(T& to, const T& value)  joins; associative and commutative, up to rounding
/// Your own operations need only these functions. If lanes share storage, hpk loads, joins and
/// compare-exchanges, so T must then be trivially copyable.
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

/// Joins a value to an element atomically.
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
