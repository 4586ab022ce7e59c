// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory traits: what a View type promises about the memory it refers to.
#pragma once

#include <type_traits>

namespace hpk {

/// The View does not own: it never allocates, counts or frees.
inline constexpr unsigned Unmanaged = 0x1;
/// Accesses are irregular reads (a hint).
inline constexpr unsigned RandomAccess = 0x2;
/// No other View of the same memory is used at the same time (a promise).
inline constexpr unsigned Restrict = 0x8;

/// A combination of the flags above: MemoryTraits<Unmanaged | RandomAccess>.
template <unsigned Flags = 0>
struct MemoryTraits {
  static_assert((Flags & ~(Unmanaged | RandomAccess | Restrict)) == 0,
                "hpk::MemoryTraits: write a combination of Unmanaged, RandomAccess and Restrict");
  using memory_traits = MemoryTraits;
  static constexpr bool is_unmanaged = (Flags & Unmanaged) != 0;
  static constexpr bool is_random_access = (Flags & RandomAccess) != 0;
  static constexpr bool is_restrict = (Flags & Restrict) != 0;
};

/// Traits of a View that does not own.
using MemoryUnmanaged = MemoryTraits<Unmanaged>;

/// True for MemoryTraits<...>.
template <class T>
inline constexpr bool is_memory_traits_v = false;
template <unsigned Flags>
inline constexpr bool is_memory_traits_v<MemoryTraits<Flags>> = true;
/// `type`-style form of is_memory_traits_v.
template <class T>
struct is_memory_traits : std::bool_constant<is_memory_traits_v<std::remove_cv_t<T>>> {};

}  // namespace hpk
